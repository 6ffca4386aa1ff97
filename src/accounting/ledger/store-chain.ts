import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';

export const MIN_UUID = '00000000-0000-0000-0000-000000000000';
const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The last ledger entry of each origin that a chain entry covers; null when it covers none. */
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
  /** How many ledger entries this chain entry and those before it cover. */
  readonly entries: number;
  /** `formatBalances` of the last entries. */
  readonly balances: string;
  /** SHA-256 of the ledger entries since the previous chain entry, in hexadecimal. */
  readonly contentHash: string;
  readonly mac: string;
}

/** How many ledger entries a seller has, and how many of them the chain covers. */
export interface ChainState {
  readonly sellerId: string;
  readonly bookedEntries: number;
  readonly chainedEntries: number;
}

/** Returns sellers with `after` < id <= `upTo`, ordered by id. */
export async function findChainStates(
  db: Db,
  after: string,
  limit: number,
  upTo = MAX_UUID,
): Promise<readonly ChainState[]> {
  const { rows } = await sql<ChainState>`
    SELECT w.seller_id AS "sellerId", sum(w.entries)::bigint AS "bookedEntries", coalesce((
      SELECT c.entries FROM ledger_chain c WHERE c.seller_id = w.seller_id ORDER BY c.number DESC LIMIT 1
    ), 0) AS "chainedEntries"
    FROM wallets w WHERE w.seller_id > ${after} AND w.seller_id <= ${upTo}
    GROUP BY w.seller_id ORDER BY w.seller_id LIMIT ${limit}`.execute(db);
  return rows;
}

/** The last entry of a chain, and the MAC of the one before it. */
export interface ChainHead extends ChainEntry {
  readonly previousMac: string | undefined;
}

export async function findChainHead(
  trx: DatabaseTransaction,
  sellerId: string,
): Promise<ChainHead | undefined> {
  const { rows } = await sql<ChainEntryRow>`
    SELECT ${CHAIN_ENTRY_COLUMNS} FROM ledger_chain c
    WHERE c.seller_id = ${sellerId} ORDER BY c.number DESC LIMIT 2`.execute(trx);
  const [head, previous] = rows;
  return head === undefined ? undefined : { ...toChainEntry(head), previousMac: previous?.mac };
}

/** All columns of a ledger entry as one line of text. */
const ENTRY_TEXT = sql`concat_ws(' ', origin, id, position, debit, credit, amount, cause, record_id,
  available_after, blocked_after, to_char(created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'))`;

const CONTENT_HASH = sql`encode(sha256(convert_to(
  coalesce(string_agg(${ENTRY_TEXT}, chr(10) ORDER BY origin, id), ''), 'UTF8')), 'hex')`;

/** The content hash of a chain entry that covers no ledger entries. */
export const EMPTY_CONTENT_HASH = createHash('sha256').digest('hex');

const lastIdOf = (origin: string) =>
  sql`(array_agg(id ORDER BY id DESC) FILTER (WHERE origin = ${origin}))[1]`;

export interface UnchainedEntries {
  readonly contentHash: string;
  readonly entries: number;
  readonly lastEntryIds: LastEntryIds;
}

/**
 * Hashes the next ledger entries that the chain does not cover. Returns undefined when there are
 * none.
 */
export async function hashUnchainedEntries(
  trx: DatabaseTransaction,
  options: { readonly sellerId: string; readonly after: LastEntryIds; readonly limitPerOrigin: number },
): Promise<UnchainedEntries | undefined> {
  const { sellerId, after, limitPerOrigin } = options;
  const entriesAfter = (origin: string, id: string | null) => sql`
    (SELECT * FROM ledger_entries
      WHERE seller_id = ${sellerId} AND origin = ${origin} AND id > ${id ?? MIN_UUID}
      ORDER BY id LIMIT ${limitPerOrigin})`;
  const { rows } = await sql<{ contentHash: string; entries: number } & LastEntryIds>`
    WITH unchained AS (
      ${entriesAfter('PIX', after.pix)} UNION ALL ${entriesAfter('BOLETO', after.boleto)}
      UNION ALL ${entriesAfter('CARD', after.card)}
    )
    SELECT ${CONTENT_HASH} AS "contentHash", count(*) AS entries,
      ${lastIdOf('PIX')} AS pix, ${lastIdOf('BOLETO')} AS boleto, ${lastIdOf('CARD')} AS card
    FROM unchained HAVING count(*) > 0`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { contentHash, entries, pix, boleto, card } = row;
  const lastEntryIds = { pix: pix ?? after.pix, boleto: boleto ?? after.boleto, card: card ?? after.card };
  return { contentHash, entries, lastEntryIds };
}

