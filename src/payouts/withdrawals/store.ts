import { sql, type Selectable, type SqlBool } from 'kysely';

import { CRYPTO_NETWORKS } from '#formats/crypto-address/address.ts';
import { toAuthor } from '#platform/http/audit-actor.ts';
import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import type { Withdrawals } from '#platform/database/types.gen.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { ORIGINS } from '#accounting/ledger/service.ts';
import { countMatches, matchingIds, metadataField, type SearchScope } from '#payments/search/service.ts';
import { ACTIVE_SELLERS } from '#sellers/active.ts';
import { PIX_KEY_TYPES } from '#formats/pix/pix-key.ts';
import { isRecord } from '#platform/kit/records.ts';
import { ACCOUNT_TYPES } from './payout-provider.ts';
import {
  WITHDRAWAL_METHODS,
  WITHDRAWAL_STATUSES,
  type BankAccount,
  type NewWithdrawal,
  type Withdrawal,
  type WithdrawalKey,
  type WithdrawalStatus,
  type WithdrawalMethod,
} from './withdrawal.ts';

export async function insertWithdrawal(
  trx: DatabaseTransaction,
  { bankAccount, metadata, createdBy, payeeHashes, ...withdrawal }: Withdrawal,
): Promise<void> {
  await trx
    .insertInto('withdrawals')
    .values({
      ...toColumns(withdrawal),
      withdrawal_type: 'MANUAL',
      bank_code: bankAccount?.bankCode ?? null,
      bank_branch: bankAccount?.branch ?? null,
      bank_account_type: bankAccount?.accountType ?? null,
      metadata: metadata === null ? null : JSON.stringify(metadata),
      payee_hashes: [...payeeHashes],
      created_by: JSON.stringify(createdBy),
    })
    .execute();
}

/** Updates a withdrawal. Returns false if it no longer has the version of `before`. */
export async function updateWithdrawal(
  trx: DatabaseTransaction,
  before: Withdrawal,
  after: Withdrawal,
): Promise<boolean> {
  const { status, rejectionReason, version, approvedBy, approvalsNeeded, provider } = after;
  const { approvedAt, processedAt, paidAt, updatedAt } = after;
  const decision = { status, rejectionReason, version, approvedBy, approvalsNeeded, provider };
  const updated = await trx
    .updateTable('withdrawals')
    .set(toColumns({ ...decision, approvedAt, processedAt, paidAt, updatedAt }))
    .where((eb) => eb.and({ seller_id: before.sellerId, id: before.id, version: before.version }))
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

export type Actor = 'SELLER' | 'GATEWAY' | 'OPERATOR' | 'WORKER' | 'PROVIDER';

export interface HistoryRecord {
  readonly from: WithdrawalStatus | null;
  readonly actor: Actor;
  readonly userId: string | null;
  readonly reason: string | null;
}

/** Records the new status of a withdrawal. */
export async function insertHistory(
  trx: DatabaseTransaction,
  after: Withdrawal,
  record: HistoryRecord,
): Promise<void> {
  await trx
    .insertInto('withdrawal_history')
    .values({
      seller_id: after.sellerId,
      withdrawal_id: after.id,
      position: after.version,
      from_status: record.from,
      to_status: after.status,
      reason: record.reason,
      actor: record.actor,
      user_id: record.userId,
      at: after.updatedAt,
    })
    .execute();
}

export async function findWithdrawal(db: Db, key: WithdrawalKey): Promise<Withdrawal | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where((eb) => eb.and({ seller_id: key.sellerId, id: key.id }))
    .executeTakeFirst();
  return row && toWithdrawal(row);
}

export async function findWithdrawalsById(
  db: Db,
  sellerId: string,
  ids: readonly string[],
): Promise<readonly Withdrawal[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('id', 'in', ids)
    .execute();
  return rows.map(toWithdrawal);
}

export interface WithdrawalFilter {
  readonly statuses: readonly WithdrawalStatus[];
  readonly method?: string | undefined;
  readonly period?: Period;
  readonly withdrawalId?: string | undefined;
  readonly minAmount?: number | undefined;
  readonly maxAmount?: number | undefined;
  readonly metadataKey?: string | undefined;
  readonly metadataValue?: string | undefined;
}

