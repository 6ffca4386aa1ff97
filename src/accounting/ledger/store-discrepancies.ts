import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { ORIGINS, ALLOWED_ACCOUNT_PAIRS } from './entries.ts';

/** What the proof of the ledger asks, of some sellers at a time. Every question reads all that there is of them. */

/** Sellers behind one id, up to another and with it; without them from the first, to the last. */
export interface SellerRange {
  readonly after?: string;
  readonly upTo?: string;
}

export interface SellerRowCount {
  readonly id: string;
  /** Entries and charges. */
  readonly rows: number;
}

/** Ranges that together hold every id there could be, of about so many rows each; a seller is never divided. */
export function partitionSellers(
  sellers: readonly SellerRowCount[],
  maxRowsPerRange: number,
): readonly SellerRange[] {
  const ranges: SellerRange[] = [];
  let after: string | undefined;
  let before: string | undefined;
  let rows = 0;
  for (const seller of sellers) {
    if (before !== undefined && rows + seller.rows > maxRowsPerRange) {
      ranges.push({ ...(after === undefined ? {} : { after }), upTo: before });
      after = before;
      rows = 0;
    }
    before = seller.id;
    rows += seller.rows;
  }
  return [...ranges, after === undefined ? {} : { after }];
}

/** SQL: whose seller is one of these. */
function inRange({ after, upTo }: SellerRange, column = 'seller_id') {
  const id = sql.ref(column);
  const behind = after === undefined ? sql`true` : sql`${id} > ${after}`;
  return upTo === undefined ? behind : sql`${behind} AND ${id} <= ${upTo}`;
}

/** All sellers in the order of their ids, with what is kept of how much there is of each. */
export async function findSellerRowCounts(db: Db): Promise<readonly SellerRowCount[]> {
  const { rows } = await sql<SellerRowCount>`
    SELECT s.id, coalesce(w.entries, 0) + coalesce(c.charges, 0) AS rows
    FROM sellers s
    LEFT JOIN (SELECT seller_id, sum(entries)::bigint AS entries FROM wallets GROUP BY seller_id) w ON w.seller_id = s.id
    LEFT JOIN (SELECT seller_id, sum(count)::bigint AS charges FROM transaction_counts GROUP BY seller_id) c ON c.seller_id = s.id
    ORDER BY s.id`.execute(db);
  return rows;
}

/**
 * Has the statements of this transaction run in one process each, so that a check leaves the other cores to who pays and is
 * paid, and lets them take so long, in milliseconds, where that is told.
 */
export async function prepareSnapshot(snapshot: Db, statementTimeoutMs: number | undefined): Promise<void> {
  await sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(snapshot);
  if (statementTimeoutMs === undefined) return;
  await sql`SELECT set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`.execute(snapshot);
}

/** A wallet whose kept balance is not the sum of its entries. */
export interface BalanceDifference {
  readonly sellerId: string;
  readonly origin: string;
  readonly account: string;
  readonly stored: number;
  readonly computed: number;
}

/** Every balance against the sum of its entries; both sides are read, so that a missing wallet row shows too. */
export async function findBalanceDifferences(
  db: Db,
  range: SellerRange,
  limit: number,
): Promise<readonly BalanceDifference[]> {
  const { rows } = await sql<BalanceDifference>`
    WITH moved AS (
      SELECT seller_id, origin, debit AS account, -amount AS amount FROM ledger_entries WHERE ${inRange(range)}
      UNION ALL
      SELECT seller_id, origin, credit, amount FROM ledger_entries WHERE ${inRange(range)}
    ), computed AS (
      SELECT seller_id, origin, account, sum(amount)::bigint AS amount
      FROM moved WHERE account IN ('available', 'retained', 'disputed', 'reserved')
      GROUP BY seller_id, origin, account
    ), kept AS (
      SELECT s.id AS seller_id, o.origin, b.account, b.amount
      FROM sellers s CROSS JOIN unnest(${[...ORIGINS]}::text[]) AS o (origin)
      LEFT JOIN wallets w ON w.seller_id = s.id AND w.origin = o.origin CROSS JOIN LATERAL (VALUES
        ('available', w.available), ('retained', w.retained), ('disputed', w.disputed), ('reserved', w.reserved)
      ) AS b (account, amount)
      WHERE ${inRange(range, 's.id')}
    )
    SELECT seller_id AS "sellerId", origin, account,
      coalesce(k.amount, 0) AS kept, coalesce(c.amount, 0) AS computed
    FROM kept k FULL JOIN computed c USING (seller_id, origin, account)
    WHERE coalesce(k.amount, 0) <> coalesce(c.amount, 0) OR k.amount IS NULL
    ORDER BY seller_id, origin, account LIMIT ${limit}`.execute(db);
  return rows;
}