/** Returns sellers after this id whose last chain entry was made with a key other than this one. */
export async function findSellersWithOtherHeadKey(
  db: Db,
  keyId: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT s.id FROM sellers s CROSS JOIN LATERAL (
      SELECT mac FROM ledger_chain c WHERE c.seller_id = s.id ORDER BY number DESC LIMIT 1
    ) head
    WHERE s.id > ${after} AND split_part(head.mac, '.', 2) <> ${keyId} ORDER BY s.id LIMIT ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Does nothing when the chain already has an entry of this number. */
export async function insertChainEntry(trx: DatabaseTransaction, entry: ChainEntry, at: Date): Promise<void> {
  const { lastEntryIds } = entry;
  await sql`
    INSERT INTO ledger_chain (seller_id, number, last_pix_entry_id, last_boleto_entry_id, last_card_entry_id,
      entries, balances, content_hash, mac, created_at)
    VALUES (${entry.sellerId}, ${entry.number}, ${lastEntryIds.pix}, ${lastEntryIds.boleto},
      ${lastEntryIds.card}, ${entry.entries}, ${entry.balances}, decode(${entry.contentHash}, 'hex'), ${entry.mac}, ${at})
    ON CONFLICT DO NOTHING`.execute(trx);
}

/** A chain entry, with the hash and the number of the ledger entries that it covers now. */
export interface RecomputedChainEntry extends ChainEntry {
  readonly recomputedHash: string | null;
  readonly recomputedEntries: number;
}

/** Ledger entries of one origin between the previous chain entry, `p`, and this one, `c`. */
const coveredEntries = (origin: string, column: string) => sql`
  SELECT * FROM ledger_entries e WHERE e.seller_id = c.seller_id AND e.origin = ${origin}
    AND e.id > coalesce(p.${sql.ref(column)}, ${MIN_UUID}) AND e.id <= c.${sql.ref(column)}`;

/** Returns chain entries of one seller from number `from` on, ordered by number. */
export async function findRecomputedChainEntries(
  trx: DatabaseTransaction,
  sellerId: string,
  from: number,
  limit: number,
): Promise<readonly RecomputedChainEntry[]> {
  const { rows } = await sql<ChainEntryRow & { recomputed_hash: string | null; recomputed_entries: number }>`
    SELECT ${CHAIN_ENTRY_COLUMNS}, r.content_hash AS recomputed_hash, r.entries AS recomputed_entries
    FROM ledger_chain c
    LEFT JOIN ledger_chain p ON p.seller_id = c.seller_id AND p.number = c.number - 1
    CROSS JOIN LATERAL (
      SELECT ${CONTENT_HASH} AS content_hash, count(*) AS entries FROM (
        ${coveredEntries('PIX', 'last_pix_entry_id')}
        UNION ALL ${coveredEntries('BOLETO', 'last_boleto_entry_id')}
        UNION ALL ${coveredEntries('CARD', 'last_card_entry_id')}
      ) covered
    ) r
    WHERE c.seller_id = ${sellerId} AND c.number >= ${from} ORDER BY c.number LIMIT ${limit}`.execute(trx);
  return rows.map((row) => ({
    ...toChainEntry(row),
    recomputedHash: row.recomputed_hash,
    recomputedEntries: row.recomputed_entries,
  }));
}

const CHAIN_ENTRY_COLUMNS = sql`c.seller_id, c.number, c.last_pix_entry_id, c.last_boleto_entry_id,
  c.last_card_entry_id, c.entries, c.balances, encode(c.content_hash, 'hex') AS content_hash, c.mac`;

interface ChainEntryRow {
  readonly seller_id: string;
  readonly number: number;
  readonly last_pix_entry_id: string | null;
  readonly last_boleto_entry_id: string | null;
  readonly last_card_entry_id: string | null;
  readonly entries: number;
  readonly balances: string;
  readonly content_hash: string;
  readonly mac: string;
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
    balances: row.balances,
    contentHash: row.content_hash,
    mac: row.mac,
  };
}

/** A ledger entry as its proof and its place in its balance state it. */
export interface EntryRow {
  readonly sellerId: string;
  readonly id: string;
  readonly origin: string;
  readonly position: number;
  readonly debit: string;
  readonly credit: string;
  readonly amount: number;
  readonly cause: string;
  readonly recordId: string;
  readonly availableAfter: number;
  readonly blockedAfter: number;
  readonly at: Date;
  readonly proof: string | null;
}

const ENTRY_ROW_COLUMNS = sql`seller_id AS "sellerId", id, origin, position, debit, credit, amount, cause,
  record_id AS "recordId", available_after AS "availableAfter", blocked_after AS "blockedAfter",
  created_at AS at, proof`;

/**
 * Returns the last entry that the chain covers and the next entries that it does not, of each
 * origin in order.
 */
