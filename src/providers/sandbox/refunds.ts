import type { RefundSource } from '#payments/operations/refund.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';

/** Payers with an email of this domain have a bank that does not respond to refunds at once. */
const SLOW_BANK_DOMAIN = '@banco-lento.example';

/**
 * The source of a refund whose outcome the seller simulates with the sandbox routes; undefined for
 * one that is done at once. No bank returns the money of a boleto.
 */
export const findSlowBank = ({ id, method, customer }: Transaction): RefundSource | undefined =>
  method !== 'BOLETO' && customer.email.toLowerCase().endsWith(SLOW_BANK_DOMAIN)
    ? { provider: 'sandbox', paymentReference: id, isAccepted: true }
    : undefined;
