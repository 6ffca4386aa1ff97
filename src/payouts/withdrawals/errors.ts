import { HttpError } from '#platform/http/errors.ts';
import type { WithdrawalStatus } from './withdrawal.ts';

/** The business rules that refuse a creation, with their HTTP status and message. */
export const CREATION_ERRORS = {
  KEY_REUSED: [409, 'Idempotency-Key already used with a different body'],
  PIX_UNAVAILABLE: [422, 'Method PIX is not available'],
  TED_UNAVAILABLE: [422, 'Method TED is not available'],
  CRYPTO_UNAVAILABLE: [422, 'Method CRYPTO is not available'],
  FEE_NOT_COVERED: [422, 'Amount does not cover the fee'],
  INSUFFICIENT_BALANCE: [422, 'Insufficient balance'],
} as const satisfies Record<string, readonly [number, string]>;

export type CreationFailure = keyof typeof CREATION_ERRORS;

export class WithdrawalNotFoundError extends HttpError {
  constructor() {
    super(404, 'Withdrawal not found');
  }
}

export const ALREADY_APPROVED =
  'Withdrawal was approved by this user before; another ADMIN must approve it too';

export const invalidTransition = (from: WithdrawalStatus, to: WithdrawalStatus): HttpError =>
  new HttpError(422, `Withdrawal cannot go from ${from} to ${to}`);
