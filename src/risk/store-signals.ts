import { sql } from 'kysely';

import type { TransactionKey } from '#payments/transactions/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onEachShard } from '#platform/database/shards/each-shard.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { Scope, SignalKind } from './rule.ts';

export interface Signal {
  readonly kind: SignalKind;
  /** Keyed hash of the kind and the value. */
  readonly key: string;
}

export interface NewSignals extends TransactionKey {
  readonly requestId: string;
  readonly signals: readonly Signal[];
  readonly amount: number;
  /** Null: counts as declined until it is settled. */
  readonly declined: false | null;
  /** Of the transaction. */
  readonly createdAt: Date;
  /** The keys whose charges must count each other exactly. */
  readonly locks: readonly string[];
}

/** Takes the locks, then the number, and inserts the signals. */
const INSERT = `
    WITH locked AS MATERIALIZED (
      SELECT pg_advisory_xact_lock(hash) FROM (
        SELECT DISTINCT hashtextextended(key, 0) AS hash FROM unnest($2::text[]) AS k (key) ORDER BY 1) AS h
    ), clock AS MATERIALIZED (
      SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS number
      FROM (SELECT count(*) FROM locked) AS l
    ), inserted AS (
      INSERT INTO risk_signals (seller_id, key, number, transaction_id, request_id, kind, amount, declined,
        created_at)
      SELECT i.seller_id, i.key, c.number, i.transaction_id, i.request_id, i.kind, i.amount, i.declined,
        i.created_at
      FROM clock AS c CROSS JOIN json_to_recordset($1::json) AS i (seller_id uuid, key text,
        transaction_id uuid, request_id uuid, kind text, amount bigint, declined boolean,
        created_at timestamptz)
    )`;

const INSERT_ONLY: NamedStatement = {
  name: 'insert-risk-signals',
  text: `${INSERT} SELECT number FROM clock`,
};

function toInsertValues(charges: readonly NewSignals[]): readonly unknown[] {
  const rows = charges.flatMap(({ sellerId, id, requestId, signals, amount, declined, createdAt }) =>
    signals.map(({ kind, key }) => ({
      seller_id: sellerId,
      key,
      transaction_id: id,
      request_id: requestId,
      kind,
      amount,
      declined,
      created_at: createdAt.toISOString(),
    })),
  );
  return [JSON.stringify(rows), [...new Set(charges.flatMap((charge) => charge.locks))]];
}

/**
 * Inserts the signals of a batch. Returns its number, which is higher than that of all before it.
 */
export async function insertSignals(query: RunStatement, charges: readonly NewSignals[]): Promise<number> {
  return numberOf(await query<Numbered>(INSERT_ONLY, toInsertValues(charges)));
}

interface Numbered {
  readonly number: number;
}

function numberOf([first]: readonly Numbered[]): number {
  if (first === undefined) throw new Error('signals were inserted without a number');
  return first.number;
}

export interface CountQuery {
  readonly key: string;
  readonly declinesOnly: boolean;
  readonly scope: Scope;
  readonly limit: number;
}

/** What a charge counts: signals without those of its request. */
type CountOfCharge = CountQuery & Pick<NewSignals, 'sellerId' | 'requestId'>;
/** Of signals before its own. */
type Count = CountOfCharge & { readonly number: number };

export interface CountedRow {
  readonly amount: number;
  readonly createdAt: Date;
}

/** A row that the query with this index has found. */
type IndexedRow = CountedRow & { readonly index: number };

/**
 * Reads the newest signals of each key, at most its limit. Row comparisons fit one index only,
 * whatever the statistics.
 */
const newest = (counts: string, number: string, condition: string): string => `
  json_to_recordset(${counts}::json) AS i (index integer, seller_id uuid, key text, request_id uuid,
    number bigint, max_rows integer)
  CROSS JOIN LATERAL (
    SELECT amount, created_at, number FROM risk_signals
    WHERE (seller_id, key, number) < (i.seller_id, i.key, ${number})
      AND (seller_id, key, number) >= (i.seller_id, i.key, 0) AND request_id <> i.request_id ${condition}
    ORDER BY seller_id DESC, key DESC, number DESC LIMIT i.max_rows) AS s`;
const FOUND = 'i.index, s.amount, s.created_at AS "createdAt"';
const findOfSellers = (condition: string): string => `
  SELECT ${FOUND} FROM ${newest('$1', 'i.number', condition)} ORDER BY i.index, s.number DESC`;
