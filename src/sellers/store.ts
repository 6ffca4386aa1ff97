import { sql, type Selectable, type SqlBool, type Updateable } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRows, paginateNewestFirst } from '#platform/database/pagination.ts';
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

export type SellerUpdate = Pick<
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
  changes: Partial<SellerUpdate>,
  now: Date,
): Promise<Seller | undefined> {
  const row = await db
    .updateTable('sellers')
    .set({ ...columnsOf(changes), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? undefined : toSeller(row);
}

export async function findSeller(db: Db, id: string): Promise<Seller | undefined> {
  const row = await db.selectFrom('sellers').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toSeller(row);
}

export async function findSellersByIds(db: Db, ids: readonly string[]): Promise<readonly Seller[]> {
  const rows = await db
    .selectFrom('sellers')
    .selectAll()
    .where(sql<SqlBool>`id = ANY (${ids}::uuid[])`)
    .execute();
  return rows.map(toSeller);
}

/** The seller as it is, kept from others until the end of the transaction. */
export async function lockSeller(trx: Db, id: string): Promise<Seller | undefined> {
  const row = await trx
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
  const rows = await selectMatching(db, filter).selectAll().$call(paginateNewestFirst(page)).execute();
  return rows.map(toSeller);
}

export function countSellers(db: Db, filter: SellerFilter): Promise<number> {
  return countRows(selectMatching(db, filter));
}

/** So few characters of a document are part of most of them. */
const MIN_DOCUMENT_SEARCH_LENGTH = 3;

/** Sellers are thousands and no more: parts of their names are looked for one by one, without an index of their own. */
function selectMatching(db: Db, { status, search }: SellerFilter) {
  let query = db.selectFrom('sellers');
  if (status !== undefined) query = query.where('status', '=', status);
  if (search === undefined) return query;
  const name = sql<SqlBool>`strpos(lower(name), lower(${search})) > 0`;
  const documentPart = search.replaceAll(/[./\s-]/g, '').toUpperCase();
  if (documentPart.length < MIN_DOCUMENT_SEARCH_LENGTH) return query.where(name);
  const document = sql<SqlBool>`strpos(document, ${documentPart}) > 0`;
  return query.where((expression) => expression.or([name, document]));
}

function columnsOf(changes: Partial<SellerUpdate>): Updateable<Sellers> {
  const columns: Updateable<Sellers> = {};
  if (changes.status !== undefined) columns.status = changes.status;
  if (changes.requestsPerMinute !== undefined) columns.requests_per_minute = changes.requestsPerMinute;
  if (changes.creationsPerMinute !== undefined) columns.creations_per_minute = changes.creationsPerMinute;
  if (changes.boletoDelayDays !== undefined) columns.boleto_delay_days = changes.boletoDelayDays;
  if (changes.cardDelayDays !== undefined) columns.card_delay_days = changes.cardDelayDays;
  if (changes.autoApproveUpTo !== undefined) columns.auto_approve_up_to = changes.autoApproveUpTo;
  if (changes.chargebackFee !== undefined) columns.chargeback_fee = changes.chargebackFee;
  if (changes.negativeBalanceUpTo !== undefined) columns.negative_balance_up_to = changes.negativeBalanceUpTo;
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
