import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createCaller } from '#platform/jobs/provider-calls.ts';
import type { PaymentReturner, ReturnAnswer } from './payment-reverser.ts';
import { claimReturns, markManual, markSent, postponeReturn, type DueReturn } from './store.ts';

const DEADLINE_MS = 10_000;
/** After so many calls without an outcome, most of a day, a person must ask the provider. */
const MOST_CALLS = 100;

export interface ReturnSendingDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** The rails that can send money back, each for what it reported itself. */
  readonly returners: readonly PaymentReturner[];
  readonly log: Logger;
}

/**
 * Sends payers their money back. The return was committed with the report of the money; it is called for until the
 * provider says yes (SENT) or no, and what no machine can send waits for the operator (MANUAL).
 */
export function createReturnSending({ db, clock, returners, log }: ReturnSendingDeps) {
  return createCaller<DueReturn, ReturnAnswer>(
    { clock, log },
    {
      name: 'return',
      points: 'returns',
      deadlineMs: DEADLINE_MS,
      lease: (lease) => claimReturns(db, lease),
      async prepare(due) {
        const returner = returners.find(({ name }) => name === due.provider);
        if (returner?.methods.includes(due.method) !== true) {
          await markManual(db, due, unsendable(due, returner), due.attempts, clock.now());
          return undefined;
        }
        const { id, method, reportId: paymentId, transactionId, amount: amountCents } = due;
        return async (deadline) =>
          returner.sendBack({ id, method, paymentId, transactionId, amountCents }, deadline);
      },
      async record(due, answer) {
        const at = clock.now();
        if (answer.kind === 'accepted') await markSent(db, due, answer.reference, at);
        else await markManual(db, due, `refused: ${answer.reason}`, due.attempts + 1, at);
      },
      async postpone(due, dueAt, now) {
        const calls = due.attempts + 1;
        if (calls < MOST_CALLS) await postponeReturn(db, due, dueAt, now);
        else await markManual(db, due, NO_OUTCOME, calls, now);
      },
    },
  );
}

const NO_OUTCOME = 'no outcome of any call: ask the provider whether it was sent, before sending it';

function unsendable({ provider, method }: DueReturn, returner: PaymentReturner | undefined): string {
  if (returner === undefined) return `nothing is set up to send money back through ${provider}`;
  return `${provider} cannot send back what was paid by ${method}`;
}