export async function findEntriesFrom(
  trx: DatabaseTransaction,
  options: { readonly sellerId: string; readonly from: LastEntryIds; readonly limitPerOrigin: number },
): Promise<readonly EntryRow[]> {
  const { sellerId, from, limitPerOrigin } = options;
  const entriesFrom = (origin: string, id: string | null) => sql`
    (SELECT ${ENTRY_ROW_COLUMNS} FROM ledger_entries
      WHERE seller_id = ${sellerId} AND origin = ${origin} AND id >= ${id ?? MIN_UUID}
      ORDER BY id LIMIT ${limitPerOrigin + (id === null ? 0 : 1)})`;
  const { rows } = await sql<EntryRow>`
    ${entriesFrom('PIX', from.pix)} UNION ALL ${entriesFrom('BOLETO', from.boleto)}
    UNION ALL ${entriesFrom('CARD', from.card)}`.execute(trx);
  return rows;
}

/** Whether an entry with one of these proofs stands between two ids of a balance, both included. */
export async function hasEntryWithProof(
  trx: DatabaseTransaction,
  balance: { readonly sellerId: string; readonly origin: string },
  ids: { readonly from: string; readonly to: string },
  proofs: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM ledger_entries WHERE seller_id = ${balance.sellerId} AND origin = ${balance.origin}
      AND id BETWEEN ${ids.from} AND ${ids.to} AND proof = ANY (${[...proofs]}::text[]) LIMIT 1`.execute(trx);
  return rows.length > 0;
}

const balanceOf = (account: string) =>
  sql`sum(CASE ${account} WHEN credit THEN amount WHEN debit THEN -amount ELSE 0 END)`;

/**
 * Returns a record whose entries are not possible together: paid twice, a refund reversed beyond
 * its amount, or more taken out of a blocked balance than the record has there.
 */
export async function findImpossibleRecord(
  trx: DatabaseTransaction,
  sellerId: string,
  recordIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT record_id AS id FROM ledger_entries
    WHERE seller_id = ${sellerId} AND record_id = ANY (${[...recordIds]}::uuid[])
    GROUP BY record_id
    HAVING count(*) FILTER (WHERE cause = 'PAYMENT') > 1 OR min(origin) <> max(origin)
      OR least(${balanceOf('retained')}, ${balanceOf('disputed')}, ${balanceOf('reserved')}) < 0
      OR sum(CASE cause WHEN 'REFUND_REVERSED' THEN amount WHEN 'REFUND' THEN -amount END) > 0
    LIMIT 1`.execute(trx);
  return rows[0]?.id;
}

/** Returns the entries of a withdrawal. */
export async function findWithdrawalEntries(
  db: Db,
  sellerId: string,
  recordId: string,
): Promise<readonly EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    SELECT ${ENTRY_ROW_COLUMNS} FROM ledger_entries WHERE seller_id = ${sellerId} AND record_id = ${recordId}
      AND cause IN ('WITHDRAWAL_RESERVED', 'WITHDRAWAL_RETURNED', 'WITHDRAWAL_PAID', 'WITHDRAWAL_FEE')
    LIMIT 10`.execute(db);
  return rows;
}

/** Returns the held sellers, and when the entries of each were last verified. */
export async function findHolds(db: Db, limit: number): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ id: string; checkedAt: Date }>`
    SELECT seller_id AS id, checked_at AS "checkedAt" FROM ledger_holds
    ORDER BY checked_at LIMIT ${limit}`.execute(db);
  return new Map(rows.map(({ id, checkedAt }) => [id, checkedAt]));
}

export async function holdSeller(db: Db, sellerId: string, problem: string): Promise<void> {
  await sql`
    INSERT INTO ledger_holds (seller_id, problem, checked_at) VALUES (${sellerId}, ${problem}, ${new Date()})
    ON CONFLICT (seller_id) DO UPDATE SET problem = excluded.problem, checked_at = excluded.checked_at
  `.execute(db);
}

export async function releaseSeller(db: Db, sellerId: string): Promise<void> {
  await sql`DELETE FROM ledger_holds WHERE seller_id = ${sellerId}`.execute(db);
}

export async function countHeldSellers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ledger_holds`.execute(db);
  return rows[0]?.count ?? 0;
}

export type ChainHeadRow = Pick<ChainEntry, 'sellerId' | 'number' | 'mac'>;

/** Returns the last chain entry of sellers with an id after `after`, ordered by seller. */
export async function findHeads(db: Db, after: string, limit: number): Promise<readonly ChainHeadRow[]> {
  const { rows } = await sql<ChainHeadRow>`
    SELECT s.id AS "sellerId", head.number, head.mac FROM sellers s CROSS JOIN LATERAL (
      SELECT number, mac FROM ledger_chain c WHERE c.seller_id = s.id ORDER BY number DESC LIMIT 1
    ) head
    WHERE s.id > ${after} ORDER BY s.id LIMIT ${limit}`.execute(db);
  return rows;
}

export async function findMac(db: Db, sellerId: string, number: number): Promise<string | undefined> {
  const { rows } = await sql<{ mac: string }>`
    SELECT mac FROM ledger_chain WHERE seller_id = ${sellerId} AND number = ${number}`.execute(db);
  return rows[0]?.mac;
}
