import { timingSafeEqual } from 'node:crypto';

import { transactionIdOfToken } from '#payments/boletos/public-address.ts';
import type { Transaction } from './transaction.ts';

type Secret = Pick<Transaction, 'id' | 'paymentSecret'>;

/**
 * The token of a transaction's payment page: its id, by which it is found, and its secret. The id
 * alone gives no access: it is in QR codes and webhooks.
 */
export const paymentTokenOf = ({ id, paymentSecret }: Secret): string =>
  Buffer.from((id + paymentSecret).replaceAll('-', ''), 'hex').toString('base64url');

/** The page on which the payer pays a transaction and sees its state. */
export const paymentUrlOf = (transaction: Secret, publicUrl: string): string =>
  `${publicUrl}/pay/t/${paymentTokenOf(transaction)}`;

/** The id of the transaction that a token may open; undefined for other texts. */
export const idOfPaymentToken = transactionIdOfToken;

export const opensPayment = (token: string, transaction: Secret): boolean =>
  timingSafeEqual(Buffer.from(token, 'base64url'), Buffer.from(paymentTokenOf(transaction), 'base64url'));
