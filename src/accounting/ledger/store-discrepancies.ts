import { sql, type RawBuilder } from 'kysely';

import type { TransactionPart } from './discrepancies.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { idDaySql } from '#platform/database/id-days.ts';
import { balanceChange } from './balance-change.ts';
import { MAX_ID } from '#platform/kit/ids.ts';

/**
 * The statements of the ledger check. Each reads what a scope names, and compares records of one
 * seller only with each other.
 */

/** One seller, or those between bounds, of which an absent one is open. */
export interface SellerRange {
  readonly only?: string;
  readonly after?: string;
  readonly upTo?: string;
  readonly before?: string;
  /** The smallest and the largest hash of the sellers of a shard. */
  readonly hashes?: readonly [number, number] | undefined;
}

/** Whose records a statement compares: a SQL condition on the columns of seller and record. */
export type RecordScope = (sellerColumn: string, recordColumn: string) => RawBuilder<unknown>;

export const allOf =
  (range: SellerRange): RecordScope =>
  (sellerColumn) =>
    inRange(range, sellerColumn);

/** The records of one seller with `after` < id <= `upTo`, which is open if undefined. */
export const between =
  (sellerId: string, after: string, upTo: string | undefined): RecordScope =>
  (sellerColumn, recordColumn) => {
    const id = sql.ref(recordColumn);
    const lowerBound = sql`${sql.ref(sellerColumn)} = ${sellerId} AND ${id} > ${after}`;
    return upTo === undefined ? lowerBound : sql`${lowerBound} AND ${id} <= ${upTo}`;
  };

export const among =
  (sellerId: string, recordIds: readonly string[]): RecordScope =>
  (sellerColumn, recordColumn) =>
    sql`${sql.ref(sellerColumn)} = ${sellerId}
      AND ${sql.ref(recordColumn)} = ANY (${[...recordIds]}::uuid[])`;

/** A SQL condition on the seller id. */
export function inRange({ only, after, upTo, before, hashes }: SellerRange, column = 'seller_id') {
  const id = sql.ref(column);
  const bounds = [
    ...(only === undefined ? [] : [sql`${id} = ${only}`]),
    ...(after === undefined ? [] : [sql`${id} > ${after}`]),
    ...(upTo === undefined ? [] : [sql`${id} <= ${upTo}`]),
    ...(before === undefined ? [] : [sql`${id} < ${before}`]),
    // A shard has the rows of its sellers only, but all rows of `sellers`.
    ...(hashes === undefined || (column !== 'id' && column !== 's.id')
      ? []
      : [sql`worker_hash(${id}) BETWEEN ${hashes[0]} AND ${hashes[1]}`]),
  ];
  return bounds.length === 0 ? sql`true` : sql.join(bounds, sql` AND `);
}

export interface SellerRowCount {
  readonly id: string;
  /** Entries and transactions, as they are counted in stored rows. */
  readonly rows: number;
}

/** Returns sellers of a range, ordered by id. */
export async function findSellerRowCounts(
  trx: DatabaseTransaction,
  range: SellerRange,
  limit: number,
): Promise<readonly SellerRowCount[]> {
  const { rows } = await sql<SellerRowCount>`
    SELECT s.id, greatest(0, coalesce((SELECT sum(entries) FROM wallets w WHERE w.seller_id = s.id), 0)
      + coalesce((SELECT sum(count) FROM transaction_counts c WHERE c.seller_id = s.id), 0))::bigint AS rows
    FROM sellers s WHERE ${inRange(range, 's.id')} ORDER BY s.id LIMIT ${limit}`.execute(trx);
  return rows;
}

/** Returns the number of entries and transactions, as they are counted in stored rows. */
export async function countStoredRows(db: Db): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    SELECT (coalesce((SELECT sum(entries) FROM wallets), 0)
      + coalesce((SELECT sum(count) FROM transaction_counts), 0))::bigint AS rows`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** Far longer than a step takes, unless a stored count that bounds it is wrong. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

/**
 * Disables parallel workers for this transaction, so that a check leaves the other cores to
 * payments.
 */
export async function prepareSnapshot(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT set_config('max_parallel_workers_per_gather', '0', true),
    set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`.execute(trx);
}

