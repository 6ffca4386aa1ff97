import { HttpError } from '#platform/http/errors.ts';
import type { ApplyResult } from './apply-event.ts';
import type { Transaction } from './transaction.ts';

/** The business rules that may refuse a creation: status code and message of each. */
export const CREATION_REFUSALS = {
  METHOD_UNAVAILABLE: [422, 'No provider is set up for this method'],
  FEE_NOT_COVERED: [422, 'Amount does not cover the fee'],
} as const satisfies Record<string, readonly [number, string]>;

export const EVENT_ALREADY_USED = 'The report was told before of another transaction';

export class TransactionNotFoundError extends HttpError {
  constructor() {
    super(404, 'Transaction not found');
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
      throw new HttpError(422, `Transaction cannot go from ${result.from} to ${result.to}`);
    case 'wrong-amount':
      throw new HttpError(422, amountRule);
    case 'used':
      throw new HttpError(422, EVENT_ALREADY_USED);
    case 'insufficient':
      throw new HttpError(422, 'Insufficient balance');
    case 'unknown':
      throw new TransactionNotFoundError();
  }
}
