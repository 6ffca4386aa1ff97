import { sql } from 'kysely';

import type { TransactionKey } from '#payments/transactions/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onEachShard } from '#platform/database/shards/each-shard.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import { SIGNAL_KINDS, type Scope, type SignalKind } from './rule.ts';

/** Keyed hashes of the values that a charge has, by their kinds. */
export type Signals = Partial<Readonly<Record<SignalKind, string>>>;

export interface NewSignals extends TransactionKey {
  readonly requestId: string;
  readonly signals: Signals;
  readonly amount: number;
  /** Null: counts as declined until it is settled. */
  readonly declined: false | null;
  /** Of the transaction. */
  readonly createdAt: Date;
  /** The keyed hashes whose charges must count each other exactly. */
  readonly locks: readonly string[];
}

const COLUMNS = SIGNAL_KINDS.join(', ');

/** Takes the locks, then the number, and inserts the signals. */
const INSERT = `
    locked AS MATERIALIZED (
      SELECT pg_advisory_xact_lock(hash) FROM (
        SELECT DISTINCT hashtextextended(key, 0) AS hash FROM unnest($2::text[]) AS k (key) ORDER BY 1) AS h
    ), clock AS MATERIALIZED (
      SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS number
      FROM (SELECT count(*) FROM locked) AS l
    ), inserted AS (
      INSERT INTO risk_signals (seller_id, transaction_id, number, request_id, amount, declined, created_at,
        ${COLUMNS})
      SELECT i.seller_id, i.transaction_id, c.number, i.request_id, i.amount, i.declined, i.created_at,
        ${COLUMNS}
      FROM clock AS c CROSS JOIN json_to_recordset($1::json) AS i (seller_id uuid, transaction_id uuid,
        request_id uuid, amount bigint, declined boolean, created_at timestamptz,
        ${SIGNAL_KINDS.map((kind) => `${kind} text`).join(', ')})
    )`;

const INSERT_ONLY: NamedStatement = {
  name: 'insert-risk-signals',
  text: `WITH ${INSERT} SELECT number FROM clock`,
};

function toInsertValues(charges: readonly NewSignals[]): readonly unknown[] {
  const rows = charges.map(({ sellerId, id, requestId, signals, amount, declined, createdAt }) => ({
    seller_id: sellerId,
    transaction_id: id,
    request_id: requestId,
    amount,
    declined,
    created_at: createdAt.toISOString(),
    ...signals,
  }));
  return [JSON.stringify(rows), [...new Set(charges.flatMap((charge) => charge.locks))]];
}

interface Numbered {
  readonly number: number;
}

function numberOf([first]: readonly Numbered[]): number {
  if (first === undefined) throw new Error('signals were inserted without a number');
  return first.number;
}

export interface CountQuery {
  readonly kind: SignalKind;
  /** Keyed hash. */
  readonly key: string;
  readonly declinesOnly: boolean;
  readonly scope: Scope;
  readonly limit: number;
}

/** What a charge counts: signals without those of its request. */
export type Count = CountQuery & Pick<NewSignals, 'sellerId' | 'requestId'>;

export interface CountedRow {
  readonly amount: number;
  readonly createdAt: Date;
}

/** A row that the count with this index has found. */
export type IndexedRow = CountedRow & { readonly index: number };

/** The index that a count reads. */
const branchOf = ({ kind, scope, declinesOnly }: CountQuery): string =>
  [kind, scope, declinesOnly ? 'declines' : 'charges'].join(' ');

/**
 * Reads the newest signals of each key, at most its limit. Row comparisons fit one index only,
 * whatever the statistics.
 */
function selectBranch(count: CountQuery, number: string): string {
  const { kind, scope, declinesOnly } = count;
  const [columns, key, order] =
    scope === 'SELLER'
      ? [`seller_id, ${kind}`, 'i.seller_id, i.key', `seller_id DESC, ${kind} DESC`]
      : [kind, 'i.key', `${kind} DESC`];
  return `
    SELECT i.index, s.amount, s.created_at, s.number FROM counts AS i CROSS JOIN LATERAL (
      SELECT amount, created_at, number FROM risk_signals
      WHERE (${columns}, number) < (${key}, ${number}) AND (${columns}, number) >= (${key}, 0)
        AND ${kind} IS NOT NULL ${declinesOnly ? 'AND declined IS NOT FALSE' : ''}
        AND request_id <> i.request_id
      ORDER BY ${order}, number DESC LIMIT i.max_rows) AS s
    WHERE i.branch = '${branchOf(count)}'`;
}

/**
 * The indexes that this process has read, with a count of each. A statement reads all of them, so
 * that a connection prepares few statements, whatever the charges of a batch have.
 */
const branches = new Map<string, CountQuery>();

/** Reads the counts of a batch, also inserts its signals. */
interface FindStatements {
  readonly find: NamedStatement;
  readonly insertAndFind: NamedStatement;
}

let statements: FindStatements | undefined;

function findStatements(counts: readonly CountQuery[]): FindStatements {
  const unknown = counts.filter((count) => !branches.has(branchOf(count)));
  for (const count of unknown) branches.set(branchOf(count), count);
  if (statements === undefined || unknown.length > 0) statements = toFindStatements([...branches.values()]);
  return statements;
}

const countsFrom = (values: string): string => `counts AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${values}::json) AS i (index integer, branch text, seller_id uuid,
        key text, request_id uuid, max_rows integer))`;

