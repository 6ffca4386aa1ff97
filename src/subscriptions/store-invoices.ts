import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import type { Attempt, Invoice, SubscriptionKey } from './subscription.ts';

const INVOICE_COLUMNS = sql<Invoice>`i.seller_id AS "sellerId", i.subscription_id AS "subscriptionId",
  i.number, i.id, i.due_date::text AS "dueDate", i.amount, i.status, i.attempts,
  i.retries_left AS "retriesLeft", i.retry_at AS "retryAt", i.retry_date::text AS "retryDate",
  i.created_at AS "createdAt", i.updated_at AS "updatedAt",
  (SELECT n.transaction_id FROM subscription_attempts n
   WHERE n.seller_id = i.seller_id AND n.subscription_id = i.subscription_id AND n.invoice_number = i.number
     AND n.state <> 'DUE'
     AND EXISTS (SELECT FROM transactions t WHERE t.seller_id = n.seller_id AND t.id = n.transaction_id)
   ORDER BY n.number DESC LIMIT 1) AS "transactionId"`;

export const ATTEMPT_COLUMNS = sql<Attempt>`a.seller_id AS "sellerId", a.id,
  a.subscription_id AS "subscriptionId", a.invoice_number AS "invoiceNumber", a.number, a.kind,
  a.transaction_id AS "transactionId", a.charge_date::text AS "chargeDate", a.state, a.reason`;

export interface InvoiceKey {
  readonly sellerId: string;
  readonly subscriptionId: string;
  readonly number: number;
}

/** Inserts an invoice with its first attempt, which is due now. */
export async function insertInvoice(
  trx: DatabaseTransaction,
  invoice: Invoice,
  attempt: Attempt,
): Promise<void> {
  await trx
    .insertInto('subscription_invoices')
    .values({
      seller_id: invoice.sellerId,
      subscription_id: invoice.subscriptionId,
      number: invoice.number,
      id: invoice.id,
      due_date: sql`${invoice.dueDate}::date`,
      amount: invoice.amount,
      status: invoice.status,
      attempts: invoice.attempts,
      retries_left: invoice.retriesLeft,
      created_at: invoice.createdAt,
      updated_at: invoice.updatedAt,
    })
    .execute();
  await insertAttempt(trx, attempt, invoice.createdAt);
}

