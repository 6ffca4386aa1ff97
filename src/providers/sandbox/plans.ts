import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { ReportDoor } from '#providers/event-handler.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import { deletePlan, findDuePlans, type Plan } from './store.ts';

const PLANS_A_LOOK = 100;

interface PlanDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly report: ReportDoor;
}

/**
 * Reports what the sandbox's card numbers promised for later. The plan is deleted after its report, whose id is the
 * plan's own: a crash between the two repeats the report, which then changes nothing.
 */
export function createPlanPlayer({ db, clock, transactions, report }: PlanDeps): () => Promise<boolean> {
  async function play(plan: Plan): Promise<void> {
    const { sellerId, transactionId, kind, dueAt } = plan;
    const transaction = await transactions.find({ sellerId, id: transactionId });
    if (transaction !== undefined) {
      const happening =
        kind === 'PAYMENT'
          ? ({ kind, amount: transaction.amount, paidAt: dueAt } as const)
          : ({ kind: 'CHARGEBACK' } as const);
      const reportId = `plan ${transactionId} ${kind}`;
      await report({ provider: 'sandbox', reportId, sellerId, transactionId, happening, occurredAt: dueAt });
    }
    failPoint('plans.reported');
    await deletePlan(db, plan);
  }

  return async () => {
    const due = await findDuePlans(db, clock.now(), PLANS_A_LOOK);
    for (const plan of due) await play(plan);
    return due.length === PLANS_A_LOOK;
  };
}
