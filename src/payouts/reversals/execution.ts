import type { ReversalDetail } from './details.ts';
import type { LeaseHolder } from '#platform/jobs/lease-holder.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createProviderCaller } from '#platform/jobs/provider-calls.ts';
import type { PaymentReverser, ReversalResponse } from './payment-reverser.ts';
import { claimReversals, markManual, markSent, postponeReversal, type DueReversal } from './store.ts';

const DEADLINE_MS = 10_000;
/** About 16 hours of calls without an outcome. */
const MAX_CALLS = 100;

export interface ReversalExecutionDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Each reverses the payments that it reported. */
  readonly reversers: readonly PaymentReverser[];
  readonly log: Logger;
  readonly leaseHolder: LeaseHolder;
}

/**
 * Creates the job that calls the providers of due reversals until they accept (SENT) or refuse. A
 * reversal that cannot be executed by a provider becomes MANUAL.
 */
export function createReversalExecution(deps: ReversalExecutionDeps): () => Promise<boolean> {
  const { db, clock } = deps;
  return createProviderCaller<DueReversal, ReversalResponse>(deps, {
    name: 'reversal',
    failPointPrefix: 'reversals',
    deadlineMs: DEADLINE_MS,
    lease: (lease) => claimReversals(db, lease),
    prepare: (reversal) => prepareCall(deps, reversal),
    async record(reversal, response) {
      const at = clock.now();
      if (response.kind === 'accepted') return markSent(db, reversal, response.reference, at);
      const detail = `refused: ${response.reason}` as const;
      return markManual(db, reversal, { detail, attempts: reversal.attempts + 1, at });
    },
    async postpone(reversal, dueAt, now) {
      const attempts = reversal.attempts + 1;
      return attempts < MAX_CALLS
        ? postponeReversal(db, reversal, dueAt, now)
        : markManual(db, reversal, { detail: NO_OUTCOME, attempts, at: now });
    },
  });
}

const NO_OUTCOME = 'outcome unknown: ask the provider whether it was sent before sending it again';

async function prepareCall(
  { db, clock, reversers }: ReversalExecutionDeps,
  reversal: DueReversal,
): Promise<((deadline: AbortSignal) => Promise<ReversalResponse>) | undefined> {
  const { id, provider, method, eventId: paymentId, transactionId, amount: amountCents } = reversal;
  const reverser = reversers.find(({ name }) => name === provider);
  if (reverser?.methods.includes(method) === true)
    return (deadline) => reverser.reverse({ id, method, paymentId, transactionId, amountCents }, deadline);
  const detail: ReversalDetail =
    reverser === undefined
      ? `no provider is configured to return payments through ${provider}`
      : `${provider} cannot return ${method} payments`;
  await markManual(db, reversal, { detail, attempts: reversal.attempts, at: clock.now() });
  return undefined;
}
