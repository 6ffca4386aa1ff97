import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { LedgerEntry, Origin } from './entries.ts';

/** How money is booked: the wallet first, then the entries, numbered and balanced by what the wallet answered. */

/** The columns of an entry as it is given in JSON; `n` orders the entries of one record. */
export const ENTRY_COLUMNS = 'n smallint, origin text, debit text, credit text, amount bigint, cause text';

export const toEntryRow = (entry: LedgerEntry, n: number) => ({ n, ...entry });

/** The origin's own digit in the ids of its entries, so that no two entries of a seller share one. */
const ORIGIN_DIGIT = "CASE m.origin WHEN 'PIX' THEN '8' WHEN 'BOLETO' THEN '9' ELSE 'a' END";

/**
 * The parts of a statement that book. They read
 *   moves (seller_id, record_id, at, batch_key, n, origin, debit, credit, amount, cause): what is to be booked, and
 *   floors (seller_id, origin, floor): below what the available balance must not end where the booking lowers it,
 * and leave `deltas`, one row for each balance that should change, and `wallet`, one for each that did. A caller compares
 * their counts. Sums come first: two rows for one wallet would apply only one of them.
 *
 * The wallet's row is locked by its update, and its entries are counted in it. So they are numbered in the order in which
 * they took effect, without a gap, and each knows the balances after it. An id is the time, never before that of the entry
 * before, and the position.
 */
export const BOOKING_CTES = `
    changes AS MATERIALIZED (
      SELECT m.*,
        CASE 'available' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END AS available,
        CASE 'retained' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END AS retained,
        CASE 'disputed' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END AS disputed,
        CASE 'reserved' WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END AS reserved
      FROM moves m
    ), deltas AS MATERIALIZED (
      SELECT seller_id, origin, max(at) AS at, count(*) AS entries, sum(available)::bigint AS available,
        sum(retained)::bigint AS retained, sum(disputed)::bigint AS disputed, sum(reserved)::bigint AS reserved
      FROM changes GROUP BY seller_id, origin ORDER BY seller_id, origin
    ), wallet AS (
      UPDATE wallets w
      SET available = w.available + d.available, retained = w.retained + d.retained,
        disputed = w.disputed + d.disputed, reserved = w.reserved + d.reserved, updated_at = d.at,
        entries = w.entries + d.entries,
        last_entry_ms = greatest(w.last_entry_ms, floor(extract(epoch FROM d.at) * 1000)::bigint)
      FROM deltas d LEFT JOIN floors f ON f.seller_id = d.seller_id AND f.origin = d.origin
      WHERE w.seller_id = d.seller_id AND w.origin = d.origin
        AND (f.floor IS NULL OR d.available >= 0 OR w.available + d.available >= f.floor)
      RETURNING w.seller_id, w.origin, w.available, w.retained + w.disputed + w.reserved AS blocked,
        w.entries, lpad(to_hex(w.last_entry_ms), 12, '0') AS time
    ), entries AS (
      INSERT INTO ledger_entries (seller_id, origin, id, position, debit, credit, amount, cause, record_id,
        available_after, blocked_after, created_at)
      SELECT m.seller_id, m.origin,
        (left(m.time, 8) || '-' || substr(m.time, 9, 4) || '-4' || substr(m.digits, 1, 3) || '-' || ${ORIGIN_DIGIT}
          || substr(m.digits, 4, 3) || '-' || substr(m.digits, 7, 12))::uuid,
        m.position, m.debit, m.credit, m.amount, m.cause, m.record_id, m.available_after, m.blocked_after, m.at
      FROM (
        SELECT p.*, lpad(to_hex(p.position), 18, '0') AS digits
        FROM (
          SELECT c.seller_id, c.origin, c.debit, c.credit, c.amount, c.cause, c.record_id, c.at, w.time,
            w.entries - count(*) OVER whole + row_number() OVER ordered AS position,
            w.available - sum(c.available) OVER whole + sum(c.available) OVER ordered AS available_after,
            w.blocked - sum(c.retained + c.disputed + c.reserved) OVER whole
              + sum(c.retained + c.disputed + c.reserved) OVER ordered AS blocked_after
          FROM changes c JOIN wallet w ON w.seller_id = c.seller_id AND w.origin = c.origin
          WINDOW whole AS (PARTITION BY c.seller_id, c.origin),
            ordered AS (PARTITION BY c.seller_id, c.origin ORDER BY c.batch_key, c.n)
        ) p
      ) m
    )`;

/** Entries of one record of one seller and origin, and how far they may take the available balance down. */
export interface Booking {
  readonly sellerId: string;
  readonly recordId: string;
  readonly origin: Origin;
  readonly entries: readonly LedgerEntry[];
  /** The available balance must not end below this where the booking lowers it; absent, it may end anywhere. */
  readonly floor?: number;
  readonly at: Date;
}

/**
 * Books entries and the wallet they change; false where the available balance does not suffice, and then the caller
 * must undo its transaction. Best called last in it, so that the wallet's row is locked for the shortest time.
 */
export async function bookEntries(db: Db, booking: Booking): Promise<boolean> {
  const { sellerId, recordId, origin, entries, floor, at } = booking;
  if (entries.length === 0) return true;
  const { rows } = await sql<{ booked: boolean }>`
    WITH moves AS MATERIALIZED (
      SELECT ${sellerId}::uuid AS seller_id, ${recordId}::uuid AS record_id, ${at}::timestamptz AS at, 0 AS batch_key, e.*
      FROM json_to_recordset(${JSON.stringify(entries.map(toEntryRow))}::json) AS e (${sql.raw(ENTRY_COLUMNS)})
    ), floors AS (
      SELECT ${sellerId}::uuid AS seller_id, ${origin}::text AS origin, ${floor ?? null}::bigint AS floor
    ), ${sql.raw(BOOKING_CTES)}
    SELECT (SELECT count(*) FROM deltas) = (SELECT count(*) FROM wallet) AS booked`.execute(db);
  if (rows[0]?.booked === true) return true;
  if (floor === undefined) throw new Error('a booking found no wallet');
  return false;
}
