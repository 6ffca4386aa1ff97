import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import type { Logger } from '#log.ts';
import type { PayoutAnswer, PayoutDestination, PayoutProvider } from '#providers/payout.ts';
import type { WithdrawalsService } from './service.ts';
import { claimPayouts, closePayout, postponePayout, type ClaimedPayout } from './store-payouts.ts';
import { findApproved } from './store.ts';
import type { Payee, Withdrawal } from './withdrawal.ts';

const MOST_AT_ONCE = 20;
/** A call ends within this; the lease lasts longer, so that a living worker's call is never made twice at once. */
const DEADLINE_MS = 15_000;
const LEASE_MS = 60_000;
/** How long after a call without an outcome the next one follows: 5 s, 10 s, 20 s … but never more than ten minutes. */
const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 600_000;

export interface PayoutsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly withdrawals: WithdrawalsService;
  readonly provider: PayoutProvider | undefined;
  readonly log: Logger;
}

/**
 * Gives approved withdrawals to the provider. What is intended is committed first (PROCESSING, and a payout that is due),
 * then the provider is called outside any transaction, then the outcome is committed. A crash between leaves a payout
 * that is due, and the provider pays once for its id however often it is called.
 */
export function createPayouts({ db, clock, withdrawals, provider, log }: PayoutsDeps) {
  async function submit(payout: ClaimedPayout, to: PayoutProvider): Promise<void> {
    const withdrawal = await withdrawals.find(payout);
    if (withdrawal?.status !== 'PROCESSING') {
      // Its report was faster than the call's answer, or a crash came after the report of a refusal.
      await closePayout(db, payout, null, clock.now());
      return;
    }
    let answer: PayoutAnswer;
    try {
      const order = orderOf(withdrawal, withdrawals.payeeOf(withdrawal));
      answer = await to.send(order, AbortSignal.timeout(DEADLINE_MS));
    } catch (error) {
      log.error(
        { err: error, withdrawalId: withdrawal.id, attempts: payout.attempts + 1 },
        'a payout has no outcome',
      );
      const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(payout.attempts, 10));
      const now = clock.now();
      await postponePayout(db, payout, new Date(now.getTime() + delay), now);
      return;
    }
    if (answer.kind === 'accepted') {
      await closePayout(db, payout, answer.reference, clock.now());
      return;
    }
    const failure = { kind: 'FAILURE', reason: answer.reason } as const;
    await withdrawals.report(withdrawal, failure, {
      provider: to.name,
      reportId: `refusal ${withdrawal.id}`,
      kind: failure.kind,
      amount: null,
      occurredAt: clock.now(),
    });
    await closePayout(db, payout, null, clock.now());
  }

  return {
    /** Does what is due; true where more may be due at once. */
    async run(): Promise<boolean> {
      if (provider === undefined) return false;
      const approved = await findApproved(db, MOST_AT_ONCE);
      const handOver = { kind: 'HAND_OVER', provider: provider.name } as const;
      await eachOf(approved, (key) => withdrawals.happen(key, handOver, { actor: 'WORKER' }));
      const now = clock.now();
      const due = await claimPayouts(db, {
        provider: provider.name,
        now,
        leaseUntil: new Date(now.getTime() + LEASE_MS),
        most: MOST_AT_ONCE,
      });
      await eachOf(due, (payout) => submit(payout, provider));
      return approved.length === MOST_AT_ONCE || due.length === MOST_AT_ONCE;
    },
  };
}

/** Lets every one end, whatever becomes of the others, and then tells of the first that failed. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(items.map(work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function orderOf(withdrawal: Withdrawal, { destination, beneficiaryDocument }: Payee) {
  return {
    id: withdrawal.id,
    amountCents: withdrawal.amount - withdrawal.feeAmount,
    destination: destinationOf(withdrawal, destination),
    beneficiary: { name: withdrawal.beneficiaryName, document: beneficiaryDocument },
    description: withdrawal.description,
  };
}

function destinationOf(withdrawal: Withdrawal, destination: string): PayoutDestination {
  const { pixKeyType, cryptoNetwork } = withdrawal;
  if (pixKeyType !== null) return { method: 'PIX', pixKeyType, pixKey: destination };
  if (cryptoNetwork !== null) return { method: 'CRYPTO', network: cryptoNetwork, address: destination };
  throw new Error('a withdrawal without a destination');
}
