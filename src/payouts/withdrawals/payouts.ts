import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createProviderCaller, runAll, NotExecutedError } from '#platform/jobs/provider-calls.ts';
import type { PayoutResponse, PayoutDestination, PayoutProvider } from './payout-provider.ts';
import type { WithdrawalsService } from './service.ts';
import {
  claimPayouts,
  closePayout,
  reassignPayout,
  postponePayout,
  type ClaimedPayout,
} from './store-payouts.ts';
import { findApproved } from './store.ts';
import type { Payee, Withdrawal } from './withdrawal.ts';

const MAX_BATCH_SIZE = 20;
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
  const createCallerFor = (provider: PayoutProvider) =>
    createProviderCaller<ClaimedPayout, PayoutResponse>(
      { clock, log },
      {
        name: 'payout',
        failPointPrefix: 'payouts',
        deadlineMs: DEADLINE_MS,
        lease: (lease) => claimPayouts(db, { provider: provider.name, ...lease }),
        async prepare(payout) {
          const withdrawal = await withdrawals.find(payout);
          if (withdrawal?.status !== 'PROCESSING') {
            // Its report was faster than the call's answer, or a crash came after the report of a refusal.
            await closePayout(db, payout, null, clock.now());
            return undefined;
          }
          return async (deadline) =>
            provider.send(toPayoutRequest(withdrawal, withdrawals.decryptPayee(withdrawal)), deadline);
        },
        async record(payout, response) {
          const reference = response.kind === 'accepted' ? response.reference : null;
          if (response.kind === 'refused') await fail(payout, provider.name, response.reason);
          await closePayout(db, payout, reference, clock.now());
        },
        async postpone(payout, dueAt, now, error) {
          // That this call was not heard says nothing of one before it, whose outcome nobody knows.
          const isNotExecuted = error instanceof NotExecutedError && payout.attempts === 0;
          const next = isNotExecuted ? await nextProvider(provider, payout) : undefined;
          if (next === undefined) return postponePayout(db, payout, dueAt, now);
          // Where all have been asked, the first one is asked again after a while.
          const allTried = providers.indexOf(next) <= providers.indexOf(provider);
          await reassignPayout(db, payout, {
            from: provider.name,
            to: next.name,
            dueAt: allTried ? dueAt : now,
            now,
          });
        },
      },
    );
  const callers = providers.map(createCallerFor);
  const methods = [...new Set(providers.flatMap((provider) => provider.methods))];

  /** Who is asked after one that has not taken a payout; undefined where no other can pay it. */
  async function nextProvider(
    current: PayoutProvider,
    payout: ClaimedPayout,
  ): Promise<PayoutProvider | undefined> {
    const withdrawal = await withdrawals.find(payout);
    if (withdrawal === undefined) return undefined;
    const capable = providers.filter((provider) => provider.methods.includes(withdrawal.method));
    return capable.length < 2 ? undefined : capable[(capable.indexOf(current) + 1) % capable.length];
  }

  async function fail(payout: ClaimedPayout, providerName: string, reason: string): Promise<void> {
    const failure = { kind: 'FAILURE', reason } as const;
    await withdrawals.applyProviderEvent(payout, failure, {
      provider: providerName,
      eventId: `refusal ${payout.id}`,
      kind: failure.kind,
      amount: null,
      occurredAt: clock.now(),
    });
  }

  return {
    /** Does what is due; true where more may be due at once. */
    async run(): Promise<boolean> {
      if (providers.length === 0) return false;
      const approved = await findApproved(db, methods, MAX_BATCH_SIZE);
      await runAll(approved, async ({ method, ...key }) => {
        const provider = providers.find((one) => one.methods.some((able) => able === method));
        if (provider === undefined) return;
        const event = { kind: 'HAND_OVER', provider: provider.name } as const;
        await withdrawals.applyEvent(key, event, { actor: 'WORKER' });
        failPoint('payouts.created');
      });
      let more = approved.length === MAX_BATCH_SIZE;
      for (const callDue of callers) more = (await callDue()) || more;
      return more;
    },
  };
}

function toPayoutRequest(withdrawal: Withdrawal, { destination, beneficiaryDocument }: Payee) {
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
