import type { ErrorCode } from '#platform/http/error-codes.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { ApplyResult } from './apply-event.ts';
import type { Transaction } from './transaction.ts';

type Status = Transaction['status'];

/** The business rules that may reject a creation. */
export const CREATION_ERRORS = {
  METHOD_UNAVAILABLE: 'method_unavailable',
  INTERNATIONAL: 'international_not_enabled',
  FEE_NOT_COVERED: 'amount_below_fee',
} as const satisfies Record<string, ErrorCode>;

export const invalidTransition = (from: Status, to: Status): HttpError =>
  new HttpError('invalid_transition', { message: `Transaction cannot go from ${from} to ${to}` });

export const amountNotAllowed = (message: string): HttpError =>
  new HttpError('amount_not_allowed', { message });

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
export function unwrapChange(result: ApplyResult, amountRule: string): Transaction {
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
