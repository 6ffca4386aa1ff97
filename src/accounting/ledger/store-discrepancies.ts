import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { ORIGINS, ALLOWED_ACCOUNT_PAIRS } from './entries.ts';

/** The statements of the ledger check. Each reads all rows of a range of sellers. */

/** Sellers with `after` < id <= `upTo`; an absent bound is open. */
export interface SellerRange {
  readonly after?: string;
  readonly upTo?: string;
}

export interface SellerRowCount {
  readonly id: string;
  /** Entries and transactions. */
  readonly rows: number;
}

/**
 * Divides all possible ids into ranges of at most `maxRowsPerRange` rows each. A seller with more
 * rows has a range of its own.
 */
export function partitionSellers(
  sellers: readonly SellerRowCount[],
  maxRowsPerRange: number,
): readonly SellerRange[] {
  const ranges: SellerRange[] = [];
  let after: string | undefined;
  let last: string | undefined;
  let rows = 0;
  for (const seller of sellers) {
    if (last !== undefined && rows + seller.rows > maxRowsPerRange) {
      ranges.push({ ...(after === undefined ? {} : { after }), upTo: last });
      after = last;
      rows = 0;
    }
    last = seller.id;
    rows += seller.rows;
  }
  return [...ranges, after === undefined ? {} : { after }];
}

/** A SQL condition on the seller id. */
function inRange({ after, upTo }: SellerRange, column = 'seller_id') {
  const id = sql.ref(column);
  const lowerBound = after === undefined ? sql`true` : sql`${id} > ${after}`;
  return upTo === undefined ? lowerBound : sql`${lowerBound} AND ${id} <= ${upTo}`;
}

/** Returns all sellers ordered by id, with their stored counts of entries and transactions. */
export async function findSellerRowCounts(db: Db): Promise<readonly SellerRowCount[]> {
  const { rows } = await sql<SellerRowCount>`
    SELECT s.id, coalesce(w.entries, 0) + coalesce(c.transactions, 0) AS rows
    FROM sellers s
    LEFT JOIN (
      SELECT seller_id, sum(entries)::bigint AS entries FROM wallets GROUP BY seller_id
    ) w ON w.seller_id = s.id
    LEFT JOIN (
      SELECT seller_id, sum(count)::bigint AS transactions FROM transaction_counts GROUP BY seller_id
    ) c ON c.seller_id = s.id
    ORDER BY s.id`.execute(db);
  return rows;
}

/**
 * Disables parallel workers for this transaction, so that a check leaves the other cores to
 * payments, and sets the statement timeout when one is given.
 */
export async function prepareSnapshot(
  trx: DatabaseTransaction,
  statementTimeoutMs: number | undefined,
): Promise<void> {
  await sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(trx);
  if (statementTimeoutMs === undefined) return;
  await sql`SELECT set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`.execute(trx);
}

/** A wallet whose stored balance is not the sum of its entries. Amounts in cents. */
export interface BalanceDifference {
  readonly sellerId: string;
  readonly origin: string;
  readonly account: string;
  readonly stored: number;
  readonly computed: number;
}

/** Compares every balance with the sum of its entries. A missing wallet row is a difference too. */
export async function findBalanceDifferences(
  trx: DatabaseTransaction,
  range: SellerRange,
  limit: number,
): Promise<readonly BalanceDifference[]> {
  const { rows } = await sql<BalanceDifference>`
    WITH moved AS (
      SELECT seller_id, origin, debit AS account, -amount AS amount
      FROM ledger_entries WHERE ${inRange(range)}
      UNION ALL
      SELECT seller_id, origin, credit, amount
      FROM ledger_entries WHERE ${inRange(range)}
    ), computed AS (
      SELECT seller_id, origin, account, sum(amount)::bigint AS amount
      FROM moved WHERE account IN ('available', 'retained', 'disputed', 'reserved')
      GROUP BY seller_id, origin, account
    ), stored AS (
      SELECT s.id AS seller_id, o.origin, b.account, b.amount
      FROM sellers s CROSS JOIN unnest(${[...ORIGINS]}::text[]) AS o (origin)
      LEFT JOIN wallets w ON w.seller_id = s.id AND w.origin = o.origin CROSS JOIN LATERAL (VALUES
        ('available', w.available), ('retained', w.retained),
        ('disputed', w.disputed), ('reserved', w.reserved)
      ) AS b (account, amount)
      WHERE ${inRange(range, 's.id')}
    )
    SELECT seller_id AS "sellerId", origin, account,
      coalesce(s.amount, 0) AS stored, coalesce(c.amount, 0) AS computed
    FROM stored s FULL JOIN computed c USING (seller_id, origin, account)
    WHERE coalesce(s.amount, 0) <> coalesce(c.amount, 0) OR s.amount IS NULL
    ORDER BY seller_id, origin, account LIMIT ${limit}`.execute(trx);
  return rows;
}