/** Something of a charge that its entries do not bear out, or entries that no charge bears out. Amounts in cents. */
export interface TransactionDifference {
  readonly sellerId: string;
  readonly transactionId: string;
  /** What differs: payment, fee, refunds, … */
  readonly part: string;
  readonly expected: number;
  readonly booked: number;
}

/**
 * Every charge against its entries. A payment is booked whole and its fee taken, once; refunds, disputes and chargebacks as their
 * own records say; what is retained or disputed is what releases and open disputes say. No other charge has entries.
 */
export async function findTransactionDifferences(
  db: Db,
  range: SellerRange,
  limit: number,
): Promise<readonly TransactionDifference[]> {
  const { rows } = await sql<TransactionDifference>`
    WITH returned AS (
      SELECT seller_id, transaction_id, coalesce(sum(amount) FILTER (WHERE status = 'DONE'), 0)::bigint AS amount,
        coalesce(sum(amount) FILTER (WHERE status = 'PENDING'), 0)::bigint AS ordered
      FROM refunds WHERE ${inRange(range)} GROUP BY seller_id, transaction_id
    ), disputed AS (
      SELECT seller_id, transaction_id, sum(amount)::bigint AS held,
        coalesce(sum(amount) FILTER (WHERE status = 'RESOLVED'), 0)::bigint AS won,
        coalesce(sum(amount) FILTER (WHERE status = 'REJECTED'), 0)::bigint AS lost,
        coalesce(sum(amount) FILTER (WHERE status IN ('OPEN', 'UNDER_REVIEW')), 0)::bigint AS open
      FROM disputes WHERE ${inRange(range)} GROUP BY seller_id, transaction_id
    ), waiting AS (
      SELECT seller_id, transaction_id, sum(amount)::bigint AS amount FROM releases WHERE ${inRange(range)} AND status = 'PENDING'
      GROUP BY seller_id, transaction_id
    ), expected AS (
      SELECT t.seller_id, t.id AS transaction_id, t.amount AS payment, t.fee_amount AS fee,
        coalesce(r.amount, 0) AS refunds, coalesce(r.ordered, 0) AS ordered, coalesce(d.held, 0) AS held, coalesce(d.won, 0) AS won,
        coalesce(d.lost, 0) AS lost, coalesce(w.amount, 0) AS retained, coalesce(d.open, 0) AS disputed,
        CASE WHEN t.status = 'CHARGEDBACK' AND coalesce(d.lost, 0) = 0 THEN t.amount - coalesce(r.amount, 0) - coalesce(r.ordered, 0) ELSE 0 END
          AS chargeback,
        CASE WHEN t.status = 'DISPUTE' THEN 1 ELSE 0 END AS in_dispute,
        CASE WHEN t.status IN ('PAID', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE') THEN 1 ELSE 0 END AS counts_as_paid,
        CASE WHEN t.paid_at IS NOT NULL THEN 1 ELSE 0 END AS has_paid_at,
        CASE WHEN d.open > 0 THEN 1 ELSE 0 END AS has_open_dispute,
        t.refunded_amount, t.refunding_amount,
        coalesce(r.amount, 0) + CASE WHEN t.method = 'CREDIT_CARD' THEN 0 ELSE coalesce(d.lost, 0) END AS returned,
        CASE t.method WHEN 'CREDIT_CARD' THEN 'CARD' ELSE t.method END AS origin
      FROM transactions t
      LEFT JOIN returned r ON r.seller_id = t.seller_id AND r.transaction_id = t.id
      LEFT JOIN disputed d ON d.seller_id = t.seller_id AND d.transaction_id = t.id
      LEFT JOIN waiting w ON w.seller_id = t.seller_id AND w.transaction_id = t.id
      WHERE ${inRange(range, 't.seller_id')} AND (t.paid_at IS NOT NULL OR t.status IN ('PAID', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE'))
    ), booked AS (
      SELECT seller_id, record_id AS transaction_id, origin,
        coalesce(sum(amount) FILTER (WHERE cause = 'PAYMENT'), 0)::bigint AS payment,
        coalesce(sum(amount) FILTER (WHERE cause = 'PAYMENT_FEE'), 0)::bigint AS fee,
        coalesce(sum(CASE cause WHEN 'REFUND' THEN amount WHEN 'REFUND_REVERSED' THEN -amount END), 0)::bigint AS refunds,
        coalesce(sum(amount) FILTER (WHERE cause = 'CHARGEBACK'), 0)::bigint AS chargeback,
        coalesce(sum(amount) FILTER (WHERE cause = 'DISPUTE_HELD'), 0)::bigint AS held,
        coalesce(sum(amount) FILTER (WHERE cause = 'DISPUTE_RELEASED'), 0)::bigint AS won,
        coalesce(sum(amount) FILTER (WHERE cause = 'DISPUTE_LOST'), 0)::bigint AS lost,
        sum(CASE 'retained' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END)::bigint AS retained,
        sum(CASE 'disputed' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END)::bigint AS disputed,
        sum(CASE 'reserved' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END)::bigint AS reserved
      FROM ledger_entries WHERE ${inRange(range)} AND cause NOT LIKE 'WITHDRAWAL%'
      GROUP BY seller_id, record_id, origin
    )
    SELECT seller_id AS "sellerId", transaction_id AS "transactionId", p.part,
      coalesce(p.expected, 0) AS expected, coalesce(p.booked, 0) AS booked
    FROM expected e FULL JOIN booked b USING (seller_id, transaction_id, origin) CROSS JOIN LATERAL (VALUES
      ('payment', e.payment, b.payment), ('fee', e.fee, b.fee), ('refunds', e.refunds, b.refunds),
      ('chargeback', e.chargeback, b.chargeback), ('held by disputes', e.held, b.held),
      ('released by disputes', e.won, b.won), ('lost by disputes', e.lost, b.lost),
      ('still retained', e.retained, b.retained), ('still disputed', e.disputed, b.disputed),
      ('paidAt', e.counts_as_paid, e.has_paid_at), ('open disputes', e.in_dispute, e.has_open_dispute),
      ('refundedAmount', e.returned, e.refunded_amount), ('refunds under way', e.ordered, b.reserved),
      ('refundingAmount', e.ordered, e.refunding_amount)
    ) AS p (part, expected, booked)
    WHERE coalesce(p.expected, 0) <> coalesce(p.booked, 0)
    ORDER BY seller_id, transaction_id LIMIT ${limit}`.execute(db);
  return rows;
}