export async function insertAttempt(trx: DatabaseTransaction, attempt: Attempt, now: Date): Promise<void> {
  await trx
    .insertInto('subscription_attempts')
    .values({
      seller_id: attempt.sellerId,
      id: attempt.id,
      subscription_id: attempt.subscriptionId,
      invoice_number: attempt.invoiceNumber,
      number: attempt.number,
      kind: attempt.kind,
      transaction_id: attempt.transactionId,
      charge_date: sql`${attempt.chargeDate}::date`,
      state: attempt.state,
      attempts: 0,
      due_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

export async function updateInvoice(trx: DatabaseTransaction, invoice: Invoice): Promise<void> {
  await trx
    .updateTable('subscription_invoices')
    .set({
      status: invoice.status,
      attempts: invoice.attempts,
      retries_left: invoice.retriesLeft,
      retry_at: invoice.retryAt,
      retry_date: invoice.retryDate === null ? null : sql`${invoice.retryDate}::date`,
      updated_at: invoice.updatedAt,
    })
    .where((eb) =>
      eb.and({
        seller_id: invoice.sellerId,
        subscription_id: invoice.subscriptionId,
        number: invoice.number,
      }),
    )
    .execute();
}

/** Writes the state of an attempt and ends its lease. */
export async function updateAttempt(trx: DatabaseTransaction, attempt: Attempt, now: Date): Promise<void> {
  await trx
    .updateTable('subscription_attempts')
    .set({
      state: attempt.state,
      reason: attempt.reason,
      due_at: now,
      lease_until: null,
      read_at: null,
      updated_at: now,
    })
    .where((eb) => eb.and({ seller_id: attempt.sellerId, id: attempt.id }))
    .execute();
}

export async function findInvoice(db: Db, key: InvoiceKey): Promise<Invoice | undefined> {
  const { rows } = await sql<Invoice>`
    SELECT ${INVOICE_COLUMNS} FROM subscription_invoices i
    WHERE i.seller_id = ${key.sellerId} AND i.subscription_id = ${key.subscriptionId}
      AND i.number = ${key.number}`.execute(db);
  return rows[0];
}

/** The newest attempt of an invoice. */
export async function findNewestAttempt(db: Db, key: InvoiceKey): Promise<Attempt | undefined> {
  const { rows } = await sql<Attempt>`
    SELECT ${ATTEMPT_COLUMNS} FROM subscription_attempts a
    WHERE a.seller_id = ${key.sellerId} AND a.subscription_id = ${key.subscriptionId}
      AND a.invoice_number = ${key.number}
    ORDER BY a.number DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** The attempts of an invoice, oldest first. */
export async function findAttempts(db: Db, key: InvoiceKey, limit: number): Promise<readonly Attempt[]> {
  const { rows } = await sql<Attempt>`
    SELECT ${ATTEMPT_COLUMNS} FROM subscription_attempts a
    WHERE a.seller_id = ${key.sellerId} AND a.subscription_id = ${key.subscriptionId}
      AND a.invoice_number = ${key.number}
    ORDER BY a.number LIMIT ${limit}`.execute(db);
  return rows;
}

/** The newest attempt of a transaction. */
export async function findAttemptOfTransaction(
  db: Db,
  sellerId: string,
  transactionId: string,
): Promise<Attempt | undefined> {
  const { rows } = await sql<Attempt>`
    SELECT ${ATTEMPT_COLUMNS} FROM subscription_attempts a
    WHERE a.seller_id = ${sellerId} AND a.transaction_id = ${transactionId}
    ORDER BY a.number DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** How many attempts of a transaction were made: more than one if a bank retries it. */
export async function countAttemptsOfTransaction(
  db: Db,
  sellerId: string,
  transactionId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM subscription_attempts
    WHERE seller_id = ${sellerId} AND transaction_id = ${transactionId}`.execute(db);
  return rows[0]?.count ?? 0;
}

const ofSubscription = ({ sellerId, id }: SubscriptionKey) =>
  sql`i.seller_id = ${sellerId} AND i.subscription_id = ${id}`;

/** Which other invoices of a subscription are unpaid. */
export async function findUnpaid(
  db: Db,
  key: SubscriptionKey,
  number: number,
): Promise<{ readonly hasOtherOpen: boolean; readonly hasNewerFailed: boolean }> {
  const { rows } = await sql<{ hasOtherOpen: boolean; hasNewerFailed: boolean }>`
    SELECT EXISTS (SELECT FROM subscription_invoices i WHERE ${ofSubscription(key)}
        AND i.status IN ('SCHEDULED', 'PENDING') AND i.number <> ${number}) AS "hasOtherOpen",
      EXISTS (SELECT FROM subscription_invoices i WHERE ${ofSubscription(key)}
        AND i.number > ${number} AND i.status = 'FAILED') AS "hasNewerFailed"`.execute(db);
  return rows[0] ?? { hasOtherOpen: false, hasNewerFailed: false };
}

/** The unpaid invoices of a subscription, oldest first. */
export async function findOpenInvoices(
  db: Db,
  key: SubscriptionKey,
  limit: number,
): Promise<readonly Invoice[]> {
  const { rows } = await sql<Invoice>`
    SELECT ${INVOICE_COLUMNS} FROM subscription_invoices i WHERE ${ofSubscription(key)}
      AND i.status IN ('SCHEDULED', 'PENDING')
    ORDER BY i.number LIMIT ${limit}`.execute(db);
  return rows;
}

export interface InvoiceWithAttempts {
  readonly invoice: Invoice;
  readonly attempts: readonly Attempt[];
}

/**
 * The invoices of a subscription, newest first, and one more than a page if there is a next page.
 */
export async function findInvoices(
  db: Db,
  key: SubscriptionKey,
  { take, skip, after }: Page,
): Promise<readonly InvoiceWithAttempts[]> {
  const isAfter = after === undefined ? sql`true` : sql`i.id < ${after}::uuid`;
  const { rows } = await sql<Invoice & { attemptList: readonly Attempt[] }>`
    SELECT ${INVOICE_COLUMNS}, (SELECT json_agg(x ORDER BY x.number) FROM (
        SELECT ${ATTEMPT_COLUMNS} FROM subscription_attempts a
        WHERE a.seller_id = i.seller_id AND a.subscription_id = i.subscription_id
          AND a.invoice_number = i.number) x) AS "attemptList"
    FROM subscription_invoices i WHERE ${ofSubscription(key)} AND ${isAfter}
    ORDER BY i.seller_id DESC, i.subscription_id DESC, i.number DESC
    LIMIT ${take + 1} OFFSET ${skip}`.execute(db);
  return rows.map(({ attemptList, ...invoice }) => ({ invoice, attempts: attemptList }));
}

export async function countInvoices(db: Db, { sellerId, id }: SubscriptionKey): Promise<ListCount> {
  const row = await db
    .selectFrom('subscriptions')
    .select('invoices')
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .executeTakeFirst();
  return { count: row?.invoices ?? 0 };
}
