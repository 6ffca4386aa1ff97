import { sql } from 'kysely';

import type { TransactionKey } from '#payments/transactions/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onEachShard } from '#platform/database/shards/each-shard.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import { SIGNAL_KINDS, type Scope, type SignalKind } from './rule.ts';

/** Keyed hashes of the values that a charge has, by their kinds. */
export type Signals = Partial<Readonly<Record<SignalKind, string>>>;

interface NewSignals extends TransactionKey {
  readonly requestId: string;
  readonly signals: Signals;
  readonly amount: number;
  /** Null: counts as declined until it is settled. */
  readonly declined: false | null;
  /** Whether a rule counts the charges of its seller, which needs more index entries. */
  readonly countedBySeller: boolean;
  /** Creation of the transaction. */
  readonly createdAt: Date;
  /** The keyed hashes whose charges must count each other exactly. */
  readonly locks: readonly string[];
}

/** The index that counts read. */
interface Branch {
  /** Identifies the index. */
  readonly name: string;
  readonly kind: SignalKind;
  readonly declinesOnly: boolean;
  readonly scope: Scope;
}

/** A count by one of the signals of a charge. */
export interface CountQuery extends Branch {
  readonly limit: number;
}

/** A charge with the counts that its rules need: signals without those of its request. */
export interface Attempt extends NewSignals {
  readonly queries: readonly CountQuery[];
}

export interface CountedRow {
  readonly amount: number;
  readonly createdAt: Date;
}

/** The rows that the queries of an attempt count, newest first. */
export type CountedRows = readonly (readonly CountedRow[])[];

const COLUMNS = SIGNAL_KINDS.join(', ');

const INPUT = `
    input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS i (index integer, branches integer, seller_id uuid,
        transaction_id uuid, request_id uuid, amount bigint, declined boolean, counted_by_seller boolean,
        created_at timestamptz, ${SIGNAL_KINDS.map((kind) => `${kind} text`).join(', ')})
    )`;

/** Takes the locks, then the number, and inserts the signals. */
const INSERT = `${INPUT}, locked AS MATERIALIZED (
      SELECT pg_advisory_xact_lock(hash) FROM (
        SELECT DISTINCT hashtextextended(key, 0) AS hash FROM unnest($2::text[]) AS k (key) ORDER BY 1) AS h
    ), clock AS MATERIALIZED (
      SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS number
      FROM (SELECT count(*) FROM locked) AS l
    ), inserted AS (
      INSERT INTO risk_signals (seller_id, transaction_id, number, request_id, amount, declined,
        counted_by_seller, created_at, ${COLUMNS})
      SELECT i.seller_id, i.transaction_id, c.number, i.request_id, i.amount, i.declined,
        i.counted_by_seller, i.created_at, ${COLUMNS}
      FROM clock AS c CROSS JOIN input AS i
      -- The batch is repeated if its response was lost.
      ON CONFLICT DO NOTHING
    )`;

const INSERT_ONLY: NamedStatement = {
  name: 'insert-risk-signals',
  text: `WITH ${INSERT} SELECT number FROM clock`,
};

/**
 * The indexes that this process has read, at most one for each kind, scope and kind of outcome. A
 * statement has a part for each of them, so that a connection prepares few statements, whatever the
 * charges of a batch have.
 */
const branches: Branch[] = [];
/** By the name of the branch. */
const positions = new Map<string, number>();

function positionOf({ name }: Branch): number {
  const position = positions.get(name);
  if (position === undefined) throw new Error(`no statement reads ${name}`);
  return position;
}

/**
 * Reads the newest signals before a number, at most the limit of the branch. Row comparisons fit
 * one index only, whatever the statistics.
 */
function selectBranch({ kind, scope, declinesOnly }: Branch, position: number, number: string): string {
  const [columns, key, order, charges] =
    scope === 'SELLER'
      ? [`seller_id, ${kind}`, `i.seller_id, i.${kind}`, `seller_id DESC, ${kind} DESC`, 'counted_by_seller']
      : [kind, `i.${kind}`, `${kind} DESC`, 'true'];
  return `
    SELECT i.index, ${position} AS branch, s.amount, s.created_at, s.number
    FROM input AS i CROSS JOIN LATERAL (
      SELECT amount, created_at, number FROM risk_signals
      WHERE (${columns}, number) < (${key}, ${number}) AND (${columns}, number) >= (${key}, 0)
        AND ${kind} IS NOT NULL AND ${declinesOnly ? 'declined IS NOT FALSE' : charges}
        AND request_id <> i.request_id
      ORDER BY ${order}, number DESC LIMIT ($3::integer[])[${position + 1}]) AS s
    WHERE i.branches & ${1 << position} <> 0`;
}

interface FindStatements {
  readonly find: NamedStatement;
  readonly insertAndFind: NamedStatement;
}

let statements: FindStatements | undefined;

function findStatements(queries: readonly CountQuery[]): FindStatements {
  const known = branches.length;
  for (const query of queries) {
    if (positions.has(query.name)) continue;
    positions.set(query.name, branches.length);
    branches.push(query);
  }
  if (statements === undefined || branches.length > known) statements = toFindStatements();
  return statements;
}

