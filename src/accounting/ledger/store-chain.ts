import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';

/** The last entry of each origin that a seal vouches for; null where none is. */
export interface LastEntryIds {
  readonly pix: string | null;
  readonly boleto: string | null;
  readonly card: string | null;
}

export interface ChainEntry {
  readonly sellerId: string;
  /** From 1, without a gap. */
  readonly number: number;
  readonly lastEntryIds: LastEntryIds;
  /** Entries that this seal and those before it vouch for. */
  readonly entries: number;
  /** SHA-256 of the entries since the seal before, in hexadecimal. */
  readonly contentHash: string;
  readonly mac: string;
}

/** Sellers behind `after`, up to `upTo` where it is told, in the order of ids, and how many of their entries are sealed. */
export async function findChainStates(
  db: Db,
  after: string,
  limit: number,
  upTo = MAX_UUID,
): Promise<readonly { readonly sellerId: string; readonly booked: number; readonly sealed: number }[]> {
  const { rows } = await sql<{ sellerId: string; booked: number; sealed: number }>`
    SELECT w.seller_id AS "sellerId", sum(w.entries)::bigint AS booked, coalesce((
      SELECT s.entries FROM ledger_chain s WHERE s.seller_id = w.seller_id ORDER BY s.number DESC LIMIT 1), 0) AS sealed
    FROM wallets w WHERE w.seller_id > ${after} AND w.seller_id <= ${upTo} GROUP BY w.seller_id ORDER BY w.seller_id LIMIT ${limit}`.execute(
    db,
  );
  return rows;
}

export async function findChainHead(db: Db, sellerId: string): Promise<ChainEntry | undefined> {
  const { rows } = await sql<ChainEntryRow>`
    SELECT ${CHAIN_ENTRY_COLUMNS} FROM ledger_chain s WHERE s.seller_id = ${sellerId} ORDER BY s.number DESC LIMIT 1`.execute(
    db,
  );
  return rows[0] === undefined ? undefined : toChainEntry(rows[0]);
}

/** Everything of an entry, as one line. */
const ENTRY_TEXT = sql`concat_ws(' ', origin, id, position, debit, credit, amount, cause, record_id, available_after, blocked_after,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'))`;

const CONTENT_HASH = sql`encode(sha256(convert_to(coalesce(string_agg(${ENTRY_TEXT}, chr(10) ORDER BY origin, id), ''), 'UTF8')), 'hex')`;

/** Of a seal that was made to change the key and vouches for no new entry. */
export const EMPTY_CONTENT_HASH = createHash('sha256').digest('hex');

/** The last id of one origin among rows. */
const last = (origin: string) => sql`(array_agg(id ORDER BY id DESC) FILTER (WHERE origin = ${origin}))[1]`;

/** The next entries that no seal vouches for, at most `most` of each origin; undefined where there are none. */
export async function hashUnchainedEntries(
  db: Db,
  sellerId: string,
  ends: LastEntryIds,
  limitPerOrigin: number,
): Promise<
  { readonly contentHash: string; readonly entries: number; readonly lastEntryIds: LastEntryIds } | undefined
> {
  const after = (origin: string, id: string | null) => sql`
    (SELECT * FROM ledger_entries WHERE seller_id = ${sellerId} AND origin = ${origin} AND id > ${id ?? MIN_UUID}
      ORDER BY id LIMIT ${limitPerOrigin})`;
  const { rows } = await sql<{ content: string; entries: number } & LastEntryIds>`
    WITH unsealed AS (
      ${after('PIX', ends.pix)} UNION ALL ${after('BOLETO', ends.boleto)} UNION ALL ${after('CARD', ends.card)}
    )
    SELECT ${CONTENT_HASH} AS content, count(*) AS entries,
      ${last('PIX')} AS pix, ${last('BOLETO')} AS boleto, ${last('CARD')} AS card
    FROM unsealed HAVING count(*) > 0`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { content, entries, pix, boleto, card } = row;
  const reached = { pix: pix ?? ends.pix, boleto: boleto ?? ends.boleto, card: card ?? ends.card };
  return { contentHash: content, entries, lastEntryIds: reached };
}