/**
 * Joins without nested loops in the statements of `run`. They join sets of about equal size, of
 * which the planner expects one row where it has no statistics.
 */
async function joinSets<Result>(trx: DatabaseTransaction, run: () => Promise<Result>): Promise<Result> {
  const allowNestedLoops = (setting: 'on' | 'off') =>
    sql`SELECT set_config('enable_nestloop', ${setting}, true)`.execute(trx);
  await allowNestedLoops('off');
  const result = await run();
  await allowNestedLoops('on');
  return result;
}

/** The next records of a seller. */
export interface RecordSlice {
  /** The last id. Undefined if it has all ids after the slice before. */
  readonly upTo: string | undefined;
  readonly transactions: number;
}

const ENTRIES_PER_RECORD = 4;

/** Finds where the next slice of `limit` transactions or withdrawals, or of their entries, ends. */
export async function findRecordSlice(
  trx: DatabaseTransaction,
  sellerId: string,
  after: string,
  limit: number,
): Promise<RecordSlice> {
  const nth = (table: string, column: string, n: number) => sql`(
    SELECT ${sql.ref(column)} FROM ${sql.table(table)}
    WHERE seller_id = ${sellerId} AND ${sql.ref(column)} > ${after}
    ORDER BY ${sql.ref(column)} LIMIT 1 OFFSET ${n - 1})`;
  const { rows } = await sql<{ upTo: string | null; transactions: number }>`
    WITH slice AS MATERIALIZED (
      SELECT least(${nth('transactions', 'id', limit)}, ${nth('withdrawals', 'id', limit)},
        ${nth('ledger_entries', 'record_id', limit * ENTRIES_PER_RECORD)}) AS up_to
    )
    SELECT up_to AS "upTo", (
      SELECT count(*) FROM transactions WHERE seller_id = ${sellerId} AND id > ${after}
        AND id <= (SELECT coalesce(up_to, ${MAX_ID}) FROM slice)
    ) AS transactions
    FROM slice`.execute(trx);
  return { upTo: rows[0]?.upTo ?? undefined, transactions: rows[0]?.transactions ?? 0 };
}

/**
 * A transaction that its entries contradict, or entries without a transaction. Amounts in cents.
 */
export interface TransactionDifference {
  readonly sellerId: string;
  readonly transactionId: string;
  /** What differs: payment, fee, refunds, … */
  readonly part: TransactionPart;
  readonly expected: number;
  readonly booked: number;
}

/**
 * Compares every transaction with its entries. A paid transaction has its full payment and its fee
 * booked once. A paid Pix or boleto has the provider event that paid it; a card may be paid by the
 * answer to its creation. Refunds, disputes and chargebacks are booked as their own records state.
 * The retained and disputed balances equal the pending releases and the open disputes. No other
 * transaction has entries.
 */
