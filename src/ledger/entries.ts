/** Where a balance came from; withdrawals choose one. */
export const ORIGINS = ['PIX', 'BOLETO', 'CARD'] as const;
export type Origin = (typeof ORIGINS)[number];

/** The first four are the seller's wallet; fees are the operator's; provider is money outside the gateway. */
export type LedgerAccount = 'available' | 'retained' | 'disputed' | 'reserved' | 'fees' | 'provider';

export type EntryCause =
  | 'PAYMENT'
  | 'PAYMENT_FEE'
  | 'RELEASE'
  | 'REFUND'
  | 'CHARGEBACK'
  | 'DISPUTE_HELD'
  | 'DISPUTE_RELEASED'
  | 'DISPUTE_LOST'
  | 'WITHDRAWAL_RESERVED'
  | 'WITHDRAWAL_RETURNED'
  | 'WITHDRAWAL_PAID'
  | 'WITHDRAWAL_FEE';

/** One movement: a positive amount in cents out of one account (debit) into another (credit). */
export interface LedgerEntry {
  readonly id: string;
  readonly origin: Origin;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amount: number;
  readonly cause: EntryCause;
}
