import type { Transaction } from './transaction.ts';

export const TRANSACTION_UPDATED = 'TRANSACTION_UPDATED';

/** What a seller's system is told of a charge: the body of the webhook. Nothing of the payer stands in it. */
export function transactionUpdated(transaction: Transaction): {
  readonly type: string;
  readonly payload: string;
} {
  const data = {
    id: transaction.id,
    externalRef: transaction.customer.externalRef,
    status: transaction.status,
    amount: transaction.amount,
    netAmount: transaction.amount - transaction.feeAmount,
    feeAmount: transaction.feeAmount,
    method: transaction.method,
    paidAt: transaction.paidAt,
    metadata: transaction.metadata,
  };
  return { type: TRANSACTION_UPDATED, payload: JSON.stringify({ event: TRANSACTION_UPDATED, data }) };
}

/** Calls to a postbackUrl are rationed by the seller and the host, however many charges name it. */
export function postbackOf({ sellerId, postbackUrl }: Pick<Transaction, 'sellerId' | 'postbackUrl'>): {
  readonly url: string;
  readonly endpoint: string;
} | null {
  if (postbackUrl === null) return null;
  return { url: postbackUrl, endpoint: `postback ${sellerId} ${new URL(postbackUrl).host}` };
}
