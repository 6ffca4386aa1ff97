import { expiryViolations } from '#payments/card-tokens/schema.ts';
import type { Reason } from '#payments/transactions/reasons.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { FirstDecision, CardAuthorizer, CardCodes, CardDetails } from '#payments/transactions/card.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { SimulatedOutcome } from '#subscriptions/subscription.ts';
import { insertScheduledEvent, type ScheduledEvent } from './store-scheduled-events.ts';

export const AUTHORIZATION_VALIDITY_MS = 5 * 24 * 3_600_000;

/** Card numbers that are declined, and the reasons. Every other valid number is paid. */
const DECLINED: Readonly<Record<string, Reason>> = {
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient funds',
  '4000000000000069': 'expired card',
};
/** Stays PENDING and is paid after 30 seconds, or authorized. */
const DELAYED = '4000000000000101';
const DELAY_SECONDS = 30;
/** Is paid and charged back 60 seconds later. */
const CHARGED_BACK = '4000000000000259';
const CHARGEBACK_SECONDS = 60;

/** The numbers that have the outcomes of `POST /v1/sandbox/subscriptions/{id}/next-outcome`. */
const NUMBER_OF_OUTCOME: Readonly<Record<SimulatedOutcome, string>> = {
  PAID: '4111111111111111',
  INSUFFICIENT_FUNDS: '4000000000009995',
  CARD_EXPIRED: '4000000000000069',
};

/** A card that has an outcome. */
export const cardWithOutcome = (card: CardDetails, outcome: SimulatedOutcome): CardDetails => ({
  ...card,
  number: NUMBER_OF_OUTCOME[outcome],
});

/** Authorizes cards locally, by their number. */
export function createSandboxCardAuthorizer(): CardAuthorizer {
  return {
    name: 'sandbox',
    authorize({ sellerId, transactionId, amountCents, card, capture, now }): FirstDecision {
      const scheduleEvent = (kind: ScheduledEvent['kind'], seconds: number) => (trx: DatabaseTransaction) =>
        insertScheduledEvent(trx, {
          sellerId,
          transactionId,
          kind,
          dueAt: new Date(now.getTime() + seconds * 1000),
        });
      const reason = declineReason(card, now);
      if (reason !== undefined) return { event: { kind: 'FAILURE', reason } };
      const codes = codesOf(transactionId);
      if (card.number === DELAYED) {
        const kind = capture ? 'PAYMENT' : 'AUTHORIZATION';
        return { event: null, codes, saveState: scheduleEvent(kind, DELAY_SECONDS) };
      }
      const event: TransactionEvent = capture
        ? { kind: 'PAYMENT', amount: amountCents, paidAt: now }
        : { kind: 'AUTHORIZATION', lapsesAt: new Date(now.getTime() + AUTHORIZATION_VALIDITY_MS) };
      if (card.number === CHARGED_BACK)
        return { event, codes, saveState: scheduleEvent('CHARGEBACK', CHARGEBACK_SECONDS) };
      return { event, codes };
    },
  };
}

/** Six and nine digits, as acquirers in Brazil issue them; the same for a repeated request. */
function codesOf(transactionId: string): CardCodes {
  const digits = BigInt(`0x${transactionId.slice(-15).replaceAll('-', '')}`)
    .toString()
    .padStart(15, '0');
  return { authorizationCode: digits.slice(-6), nsu: digits.slice(-15, -6) };
}

function declineReason(card: CardDetails, now: Date): Reason | undefined {
  const reason = DECLINED[card.number];
  if (reason !== undefined) return reason;
  return expiryViolations(card, now).length > 0 ? 'expired card' : undefined;
}