function toFindStatements(): FindStatements {
  const parts = (number: string) =>
    branches.map((branch, position) => selectBranch(branch, position, number)).join(' UNION ALL ');
  const found = 'f.index, f.branch, f.amount, f.created_at AS "createdAt"';
  const order = 'ORDER BY f.index, f.branch, f.number DESC';
  return {
    find: {
      name: `find-risk-signals-${branches.length}`,
      text: `WITH ${INPUT} SELECT ${found} FROM (${parts('$2')}) AS f ${order}`,
    },
    insertAndFind: {
      name: `insert-and-find-risk-signals-${branches.length}`,
      text: `WITH ${INSERT}
        SELECT c.number, ${found}
        FROM clock AS c LEFT JOIN (${parts('(SELECT number FROM clock)')}) AS f ON true ${order}`,
    },
  };
}

const toRows = (charges: readonly Attempt[]): string =>
  JSON.stringify(
    charges.map(({ id, signals, amount, declined, queries, ...charge }, index) => ({
      index,
      branches: queries.reduce((mask, query) => mask | (1 << positionOf(query)), 0),
      seller_id: charge.sellerId,
      transaction_id: id,
      request_id: charge.requestId,
      amount,
      declined,
      counted_by_seller: charge.countedBySeller,
      created_at: charge.createdAt.toISOString(),
      ...signals,
    })),
  );

/** The largest limit of each branch. */
function limitsOf(queries: readonly CountQuery[]): readonly number[] {
  const limits = branches.map(() => 0);
  for (const query of queries) {
    const position = positionOf(query);
    limits[position] = Math.max(limits[position] ?? 0, query.limit);
  }
  return limits;
}

interface Numbered {
  readonly number: number;
}

/** Of the charge with this index; null if nothing was found. */
type FoundRow = CountedRow & { readonly index: number | null; readonly branch: number };

function numberOf([first]: readonly Numbered[]): number {
  if (first === undefined) throw new Error('signals were inserted without a number');
  return first.number;
}

/** The rows of each query of each charge. */
function toCountedRows(charges: readonly Attempt[], found: readonly FoundRow[]): readonly CountedRows[] {
  const rows = charges.map(() => branches.map((): CountedRow[] => []));
  for (const row of found) if (row.index !== null) rows[row.index]?.[row.branch]?.push(row);
  return charges.map(({ queries }, index) =>
    queries.map((query) => (rows[index]?.[positionOf(query)] ?? []).slice(0, query.limit)),
  );
}

const locksOf = (charges: readonly Attempt[]): readonly string[] => [
  ...new Set(charges.flatMap(({ locks }) => locks)),
];

/** The counts of a batch. Its number is higher than that of all before it. */
export interface CountedBatch extends Numbered {
  readonly rows: readonly CountedRows[];
}

/**
 * Inserts the signals of a batch, and reads what it counts. What must be exact is read once the
 * locks are held, by a statement of its own.
 */
export async function insertAndCount(
  query: RunStatement,
  charges: readonly Attempt[],
): Promise<CountedBatch> {
  const queries = charges.flatMap((charge) => charge.queries);
  const { find, insertAndFind } = findStatements(queries);
  const [rows, locks, limits] = [toRows(charges), locksOf(charges), limitsOf(queries)];
  if (queries.length > 0 && locks.length === 0 && queries.every(({ declinesOnly }) => declinesOnly)) {
    const found = await query<Numbered & FoundRow>(insertAndFind, [rows, locks, limits]);
    return { number: numberOf(found), rows: toCountedRows(charges, found) };
  }
  const number = numberOf(await query<Numbered>(INSERT_ONLY, [rows, locks]));
  const found = queries.length === 0 ? [] : await query<FoundRow>(find, [rows, number, limits]);
  return { number, rows: toCountedRows(charges, found) };
}

/**
 * Finds the charges of all sellers for a count, newest first. For a distributed database, which has
 * no such joins over all shards.
 */
export async function findCountedOfAll(
  query: RunStatement,
  { requestId, signals }: Pick<Attempt, 'requestId' | 'signals'>,
  { kind, declinesOnly, limit }: CountQuery,
  number: number,
): Promise<readonly CountedRow[]> {
  const name = `find-risk-${kind}-${declinesOnly ? 'declines' : 'charges'}-of-all`;
  const text = `
    SELECT amount, created_at AS "createdAt" FROM risk_signals
    WHERE (${kind}, number) < ($1, $2) AND (${kind}, number) >= ($1, 0) AND ${kind} IS NOT NULL
      ${declinesOnly ? 'AND declined IS NOT FALSE' : ''} AND request_id <> $3
    ORDER BY ${kind} DESC, number DESC LIMIT $4`;
  return query({ name, text }, [signals[kind], number, requestId, limit]);
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

/** Deletes the signals by which the payer of a transaction is recognized. */
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

export const MAX_RELATIVES = 50;
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
