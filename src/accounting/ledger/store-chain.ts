import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { balanceChange } from './balance-change.ts';
import type { LedgerAccount } from './entries.ts';
import { inRange, type SellerRange } from './store-discrepancies.ts';
import { MIN_ID } from '#platform/kit/ids.ts';

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
  /** The number of the last chain entry; 0 without one. */
  readonly lastNumber: number;
}

/** Returns sellers of a range with an id after `after`, ordered by id. */
export async function findChainStates(
  db: Db,
  after: string,
  limit: number,
  range: SellerRange = {},
): Promise<readonly ChainState[]> {
  const { rows } = await sql<ChainState>`
    SELECT w.*, coalesce(c.entries, 0) AS "chainedEntries", coalesce(c.number, 0) AS "lastNumber"
    FROM (
      SELECT seller_id AS "sellerId", sum(entries)::bigint AS "bookedEntries" FROM wallets
      WHERE seller_id > ${after} AND ${inRange(range)}
      GROUP BY seller_id ORDER BY seller_id LIMIT ${limit}
    ) w LEFT JOIN LATERAL (
      SELECT entries, number FROM ledger_chain WHERE seller_id = w."sellerId" ORDER BY number DESC LIMIT 1
    ) c ON true
    ORDER BY "sellerId"`.execute(db);
  return rows;
}

/** The last entry of a chain, and the MAC of the one before it. */
export interface ChainHead extends ChainEntry {
  readonly previousMac: string | undefined;
}

/** Returns the ends of the chains of these sellers, by seller. */
export async function findChainHeads(
  trx: DatabaseTransaction,
  sellerIds: readonly string[],
): Promise<ReadonlyMap<string, ChainHead>> {
  const { rows } = await sql<ChainEntryRow>`
    SELECT c.* FROM unnest(${[...sellerIds]}::uuid[]) AS k (seller_id) CROSS JOIN LATERAL (
      SELECT ${CHAIN_ENTRY_COLUMNS} FROM ledger_chain c
      WHERE c.seller_id = k.seller_id ORDER BY c.number DESC LIMIT 2
    ) c ORDER BY c.number DESC`.execute(trx);
  const heads = new Map<string, ChainHead>();
  for (const row of rows) {
    const head = heads.get(row.seller_id);
    heads.set(
      row.seller_id,
      head === undefined
        ? { ...toChainEntry(row), previousMac: undefined }
        : { ...head, previousMac: row.mac },
    );
  }
  return heads;
}

/** All columns of a ledger entry as one line of text. */
const ENTRY_TEXT = sql`concat_ws(' ', origin, id, position, debit, credit, amount, cause, record_id,
  available_after, blocked_after, to_char(created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS'))`;

const CONTENT_HASH = sql`encode(sha256(convert_to(
  coalesce(string_agg(${ENTRY_TEXT}, chr(10) ORDER BY origin, id), ''), 'UTF8')), 'hex')`;

/** The content hash of a chain entry that covers no ledger entries. */
export const EMPTY_CONTENT_HASH = createHash('sha256').digest('hex');

/** Ledger entries of a seller after some ids, up to and including others. */
export interface EntryRange {
  readonly sellerId: string;
  readonly after: LastEntryIds;
  readonly upTo: LastEntryIds;
}

/**
 * Returns the content hash of each range, by seller. OFFSET 0 keeps PostgreSQL from joining the
 * ranges with all entries, as it does where it has no statistics of a seller that has grown.
 */
export async function hashEntries(
  trx: DatabaseTransaction,
  ranges: readonly EntryRange[],
): Promise<ReadonlyMap<string, string>> {
  if (ranges.length === 0) return new Map();
  const input = JSON.stringify(ranges.flatMap(toOriginRanges));
  const { rows } = await sql<{ sellerId: string; contentHash: string }>`
    SELECT k.seller_id AS "sellerId", ${CONTENT_HASH} AS "contentHash"
    FROM json_to_recordset(${input}::json) AS k (seller_id uuid, balance text, after uuid, up_to uuid)
    CROSS JOIN LATERAL (
      SELECT * FROM ledger_entries e WHERE e.seller_id = k.seller_id AND e.origin = k.balance
        AND e.id > k.after AND e.id <= k.up_to OFFSET 0
    ) e GROUP BY k.seller_id`.execute(trx);
  return new Map(rows.map(({ sellerId, contentHash }) => [sellerId, contentHash]));
}

/** Each origin with its member of `LastEntryIds`. */
export const ORIGIN_MEMBERS = [
  ['PIX', 'pix'],
  ['BOLETO', 'boleto'],
  ['CARD', 'card'],
] as const;

const toOriginRanges = ({ sellerId, after, upTo }: EntryRange) =>
  ORIGIN_MEMBERS.map(([origin, name]) => ({
    seller_id: sellerId,
    balance: origin,
    after: after[name] ?? MIN_ID,
    up_to: upTo[name],
  }));

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

/** Does nothing for a chain that already has an entry of this number. */
export async function insertChainEntries(
  trx: DatabaseTransaction,
  entries: readonly ChainEntry[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ sellerId, lastEntryIds, contentHash, ...entry }) => ({
    ...entry,
    seller_id: sellerId,
    last_pix_entry_id: lastEntryIds.pix,
    last_boleto_entry_id: lastEntryIds.boleto,
    last_card_entry_id: lastEntryIds.card,
    content_hash: contentHash,
  }));
  await sql`
    INSERT INTO ledger_chain (seller_id, number, last_pix_entry_id, last_boleto_entry_id, last_card_entry_id,
      entries, balances, content_hash, mac, created_at)
    SELECT seller_id, number, last_pix_entry_id, last_boleto_entry_id, last_card_entry_id, entries, balances,
      decode(content_hash, 'hex'), mac, ${at}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (
      seller_id uuid, number bigint, last_pix_entry_id uuid, last_boleto_entry_id uuid,
      last_card_entry_id uuid, entries bigint, balances text, content_hash text, mac text)
    ORDER BY seller_id
    ON CONFLICT DO NOTHING`.execute(trx);
}