export async function findTransactionDifferences(
  trx: DatabaseTransaction,
  scope: RecordScope,
  limit: number,
): Promise<readonly TransactionDifference[]> {
  const statement = sql<TransactionDifference>`
    WITH refund_sums AS (
      SELECT seller_id, transaction_id,
        coalesce(sum(amount) FILTER (WHERE status = 'DONE'), 0)::bigint AS done,
        coalesce(sum(amount) FILTER (WHERE status = 'PENDING'), 0)::bigint AS pending
      FROM refunds WHERE ${scope('seller_id', 'transaction_id')} GROUP BY seller_id, transaction_id
    ), dispute_sums AS (
      SELECT seller_id, transaction_id, sum(amount)::bigint AS held,
        coalesce(sum(amount) FILTER (WHERE status = 'RESOLVED'), 0)::bigint AS won,
        coalesce(sum(amount) FILTER (WHERE status = 'REJECTED'), 0)::bigint AS lost,
        coalesce(sum(amount) FILTER (WHERE status IN ('OPEN', 'UNDER_REVIEW')), 0)::bigint AS open
      FROM disputes WHERE ${scope('seller_id', 'transaction_id')} GROUP BY seller_id, transaction_id
    ), release_sums AS (
      SELECT seller_id, transaction_id, sum(amount)::bigint AS pending FROM releases
      WHERE ${scope('seller_id', 'transaction_id')} AND status = 'PENDING' GROUP BY seller_id, transaction_id
    ), paying_events AS (
      SELECT seller_id, record_id AS transaction_id, count(*) AS count FROM provider_events
      WHERE ${scope('seller_id', 'record_id')} AND kind = 'PAYMENT'
        AND outcome = 'APPLIED' GROUP BY seller_id, record_id
    ), expected AS (
      SELECT t.seller_id, t.id AS transaction_id, t.amount AS payment, t.fee_amount AS fee,
        coalesce(r.done, 0) AS refunds, coalesce(r.pending, 0) AS refunding, coalesce(d.held, 0) AS held,
        coalesce(d.won, 0) AS won, coalesce(d.lost, 0) AS lost, coalesce(l.pending, 0) AS retained,
        coalesce(d.open, 0) AS disputed,
        CASE WHEN t.status = 'CHARGEDBACK' AND coalesce(d.lost, 0) = 0
          THEN t.amount - coalesce(r.done, 0) - coalesce(r.pending, 0) ELSE 0 END AS chargeback,
        CASE WHEN t.status = 'DISPUTE' THEN 1 ELSE 0 END AS in_dispute,
        CASE WHEN t.status IN ('PAID', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE') THEN 1 ELSE 0 END
          AS counts_as_paid,
        CASE WHEN t.paid_at IS NOT NULL THEN 1 ELSE 0 END AS has_paid_at,
        CASE WHEN d.open > 0 THEN 1 ELSE 0 END AS has_open_dispute,
        CASE WHEN t.method IN ('PIX', 'BOLETO') THEN 1 END AS needs_event,
        CASE WHEN t.method IN ('PIX', 'BOLETO') THEN v.count END AS events,
        t.refunded_amount, t.refunding_amount,
        coalesce(r.done, 0) + CASE WHEN t.method = 'CREDIT_CARD' THEN 0 ELSE coalesce(d.lost, 0) END
          AS returned,
        CASE t.method WHEN 'CREDIT_CARD' THEN 'CARD' ELSE t.method END AS origin
      FROM transactions t
      LEFT JOIN refund_sums r ON r.seller_id = t.seller_id AND r.transaction_id = t.id
      LEFT JOIN dispute_sums d ON d.seller_id = t.seller_id AND d.transaction_id = t.id
      LEFT JOIN release_sums l ON l.seller_id = t.seller_id AND l.transaction_id = t.id
      LEFT JOIN paying_events v ON v.seller_id = t.seller_id AND v.transaction_id = t.id
      WHERE ${scope('t.seller_id', 't.id')}
        AND (t.paid_at IS NOT NULL OR t.status IN ('PAID', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE'))
    ), booked AS (${bookedTransactionSums(scope)})
    SELECT seller_id AS "sellerId", transaction_id AS "transactionId", p.part,
      coalesce(p.expected, 0) AS expected, coalesce(p.booked, 0) AS booked
    FROM expected e FULL JOIN booked b USING (seller_id, transaction_id, origin) CROSS JOIN LATERAL (VALUES
      ('payment', e.payment, b.payment), ('provider event', e.needs_event, e.events),
      ('fee', e.fee, b.fee), ('refunds', e.refunds, b.refunds),
      ('chargeback', e.chargeback, b.chargeback), ('held by disputes', e.held, b.held),
      ('released by disputes', e.won, b.won), ('lost by disputes', e.lost, b.lost),
      ('still retained', e.retained, b.retained), ('still disputed', e.disputed, b.disputed),
      ('paidAt', e.counts_as_paid, e.has_paid_at), ('open disputes', e.in_dispute, e.has_open_dispute),
      ('refundedAmount', e.returned, e.refunded_amount), ('refunds under way', e.refunding, b.reserved),
      ('refundingAmount', e.refunding, e.refunding_amount)
    ) AS p (part, expected, booked)
    WHERE coalesce(p.expected, 0) <> coalesce(p.booked, 0)
    ORDER BY seller_id, transaction_id LIMIT ${limit}`;
  return (await joinSets(trx, () => statement.execute(trx))).rows;
}

