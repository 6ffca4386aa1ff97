import { sql, type RawBuilder } from 'kysely';

import type { EntryProblem } from './discrepancies.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { BLOCKED_CHANGE, balanceChange } from './balance-change.ts';
import { ALLOWED_ACCOUNT_PAIRS, ORIGINS, type Origin } from './entries.ts';
import { inRange, type SellerRange } from './store-discrepancies.ts';
import { MIN_ID } from '#platform/kit/ids.ts';

/** The statements of the ledger check about entries and the balances that they sum to. */

/** What the entries of a balance sum to, up to one of them. Amounts in cents. */
export interface EntrySums {
  readonly origin: Origin;
  /** The last entry that is included. */
  readonly entryId: string;
  readonly entries: number;
  readonly available: number;
  readonly retained: number;
  readonly disputed: number;
  readonly reserved: number;
}

const NO_ENTRIES = { entryId: MIN_ID, entries: 0, available: 0, retained: 0, disputed: 0, reserved: 0 };

/** Before the first entry of each balance. */
export const EMPTY_SUMS: readonly EntrySums[] = ORIGINS.map((origin) => ({ origin, ...NO_ENTRIES }));

const recordsetOf = (sums: readonly EntrySums[]) => sql`json_to_recordset(${JSON.stringify(sums)}::json)
  AS s (origin text, "entryId" uuid, entries bigint, available bigint, retained bigint, disputed bigint,
    reserved bigint)`;

/** An entry that is invalid or out of order. */
export interface EntryDifference {
  readonly sellerId: string;
  /** Null when the balance has no entry. */
  readonly entryId: string | null;
  readonly problem: EntryProblem;
}

const allowedPairs = Object.entries(ALLOWED_ACCOUNT_PAIRS).flatMap(([cause, pairs]) =>
  pairs.map(([debit, credit]) => `${cause} ${debit} ${credit}`),
);

/**
 * What is wrong with an entry, or NULL. Reads its columns, its number in the order of the balance
 * (nth), and the balances that the entries up to it sum to (available, blocked).
 */
const problemOfEntry = () => sql`CASE
    WHEN cause || ' ' || debit || ' ' || credit <> ALL (${allowedPairs}::text[])
    THEN cause || ' cannot go from ' || debit || ' to ' || credit
    WHEN position <> nth THEN 'has position ' || position || ' of ' || origin || ' instead of ' || nth
    WHEN available_after <> available OR blocked_after <> blocked
    THEN 'records ' || available_after || ' available and ' || blocked_after || ' blocked of ' || origin
      || ', the entries up to it sum to ' || available || ' and ' || blocked
  END`;

/**
 * Checks the entries of each balance in order: positions run from 1 without a gap, the balances
 * after each entry follow from the previous ones, and the cause allows the two accounts.
 */
export async function findEntryDifferences(
  trx: DatabaseTransaction,
  range: SellerRange,
  limit: number,
): Promise<readonly EntryDifference[]> {
  const { rows } = await sql<EntryDifference>`
    WITH running AS (
      SELECT e.*, row_number() OVER o AS nth, sum(${sql.raw(balanceChange('available'))}) OVER o AS available,
        sum(${sql.raw(BLOCKED_CHANGE)}) OVER o AS blocked
      FROM ledger_entries e WHERE ${inRange(range)} WINDOW o AS (PARTITION BY seller_id, origin ORDER BY id)
    ), problems AS (
      SELECT seller_id, id, ${problemOfEntry()} AS problem FROM running
    )
    SELECT seller_id AS "sellerId", id AS "entryId", problem FROM problems WHERE problem IS NOT NULL
    ORDER BY 1, 2 LIMIT ${limit}`.execute(trx);
  return rows;
}

/** The next entries of each balance of a seller. */
export interface EntrySlice {
  /** How many entries it has. */
  readonly entries: number;
  readonly sums: readonly EntrySums[];
  readonly differences: readonly EntryDifference[];
  /** Of all entries, if they were requested. */
  readonly recordIds: readonly string[];
}

interface SliceRow extends EntrySums {
  readonly recordIds: readonly string[] | null;
  readonly problems: readonly Omit<EntryDifference, 'sellerId'>[];
}

/**
 * Checks up to `limit` entries of each balance of a seller after those that are summed in `from`,
 * as `findEntryDifferences` does.
 */
