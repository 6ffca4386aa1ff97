import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createProviderCaller } from '#platform/jobs/provider-calls.ts';
import type { PaymentReverser, ReversalResponse } from './payment-reverser.ts';
import { claimReversals, markManual, markSent, postponeReversal, type DueReversal } from './store.ts';

const DEADLINE_MS = 10_000;
/** After so many calls without an outcome, most of a day, a person must ask the provider. */
const MAX_CALLS = 100;

export interface ReversalExecutionDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The rails that can send money back, each for what it reported itself. */
  readonly reversers: readonly PaymentReverser[];
  readonly log: Logger;
}

/**
 * Sends payers their money back. The return was committed with the report of the money; it is called for until the
 * provider says yes (SENT) or no, and what no machine can send waits for the operator (MANUAL).
 */
export function createReversalExecution({ db, clock, reversers, log }: ReversalExecutionDeps) {
  return createProviderCaller<DueReversal, ReversalResponse>(
    { clock, log },
    {
      name: 'return',
      failPointPrefix: 'reversals',
      deadlineMs: DEADLINE_MS,
      lease: (lease) => claimReversals(db, lease),
      async prepare(reversal) {
        const reverser = reversers.find(({ name }) => name === reversal.provider);
        if (reverser?.methods.includes(reversal.method) !== true) {
          await markManual(db, reversal, manualReason(reversal, reverser), reversal.attempts, clock.now());
          return undefined;
        }
        const { id, method, eventId: paymentId, transactionId, amount: amountCents } = reversal;
        return async (deadline) =>
          reverser.reverse({ id, method, paymentId, transactionId, amountCents }, deadline);
      },
      async record(reversal, response) {
        const at = clock.now();
        if (response.kind === 'accepted') await markSent(db, reversal, response.reference, at);
        else await markManual(db, reversal, `refused: ${response.reason}`, reversal.attempts + 1, at);
      },
      async postpone(reversal, dueAt, now) {
        const calls = reversal.attempts + 1;
        if (calls < MAX_CALLS) await postponeReversal(db, reversal, dueAt, now);
        else await markManual(db, reversal, NO_OUTCOME, calls, now);
      },
    },
  );
}

const NO_OUTCOME = 'no outcome of any call: ask the provider whether it was sent, before sending it';

function manualReason({ provider, method }: DueReversal, reverser: PaymentReverser | undefined): string {
  if (reverser === undefined) return `nothing is set up to send money back through ${provider}`;
  return `${provider} cannot send back what was paid by ${method}`;
}