function toFindStatements(counts: readonly CountQuery[]): FindStatements {
  const parts = (number: string) => counts.map((count) => selectBranch(count, number)).join(' UNION ALL ');
  return {
    find: {
      name: `find-risk-signals-${counts.length}`,
      text: `
        WITH ${countsFrom('$1')} SELECT f.index, f.amount, f.created_at AS "createdAt"
        FROM (${parts('$2')}) AS f ORDER BY f.index, f.number DESC`,
    },
    insertAndFind: {
      name: `insert-and-find-risk-signals-${counts.length}`,
      text: `
        WITH ${INSERT}, ${countsFrom('$3')}
        SELECT c.number, f.index, f.amount, f.created_at AS "createdAt"
        FROM clock AS c LEFT JOIN (${parts('(SELECT number FROM clock)')}) AS f ON true
        ORDER BY f.index, f.number DESC`,
    },
  };
}

const toCountRows = (counts: readonly Count[]): string =>
  JSON.stringify(
    counts.map((count, index) => ({
      index,
      branch: branchOf(count),
      seller_id: count.sellerId,
      key: count.key,
      request_id: count.requestId,
      max_rows: count.limit,
    })),
  );

/** Inserts the signals of a batch. Returns its number, which is higher than that of all before it. */
export async function insertSignals(query: RunStatement, charges: readonly NewSignals[]): Promise<number> {
  return numberOf(await query<Numbered>(INSERT_ONLY, toInsertValues(charges)));
}

/**
 * Inserts the signals of a batch and finds what it counts before it, newest first. For a batch
 * without locks: what it counts need not be exact, so one statement is enough.
 */
export async function insertAndFindSignals(
  query: RunStatement,
  charges: readonly NewSignals[],
  counts: readonly Count[],
): Promise<{ readonly number: number; readonly found: readonly IndexedRow[] }> {
  const values = [...toInsertValues(charges), toCountRows(counts)];
  const rows = await query<Numbered & (IndexedRow | { index: null })>(
    findStatements(counts).insertAndFind,
    values,
  );
  return { number: numberOf(rows), found: rows.filter((row) => row.index !== null) };
}

/** Finds what charges count before a number, newest first. */
export async function findCounted(
  query: RunStatement,
  counts: readonly Count[],
  number: number,
): Promise<readonly IndexedRow[]> {
  return query(findStatements(counts).find, [toCountRows(counts), number]);
}

/**
 * Finds what a charge counts of all sellers, newest first. For a distributed database, which has no
 * such joins over all shards.
 */
export async function findCountedOfAll(
  query: RunStatement,
  { kind, key, declinesOnly, requestId, limit }: CountQuery & Pick<Count, 'requestId'>,
  number: number,
): Promise<readonly CountedRow[]> {
  const name = `find-risk-${kind}-${declinesOnly ? 'declines' : 'charges'}-of-all`;
  const text = `
    SELECT amount, created_at AS "createdAt" FROM risk_signals
    WHERE (${kind}, number) < ($1, $2) AND (${kind}, number) >= ($1, 0) AND ${kind} IS NOT NULL
      ${declinesOnly ? 'AND declined IS NOT FALSE' : ''} AND request_id <> $3
    ORDER BY ${kind} DESC, number DESC LIMIT $4`;
  return query({ name, text }, [key, number, requestId, limit]);
}

const RECORD_DECLINES: NamedStatement = {
  name: 'record-risk-declines',
  text: `
    UPDATE risk_signals AS s SET declined = true
    FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS t (seller_id, transaction_id, created_at)
    WHERE s.created_at = t.created_at AND s.seller_id = t.seller_id AND s.transaction_id = t.transaction_id
      AND s.seller_id = ANY ($1)`,
};

/** The signals of a transaction. */
export type SignalsKey = TransactionKey & { readonly createdAt: Date };

export async function recordDeclines(query: RunStatement, keys: readonly SignalsKey[]): Promise<void> {
  await query(RECORD_DECLINES, [
    keys.map(({ sellerId }) => sellerId),
    keys.map(({ id }) => id),
    keys.map(({ createdAt }) => createdAt),
  ]);
}

const ofTransaction = ({ sellerId, id, createdAt }: SignalsKey) =>
  sql`created_at = ${createdAt} AND seller_id = ${sellerId} AND transaction_id = ${id}`;

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

export async function findSignals(db: Db, key: SignalsKey): Promise<Signals> {
  const { rows } = await sql<Signals>`
    SELECT ${sql.raw(COLUMNS)} FROM risk_signals WHERE ${ofTransaction(key)}`.execute(db);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, value]) => value !== null));
}

/** The newest charges of any seller that have the value of a signal in common. */
export async function findRelatives(
  db: Db,
  [kind, value]: readonly [SignalKind, string],
  { id }: TransactionKey,
): Promise<readonly Relative[]> {
  const column = sql.ref(kind);
  const found = sql<Relative>`
    SELECT s.seller_id AS "sellerId", s.transaction_id AS id, ${kind}::text AS by, t.method, t.status,
      t.amount, t.created_at AS "createdAt", s.number,
      (SELECT name FROM sellers WHERE sellers.id = s.seller_id) AS "sellerName"
    FROM (
      SELECT seller_id, transaction_id, number FROM risk_signals
      WHERE (${column}, number) >= (${value}, 0) AND (${column}, number) <= (${value}, ${MAX_NUMBER})
        AND ${column} IS NOT NULL AND transaction_id <> ${id}
      ORDER BY ${column} DESC, number DESC LIMIT ${MAX_RELATIVES}) AS s
    CROSS JOIN LATERAL (
      SELECT method, status, amount, created_at FROM transactions
      WHERE seller_id = s.seller_id AND id = s.transaction_id OFFSET 0) AS t`;
  const ofShards = await onEachShard(db, async (shard) => (await found.execute(shard)).rows);
  const merged = ofShards.flat().toSorted((one, other) => other.number - one.number);
  return merged.slice(0, MAX_RELATIVES);
}