export async function findEntrySlice(
  trx: DatabaseTransaction,
  sellerId: string,
  from: readonly EntrySums[],
  { limit, withRecords }: { readonly limit: number; readonly withRecords: boolean },
): Promise<EntrySlice> {
  const { rows } = await sql<SliceRow>`
    WITH slice AS (
      SELECT s.entries AS entries_before, s.available AS available_before,
        s.retained + s.disputed + s.reserved AS blocked_before, e.*
      FROM ${recordsetOf(from)} CROSS JOIN LATERAL (
        SELECT * FROM ledger_entries WHERE seller_id = ${sellerId} AND origin = s.origin AND id > s."entryId"
        ORDER BY id LIMIT ${limit}
      ) e
    ), running AS (
      SELECT slice.*, entries_before + row_number() OVER o AS nth,
        available_before + sum(${sql.raw(balanceChange('available'))}) OVER o AS available,
        blocked_before + sum(${sql.raw(BLOCKED_CHANGE)}) OVER o AS blocked
      FROM slice WINDOW o AS (PARTITION BY origin ORDER BY id)
    ), problems AS (
      SELECT running.*, ${problemOfEntry()} AS problem FROM running
    )
    SELECT origin, (array_agg(id ORDER BY id DESC))[1] AS "entryId", count(*) AS entries,
      sum(${sql.raw(balanceChange('available'))})::bigint AS available,
      sum(${sql.raw(balanceChange('retained'))})::bigint AS retained,
      sum(${sql.raw(balanceChange('disputed'))})::bigint AS disputed,
      sum(${sql.raw(balanceChange('reserved'))})::bigint AS reserved,
      ${withRecords ? sql`array_agg(DISTINCT record_id)` : sql`NULL::uuid[]`} AS "recordIds",
      coalesce(json_agg(json_build_object('entryId', id, 'problem', problem) ORDER BY id)
        FILTER (WHERE problem IS NOT NULL), '[]') AS problems
    FROM problems GROUP BY origin`.execute(trx);
  return {
    entries: rows.reduce((total, row) => total + row.entries, 0),
    sums: from.map((before) =>
      addSums(
        before,
        rows.find(({ origin }) => origin === before.origin),
      ),
    ),
    differences: rows.flatMap(({ problems }) => problems.map((problem) => ({ sellerId, ...problem }))),
    recordIds: rows.flatMap(({ recordIds }) => recordIds ?? []),
  };
}

const addSums = (before: EntrySums, added: EntrySums | undefined): EntrySums =>
  added === undefined
    ? before
    : {
        origin: before.origin,
        entryId: added.entryId,
        entries: before.entries + added.entries,
        available: before.available + added.available,
        retained: before.retained + added.retained,
        disputed: before.disputed + added.disputed,
        reserved: before.reserved + added.reserved,
      };

/** A wallet whose stored balance is not the sum of its entries. Amounts in cents. */
export interface BalanceDifference {
  readonly sellerId: string;
  readonly origin: string;
  readonly account: string;
  readonly stored: number;
  readonly computed: number;
}

/** The sums of all entries, of a range of sellers or as they were computed before for one. */
export interface AllSums {
  readonly range: SellerRange;
  /** SELECT seller_id, origin, account, amount */
  readonly amounts: RawBuilder<unknown>;
  /** SELECT seller_id, origin, entries, id (the last one) */
  readonly counts: RawBuilder<unknown>;
}

/** Sums all entries of a range of sellers. */
export const sumsOfRange = (range: SellerRange): AllSums => ({
  range,
  amounts: sql`
    SELECT seller_id, origin, account, sum(amount)::bigint AS amount FROM (
      SELECT seller_id, origin, debit AS account, -amount AS amount
      FROM ledger_entries WHERE ${inRange(range)}
      UNION ALL
      SELECT seller_id, origin, credit, amount FROM ledger_entries WHERE ${inRange(range)}
    ) moved
    WHERE account IN ('available', 'retained', 'disputed', 'reserved')
    GROUP BY seller_id, origin, account`,
  counts: sql`
    SELECT seller_id, origin, count(*) AS entries, (array_agg(id ORDER BY id DESC))[1] AS id
    FROM ledger_entries WHERE ${inRange(range)} GROUP BY seller_id, origin`,
});

/** The sums of all entries of one seller. */
export const sumsOfSeller = (sellerId: string, sums: readonly EntrySums[]): AllSums => ({
  range: { only: sellerId },
  amounts: sql`
    SELECT ${sellerId}::uuid AS seller_id, s.origin, b.account, b.amount
    FROM ${recordsetOf(sums)} CROSS JOIN LATERAL (VALUES
      ('available', s.available), ('retained', s.retained),
      ('disputed', s.disputed), ('reserved', s.reserved)
    ) AS b (account, amount)`,
  counts: sql`
    SELECT ${sellerId}::uuid AS seller_id, s.origin, s.entries, s."entryId" AS id
    FROM ${recordsetOf(sums)} WHERE s.entries > 0`,
});

/** Compares every balance with the sum of its entries. A missing wallet row is a difference too. */
export async function findBalanceDifferences(
  trx: DatabaseTransaction,
  { range, amounts }: AllSums,
  limit: number,
): Promise<readonly BalanceDifference[]> {
  const { rows } = await sql<BalanceDifference>`
    WITH computed AS (${amounts}), stored AS (
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

/** Compares the number of entries of each balance with the count in its wallet. */
export async function findEntryCountDifferences(
  trx: DatabaseTransaction,
  { range, counts }: AllSums,
  limit: number,
): Promise<readonly EntryDifference[]> {
  const { rows } = await sql<EntryDifference>`
    WITH entry_counts AS (${counts}), wallet_counts AS (
      SELECT seller_id, origin, entries FROM wallets WHERE ${inRange(range)}
    )
    SELECT seller_id AS "sellerId", e.id AS "entryId", 'of ' || origin
      || ' should be followed by others: the wallet counts ' || coalesce(w.entries, 0)
      || ' entries and there are ' || coalesce(e.entries, 0) AS problem
    FROM entry_counts e FULL JOIN wallet_counts w USING (seller_id, origin)
    WHERE coalesce(w.entries, 0) <> coalesce(e.entries, 0)
    ORDER BY 1, 2 LIMIT ${limit}`.execute(trx);
  return rows;
}