/** A SELECT of the sums of each transaction's entries by cause, and of what they leave blocked. */
function bookedTransactionSums(scope: RecordScope) {
  return sql`
      SELECT seller_id, record_id AS transaction_id, origin,
        coalesce(sum(amount) FILTER (WHERE cause = 'PAYMENT'), 0)::bigint AS payment,
        coalesce(sum(amount) FILTER (WHERE cause = 'PAYMENT_FEE'), 0)::bigint AS fee,
        coalesce(sum(
          CASE cause WHEN 'REFUND' THEN amount WHEN 'REFUND_REVERSED' THEN -amount END
        ), 0)::bigint AS refunds,
        coalesce(sum(amount) FILTER (WHERE cause = 'CHARGEBACK'), 0)::bigint AS chargeback,
        coalesce(sum(amount) FILTER (WHERE cause = 'DISPUTE_HELD'), 0)::bigint AS held,
        coalesce(sum(amount) FILTER (WHERE cause = 'DISPUTE_RELEASED'), 0)::bigint AS won,
        coalesce(sum(amount) FILTER (WHERE cause = 'DISPUTE_LOST'), 0)::bigint AS lost,
        sum(${sql.raw(balanceChange('retained'))})::bigint AS retained,
        sum(${sql.raw(balanceChange('disputed'))})::bigint AS disputed,
        sum(${sql.raw(balanceChange('reserved'))})::bigint AS reserved
      FROM ledger_entries WHERE ${scope('seller_id', 'record_id')} AND cause NOT LIKE 'WITHDRAWAL%'
      GROUP BY seller_id, record_id, origin`;
}

/** A withdrawal whose entries contradict its status. Amounts in cents. */
export interface WithdrawalDifference {
  readonly sellerId: string;
  readonly withdrawalId: string;
  readonly status: string | null;
  readonly reserved: number;
  readonly returned: number;
  readonly paid: number;
  readonly fee: number;
}

/**
 * Compares every withdrawal with its entries. Its amount is reserved once, returned if it is
 * REJECTED or FAILED, and taken out as net amount and fee if it is PAID. All entries are in the
 * balance of its origin, and no other record has such entries.
 */
export async function findWithdrawalDifferences(
  trx: DatabaseTransaction,
  scope: RecordScope,
  limit: number,
): Promise<readonly WithdrawalDifference[]> {
  const statement = sql<WithdrawalDifference>`
    WITH expected AS (
      SELECT seller_id, id AS withdrawal_id, origin, status, amount AS reserved,
        CASE WHEN status IN ('REJECTED', 'FAILED') THEN amount ELSE 0 END AS returned,
        CASE WHEN status = 'PAID' THEN amount - fee_amount ELSE 0 END AS paid,
        CASE WHEN status = 'PAID' THEN fee_amount ELSE 0 END AS fee
      FROM withdrawals WHERE ${scope('seller_id', 'id')}
    ), booked AS (
      SELECT seller_id, record_id AS withdrawal_id, origin,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_RESERVED'), 0)::bigint AS reserved,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_RETURNED'), 0)::bigint AS returned,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_PAID'), 0)::bigint AS paid,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_FEE'), 0)::bigint AS fee
      FROM ledger_entries
      WHERE ${scope('seller_id', 'record_id')}
        AND cause IN ('WITHDRAWAL_RESERVED', 'WITHDRAWAL_RETURNED', 'WITHDRAWAL_PAID', 'WITHDRAWAL_FEE')
      GROUP BY seller_id, record_id, origin
    )
    SELECT seller_id AS "sellerId", withdrawal_id AS "withdrawalId", e.status,
      coalesce(b.reserved, 0) AS reserved, coalesce(b.returned, 0) AS returned,
      coalesce(b.paid, 0) AS paid, coalesce(b.fee, 0) AS fee
    FROM expected e FULL JOIN booked b USING (seller_id, withdrawal_id, origin)
    WHERE (e.reserved, e.returned, e.paid, e.fee) IS DISTINCT FROM (b.reserved, b.returned, b.paid, b.fee)
    ORDER BY seller_id, withdrawal_id LIMIT ${limit}`;
  return (await joinSets(trx, () => statement.execute(trx))).rows;
}

