import type { NewTransaction } from '#payments/transactions/transaction.ts';
import type { PixRequest } from './payment-provider.ts';

/** The id of a transaction's Pix code at the provider: the transaction id without hyphens. */
export const txidOf = (transactionId: string): string => transactionId.replaceAll('-', '');

export function toPixRequest(transaction: NewTransaction): PixRequest {
  const { name, document, documentType } = transaction.customer;
  return {
    transactionId: transaction.id,
    txid: txidOf(transaction.id),
    amountCents: transaction.amount,
    payer: { name, document, documentType },
    createdAt: transaction.createdAt,
    expiresAt: transaction.expiresAt ?? transaction.createdAt,
  };
}
