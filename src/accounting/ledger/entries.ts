/** The payment method that a balance came from. A withdrawal is paid from one of them. */
export const ORIGINS = ['PIX', 'BOLETO', 'CARD'] as const;
export type Origin = (typeof ORIGINS)[number];

/**
 * The first four are the seller's wallet, `fees` is the operator's, `provider` is outside the
 * gateway.
 */
export type LedgerAccount = 'available' | 'retained' | 'disputed' | 'reserved' | 'fees' | 'provider';

export const ENTRY_CAUSES = [
  'PAYMENT',
  'PAYMENT_FEE',
  'RELEASE',
  'REFUND',
  'REFUND_RESERVED',
  'REFUND_RETURNED',
  'REFUND_REVERSED',
  'CHARGEBACK',
  'CHARGEBACK_FEE',
  'DISPUTE_HELD',
  'DISPUTE_RELEASED',
  'DISPUTE_LOST',
  'WITHDRAWAL_RESERVED',
  'WITHDRAWAL_RETURNED',
  'WITHDRAWAL_PAID',
  'WITHDRAWAL_FEE',
] as const;
export type EntryCause = (typeof ENTRY_CAUSES)[number];

/**
 * The debit and credit accounts that each cause allows. The ledger check compares every entry with
 * it.
 */
export const ALLOWED_ACCOUNT_PAIRS: Readonly<
  Record<EntryCause, readonly (readonly [LedgerAccount, LedgerAccount])[]>
> = {
  PAYMENT: [
    ['provider', 'available'],
    ['provider', 'retained'],
  ],
  PAYMENT_FEE: [
    ['available', 'fees'],
    ['retained', 'fees'],
  ],
  RELEASE: [['retained', 'available']],
  // From the reserved balance when an external provider returns the money.
  REFUND: [
    ['retained', 'provider'],
    ['available', 'provider'],
    ['reserved', 'provider'],
  ],
  REFUND_RESERVED: [
    ['retained', 'reserved'],
    ['available', 'reserved'],
  ],
  REFUND_RETURNED: [
    ['reserved', 'retained'],
    ['reserved', 'available'],
  ],
  // A refund that the payer's bank rejected.
  REFUND_REVERSED: [
    ['provider', 'retained'],
    ['provider', 'available'],
  ],
  CHARGEBACK: [
    ['retained', 'provider'],
    ['available', 'provider'],
  ],
  CHARGEBACK_FEE: [['available', 'fees']],
  DISPUTE_HELD: [
    ['retained', 'disputed'],
    ['available', 'disputed'],
  ],
  DISPUTE_RELEASED: [
    ['disputed', 'retained'],
    ['disputed', 'available'],
  ],
  DISPUTE_LOST: [['disputed', 'provider']],
  WITHDRAWAL_RESERVED: [['available', 'reserved']],
  WITHDRAWAL_RETURNED: [['reserved', 'available']],
  WITHDRAWAL_PAID: [['reserved', 'provider']],
  WITHDRAWAL_FEE: [['reserved', 'fees']],
};

/** A positive amount in cents that moves out of one account (debit) into another (credit). */
export interface LedgerEntry {
  readonly origin: Origin;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amount: number;
  readonly cause: EntryCause;
}
