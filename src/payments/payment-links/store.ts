import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countUpToCap } from '#platform/database/pagination.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { MAX_ID } from '#platform/kit/ids.ts';
import { containsText, joinedTexts, normalizeText } from '#search/service.ts';
import type { LinkKey, LinkStatus, PaymentLink } from './link.ts';

const COLUMNS = sql<PaymentLink>`seller_id AS "sellerId", id, code, title, description, amount,
  min_amount AS "minAmount", max_amount AS "maxAmount", methods, max_installments AS "maxInstallments",
  max_payments AS "maxPayments", payments_count AS "paymentsCount", paid_amount AS "paidAmount", status,
  expires_at AS "expiresAt", success_url AS "successUrl", customer_id AS "customerId",
  external_ref AS "externalRef", metadata, postback_url AS "postbackUrl", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

/**
 * Inserts a link and its code. The codes of all sellers are in one table, which finds a link's
 * seller.
 */
export async function insertLink(trx: DatabaseTransaction, link: PaymentLink): Promise<void> {
  const { sellerId, id, code } = link;
  await trx
    .insertInto('payment_links')
    .values({
      seller_id: sellerId,
      id,
      code,
      title: link.title,
      description: link.description,
      amount: link.amount,
      min_amount: link.minAmount,
      max_amount: link.maxAmount,
      methods: [...link.methods],
      max_installments: link.maxInstallments,
      max_payments: link.maxPayments,
      payments_count: 0,
      paid_amount: 0,
      status: link.status,
      expires_at: link.expiresAt,
      success_url: link.successUrl,
      customer_id: link.customerId,
      external_ref: link.externalRef,
      metadata: link.metadata === null ? null : JSON.stringify(link.metadata),
      postback_url: link.postbackUrl,
      created_at: link.createdAt,
      updated_at: link.updatedAt,
    })
    .execute();
  await trx.insertInto('payment_link_codes').values({ code, seller_id: sellerId, link_id: id }).execute();
}

export async function findLink(db: Db, { sellerId, id }: LinkKey): Promise<PaymentLink | undefined> {
  const { rows } = await sql<PaymentLink>`
    SELECT ${COLUMNS} FROM payment_links WHERE seller_id = ${sellerId} AND id = ${id}`.execute(db);
  return rows[0];
}

export async function findLinkKey(db: Db, code: string): Promise<LinkKey | undefined> {
  return db
    .selectFrom('payment_link_codes')
    .select(['seller_id as sellerId', 'link_id as id'])
    .where('code', '=', code)
    .executeTakeFirst();
}

export async function lockLink(
  trx: DatabaseTransaction,
  { sellerId, id }: LinkKey,
): Promise<PaymentLink | undefined> {
  const { rows } = await sql<PaymentLink>`
    SELECT ${COLUMNS} FROM payment_links WHERE seller_id = ${sellerId} AND id = ${id} FOR UPDATE`.execute(
    trx,
  );
  return rows[0];
}

export async function updateLink(trx: DatabaseTransaction, link: PaymentLink): Promise<void> {
  await trx
    .updateTable('payment_links')
    .set({
      title: link.title,
      description: link.description,
      expires_at: link.expiresAt,
      max_payments: link.maxPayments,
      status: link.status,
      completed_at: link.status === 'COMPLETED' ? link.updatedAt : null,
      updated_at: link.updatedAt,
    })
    .where((eb) => eb.and({ seller_id: link.sellerId, id: link.id }))
    .execute();
}

export interface LinkFilter {
  readonly status: LinkStatus | undefined;
  /** A part of the title or the reference. */
  readonly search: string | undefined;
  readonly now: Date;
}

/** Newest first; one more than a page if there is a next page. */
export async function findLinks(
  db: Db,
  sellerId: string,
  filter: LinkFilter,
  page: Page,
): Promise<readonly PaymentLink[]> {
  const { take, skip, after = MAX_ID } = page;
  const { rows } = await sql<PaymentLink>`
    SELECT ${COLUMNS} FROM (${matchingLinks(sellerId, filter, after)}) AS links
    ORDER BY seller_id DESC, id DESC LIMIT ${take + 1} OFFSET ${skip}`.execute(db);
  return rows;
}

export const countLinks = (db: Db, sellerId: string, filter: LinkFilter): Promise<ListCount> =>
  countUpToCap(db, matchingLinks(sellerId, filter, MAX_ID));

/** Links of which a search reads texts and expiries, so that its cost does not grow. */
const MAX_SEARCHED = 2_000;

function matchingLinks(sellerId: string, { status, search, now }: LinkFilter, before: string) {
  const range = sql`seller_id = ${sellerId} AND id < ${before}::uuid`;
  if (status === undefined && search === undefined) return sql`SELECT * FROM payment_links WHERE ${range}`;
  const stored = status === 'EXPIRED' ? 'ACTIVE' : status;
  // Each names the columns of its index, so that PostgreSQL reads along it.
  const candidates =
    stored === undefined
      ? sql`SELECT * FROM payment_links WHERE ${range} ORDER BY seller_id DESC, id DESC`
      : sql`SELECT * FROM payment_links WHERE ${range} AND status = ${stored}
          ORDER BY seller_id DESC, status DESC, id DESC`;
  const expired = sql`coalesce(expires_at <= ${now}, false)`;
  const conditions = [
    ...(status === 'EXPIRED' ? [expired] : []),
    ...(status === 'ACTIVE' ? [sql`NOT ${expired}`] : []),
    ...(search === undefined
      ? []
      : [
          sql`EXISTS (SELECT FROM (${joinedTexts(sql`title`, sql`external_ref`)}) AS whole (texts)
            WHERE ${containsText(sql`texts`, normalizeText(search))})`,
        ]),
  ];
  return sql`SELECT * FROM (${candidates} LIMIT ${MAX_SEARCHED}) AS recent
    WHERE ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `)}`;
}

