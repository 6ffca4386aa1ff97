import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';

/** The last entry of each origin that a seal vouches for; null where none is. */
export interface Ends {
  readonly pix: string | null;
  readonly boleto: string | null;
  readonly card: string | null;
}

export interface Seal {
  readonly sellerId: string;
  /** From 1, without a gap. */
  readonly number: number;
  readonly ends: Ends;
  /** Entries that this seal and those before it vouch for. */
  readonly entries: number;
  /** SHA-256 of the entries since the seal before, in hexadecimal. */
  readonly content: string;
  readonly seal: string;
}

/** Sellers behind `after`, up to `upTo` where it is told, in the order of ids, and how many of their entries are sealed. */
export async function findSealStates(
  db: Db,
  after: string,
  limit: number,
  upTo = HIGHEST,
): Promise<readonly { readonly sellerId: string; readonly booked: number; readonly sealed: number }[]> {
  const { rows } = await sql<{ sellerId: string; booked: number; sealed: number }>`
    SELECT w.seller_id AS "sellerId", sum(w.entries)::bigint AS booked, coalesce((
      SELECT s.entries FROM ledger_seals s WHERE s.seller_id = w.seller_id ORDER BY s.number DESC LIMIT 1), 0) AS sealed
    FROM wallets w WHERE w.seller_id > ${after} AND w.seller_id <= ${upTo} GROUP BY w.seller_id ORDER BY w.seller_id LIMIT ${limit}`.execute(
    db,
  );
  return rows;
}

export async function findLastSeal(db: Db, sellerId: string): Promise<Seal | undefined> {
  const { rows } = await sql<SealRow>`
    SELECT ${SEAL_COLUMNS} FROM ledger_seals s WHERE s.seller_id = ${sellerId} ORDER BY s.number DESC LIMIT 1`.execute(
    db,
  );
  return rows[0] === undefined ? undefined : toSeal(rows[0]);
}

/** Everything of an entry, as one line. */
const LINE = sql`concat_ws(' ', origin, id, position, debit, credit, amount, cause, record_id, available_after, blocked_after,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'))`;

const HASH_OF_LINES = sql`encode(sha256(convert_to(coalesce(string_agg(${LINE}, chr(10) ORDER BY origin, id), ''), 'UTF8')), 'hex')`;

/** Of a seal that was made to change the key and vouches for no new entry. */
export const HASH_OF_NOTHING = createHash('sha256').digest('hex');

/** The last id of one origin among rows. */
const last = (origin: string) => sql`(array_agg(id ORDER BY id DESC) FILTER (WHERE origin = ${origin}))[1]`;

/** The next entries that no seal vouches for, at most `most` of each origin; undefined where there are none. */
export async function hashUnsealed(
  db: Db,
  sellerId: string,
  ends: Ends,
  most: number,
): Promise<{ readonly content: string; readonly entries: number; readonly ends: Ends } | undefined> {
  const after = (origin: string, id: string | null) => sql`
    (SELECT * FROM ledger_entries WHERE seller_id = ${sellerId} AND origin = ${origin} AND id > ${id ?? LOWEST}
      ORDER BY id LIMIT ${most})`;
  const { rows } = await sql<{ content: string; entries: number } & Ends>`
    WITH unsealed AS (
      ${after('PIX', ends.pix)} UNION ALL ${after('BOLETO', ends.boleto)} UNION ALL ${after('CARD', ends.card)}
    )
    SELECT ${HASH_OF_LINES} AS content, count(*) AS entries,
      ${last('PIX')} AS pix, ${last('BOLETO')} AS boleto, ${last('CARD')} AS card
    FROM unsealed HAVING count(*) > 0`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { content, entries, pix, boleto, card } = row;
  const reached = { pix: pix ?? ends.pix, boleto: boleto ?? ends.boleto, card: card ?? ends.card };
  return { content, entries, ends: reached };
}

/** Sellers whose last seal was made with another key than this one. */
export async function findSellersSealedOtherwise(
  db: Db,
  keyId: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT s.id FROM sellers s CROSS JOIN LATERAL (
      SELECT seal FROM ledger_seals l WHERE l.seller_id = s.id ORDER BY number DESC LIMIT 1
    ) last
    WHERE split_part(last.seal, '.', 2) <> ${keyId} ORDER BY s.id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** False where another worker was first. */
export async function insertSeal(db: Db, seal: Seal, at: Date): Promise<boolean> {
  const { ends } = seal;
  const result = await sql`
    INSERT INTO ledger_seals (seller_id, number, pix_upto, boleto_upto, card_upto, entries, content_hash, seal, sealed_at)
    VALUES (${seal.sellerId}, ${seal.number}, ${ends.pix}, ${ends.boleto}, ${ends.card}, ${seal.entries},
      decode(${seal.content}, 'hex'), ${seal.seal}, ${at})
    ON CONFLICT DO NOTHING`.execute(db);
  return result.numAffectedRows === 1n;
}

/** A seal with what the entries it vouches for hash to now. */
export interface SealWithContent extends Seal {
  readonly foundContent: string | null;
  readonly foundEntries: number;
}

/** The entries of one origin between the seal before, `p`, and this one, `s`. */
const between = (origin: string, column: string) => sql`
  SELECT * FROM ledger_entries e WHERE e.seller_id = s.seller_id AND e.origin = ${origin}
    AND e.id > coalesce(p.${sql.ref(column)}, ${LOWEST}) AND e.id <= s.${sql.ref(column)}`;

/** The seals of one seller from `number` on, in their order. */
export async function findSealsWithContent(
  db: Db,
  sellerId: string,
  from: number,
  limit: number,
): Promise<readonly SealWithContent[]> {
  const { rows } = await sql<SealRow & { found_content: string | null; found_entries: number }>`
    SELECT ${SEAL_COLUMNS}, c.content AS found_content, c.entries AS found_entries
    FROM ledger_seals s
    LEFT JOIN ledger_seals p ON p.seller_id = s.seller_id AND p.number = s.number - 1
    CROSS JOIN LATERAL (
      SELECT ${HASH_OF_LINES} AS content, count(*) AS entries FROM (
        ${between('PIX', 'pix_upto')} UNION ALL ${between('BOLETO', 'boleto_upto')} UNION ALL ${between('CARD', 'card_upto')}
      ) sealed
    ) c
    WHERE s.seller_id = ${sellerId} AND s.number >= ${from} ORDER BY s.number LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({
    ...toSeal(row),
    foundContent: row.found_content,
    foundEntries: row.found_entries,
  }));
}

const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const SEAL_COLUMNS = sql`s.seller_id, s.number, s.pix_upto, s.boleto_upto, s.card_upto, s.entries,
  encode(s.content_hash, 'hex') AS content, s.seal`;

interface SealRow {
  seller_id: string;
  number: number;
  pix_upto: string | null;
  boleto_upto: string | null;
  card_upto: string | null;
  entries: number;
  content: string;
  seal: string;
}

function toSeal(row: SealRow): Seal {
  return {
    sellerId: row.seller_id,
    number: row.number,
    ends: { pix: row.pix_upto, boleto: row.boleto_upto, card: row.card_upto },
    entries: row.entries,
    content: row.content,
    seal: row.seal,
  };
}
