import type { Db } from '#platform/database/connect.ts';

/** What the sandbox's provider will report later. */
export interface Plan {
  readonly sellerId: string;
  readonly transactionId: string;
  readonly kind: 'PAYMENT' | 'CHARGEBACK';
  readonly dueAt: Date;
}

export async function insertPlan(db: Db, plan: Plan): Promise<void> {
  await db
    .insertInto('sandbox_plans')
    .values({
      seller_id: plan.sellerId,
      transaction_id: plan.transactionId,
      kind: plan.kind,
      due_at: plan.dueAt,
    })
    .execute();
}

export async function findDuePlans(db: Db, now: Date, limit: number): Promise<readonly Plan[]> {
  const rows = await db
    .selectFrom('sandbox_plans')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    sellerId: row.seller_id,
    transactionId: row.transaction_id,
    kind: row.kind === 'CHARGEBACK' ? 'CHARGEBACK' : 'PAYMENT',
    dueAt: row.due_at,
  }));
}

export async function deletePlan(db: Db, plan: Plan): Promise<void> {
  await db
    .deleteFrom('sandbox_plans')
    .where('seller_id', '=', plan.sellerId)
    .where('transaction_id', '=', plan.transactionId)
    .where('kind', '=', plan.kind)
    .execute();
}