/** An entry that cannot be where it is, or as it is. */
export interface EntryDifference {
  readonly sellerId: string;
  /** Null where the balance has no entry at all. */
  readonly entryId: string | null;
  readonly problem: string;
}

/**
 * The entries of each balance in their order: numbered from 1 without a gap up to what the wallet counts, each with the balances
 * that follow from the entry before; and each between two accounts that its cause allows.
 */
export async function findEntryDifferences(
  db: Db,
  range: SellerRange,
  limit: number,
): Promise<readonly EntryDifference[]> {
  const routes = Object.entries(ALLOWED_ACCOUNT_PAIRS).flatMap(([cause, pairs]) =>
    pairs.map(([debit, credit]) => `${cause} ${debit} ${credit}`),
  );
  const { rows } = await sql<EntryDifference>`
    WITH run AS (
      SELECT e.*, row_number() OVER o AS nth,
        sum(CASE 'available' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END) OVER o AS available,
        sum(CASE WHEN credit IN ('retained', 'disputed', 'reserved') THEN amount ELSE 0 END
          - CASE WHEN debit IN ('retained', 'disputed', 'reserved') THEN amount ELSE 0 END) OVER o AS blocked
      FROM ledger_entries e WHERE ${inRange(range)} WINDOW o AS (PARTITION BY seller_id, origin ORDER BY id)
    ), found AS (
      SELECT seller_id, id,
        CASE
          WHEN cause || ' ' || debit || ' ' || credit <> ALL (${routes}::text[])
          THEN cause || ' cannot go from ' || debit || ' to ' || credit
          WHEN position <> nth THEN 'is number ' || position || ' of ' || origin || ' and stands at ' || nth
          WHEN available_after <> available OR blocked_after <> blocked
          THEN 'says ' || available_after || ' available and ' || blocked_after || ' blocked of ' || origin
            || ' after it, and the entries before it sum to ' || available || ' and ' || blocked
        END AS problem
      FROM run
    ), ends AS (
      SELECT seller_id, origin, count(*) AS entries, (array_agg(id ORDER BY id DESC))[1] AS id
      FROM ledger_entries WHERE ${inRange(range)} GROUP BY seller_id, origin
    ), counts AS (
      SELECT seller_id, origin, entries FROM wallets WHERE ${inRange(range)}
    )
    SELECT seller_id AS "sellerId", id AS "entryId", problem FROM found WHERE problem IS NOT NULL
    UNION ALL
    SELECT seller_id, e.id, 'of ' || origin || ' should be followed by others: the wallet counts '
      || coalesce(w.entries, 0) || ' entries and there are ' || coalesce(e.entries, 0)
    FROM ends e FULL JOIN counts w USING (seller_id, origin) WHERE coalesce(w.entries, 0) <> coalesce(e.entries, 0)
    ORDER BY 1, 2 LIMIT ${limit}`.execute(db);
  return rows;
}