/** Sellers whose last seal was made with another key than this one. */
export async function findSellersWithOtherHeadKey(
  db: Db,
  keyId: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT s.id FROM sellers s CROSS JOIN LATERAL (
      SELECT mac FROM ledger_chain l WHERE l.seller_id = s.id ORDER BY number DESC LIMIT 1
    ) last
    WHERE split_part(last.mac, '.', 2) <> ${keyId} ORDER BY s.id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** False where another worker was first. */
export async function insertChainEntry(db: Db, entry: ChainEntry, at: Date): Promise<boolean> {
  const { lastEntryIds } = entry;
  const result = await sql`
    INSERT INTO ledger_chain (seller_id, number, last_pix_entry_id, last_boleto_entry_id, last_card_entry_id, entries, content_hash, mac, created_at)
    VALUES (${entry.sellerId}, ${entry.number}, ${lastEntryIds.pix}, ${lastEntryIds.boleto}, ${lastEntryIds.card}, ${entry.entries},
      decode(${entry.contentHash}, 'hex'), ${entry.mac}, ${at})
    ON CONFLICT DO NOTHING`.execute(db);
  return result.numAffectedRows === 1n;
}

/** A seal with what the entries it vouches for hash to now. */
export interface RecomputedChainEntry extends ChainEntry {
  readonly recomputedHash: string | null;
  readonly recomputedEntries: number;
}

/** The entries of one origin between the seal before, `p`, and this one, `s`. */
const between = (origin: string, column: string) => sql`
  SELECT * FROM ledger_entries e WHERE e.seller_id = s.seller_id AND e.origin = ${origin}
    AND e.id > coalesce(p.${sql.ref(column)}, ${MIN_UUID}) AND e.id <= s.${sql.ref(column)}`;

/** The seals of one seller from `number` on, in their order. */
export async function findRecomputedChainEntries(
  db: Db,
  sellerId: string,
  from: number,
  limit: number,
): Promise<readonly RecomputedChainEntry[]> {
  const { rows } = await sql<ChainEntryRow & { found_content: string | null; found_entries: number }>`
    SELECT ${CHAIN_ENTRY_COLUMNS}, c.content AS found_content, c.entries AS found_entries
    FROM ledger_chain s
    LEFT JOIN ledger_chain p ON p.seller_id = s.seller_id AND p.number = s.number - 1
    CROSS JOIN LATERAL (
      SELECT ${CONTENT_HASH} AS content, count(*) AS entries FROM (
        ${between('PIX', 'last_pix_entry_id')} UNION ALL ${between('BOLETO', 'last_boleto_entry_id')} UNION ALL ${between('CARD', 'last_card_entry_id')}
      ) sealed
    ) c
    WHERE s.seller_id = ${sellerId} AND s.number >= ${from} ORDER BY s.number LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({
    ...toChainEntry(row),
    recomputedHash: row.found_content,
    recomputedEntries: row.found_entries,
  }));
}

const MIN_UUID = '00000000-0000-0000-0000-000000000000';
const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const CHAIN_ENTRY_COLUMNS = sql`s.seller_id, s.number, s.last_pix_entry_id, s.last_boleto_entry_id, s.last_card_entry_id, s.entries,
  encode(s.content_hash, 'hex') AS content, s.mac`;

interface ChainEntryRow {
  seller_id: string;
  number: number;
  last_pix_entry_id: string | null;
  last_boleto_entry_id: string | null;
  last_card_entry_id: string | null;
  entries: number;
  content: string;
  mac: string;
}

function toChainEntry(row: ChainEntryRow): ChainEntry {
  return {
    sellerId: row.seller_id,
    number: row.number,
    lastEntryIds: {
      pix: row.last_pix_entry_id,
      boleto: row.last_boleto_entry_id,
      card: row.last_card_entry_id,
    },
    entries: row.entries,
    contentHash: row.content,
    mac: row.mac,
  };
}