/**
 * A transaction that its entries contradict, or entries without a transaction. Amounts in cents.
 */
export interface TransactionDifference {
  readonly sellerId: string;
  readonly transactionId: string;
  /** What differs: payment, fee, refunds, … */
  readonly part: string;
  readonly expected: number;
  readonly booked: number;
}

/**
 * Compares every transaction with its entries. A paid transaction has its full payment and its fee
 * booked once. A paid Pix or boleto has the provider event that paid it; a card may be paid by the
 * answer to its creation. Refunds, disputes and chargebacks are booked as their own records state. The
 * retained and disputed balances equal the pending releases and the open disputes. No other
 * transaction has entries.
 */
export async function findTransactionDifferences(
  trx: DatabaseTransaction,
  range: SellerRange,
  limit: number,
): Promise<readonly TransactionDifference[]> {
  const { rows } = await sql<TransactionDifference>`
    WITH refund_sums AS (
      SELECT seller_id, transaction_id,
        coalesce(sum(amount) FILTER (WHERE status = 'DONE'), 0)::bigint AS done,
        coalesce(sum(amount) FILTER (WHERE status = 'PENDING'), 0)::bigint AS pending
      FROM refunds WHERE ${inRange(range)} GROUP BY seller_id, transaction_id
    ), dispute_sums AS (
      SELECT seller_id, transaction_id, sum(amount)::bigint AS held,
        coalesce(sum(amount) FILTER (WHERE status = 'RESOLVED'), 0)::bigint AS won,
        coalesce(sum(amount) FILTER (WHERE status = 'REJECTED'), 0)::bigint AS lost,
        coalesce(sum(amount) FILTER (WHERE status IN ('OPEN', 'UNDER_REVIEW')), 0)::bigint AS open
      FROM disputes WHERE ${inRange(range)} GROUP BY seller_id, transaction_id
    ), release_sums AS (
      SELECT seller_id, transaction_id, sum(amount)::bigint AS pending FROM releases
      WHERE ${inRange(range)} AND status = 'PENDING' GROUP BY seller_id, transaction_id
    ), paying_events AS (
      SELECT seller_id, record_id AS transaction_id, count(*) AS count FROM provider_events
      WHERE ${inRange(range)} AND kind = 'PAYMENT' AND outcome = 'APPLIED' GROUP BY seller_id, record_id
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
      WHERE ${inRange(range, 't.seller_id')}
        AND (t.paid_at IS NOT NULL OR t.status IN ('PAID', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE'))
    ), booked AS (${bookedTransactionSums(range)})
    SELECT seller_id AS "sellerId", transaction_id AS "transactionId", p.part,
      coalesce(p.expected, 0) AS expected, coalesce(p.booked, 0) AS booked
    FROM expected e FULL JOIN booked b USING (seller_id, transaction_id, origin) CROSS JOIN LATERAL (VALUES
      ('payment', e.payment, b.payment), ('provider event', e.needs_event, e.events), ('fee', e.fee, b.fee), ('refunds', e.refunds, b.refunds),
      ('chargeback', e.chargeback, b.chargeback), ('held by disputes', e.held, b.held),
      ('released by disputes', e.won, b.won), ('lost by disputes', e.lost, b.lost),
      ('still retained', e.retained, b.retained), ('still disputed', e.disputed, b.disputed),
      ('paidAt', e.counts_as_paid, e.has_paid_at), ('open disputes', e.in_dispute, e.has_open_dispute),
      ('refundedAmount', e.returned, e.refunded_amount), ('refunds under way', e.refunding, b.reserved),
      ('refundingAmount', e.refunding, e.refunding_amount)
    ) AS p (part, expected, booked)
    WHERE coalesce(p.expected, 0) <> coalesce(p.booked, 0)
    ORDER BY seller_id, transaction_id LIMIT ${limit}`.execute(trx);
  return rows;
}

