import { sql } from 'kysely';

import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { balanceChange } from './balance-change.ts';
import type { LedgerEntry, Origin } from './entries.ts';
import { proveEntries } from './proofs.ts';

/**
 * Booking updates the wallet first and then inserts the entries, with positions and balances from
 * the updated wallet.
 */

/** The columns of a proven entry in JSON; `n` orders the entries of one record. */
export const ENTRY_COLUMNS =
  'n smallint, origin text, debit text, credit text, amount bigint, cause text, proof text';

/** The digit of each origin in entry ids, so that ids of a seller's origins never collide. */
const ORIGIN_DIGIT = "CASE p.origin WHEN 'PIX' THEN '8' WHEN 'BOLETO' THEN '9' ELSE 'a' END";

/**
 * The common table expressions of a statement that books. They read:
 *
 * - `new_entries` (seller_id, record_id, at, batch_key, n, origin, debit, credit, amount, cause,
 *   proof): the entries to book.
 * - `floors` (seller_id, origin, floor): the lowest available balance that a booking which lowers
 *   it may leave.
 *
 * They provide `wallet_deltas`, one row for each wallet to change, and `updated_wallets`, one for
 * each wallet changed. The caller compares the two counts. Deltas are summed first because
 * PostgreSQL would apply only one of two rows for one wallet.
 *
 * The update locks the wallet and counts its entries. Positions therefore have no gap and follow
 * the order in which entries took effect, and each entry records the balances after it. An entry's
 * id is its position after a time that is never before that of the previous entry.
 */
export const BOOKING_CTES = `
    entry_deltas AS MATERIALIZED (
      SELECT e.*,
        ${balanceChange('available')} AS available,
        ${balanceChange('retained')} AS retained,
        ${balanceChange('disputed')} AS disputed,
        ${balanceChange('reserved')} AS reserved
      FROM new_entries e
    ), wallet_deltas AS MATERIALIZED (
      SELECT seller_id, origin, max(at) AS at, floor(extract(epoch FROM max(at)) * 1000)::bigint AS ms,
        count(*) AS entries,
        sum(available)::bigint AS available, sum(retained)::bigint AS retained,
        sum(disputed)::bigint AS disputed, sum(reserved)::bigint AS reserved
      FROM entry_deltas GROUP BY seller_id, origin ORDER BY seller_id, origin
    ), updated_wallets AS (
      UPDATE wallets w
      SET available = w.available + d.available, retained = w.retained + d.retained,
        disputed = w.disputed + d.disputed, reserved = w.reserved + d.reserved, updated_at = d.at,
        entries = w.entries + d.entries,
        last_entry_ms = greatest(w.last_entry_ms, d.ms)
      FROM wallet_deltas d LEFT JOIN floors f ON f.seller_id = d.seller_id AND f.origin = d.origin
      WHERE w.seller_id = d.seller_id AND w.origin = d.origin
        AND (f.floor IS NULL OR d.available >= 0 OR w.available + d.available >= f.floor)
      RETURNING w.seller_id, w.origin, w.entries - d.entries AS entries_before,
        w.available - d.available AS available_before,
        w.retained + w.disputed + w.reserved - d.retained - d.disputed - d.reserved AS blocked_before,
        lpad(to_hex(w.last_entry_ms), 12, '0') AS time
    ), inserted_entries AS (
      INSERT INTO ledger_entries (seller_id, origin, id, position, debit, credit, amount, cause, record_id,
        available_after, blocked_after, created_at, proof)
      SELECT p.seller_id, p.origin,
        (left(p.time, 8) || '-' || substr(p.time, 9, 4) || '-4' || substr(p.digits, 1, 3) || '-'
          || ${ORIGIN_DIGIT} || substr(p.digits, 4, 3) || '-' || substr(p.digits, 7, 12))::uuid,
        p.position, p.debit, p.credit, p.amount, p.cause, p.record_id,
        p.available_after, p.blocked_after, p.at, p.proof
      FROM (
        SELECT b.*, lpad(to_hex(b.position), 18, '0') AS digits
        FROM (
          SELECT e.seller_id, e.origin, e.debit, e.credit, e.amount, e.cause, e.record_id, e.at, e.proof,
            w.time, w.entries_before + row_number() OVER ordered AS position,
            w.available_before + sum(e.available) OVER ordered AS available_after,
            w.blocked_before + sum(e.retained + e.disputed + e.reserved) OVER ordered AS blocked_after
          FROM entry_deltas e JOIN updated_wallets w ON w.seller_id = e.seller_id AND w.origin = e.origin
          WINDOW ordered AS (PARTITION BY e.seller_id, e.origin ORDER BY e.batch_key, e.n
            ROWS UNBOUNDED PRECEDING)
        ) b
      ) p
    )`;

/** Entries of one record in one balance of a seller. */
export interface Booking {
  readonly sellerId: string;
  readonly recordId: string;
  readonly origin: Origin;
  readonly entries: readonly LedgerEntry[];
  /**
   * The lowest available balance in cents that a booking which lowers it may leave. Unlimited by
   * default.
   */
  readonly floor?: number;
  readonly at: Date;
}

/**
 * Books entries and updates the wallet. Returns false when the available balance is insufficient;
 * the caller must then roll back the transaction. Call it last in a transaction, so that the
 * wallet's row is locked for the shortest time.
 */
export async function bookEntries(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  booking: Booking,
): Promise<boolean> {
  const { sellerId, recordId, origin, entries, floor, at } = booking;
  if (entries.length === 0) return true;
  const rows = JSON.stringify(proveEntries(secrets, booking, entries));
  const result = await sql<{ booked: boolean }>`
    WITH new_entries AS MATERIALIZED (
      SELECT ${sellerId}::uuid AS seller_id, ${recordId}::uuid AS record_id, ${at}::timestamptz AS at,
        0 AS batch_key, e.*
      FROM json_to_recordset(${rows}::json) AS e (${sql.raw(ENTRY_COLUMNS)})
    ), floors AS (
      SELECT ${sellerId}::uuid AS seller_id, ${origin}::text AS origin, ${floor ?? null}::bigint AS floor
    ), ${sql.raw(BOOKING_CTES)}
    SELECT (SELECT count(*) FROM wallet_deltas) = (SELECT count(*) FROM updated_wallets) AS booked`.execute(
    trx,
  );
  if (result.rows[0]?.booked === true) return true;
  if (floor === undefined) throw new Error(`seller ${sellerId} has no ${origin} wallet`);
  return false;
}
