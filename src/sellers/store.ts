import { sql, type Selectable, type SqlBool } from 'kysely';

import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { Sellers } from '#platform/database/types.gen.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { SELLER_STATUSES, type Seller, type SellerFilter } from './seller.ts';

export async function insertSeller(trx: DatabaseTransaction, seller: Seller): Promise<void> {
  await trx.insertInto('sellers').values(toColumns(seller)).execute();
}

/**
 * Changes the fields that are set: Kysely leaves out undefined columns. The caller has locked the
 * row.
 */
export async function updateSeller(
  trx: DatabaseTransaction,
  id: string,
  changes: Partial<Seller>,
  now: Date,
): Promise<Seller> {
  const row = await trx
    .updateTable('sellers')
    .set({
      status: changes.status,
      requests_per_minute: changes.requestsPerMinute,
      creations_per_minute: changes.creationsPerMinute,
      boleto_delay_days: changes.boletoDelayDays,
      card_delay_days: changes.cardDelayDays,
      auto_approve_up_to: changes.autoApproveUpTo,
      negative_balance_up_to: changes.negativeBalanceUpTo,
      chargeback_fee: changes.chargebackFee,
      activated_at: changes.activatedAt,
      updated_at: now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await invalidateCaches(trx, [id]);
  return toSeller(row);
}

/** Closes a seller, and replaces its name and document. */
export async function replaceSellerByPlaceholder(
  trx: DatabaseTransaction,
  id: string,
  at: Date,
): Promise<void> {
  const document = sql<string>`CASE document_type WHEN 'CPF' THEN '00000000000' ELSE '00000000000000' END`;
  await trx
    .updateTable('sellers')
    .set({ status: 'CLOSED', name: 'Apagado', document, updated_at: at })
    .where('id', '=', id)
    .execute();
  await invalidateCaches(trx, [id]);
}

/** Locks the row until the end of the transaction. */
export async function lockSeller(trx: DatabaseTransaction, id: string): Promise<Seller | undefined> {
  const row = await trx
    .selectFrom('sellers')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : toSeller(row);
}

export async function findSeller(db: Db, id: string): Promise<Seller | undefined> {
  const row = await db.selectFrom('sellers').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toSeller(row);
}

const FIND_SELLERS: NamedStatement = {
  name: 'find-sellers',
  text: 'SELECT * FROM sellers WHERE id = ANY ($1::uuid[])',
};

export async function findSellersByIds(
  query: RunStatement,
  ids: readonly string[],
): Promise<readonly Seller[]> {
  return (await query<Selectable<Sellers>>(FIND_SELLERS, [ids])).map(toSeller);
}

/** Newest first; one more than the page holds if there is a next page. */
export async function findSellers(db: Db, filter: SellerFilter, page: Page): Promise<readonly Seller[]> {
  const rows = await selectMatching(db, filter).selectAll().$call(paginateNewestFirst(page)).execute();
  return rows.map(toSeller);
}

export function countSellers(db: Db, filter: SellerFilter): Promise<ListCount> {
  return countList(db, selectMatching(db, filter), { isExact: filter.search === undefined });
}

/** Fewer characters match most documents. */
const MIN_DOCUMENT_SEARCH_LENGTH = 3;

/** There are thousands of sellers at most, so the search scans the table without an index. */
function selectMatching(db: Db, { status, search }: SellerFilter) {
  let query = db.selectFrom('sellers');
  if (status !== undefined) query = query.where('status', '=', status);
  if (search === undefined) return query;
  const nameMatches = sql<SqlBool>`strpos(lower(name), lower(${search})) > 0`;
  const documentPart = search.replaceAll(/[./\s-]/g, '').toUpperCase();
  if (documentPart.length < MIN_DOCUMENT_SEARCH_LENGTH) return query.where(nameMatches);
  const documentMatches = sql<SqlBool>`strpos(document, ${documentPart}) > 0`;
  return query.where((expression) => expression.or([nameMatches, documentMatches]));
}

const toSeller = (row: Selectable<Sellers>): Seller => ({
  ...toFields(row),
  documentType: row.document_type === 'CPF' ? 'CPF' : 'CNPJ',
  status: SELLER_STATUSES.find((status) => status === row.status) ?? 'CLOSED',
});
