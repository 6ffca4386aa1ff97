import { HttpError } from '#platform/http/errors.ts';
import type { WithdrawalMethod, WithdrawalStatus } from './withdrawal.ts';

const methodUnavailable = (method: WithdrawalMethod) => (): HttpError =>
  new HttpError('method_unavailable', { message: `Method ${method} is not available` });

/** The business rules that may reject a creation. */
export const CREATION_ERRORS = {
  KEY_REUSED: () => new HttpError('idempotency_key_reused'),
  PIX_UNAVAILABLE: methodUnavailable('PIX'),
  TED_UNAVAILABLE: methodUnavailable('TED'),
  CRYPTO_UNAVAILABLE: methodUnavailable('CRYPTO'),
  FEE_NOT_COVERED: () => new HttpError('amount_below_fee'),
  INSUFFICIENT_BALANCE: () => new HttpError('insufficient_balance'),
  STEP_UP_REQUIRED: () => new HttpError('step_up_required'),
} as const satisfies Record<string, () => HttpError>;

export type CreationFailure = keyof typeof CREATION_ERRORS;

export class WithdrawalNotFoundError extends HttpError {
  constructor() {
    super('withdrawal_not_found');
  }
}

export const invalidTransition = (from: WithdrawalStatus, to: WithdrawalStatus): HttpError =>
  new HttpError('invalid_transition', { message: `Withdrawal cannot go from ${from} to ${to}` });
