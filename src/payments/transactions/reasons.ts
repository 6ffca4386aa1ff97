import type { TextOf } from '#platform/kit/templates.ts';

/** Templates of the reasons why transactions, refunds, reversals and withdrawals fail. */
export const REASONS = [
  'expired',
  'authorization expired',
  'cancelled',
  'voided',
  'failed at the provider',
  'refused by the provider',
  'no provider accepted the transaction',
  // Risk rules.
  'refused by a risk rule',
  'refused by a risk rule: {reason}',
  'refused in a review',
  // Cards.
  'declined',
  'blocked card',
  'expired card',
  'insufficient funds',
  'invalid card number',
  'invalid expiry date',
  'suspected fraud',
  'wrong security code',
  "the card's bank asks for authentication",
  'the card provider did not respond in time',
  'refused by the card provider (no reason)',
  'refused by the card provider ({code})',
  // Subscriptions.
  'the saved card was deleted',
  'the customer was deleted',
  'the amount does not cover the fee',
  // External providers.
  'capture refused: {reason}',
  'refused by the provider: {reason}',
  'removed at the provider',
  'not carried out by the provider',
  'not carried out by the provider: {reason}',
  'the provider did not complete the operation',
  'the provider has a different charge with this id',
  'the provider has a different refund with this id',
  'the provider responded with HTTP {httpStatus}',
  'the provider responded with HTTP {httpStatus} ({code})',
  // Banks.
  'registration rejected: {reason}',
  'written off by the bank',
  'banks do not pay out cryptocurrency',
] as const;

export type Reason = TextOf<(typeof REASONS)[number]>;

/** Failures that are no decision on the card. */
const NO_DECLINES: ReadonlySet<string> = new Set<Reason>([
  'no provider accepted the transaction',
  'the card provider did not respond in time',
  'the saved card was deleted',
  'the customer was deleted',
  'the amount does not cover the fee',
]);

/** Whether a card that failed for this reason was declined by its provider or bank. */
export const isDecline = (reason: Reason): boolean =>
  !NO_DECLINES.has(reason) && !reason.startsWith('not carried out') && !reason.startsWith('the provider ');
