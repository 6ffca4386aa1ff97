import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createCaller, eachOf, NotTaken } from '#platform/jobs/provider-calls.ts';
import type { PayoutAnswer, PayoutDestination, PayoutProvider } from './payout-provider.ts';
import type { WithdrawalsService } from './service.ts';
import {
  claimPayouts,
  closePayout,
  movePayout,
  postponePayout,
  type ClaimedPayout,
} from './store-payouts.ts';
import { findApproved } from './store.ts';
import type { Payee, Withdrawal } from './withdrawal.ts';

const MOST_AT_ONCE = 20;
const DEADLINE_MS = 15_000;

export interface PayoutsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly withdrawals: WithdrawalsService;
  /** Who pays out, in the order of choice; each what it can. */
  readonly providers: readonly PayoutProvider[];
  readonly log: Logger;
}

/**
 * Gives approved withdrawals to the provider. What is intended is committed first (PROCESSING, and a payout that is due),
 * then the provider is called outside any transaction, then the outcome is committed. A crash between leaves a payout
 * that is due, and the provider pays once for its id however often it is called. Only where a provider has certainly not
 * taken it is another one asked.
 */
export function createPayouts({ db, clock, withdrawals, providers, log }: PayoutsDeps) {
  const callProvider = (to: PayoutProvider) =>
    createCaller<ClaimedPayout, PayoutAnswer>(
      { clock, log },
      {
        name: 'payout',
        points: 'payouts',
        deadlineMs: DEADLINE_MS,
        lease: (lease) => claimPayouts(db, { provider: to.name, ...lease }),
        async prepare(payout) {
          const withdrawal = await withdrawals.find(payout);
          if (withdrawal?.status !== 'PROCESSING') {
            // Its report was faster than the call's answer, or a crash came after the report of a refusal.
            await closePayout(db, payout, null, clock.now());
            return undefined;
          }
          return async (deadline) => to.send(orderOf(withdrawal, withdrawals.payeeOf(withdrawal)), deadline);
        },
        async record(payout, answer) {
          const reference = answer.kind === 'accepted' ? answer.reference : null;
          if (answer.kind === 'refused') await fail(payout, to.name, answer.reason);
          await closePayout(db, payout, reference, clock.now());
        },
        async postpone(payout, dueAt, now, error) {
          // That this call was not heard says nothing of one before it, whose outcome nobody knows.
          const isUntaken = error instanceof NotTaken && payout.attempts === 0;
          const next = isUntaken ? await after(to, payout) : undefined;
          if (next === undefined) return postponePayout(db, payout, dueAt, now);
          // Where all have been asked, the first one is asked again after a while.
          const again = providers.indexOf(next) <= providers.indexOf(to);
          await movePayout(db, payout, {
            from: to.name,
            to: next.name,
            dueAt: again ? dueAt : now,
            now,
          });
        },
      },
    );
  const callers = providers.map(callProvider);
  const methods = [...new Set(providers.flatMap((provider) => provider.methods))];

  /** Who is asked after one that has not taken a payout; undefined where no other can pay it. */
  async function after(one: PayoutProvider, payout: ClaimedPayout): Promise<PayoutProvider | undefined> {
    const withdrawal = await withdrawals.find(payout);
    if (withdrawal === undefined) return undefined;
    const able = providers.filter((provider) => provider.methods.includes(withdrawal.method));
    return able.length < 2 ? undefined : able[(able.indexOf(one) + 1) % able.length];
  }

  async function fail(payout: ClaimedPayout, providerName: string, reason: string): Promise<void> {
    const failure = { kind: 'FAILURE', reason } as const;
    await withdrawals.report(payout, failure, {
      provider: providerName,
      reportId: `refusal ${payout.id}`,
      kind: failure.kind,
      amount: null,
      occurredAt: clock.now(),
    });
  }

  return {
    /** Does what is due; true where more may be due at once. */
    async run(): Promise<boolean> {
      if (providers.length === 0) return false;
      const approved = await findApproved(db, methods, MOST_AT_ONCE);
      await eachOf(approved, async ({ method, ...key }) => {
        const provider = providers.find((one) => one.methods.some((able) => able === method));
        if (provider === undefined) return;
        const handOver = { kind: 'HAND_OVER', provider: provider.name } as const;
        await withdrawals.happen(key, handOver, { actor: 'WORKER' });
        failPoint('payouts.handed-over');
      });
      let more = approved.length === MOST_AT_ONCE;
      for (const callDue of callers) more = (await callDue()) || more;
      return more;
    },
  };
}

function orderOf(withdrawal: Withdrawal, { destination, beneficiaryDocument }: Payee) {
  return {
    id: withdrawal.id,
    sellerId: withdrawal.sellerId,
    amountCents: withdrawal.amount - withdrawal.feeAmount,
    destination: destinationOf(withdrawal, destination),
    beneficiary: { name: withdrawal.beneficiaryName, document: beneficiaryDocument },
    description: withdrawal.description,
  };
}

function destinationOf(withdrawal: Withdrawal, destination: string): PayoutDestination {
  const { pixKeyType, cryptoNetwork, bankAccount } = withdrawal;
  if (pixKeyType !== null) return { method: 'PIX', pixKeyType, pixKey: destination };
  if (cryptoNetwork !== null) return { method: 'CRYPTO', network: cryptoNetwork, address: destination };
  if (bankAccount !== null) return { method: 'TED', ...bankAccount, account: destination };
  throw new Error('a withdrawal without a destination');
}
