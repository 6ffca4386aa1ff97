import type { Db } from '#platform/database/connect.ts';
import type { CardDetails, CardAuthorizer, CardAuthorizationResult } from '#payments/transactions/card.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import { insertScheduledEvent } from './store-scheduled-events.ts';

const AUTHORIZATION_VALIDITY_MS = 5 * 24 * 3_600_000;

/** The numbers that the sandbox plays, and what it plays for them. Every other valid number is paid. */
const DECLINED: Readonly<Record<string, string>> = {
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient funds',
  '4000000000000069': 'expired card',
};
/** Stays PENDING and is paid after half a minute. */
const DELAYED = '4000000000000101';
const DELAYED_PAYMENT_SECONDS = 30;
/** Is paid, and charged back by its holder a minute later. */
const CHARGED_BACK = '4000000000000259';
const CHARGEBACK_SECONDS = 60;

/** The sandbox's card rail: it decides on the spot and calls nobody. */
export function createSandboxCardProvider(): CardAuthorizer {
  return {
    name: 'sandbox',
    authorize({ sellerId, transactionId, amountCents, card, capture, now }): CardAuthorizationResult {
      const scheduleEvent = (kind: 'PAYMENT' | 'CHARGEBACK', seconds: number) => (trx: Db) =>
        insertScheduledEvent(trx, {
          sellerId,
          transactionId,
          kind,
          dueAt: new Date(now.getTime() + seconds * 1000),
        });
      const reason = declineReason(card, now);
      if (reason !== undefined) return { event: { kind: 'FAILURE', reason } };
      if (card.number === DELAYED)
        return { event: null, saveState: scheduleEvent('PAYMENT', DELAYED_PAYMENT_SECONDS) };
      const event: TransactionEvent = capture
        ? { kind: 'PAYMENT', amount: amountCents, paidAt: now }
        : { kind: 'AUTHORIZATION', lapsesAt: new Date(now.getTime() + AUTHORIZATION_VALIDITY_MS) };
      if (card.number === CHARGED_BACK)
        return { event, saveState: scheduleEvent('CHARGEBACK', CHARGEBACK_SECONDS) };
      return { event };
    },
  };
}

function declineReason(card: CardDetails, now: Date): string | undefined {
  const known = DECLINED[card.number];
  if (known !== undefined) return known;
  // A card is good to the end of its month.
  const end = Date.UTC(card.expirationYear, card.expirationMonth, 1);
  return end <= now.getTime() ? 'expired card' : undefined;
}