const findOfAll = (condition: string): string => `
  SELECT amount, created_at AS "createdAt" FROM risk_signals
  WHERE (key, number) < ($1, $2) AND (key, number) >= ($1, 0) AND request_id <> $3 ${condition}
  ORDER BY key DESC, number DESC LIMIT $4`;
const DECLINED = 'AND declined IS NOT FALSE';
const OF_SELLERS = {
  charges: { name: 'find-risk-charges', text: findOfSellers('') },
  declines: { name: 'find-risk-declines', text: findOfSellers(DECLINED) },
};
const OF_ALL = {
  charges: { name: 'find-risk-charges-of-all', text: findOfAll('') },
  declines: { name: 'find-risk-declines-of-all', text: findOfAll(DECLINED) },
};
const INSERT_AND_FIND: NamedStatement = {
  name: 'insert-risk-signals-and-find-declines',
  text: `${INSERT}
    SELECT c.number, ${FOUND}
    FROM clock AS c LEFT JOIN (${newest('$3', 'c.number', DECLINED)}) ON true
    ORDER BY i.index, s.number DESC`,
};

const toCountRows = (counts: readonly (CountOfCharge & { readonly number?: number })[]): string =>
  JSON.stringify(
    counts.map(({ sellerId, key, requestId, number, limit }, index) => ({
      index,
      seller_id: sellerId,
      key,
      request_id: requestId,
      number,
      max_rows: limit,
    })),
  );

/**
 * Inserts the signals of a batch and finds declines of their own sellers before it, newest first.
 * For a batch without locks: its declines need not be exact, so one statement is enough.
 */
export async function insertSignalsAndFindDeclines(
  query: RunStatement,
  charges: readonly NewSignals[],
  counts: readonly CountOfCharge[],
): Promise<{ readonly number: number; readonly found: readonly IndexedRow[] }> {
  const values = [...toInsertValues(charges), toCountRows(counts)];
  const rows = await query<Numbered & (IndexedRow | { index: null })>(INSERT_AND_FIND, values);
  return { number: numberOf(rows), found: rows.filter((row) => row.index !== null) };
}

/** Finds what charges count of their own sellers, newest first. */
export async function findCountedOfSellers(
  query: RunStatement,
  counts: readonly Count[],
  declinesOnly: boolean,
): Promise<readonly IndexedRow[]> {
  return query(OF_SELLERS[declinesOnly ? 'declines' : 'charges'], [toCountRows(counts)]);
}

/** Finds what a charge counts of all sellers, newest first. */
export async function findCountedOfAll(
  query: RunStatement,
  { key, declinesOnly, number, requestId, limit }: Omit<Count, 'sellerId' | 'scope'>,
): Promise<readonly CountedRow[]> {
  return query(OF_ALL[declinesOnly ? 'declines' : 'charges'], [key, number, requestId, limit]);
}

/** By the index of transactions, whatever the statistics: all its columns are given. */
const ofTransaction = ({ sellerId, id, createdAt }: SignalsKey) =>
  sql`created_at = ${createdAt} AND seller_id = ${sellerId} AND transaction_id = ${id}`;

/** The signals of a transaction. */
export type SignalsKey = TransactionKey & { readonly createdAt: Date };

const RECORD_DECLINES: NamedStatement = {
  name: 'record-risk-declines',
  text: `
    UPDATE risk_signals AS s SET declined = true
    FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS t (seller_id, transaction_id, created_at)
    WHERE s.created_at = t.created_at AND s.seller_id = t.seller_id AND s.transaction_id = t.transaction_id
      AND s.seller_id = ANY ($1)`,
};

export async function recordDeclines(query: RunStatement, keys: readonly SignalsKey[]): Promise<void> {
  await query(RECORD_DECLINES, [
    keys.map(({ sellerId }) => sellerId),
    keys.map(({ id }) => id),
    keys.map(({ createdAt }) => createdAt),
  ]);
}

/** A card of a payment page has an outcome: unless it is a decline, it is none. */
export async function settleSignals(db: Db, key: SignalsKey): Promise<void> {
  await sql`
    UPDATE risk_signals SET declined = false WHERE ${ofTransaction(key)} AND declined IS NULL`.execute(db);
}

export async function deleteSignals(db: Db, key: SignalsKey): Promise<void> {
  const { sellerId, id } = key;
  await sql`DELETE FROM risk_signals WHERE ${ofTransaction(key)}`.execute(db);
  await sql`DELETE FROM risk_decisions WHERE seller_id = ${sellerId} AND transaction_id = ${id}`.execute(db);
}