/** A seller's withdrawals, newest first (by primary key). Returns up to `take + 1` rows. */
export async function findWithdrawals(
  db: Db,
  sellerId: string,
  filter: WithdrawalFilter,
  page: Page,
): Promise<readonly Withdrawal[]> {
  const scope = metadataScope(db, sellerId, filter);
  if (scope === undefined) {
    const query = matching(db, sellerId, filter).$call(paginateNewestFirst(page));
    return (await query.selectAll().execute()).map(toWithdrawal);
  }
  const { after, skip, take } = page;
  const rows = await onShardOf(db, sellerId, (shard) =>
    shard
      .selectFrom('withdrawals')
      .selectAll()
      .where('seller_id', '=', sellerId)
      .where(sql<SqlBool>`id = ANY (ARRAY(${matchingIds(scope, skip + take + 1, after)}))`)
      .orderBy('id', 'desc')
      .offset(skip)
      .execute(),
  );
  return rows.map(toWithdrawal);
}

/** Counts exactly by status, method and period, and up to a limit by the other filters. */
export function countWithdrawals(db: Db, sellerId: string, filter: WithdrawalFilter): Promise<ListCount> {
  const scope = metadataScope(db, sellerId, filter);
  if (scope !== undefined) return onShardOf(db, sellerId, (shard) => countMatches(shard, scope));
  const { withdrawalId, minAmount, maxAmount } = filter;
  const isExact = [withdrawalId, minAmount, maxAmount].every((value) => value === undefined);
  return countList(db, matching(db, sellerId, filter), { isExact });
}

/** Undefined if the filter is not by metadata. */
function metadataScope(db: Db, sellerId: string, filter: WithdrawalFilter): SearchScope | undefined {
  const { metadataKey: key, metadataValue: text = '', ...others } = filter;
  if (key === undefined) return undefined;
  const other = matching(db, sellerId, others).where('id', '=', sql.ref<string>('r.id')).select('id');
  const { statuses, method, period, withdrawalId, minAmount, maxAmount } = filter;
  const values = [method, period?.from, period?.before, withdrawalId, minAmount, maxAmount];
  const isFiltered = statuses.length > 0 || values.some((value) => value !== undefined);
  return {
    sellerId,
    kind: 'WITHDRAWAL',
    records: sql`withdrawals r`,
    matches: sql`strpos(r.metadata ->> ${key}, ${text}) > 0`,
    terms: [{ field: metadataField(key), text }],
    filter: isFiltered ? sql`EXISTS (${other.offset(0)})` : undefined,
  };
}

/** Applies the filter except for metadata. */
function matching(db: Db, sellerId: string, filter: WithdrawalFilter) {
  const { period } = filter;
  let query = db.selectFrom('withdrawals').where('seller_id', '=', sellerId);
  if (filter.statuses.length > 0) query = query.where('status', 'in', filter.statuses);
  if (filter.method !== undefined) query = query.where('method', '=', filter.method);
  if (filter.withdrawalId !== undefined) query = query.where('id', '=', filter.withdrawalId);
  // Ids begin with the creation time, so a period is a range of the primary key.
  if (period?.from !== undefined) query = query.where('id', '>=', minIdAt(period.from.getTime()));
  if (period?.before !== undefined) query = query.where('id', '<', minIdAt(period.before.getTime()));
  if (filter.minAmount !== undefined) query = query.where('amount', '>=', filter.minAmount);
  if (filter.maxAmount !== undefined) query = query.where('amount', '<=', filter.maxAmount);
  return query;
}

/** APPROVED withdrawals of ACTIVE sellers, in the order of their approval. */
export async function findApproved(
  db: Db,
  methods: readonly WithdrawalMethod[],
  limit: number,
): Promise<readonly (WithdrawalKey & { readonly method: string })[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select(['seller_id', 'id', 'method'])
    .where('status', '=', 'APPROVED')
    .where('method', 'in', methods)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('ledger_holds as h')
            .select('h.seller_id')
            .whereRef('h.seller_id', '=', 'withdrawals.seller_id'),
        ),
      ),
    )
    .where('seller_id', 'in', ACTIVE_SELLERS)
    .orderBy('approved_at')
    .limit(limit)
    .execute();
  return rows.map(toFields);
}

