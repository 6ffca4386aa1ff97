import { HttpError } from '#http/errors.ts';

/** Every way a creation is refused by the business, with its HTTP form. */
export const CREATION_REFUSALS = {
  KEY_REUSED: [409, 'Idempotency-Key already used with a different body'],
  METHOD_UNAVAILABLE: [422, 'Method PIX is not available'],
  FEE_NOT_COVERED: [422, 'Amount does not cover the fee'],
} as const satisfies Record<string, readonly [number, string]>;

export class TransactionMissing extends HttpError {
  constructor() {
    super(404, 'Transaction not found');
  }
}
