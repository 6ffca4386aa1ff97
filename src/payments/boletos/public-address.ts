import { randomBytes, timingSafeEqual } from 'node:crypto';

import type { Transaction } from '#payments/transactions/transaction.ts';

const DAY_MS = 24 * 3_600_000;
/** How long the public addresses of a boleto respond after its payment or its end. */
export const PUBLIC_DAYS_AFTER_END = 7;

const SECRET_BYTES = 16;
const ID_BYTES = 16;

/**
 * Generates the token of a boleto's public addresses: the transaction's id, by which it is found,
 * and a random secret. The id alone gives no access: it is in the QR code, in webhooks and in logs,
 * and the PDF shows the payer's document. The token is stored with the address.
 */
export function newBoletoToken(transactionId: string): string {
  const id = Buffer.from(transactionId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, randomBytes(SECRET_BYTES)]).toString('base64url');
}

/** Returns the id of the transaction that a token may belong to; undefined for other texts. */
export function transactionIdOfToken(token: string): string | undefined {
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  const hex = Buffer.from(token, 'base64url').toString('hex', 0, ID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether the token opens the public addresses of the transaction's boleto at this time. */
export function opensBoleto(token: string, transaction: Transaction, now: Date): boolean {
  const { boleto } = transaction;
  if (boleto === null) return false;
  const expected = Buffer.from(boleto.location.slice(boleto.location.lastIndexOf('/') + 1));
  const given = Buffer.from(token);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return false;
  const end = endOf(transaction);
  return end === null || now.getTime() - end.getTime() < PUBLIC_DAYS_AFTER_END * DAY_MS;
}

/** When it was paid or ended; null while it can be paid. */
function endOf({ status, paidAt, updatedAt }: Transaction): Date | null {
  if (paidAt !== null) return paidAt;
  return status === 'FAILED' || status === 'REFUSED' ? updatedAt : null;
}