/** The fallbacks are never used: CHECK constraints permit only the known values. */
export function toWithdrawal(row: Selectable<Withdrawals>): Withdrawal {
  return {
    ...toFields(row),
    method: WITHDRAWAL_METHODS.find((method) => method === row.method) ?? 'PIX',
    status: WITHDRAWAL_STATUSES.find((status) => status === row.status) ?? 'PENDING',
    origin: ORIGINS.find((origin) => origin === row.origin) ?? 'PIX',
    pixKeyType: PIX_KEY_TYPES.find((type) => type === row.pix_key_type) ?? null,
    cryptoNetwork: CRYPTO_NETWORKS.find((network) => network === row.crypto_network) ?? null,
    bankAccount: toBankAccount(row),
    beneficiaryDocumentType: toDocumentType(row.beneficiary_document_type),
    holderDocumentType: toDocumentType(row.holder_document_type),
    metadata: isRecord(row.metadata) ? row.metadata : null,
    createdBy: toAuthor(row.created_by),
  };
}

const toDocumentType = (type: string | null): 'CPF' | 'CNPJ' | null =>
  type === 'CPF' || type === 'CNPJ' ? type : null;

function toBankAccount(row: Selectable<Withdrawals>): BankAccount | null {
  const accountType = ACCOUNT_TYPES.find((type) => type === row.bank_account_type);
  if (row.bank_code === null || row.bank_branch === null || accountType === undefined) return null;
  return { bankCode: row.bank_code, branch: row.bank_branch, accountType };
}

export interface StatusChange {
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
  readonly actor: string;
  readonly at: Date;
}

/** The status changes of a withdrawal, oldest first. */
export function findHistory(db: Db, key: WithdrawalKey): Promise<readonly StatusChange[]> {
  return db
    .selectFrom('withdrawal_history')
    .select(['from_status as from', 'to_status as to', 'reason', 'actor', 'at'])
    .where((eb) => eb.and({ seller_id: key.sellerId, withdrawal_id: key.id }))
    .orderBy('position')
    .execute();
}

/** The withdrawals to this masked destination that were PAID or approved by a person. */
export async function findTrusted(
  db: Db,
  withdrawal: NewWithdrawal,
  limit: number,
): Promise<readonly Withdrawal[]> {
  const rows = await toMaskedDestination(db, withdrawal, limit)
    .where(sql<SqlBool>`(status = 'PAID' OR approved_by IS NOT NULL) AND status <> 'REJECTED'`)
    .execute();
  return rows.map(toWithdrawal);
}

/** Other withdrawals to this masked destination, in any status. */
export async function findEarlier(
  db: Db,
  withdrawal: NewWithdrawal,
  limit: number,
): Promise<readonly Withdrawal[]> {
  const rows = await toMaskedDestination(db, withdrawal, limit).where('id', '<>', withdrawal.id).execute();
  return rows.map(toWithdrawal);
}

/** A query of the newest withdrawals to a masked destination. */
function toMaskedDestination(
  db: Db,
  { sellerId, method, maskedDestination, pixKeyType, cryptoNetwork, bankAccount }: NewWithdrawal,
  limit: number,
) {
  return db
    .selectFrom('withdrawals')
    .selectAll()
    .where((eb) => eb.and({ seller_id: sellerId, masked_destination: maskedDestination, method }))
    .where(
      sql<SqlBool>`(pix_key_type, crypto_network, bank_code, bank_branch, bank_account_type)
        IS NOT DISTINCT FROM (${pixKeyType}::text, ${cryptoNetwork}::text,
          ${bankAccount?.bankCode ?? null}::text, ${bankAccount?.branch ?? null}::text,
          ${bankAccount?.accountType ?? null}::text)`,
    )
    .orderBy('id', 'desc')
    .limit(limit);
}

/** The amount in cents of a seller's withdrawals since then that were not REJECTED or FAILED. */
export async function sumSince(db: Db, sellerId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM withdrawals
    WHERE seller_id = ${sellerId} AND id >= ${minIdAt(since.getTime())}
      AND status NOT IN ('REJECTED', 'FAILED')`.execute(db);
  return rows[0]?.amount ?? 0;
}

/** The amount in cents that a seller's unfinished withdrawals reserve. */
export async function sumReserved(db: Db, sellerId: string): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM withdrawals
    WHERE seller_id = ${sellerId} AND status IN ('PENDING', 'APPROVED', 'PROCESSING')`.execute(db);
  return rows[0]?.amount ?? 0;
}
