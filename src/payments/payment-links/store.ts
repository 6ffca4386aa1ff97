import { sql, type RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countUpToCap } from '#platform/database/pagination.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';
import { MAX_ID } from '#platform/kit/ids.ts';
import {
  containsText,
  countMatches,
  deleteFromSearchIndex,
  joinedTexts,
  matchingIds,
  normalizeText,
  type SearchScope,
} from '#payments/search/service.ts';
import type { LinkKey, LinkStatus, PaymentLink } from './link.ts';
import { LINK_FIELD } from './store-search.ts';

const COLUMNS = sql<PaymentLink>`seller_id AS "sellerId", id, code, title, description, amount,
  min_amount AS "minAmount", max_amount AS "maxAmount", methods, max_installments AS "maxInstallments",
  subscription,
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
      subscription: link.subscription && JSON.stringify(link.subscription),
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
  await deleteFromSearchIndex(trx, 'PAYMENT_LINK', link);
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
  const { search } = filter;
  if (search !== undefined) return searchLinks(db, sellerId, { ...filter, search }, page);
  const { rows } = await sql<PaymentLink>`
    SELECT ${COLUMNS} FROM (${listedLinks(sellerId, filter, after)}) AS links
    ORDER BY seller_id DESC, id DESC LIMIT ${take + 1} OFFSET ${skip}`.execute(db);
  return rows;
}

export function countLinks(db: Db, sellerId: string, filter: LinkFilter): Promise<ListCount> {
  const { search } = filter;
  if (search === undefined) return countUpToCap(db, listedLinks(sellerId, filter, MAX_ID));
  return onShardOf(db, sellerId, (shard) => countMatches(shard, scopeOf(sellerId, { ...filter, search })));
}

type LinkSearch = LinkFilter & { readonly search: string };

async function searchLinks(
  db: Db,
  sellerId: string,
  filter: LinkSearch,
  { after, skip, take }: Page,
): Promise<readonly PaymentLink[]> {
  const matching = sql<PaymentLink>`
    SELECT l.* FROM (
      SELECT id FROM (${matchingIds(scopeOf(sellerId, filter), skip + take + 1, after)}) AS newest
      ORDER BY id DESC OFFSET ${skip}
    ) AS page CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM payment_links WHERE seller_id = ${sellerId} AND id = page.id LIMIT 1
    ) AS l ORDER BY l.id DESC`;
  return onShardOf(db, sellerId, async (shard) => (await matching.execute(shard)).rows);
}

function scopeOf(sellerId: string, filter: LinkSearch): SearchScope {
  const text = normalizeText(filter.search);
  return {
    sellerId,
    kind: 'PAYMENT_LINK',
    records: sql`payment_links r
      CROSS JOIN LATERAL (${joinedTexts(sql`r.title`, sql`r.external_ref`)}) AS texts (whole)`,
    matches: containsText(sql`whole`, text),
    terms: [{ field: LINK_FIELD, text }],
    filter: filter.status && sql`r.status = ${storedStatus(filter.status)} AND ${expiryIs(filter)}`,
  };
}

/** EXPIRED is an ACTIVE link that has expired. */
const storedStatus = (status: LinkStatus) => (status === 'EXPIRED' ? 'ACTIVE' : status);

function expiryIs({ status, now }: LinkFilter): RawBuilder<unknown> {
  const expired = sql`coalesce(expires_at <= ${now}, false)`;
  if (status === 'EXPIRED') return expired;
  return status === 'ACTIVE' ? sql`NOT ${expired}` : sql`true`;
}

/** Links of which a list by status reads expiries, so that its cost does not grow. */
const MAX_EXPIRIES = 2_000;

function listedLinks(sellerId: string, filter: LinkFilter, before: string) {
  const { status } = filter;
  const range = sql`seller_id = ${sellerId} AND id < ${before}::uuid`;
  if (status === undefined) return sql`SELECT * FROM payment_links WHERE ${range}`;
  // Names the columns of the index, so that PostgreSQL reads along it.
  return sql`
    SELECT * FROM (
      SELECT * FROM payment_links WHERE ${range} AND status = ${storedStatus(status)}
      ORDER BY seller_id DESC, status DESC, id DESC LIMIT ${MAX_EXPIRIES}
    ) AS recent WHERE ${expiryIs(filter)}`;
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

const COMPLETED = sql`completed_at IS NOT NULL ORDER BY completed_at`;

/** Whether a link is completed whose other charges may be unpaid. */
export const COMPLETED_LINKS_DUE: DueCondition = () =>
  sql`(SELECT 1 FROM payment_links WHERE ${COMPLETED} LIMIT 1)`;

export async function findCompleted(db: Db, limit: number): Promise<readonly CompletedLink[]> {
  const { rows } = await sql<CompletedLink>`
    SELECT seller_id AS "sellerId", id, completed_at AS "completedAt" FROM payment_links
    WHERE ${COMPLETED} LIMIT ${limit}`.execute(db);
  return rows;
}

/** The oldest unpaid charges of a link, including cards that are authorized and in review. */
export async function findUnpaidCharges(
  db: Db,
  { sellerId, id }: LinkKey,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM transactions
    WHERE seller_id = ${sellerId} AND payment_link_id = ${id} AND payment_link_id IS NOT NULL
      AND status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED')
    ORDER BY payment_link_id, id LIMIT ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Marks that all charges of a completed link have ended. */
export async function closeCompleted(db: Db, { sellerId, id, completedAt }: CompletedLink): Promise<void> {
  await sql`
    UPDATE payment_links SET completed_at = NULL
    WHERE seller_id = ${sellerId} AND id = ${id} AND completed_at = ${completedAt}`.execute(db);
}