/**
 * Counts a payment of a link, and completes the link with its last one. Returns false, and changes
 * nothing, if the link has all its payments. Locks the link until the end of the transaction, so
 * that concurrent payments cannot exceed `maxPayments`.
 */
export async function countPayment(
  trx: DatabaseTransaction,
  { sellerId, id }: LinkKey,
  { amount, at }: { readonly amount: number; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE payment_links SET payments_count = payments_count + 1, paid_amount = paid_amount + ${amount},
      status = CASE WHEN payments_count + 1 >= max_payments THEN 'COMPLETED' ELSE status END,
      completed_at = CASE WHEN payments_count + 1 >= max_payments THEN ${at}::timestamptz END,
      updated_at = ${at}
    WHERE seller_id = ${sellerId} AND id = ${id} AND (max_payments IS NULL OR payments_count < max_payments)
    RETURNING id`.execute(trx);
  return rows.length > 0;
}

/** A completed link whose other charges may be unpaid. */
export interface CompletedLink extends LinkKey {
  readonly completedAt: Date;
}

export async function findCompleted(db: Db, limit: number): Promise<readonly CompletedLink[]> {
  const { rows } = await sql<CompletedLink>`
    SELECT seller_id AS "sellerId", id, completed_at AS "completedAt" FROM payment_links
    WHERE completed_at IS NOT NULL ORDER BY completed_at LIMIT ${limit}`.execute(db);
  return rows;
}

/** The oldest unpaid charges of a link. */
export async function findUnpaidCharges(
  db: Db,
  { sellerId, id }: LinkKey,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM transactions
    WHERE seller_id = ${sellerId} AND payment_link_id = ${id} AND payment_link_id IS NOT NULL
      AND status IN ('PENDING', 'WAITING_PAYMENT')
    ORDER BY payment_link_id, id LIMIT ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Marks that all charges of a completed link have ended. */
export async function closeCompleted(db: Db, { sellerId, id, completedAt }: CompletedLink): Promise<void> {
  await sql`
    UPDATE payment_links SET completed_at = NULL
    WHERE seller_id = ${sellerId} AND id = ${id} AND completed_at = ${completedAt}`.execute(db);
}
