import type { ErrorCode } from '#platform/http/error-codes.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { ApplyResult } from './apply-event.ts';
import type { Transaction } from './transaction.ts';

type Status = Transaction['status'];

/** The business rules that may reject a creation. */
export const CREATION_ERRORS = {
  METHOD_UNAVAILABLE: 'method_unavailable',
  METHOD_PAUSED: 'method_paused',
  INTERNATIONAL: 'international_not_enabled',
  FEE_NOT_COVERED: 'amount_below_fee',
} as const satisfies Record<string, ErrorCode>;

export const invalidTransition = (from: Status, to: Status): HttpError =>
  new HttpError('invalid_transition', { message: `Transaction cannot go from ${from} to ${to}` });

/** Messages of `amount_not_allowed`. */
export const AMOUNT_RULES = {
  authorization: 'Amount must not be more than the authorized amount, and must cover the fee',
  capture: 'Amount differs from that of the capture in progress',
  dispute: 'Amount must not be more than what has not been refunded',
  claim: 'Amount must not be more than what is claimed, and what the analysis accepted',
  refund: 'Amount must not be more than what is left to refund',
  payment: 'Amount differs from the transaction',
} as const;
export type AmountRule = (typeof AMOUNT_RULES)[keyof typeof AMOUNT_RULES];

export const amountNotAllowed = (message: AmountRule): HttpError =>
  new HttpError('amount_not_allowed', { message });

/** The link has ended or has all its payments. */
export class PaymentLinkInactiveError extends HttpError {
  constructor() {
    super('payment_link_not_active');
  }
}

export class TransactionNotFoundError extends HttpError {
  constructor() {
    super('transaction_not_found');
  }
}

/**
 * Returns the transaction after a change.
 *
 * @param amountRule - the message for a wrong amount
 * @throws HttpError if the event was not applied
 */
export function unwrapChange(result: ApplyResult, amountRule: AmountRule): Transaction {
  switch (result.kind) {
    case 'applied':
    case 'nothing':
    case 'late':
      return result.transaction;
    case 'impossible':
      throw invalidTransition(result.from, result.to);
    case 'wrong-amount':
      throw amountNotAllowed(amountRule);
    case 'used':
      throw new HttpError('event_already_used');
    case 'insufficient':
      throw new HttpError('insufficient_balance');
    case 'unknown':
      throw new TransactionNotFoundError();
  }
}