/** A SELECT of the sums of each transaction's entries by cause, and of what they leave blocked. */
function bookedTransactionSums(range: SellerRange) {
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
        sum(CASE 'retained' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END)::bigint AS retained,
        sum(CASE 'disputed' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END)::bigint AS disputed,
        sum(CASE 'reserved' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END)::bigint AS reserved
      FROM ledger_entries WHERE ${inRange(range)} AND cause NOT LIKE 'WITHDRAWAL%'
      GROUP BY seller_id, record_id, origin`;
}

/** An entry that is invalid or out of order. */
export interface EntryDifference {
  readonly sellerId: string;
  /** Null when the balance has no entry. */
  readonly entryId: string | null;
  readonly problem: string;
}

/**
 * Checks the entries of each balance in order: positions run from 1 without a gap up to the
 * wallet's count, the balances after each entry follow from the previous ones, and the cause allows
 * the two accounts.
 */
export async function findEntryDifferences(
  trx: DatabaseTransaction,
  range: SellerRange,
  limit: number,
): Promise<readonly EntryDifference[]> {
  const allowedPairs = Object.entries(ALLOWED_ACCOUNT_PAIRS).flatMap(([cause, pairs]) =>
    pairs.map(([debit, credit]) => `${cause} ${debit} ${credit}`),
  );
  const { rows } = await sql<EntryDifference>`
    WITH running AS (
      SELECT e.*, row_number() OVER o AS nth,
        sum(CASE 'available' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END) OVER o AS available,
        sum(CASE WHEN credit IN ('retained', 'disputed', 'reserved') THEN amount ELSE 0 END
          - CASE WHEN debit IN ('retained', 'disputed', 'reserved') THEN amount ELSE 0 END) OVER o AS blocked
      FROM ledger_entries e WHERE ${inRange(range)} WINDOW o AS (PARTITION BY seller_id, origin ORDER BY id)
    ), problems AS (
      SELECT seller_id, id,
        CASE
          WHEN cause || ' ' || debit || ' ' || credit <> ALL (${allowedPairs}::text[])
          THEN cause || ' cannot go from ' || debit || ' to ' || credit
          WHEN position <> nth THEN 'is number ' || position || ' of ' || origin || ' and stands at ' || nth
          WHEN available_after <> available OR blocked_after <> blocked
          THEN 'says ' || available_after || ' available and ' || blocked_after || ' blocked of ' || origin
            || ' after it, and the entries before it sum to ' || available || ' and ' || blocked
        END AS problem
      FROM running
    ), entry_counts AS (
      SELECT seller_id, origin, count(*) AS entries, (array_agg(id ORDER BY id DESC))[1] AS id
      FROM ledger_entries WHERE ${inRange(range)} GROUP BY seller_id, origin
    ), wallet_counts AS (
      SELECT seller_id, origin, entries FROM wallets WHERE ${inRange(range)}
    )
    SELECT seller_id AS "sellerId", id AS "entryId", problem FROM problems WHERE problem IS NOT NULL
    UNION ALL
    SELECT seller_id, e.id, 'of ' || origin || ' should be followed by others: the wallet counts '
      || coalesce(w.entries, 0) || ' entries and there are ' || coalesce(e.entries, 0)
    FROM entry_counts e FULL JOIN wallet_counts w USING (seller_id, origin)
    WHERE coalesce(w.entries, 0) <> coalesce(e.entries, 0)
    ORDER BY 1, 2 LIMIT ${limit}`.execute(trx);
  return rows;
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
  range: SellerRange,
  limit: number,
): Promise<readonly WithdrawalDifference[]> {
  const { rows } = await sql<WithdrawalDifference>`
    WITH expected AS (
      SELECT seller_id, id AS withdrawal_id, origin, status, amount AS reserved,
        CASE WHEN status IN ('REJECTED', 'FAILED') THEN amount ELSE 0 END AS returned,
        CASE WHEN status = 'PAID' THEN amount - fee_amount ELSE 0 END AS paid,
        CASE WHEN status = 'PAID' THEN fee_amount ELSE 0 END AS fee
      FROM withdrawals WHERE ${inRange(range)}
    ), booked AS (
      SELECT seller_id, record_id AS withdrawal_id, origin,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_RESERVED'), 0)::bigint AS reserved,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_RETURNED'), 0)::bigint AS returned,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_PAID'), 0)::bigint AS paid,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_FEE'), 0)::bigint AS fee
      FROM ledger_entries
      WHERE ${inRange(range)}
        AND cause IN ('WITHDRAWAL_RESERVED', 'WITHDRAWAL_RETURNED', 'WITHDRAWAL_PAID', 'WITHDRAWAL_FEE')
      GROUP BY seller_id, record_id, origin
    )
    SELECT seller_id AS "sellerId", withdrawal_id AS "withdrawalId", e.status,
      coalesce(b.reserved, 0) AS reserved, coalesce(b.returned, 0) AS returned,
      coalesce(b.paid, 0) AS paid, coalesce(b.fee, 0) AS fee
    FROM expected e FULL JOIN booked b USING (seller_id, withdrawal_id, origin)
    WHERE (e.reserved, e.returned, e.paid, e.fee) IS DISTINCT FROM (b.reserved, b.returned, b.paid, b.fee)
    ORDER BY seller_id, withdrawal_id LIMIT ${limit}`.execute(trx);
  return rows;
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
