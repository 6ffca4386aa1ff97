import type { TextOf } from '#platform/kit/templates.ts';

/** Templates of the explanations why provider events were not applied. */
export const EVENT_DETAILS = [
  'to be returned to the payer',
  '{from} to {to}',
  'no such record',
  'used',
  'wrong-amount',
  'insufficient',
  'nothing',
  'already reported as {kind} of {id}',
  'not confirmed by the provider after {attempts} attempts',
  // Pix.
  'the provider does not know this payment',
  'the provider reports the amount {cents} for this payment',
  'the provider reports another txid for this payment',
  'refunded at the provider, not requested by this gateway',
  // MED.
  'already reported as {outcome}',
  'the payment belongs to no transaction: {paymentId}',
  'debited, but the payment belongs to no transaction: {paymentId}',
  'debited, but the transaction is {status}',
  'dispute requested, but the transaction is {status}',
  'accepted, but the transaction is {status}',
  'accepted, but {cents} cents were debited',
  'accepted in part, but {cents} cents were already lost: settle it manually',
  'denied, but the dispute was already lost: settle it manually',
  // Cards.
  'sent for another merchant account',
  'unknown kind of notification',
  'not requested by this gateway',
  'other amount or currency: {amount}',
  'refused, but the transaction is {status}',
  'captured, but failed later',
  'done, but reported as failed before',
  'the reversal of the payment failed',
  'the dispute was already lost',
  'the dispute matches no paid transaction: {result}',
  'the amount is refunded: the dispute opens if the refund fails and the status is PAID',
  'unknown format: ask the provider',
] as const;

export type EventDetail = TextOf<(typeof EVENT_DETAILS)[number]>;
