import { sql, type Selectable, type SqlBool, type Updateable } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countOf, newestFirst } from '#platform/database/listing.ts';
import type { Sellers } from '#platform/database/types.gen.ts';

export const SELLER_STATUSES = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
export type SellerStatus = (typeof SELLER_STATUSES)[number];

export interface Seller {
  readonly id: string;
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
  readonly status: SellerStatus;
  readonly requestsPerMinute: number;
  readonly creationsPerMinute: number;
  /** Business days until a paid boleto is available. */
  readonly boletoDelayDays: number;
  /** Days until each instalment of a paid card charge is available. */
  readonly cardDelayDays: number;
  /** Withdrawals up to this many cents need no operator. */
  readonly autoApproveUpTo: number;
  /** How far refunds may take the available balance below zero, in cents. */
  readonly negativeBalanceUpTo: number;
  /** What the operator takes for a chargeback, in cents. */
  readonly chargebackFee: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type SellerLimits = Pick<
  Seller,
  | 'status'
  | 'requestsPerMinute'
  | 'creationsPerMinute'
  | 'boletoDelayDays'
  | 'cardDelayDays'
  | 'autoApproveUpTo'
  | 'negativeBalanceUpTo'
  | 'chargebackFee'
>;

export async function insertSeller(db: Db, seller: Seller): Promise<void> {
  await db
    .insertInto('sellers')
    .values({
      id: seller.id,
      name: seller.name,
      document_type: seller.documentType,
      document: seller.document,
      created_at: seller.createdAt,
      status: seller.status,
      requests_per_minute: seller.requestsPerMinute,
      creations_per_minute: seller.creationsPerMinute,
      boleto_delay_days: seller.boletoDelayDays,
      card_delay_days: seller.cardDelayDays,
      auto_approve_up_to: seller.autoApproveUpTo,
      negative_balance_up_to: seller.negativeBalanceUpTo,
      chargeback_fee: seller.chargebackFee,
      updated_at: seller.updatedAt,
    })
    .execute();
}

export async function updateSeller(
  db: Db,
  id: string,
  limits: Partial<SellerLimits>,
  now: Date,
): Promise<Seller | undefined> {
  const row = await db
    .updateTable('sellers')
    .set({ ...columnsOf(limits), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : toSeller(row);
}

export async function findSeller(db: Db, id: string): Promise<Seller | undefined> {
  const row = await db.selectFrom('sellers').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toSeller(row);
}

export async function findSellersOf(db: Db, ids: readonly string[]): Promise<readonly Seller[]> {
  const rows = await db
    .selectFrom('sellers')
    .selectAll()
    .where(sql<SqlBool>`id = ANY (${ids}::uuid[])`)
    .execute();
  return rows.map(toSeller);
}

/** The seller as it is, kept from others until the end of the transaction. */
export async function lockSeller(within: Db, id: string): Promise<Seller | undefined> {
  const row = await within
    .selectFrom('sellers')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : toSeller(row);
}

export interface SellerFilter {
  readonly status?: SellerStatus | undefined;
  /** A part of the name, in any case of letters, or of the document, with or without its punctuation. */
  readonly search?: string | undefined;
}

/** Newest first; one more than asked for where there is a next page. */
export async function findSellers(
  db: Db,
  filter: SellerFilter,
  page: { readonly take: number; readonly skip: number; readonly after: string | undefined },
): Promise<readonly Seller[]> {
  const rows = await matching(db, filter).selectAll().$call(newestFirst(page)).execute();
  return rows.map(toSeller);
}

export function countSellers(db: Db, filter: SellerFilter): Promise<number> {
  return countOf(matching(db, filter));
}

/** So few characters of a document are part of most of them. */
const SHORTEST_DOCUMENT_PART = 3;

/** Sellers are thousands and no more: parts of their names are looked for one by one, without an index of their own. */
function matching(db: Db, { status, search }: SellerFilter) {
  let query = db.selectFrom('sellers');
  if (status !== undefined) query = query.where('status', '=', status);
  if (search === undefined) return query;
  const name = sql<SqlBool>`strpos(lower(name), lower(${search})) > 0`;
  const part = search.replaceAll(/[./\s-]/g, '').toUpperCase();
  if (part.length < SHORTEST_DOCUMENT_PART) return query.where(name);
  const document = sql<SqlBool>`strpos(document, ${part}) > 0`;
  return query.where((expression) => expression.or([name, document]));
}

function columnsOf(limits: Partial<SellerLimits>): Updateable<Sellers> {
  const columns: Updateable<Sellers> = {};
  if (limits.status !== undefined) columns.status = limits.status;
  if (limits.requestsPerMinute !== undefined) columns.requests_per_minute = limits.requestsPerMinute;
  if (limits.creationsPerMinute !== undefined) columns.creations_per_minute = limits.creationsPerMinute;
  if (limits.boletoDelayDays !== undefined) columns.boleto_delay_days = limits.boletoDelayDays;
  if (limits.cardDelayDays !== undefined) columns.card_delay_days = limits.cardDelayDays;
  if (limits.autoApproveUpTo !== undefined) columns.auto_approve_up_to = limits.autoApproveUpTo;
  if (limits.chargebackFee !== undefined) columns.chargeback_fee = limits.chargebackFee;
  if (limits.negativeBalanceUpTo !== undefined) columns.negative_balance_up_to = limits.negativeBalanceUpTo;
  return columns;
}

function toSeller(row: Selectable<Sellers>): Seller {
  return {
    id: row.id,
    name: row.name,
    documentType: row.document_type === 'CPF' ? 'CPF' : 'CNPJ',
    document: row.document,
    status: SELLER_STATUSES.find((status) => status === row.status) ?? 'CLOSED',
    requestsPerMinute: row.requests_per_minute,
    creationsPerMinute: row.creations_per_minute,
    boletoDelayDays: row.boleto_delay_days,
    cardDelayDays: row.card_delay_days,
    autoApproveUpTo: row.auto_approve_up_to,
    negativeBalanceUpTo: row.negative_balance_up_to,
    chargebackFee: row.chargeback_fee,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