/** Deletes by what the payer of a transaction is recognized. */
export async function eraseSignals(
  trx: DatabaseTransaction,
  { sellerId, id }: TransactionKey,
): Promise<void> {
  await sql`
    DELETE FROM risk_signals WHERE seller_id = ${sellerId} AND transaction_id = ${id} AND created_at = (
      SELECT created_at FROM transactions WHERE seller_id = ${sellerId} AND id = ${id})`.execute(trx);
}

export async function deleteSignalsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM risk_signals WHERE (created_at, seller_id, transaction_id) IN (
      SELECT created_at, seller_id, transaction_id FROM risk_signals WHERE created_at < ${before}
      ORDER BY created_at, seller_id, transaction_id LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export interface RiskDecision extends TransactionKey {
  readonly action: 'REVIEW' | 'REFUSE';
  readonly ruleId: string | null;
  readonly ruleName: string;
  readonly createdAt: Date;
}

export async function insertDecision(db: Db, decision: RiskDecision): Promise<void> {
  await db
    .insertInto('risk_decisions')
    .values({
      seller_id: decision.sellerId,
      transaction_id: decision.id,
      action: decision.action,
      rule_id: decision.ruleId,
      rule_name: decision.ruleName,
      created_at: decision.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findDecision(
  db: Db,
  { sellerId, id }: TransactionKey,
): Promise<RiskDecision | undefined> {
  const { rows } = await sql<RiskDecision>`
    SELECT seller_id AS "sellerId", transaction_id AS id, action, rule_id AS "ruleId",
      rule_name AS "ruleName", created_at AS "createdAt"
    FROM risk_decisions WHERE seller_id = ${sellerId} AND transaction_id = ${id}`.execute(db);
  return rows[0];
}

/** A transaction that waits for a review. */
export interface QueuedReview extends TransactionKey {
  readonly sellerName: string;
  readonly method: string;
  readonly status: string;
  readonly amount: number;
  readonly createdAt: Date;
}

const QUEUED = sql`risk_status = 'REVIEW' AND status IN ('PENDING', 'PROCESSING', 'AUTHORIZED')`;

/** The longest waiting first. */
export async function findQueue(
  db: Db,
  take: number,
  after: string | null,
): Promise<readonly QueuedReview[]> {
  const { rows } = await sql<QueuedReview>`
    SELECT seller_id AS "sellerId", id, method, status, amount, created_at AS "createdAt",
      (SELECT name FROM sellers WHERE sellers.id = seller_id) AS "sellerName"
    FROM transactions WHERE ${QUEUED} ${after === null ? sql`` : sql`AND id > ${after}`}
    ORDER BY id LIMIT ${take}`.execute(db);
  return rows;
}

/** Up to 10,000. */
export async function countQueue(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM transactions WHERE ${QUEUED} LIMIT 10000) AS q`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface Relative extends QueuedReview {
  readonly by: SignalKind;
  /** Of the signal: a higher one is newer. */
  readonly number: number;
}

const MAX_RELATIVES = 50;
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

export async function findSignals(db: Db, key: SignalsKey): Promise<readonly Signal[]> {
  const { rows } = await sql<Signal>`
    SELECT DISTINCT kind, key FROM risk_signals WHERE ${ofTransaction(key)} ORDER BY kind`.execute(db);
  return rows;
}

/** The newest charges of any seller that have the value of a signal in common. */
export async function findRelatives(
  db: Db,
  { key, kind }: Signal,
  { id }: TransactionKey,
): Promise<readonly Relative[]> {
  const found = sql<Relative>`
    SELECT s.seller_id AS "sellerId", s.transaction_id AS id, ${kind}::text AS by, t.method, t.status,
      t.amount, t.created_at AS "createdAt", s.number,
      (SELECT name FROM sellers WHERE sellers.id = s.seller_id) AS "sellerName"
    FROM (
      SELECT seller_id, transaction_id, number FROM risk_signals
      WHERE (key, number) >= (${key}, 0) AND (key, number) <= (${key}, ${MAX_NUMBER})
        AND transaction_id <> ${id}
      ORDER BY key DESC, number DESC LIMIT ${MAX_RELATIVES}) AS s
    CROSS JOIN LATERAL (
      SELECT method, status, amount, created_at FROM transactions
      WHERE seller_id = s.seller_id AND id = s.transaction_id OFFSET 0) AS t`;
  const ofShards = await onEachShard(db, async (shard) => (await found.execute(shard)).rows);
  const merged = ofShards.flat().toSorted((one, other) => other.number - one.number);
  return merged.slice(0, MAX_RELATIVES);
}