export async function countLedger(
  trx: DatabaseTransaction,
  range: SellerRange,
): Promise<{ readonly sellers: number; readonly entries: number }> {
  const { rows } = await sql<{ sellers: number; entries: number }>`
    SELECT (SELECT count(*) FROM sellers WHERE ${inRange(range, 'id')}) AS sellers,
      (SELECT count(*) FROM ledger_entries WHERE ${inRange(range)}) AS entries`.execute(trx);
  return rows[0] ?? { sellers: 0, entries: 0 };
}

/** A stored count of transactions that is not their number. */
export interface CountDifference {
  readonly sellerId: string;
  readonly method: string;
  readonly status: string;
  readonly stored: number;
  readonly computed: number;
}

/**
 * Compares the stored counts, which lists return, with the transactions of each seller, method and
 * status.
 */
export async function findCountDifferences(
  trx: DatabaseTransaction,
  range: SellerRange,
  limit: number,
): Promise<readonly CountDifference[]> {
  const { rows } = await sql<CountDifference>`
    WITH stored AS (
      SELECT seller_id, method, status, sum(count)::bigint AS number FROM transaction_counts
      WHERE ${inRange(range)} GROUP BY seller_id, method, status
    ), computed AS (
      SELECT seller_id, method, status, count(*) AS number FROM transactions
      WHERE ${inRange(range)} GROUP BY seller_id, method, status
    )
    SELECT seller_id AS "sellerId", method, status,
      coalesce(s.number, 0) AS stored, coalesce(c.number, 0) AS computed
    FROM stored s FULL JOIN computed c USING (seller_id, method, status)
    WHERE coalesce(s.number, 0) <> coalesce(c.number, 0)
    ORDER BY seller_id, method, status LIMIT ${limit}`.execute(trx);
  return rows;
}

export interface UnpaidDifference {
  readonly sellerId: string;
  readonly method: string;
  readonly day: LocalDate;
  readonly stored: number;
  readonly computed: number;
}

/**
 * Compares the stored counts of transactions without payment, which reports return, with the
 * transactions of each seller, method and day of creation.
 */
export async function findUnpaidDifferences(
  trx: DatabaseTransaction,
  range: SellerRange,
  limit: number,
): Promise<readonly UnpaidDifference[]> {
  const { rows } = await sql<UnpaidDifference>`
    WITH stored AS (
      SELECT seller_id, method, day, transactions AS number FROM unpaid_totals WHERE ${inRange(range)}
    ), computed AS (
      SELECT seller_id, method, ${sql.raw(idDaySql('id'))} AS day, count(*) AS number FROM transactions
      WHERE ${inRange(range)} AND method IN ('PIX', 'BOLETO', 'CREDIT_CARD')
        AND status IN ('FAILED', 'REFUSED')
      GROUP BY 1, 2, 3
    )
    SELECT seller_id AS "sellerId", method, to_char(day, 'YYYY-MM-DD') AS day,
      coalesce(s.number, 0) AS stored, coalesce(c.number, 0) AS computed
    FROM stored s FULL JOIN computed c USING (seller_id, method, day)
    WHERE coalesce(s.number, 0) <> coalesce(c.number, 0)
    ORDER BY seller_id, method, day LIMIT ${limit}`.execute(trx);
  return rows;
}