/** A withdrawal whose entries are not those of its status. Amounts in cents. */
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
 * Every withdrawal has its amount set aside once; what was REJECTED or FAILED has it back, and what is PAID has its net amount
 * and its fee taken out. No other record has such entries, and all of them are of the balance that pays.
 */
export async function findWithdrawalDifferences(
  db: Db,
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
      WHERE ${inRange(range)} AND cause IN ('WITHDRAWAL_RESERVED', 'WITHDRAWAL_RETURNED', 'WITHDRAWAL_PAID', 'WITHDRAWAL_FEE')
      GROUP BY seller_id, record_id, origin
    )
    SELECT seller_id AS "sellerId", withdrawal_id AS "withdrawalId", e.status,
      coalesce(b.reserved, 0) AS reserved, coalesce(b.returned, 0) AS returned,
      coalesce(b.paid, 0) AS paid, coalesce(b.fee, 0) AS fee
    FROM expected e FULL JOIN booked b USING (seller_id, withdrawal_id, origin)
    WHERE (e.reserved, e.returned, e.paid, e.fee) IS DISTINCT FROM (b.reserved, b.returned, b.paid, b.fee)
    ORDER BY seller_id, withdrawal_id LIMIT ${limit}`.execute(db);
  return rows;
}

export async function countLedger(
  db: Db,
  range: SellerRange,
): Promise<{ readonly sellers: number; readonly entries: number }> {
  const { rows } = await sql<{ sellers: number; entries: number }>`
    SELECT (SELECT count(*) FROM sellers WHERE ${inRange(range, 'id')}) AS sellers,
      (SELECT count(*) FROM ledger_entries WHERE ${inRange(range)}) AS entries`.execute(db);
  return rows[0] ?? { sellers: 0, entries: 0 };
}

/** A kept number of charges that is not the number of charges. */
export interface CountDifference {
  readonly sellerId: string;
  readonly method: string;
  readonly status: string;
  readonly stored: number;
  readonly computed: number;
}

/** Every seller's charges by method and status against the kept counts, which lists answer. */
export async function findCountDifferences(
  db: Db,
  range: SellerRange,
  limit: number,
): Promise<readonly CountDifference[]> {
  const { rows } = await sql<CountDifference>`
    WITH kept AS (
      SELECT seller_id, method, status, sum(count)::bigint AS number FROM transaction_counts
      WHERE ${inRange(range)} GROUP BY seller_id, method, status
    ), computed AS (
      SELECT seller_id, method, status, count(*) AS number FROM transactions WHERE ${inRange(range)} GROUP BY seller_id, method, status
    )
    SELECT seller_id AS "sellerId", method, status, coalesce(k.number, 0) AS kept, coalesce(c.number, 0) AS computed
    FROM kept k FULL JOIN computed c USING (seller_id, method, status)
    WHERE coalesce(k.number, 0) <> coalesce(c.number, 0)
    ORDER BY seller_id, method, status LIMIT ${limit}`.execute(db);
  return rows;
}