/** Most of a busy seller cover the entries of a second. */
const CHAIN_ENTRIES_PER_READ = 1_000;

/** A chain entry, with the hash and the number of the ledger entries that it covers now. */
export interface RecomputedChainEntry extends ChainEntry {
  readonly recomputedHash: string | null;
  readonly recomputedEntries: number;
}

/** Ledger entries of one origin between the previous chain entry, `p`, and this one, `c`. */
const coveredEntries = (origin: string, column: string) => sql`
  SELECT * FROM ledger_entries e WHERE e.seller_id = c.seller_id AND e.origin = ${origin}
    AND e.id > coalesce(p.${sql.ref(column)}, ${MIN_ID}) AND e.id <= c.${sql.ref(column)}`;

/**
 * Returns the chain entries of one seller after `previous`, ordered by number. Stops where they
 * cover more than `maxCovered` ledger entries.
 */
export async function findRecomputedChainEntries(
  trx: DatabaseTransaction,
  sellerId: string,
  previous: ChainEntry | undefined,
  maxCovered: number,
): Promise<readonly RecomputedChainEntry[]> {
  const { number, entries: covered } = previous ?? { number: 0, entries: 0 };
  const others = sql`seller_id = ${sellerId} AND number > ${number}`;
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
    WHERE c.seller_id = ${sellerId} AND c.number > ${number} AND (
      c.entries <= ${covered + maxCovered} OR c.number = (SELECT min(number) FROM ledger_chain
        WHERE ${others}))
    ORDER BY c.number LIMIT ${CHAIN_ENTRIES_PER_READ}`.execute(trx);
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
 * Returns, by seller, the last entry that the chain covers and the next entries that it does not,
 * of each origin in order.
 */
export async function findEntriesFrom(
  trx: DatabaseTransaction,
  from: ReadonlyMap<string, LastEntryIds>,
  limitPerOrigin: number,
): Promise<ReadonlyMap<string, readonly EntryRow[]>> {
  const input = [...from].flatMap(([sellerId, ids]) =>
    ORIGIN_MEMBERS.map(([origin, name]) => ({
      seller_id: sellerId,
      origin,
      from_id: ids[name] ?? MIN_ID,
      row_limit: limitPerOrigin + (ids[name] === null ? 0 : 1),
    })),
  );
  const { rows } = await sql<EntryRow>`
    SELECT e.* FROM json_to_recordset(${JSON.stringify(input)}::json)
      AS k (seller_id uuid, origin text, from_id uuid, row_limit integer)
    CROSS JOIN LATERAL (
      SELECT ${ENTRY_ROW_COLUMNS} FROM ledger_entries
      WHERE seller_id = k.seller_id AND origin = k.origin AND id >= k.from_id ORDER BY id LIMIT k.row_limit
    ) e ORDER BY e."sellerId", e.origin, e.id`.execute(trx);
  return Map.groupBy(rows, ({ sellerId }) => sellerId);
}

/** Proofs that no entry of a balance may have between two ids, both included. */
export interface ProofRange {
  readonly sellerId: string;
  readonly origin: string;
  readonly from: string;
  readonly to: string;
  readonly proofs: readonly string[];
}

/** Returns the sellers with an entry that has one of these proofs. */
export async function findSellersWithProofs(
  trx: DatabaseTransaction,
  ranges: readonly ProofRange[],
): Promise<ReadonlySet<string>> {
  if (ranges.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    SELECT k."sellerId" AS id FROM json_to_recordset(${JSON.stringify(ranges)}::json)
      AS k ("sellerId" uuid, origin text, "from" uuid, "to" uuid, proofs text[])
    WHERE (
      SELECT count(*) FROM ledger_entries e WHERE e.seller_id = k."sellerId" AND e.origin = k.origin
        AND e.id BETWEEN k."from" AND k."to" AND e.proof = ANY (k.proofs)
    ) > 0`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

const balanceOf = (account: LedgerAccount) => sql.raw(`sum(${balanceChange(account)})`);

/**
 * Returns, by seller, a record whose entries are not possible together: paid twice, a refund
 * reversed beyond its amount, or more taken out of a blocked balance than the record has there.
 */
export async function findImpossibleRecords(
  trx: DatabaseTransaction,
  records: readonly { readonly sellerId: string; readonly recordId: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (records.length === 0) return new Map();
  const sellerIds = records.map(({ sellerId }) => sellerId);
  const recordIds = records.map(({ recordId }) => recordId);
  const { rows } = await sql<{ sellerId: string; id: string }>`
    SELECT k.seller_id AS "sellerId", k.record_id AS id
    FROM unnest(${sellerIds}::uuid[], ${recordIds}::uuid[]) AS k (seller_id, record_id)
    CROSS JOIN LATERAL (
      SELECT FROM ledger_entries e WHERE e.seller_id = k.seller_id AND e.record_id = k.record_id
      HAVING count(*) FILTER (WHERE cause = 'PAYMENT') > 1 OR min(origin) <> max(origin)
        OR least(${balanceOf('retained')}, ${balanceOf('disputed')}, ${balanceOf('reserved')}) < 0
        OR sum(CASE cause WHEN 'REFUND_REVERSED' THEN amount WHEN 'REFUND' THEN -amount END) > 0
    ) impossible`.execute(trx);
  return new Map(rows.map(({ sellerId, id }) => [sellerId, id]));
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
