import { sql } from 'kysely';

import type { TransactionKey } from '#payments/transactions/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { MAX_COUNTED, type SignalKind } from './rule.ts';

export interface Signal {
  readonly kind: SignalKind;
  /** Keyed hash of the kind and the value. */
  readonly key: string;
}

export interface NewSignals extends TransactionKey {
  readonly requestId: string;
  readonly signals: readonly Signal[];
  readonly amount: number;
  readonly isCard: boolean;
  readonly createdAt: Date;
}

/** Serializes charges with a value in common until the end of the transaction. */
export async function lockKeys(trx: DatabaseTransaction, keys: readonly string[]): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(k, 0))
    FROM unnest(${keys.toSorted()}::text[]) AS k`.execute(trx);
}

export async function insertSignals(
  trx: DatabaseTransaction,
  { sellerId, id, requestId, signals, amount, isCard, createdAt }: NewSignals,
): Promise<void> {
  await trx
    .insertInto('risk_signals')
    .values(
      signals.map(({ kind, key }) => ({
        seller_id: sellerId,
        transaction_id: id,
        request_id: requestId,
        key,
        kind,
        amount,
        is_card: isCard,
        created_at: createdAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface CountQuery {
  readonly key: string;
  /** Not counted. */
  readonly exceptRequest: string;
  readonly declinesOnly: boolean;
  /** Null: of all sellers. */
  readonly sellerId: string | null;
  readonly since: Date;
  readonly limit: number;
}

export interface CountedRow {
  /** The index of its query. */
  readonly index: number;
  readonly amount: number;
  readonly createdAt: Date;
}

type Newest = Pick<CountQuery, 'key' | 'exceptRequest' | 'since' | 'sellerId'>;

const newestOf = ({ key, exceptRequest, since, sellerId }: Newest, limit: number) => sql`
  SELECT seller_id, transaction_id, amount, is_card, created_at FROM risk_signals
  WHERE key = ${key} AND created_at > ${since} AND request_id <> ${exceptRequest}
    ${sellerId === null ? sql`` : sql`AND seller_id = ${sellerId}`}
  ORDER BY created_at DESC LIMIT ${limit}`;

/**
 * Finds what all queries count, newest first, in one statement. A card without an outcome counts as
 * declined, so that cards cannot be tested faster than a provider answers. What a rule refused is no
 * decline: nobody has seen the card.
 */
export async function findCounted(
  trx: DatabaseTransaction,
  queries: readonly CountQuery[],
): Promise<readonly CountedRow[]> {
  const parts = queries.map(({ declinesOnly, limit, ...query }, index) =>
    declinesOnly
      ? sql`(
      SELECT ${sql.lit(index)}::integer AS index, s.amount, s.created_at AS "createdAt"
      FROM (${newestOf(query, MAX_COUNTED)}) AS s
      LEFT JOIN transactions t ON t.seller_id = s.seller_id AND t.id = s.transaction_id
      WHERE s.is_card AND t.risk_status IS DISTINCT FROM 'REFUSED'
        AND (t.id IS NULL OR t.status IN ('PENDING', 'PROCESSING', 'FAILED', 'REFUSED'))
      ORDER BY s.created_at DESC LIMIT ${limit})`
      : sql`(
      SELECT ${sql.lit(index)}::integer AS index, s.amount, s.created_at AS "createdAt"
      FROM (${newestOf(query, limit)}) AS s)`,
  );
  return (await sql<CountedRow>`${sql.join(parts, sql` UNION ALL `)}`.execute(trx)).rows;
}

export async function deleteSignals(db: Db, { sellerId, id }: TransactionKey): Promise<void> {
  await sql`DELETE FROM risk_signals WHERE seller_id = ${sellerId} AND transaction_id = ${id}`.execute(db);
  await sql`DELETE FROM risk_decisions WHERE seller_id = ${sellerId} AND transaction_id = ${id}`.execute(db);
}

export async function deleteSignalsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM risk_signals WHERE (seller_id, transaction_id, key) IN (
      SELECT seller_id, transaction_id, key FROM risk_signals WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export interface RiskDecision extends TransactionKey {
  readonly action: 'REVIEW' | 'REFUSE';
  readonly ruleId: string | null;
  readonly ruleName: string;
  readonly createdAt: Date;
}

export async function insertDecision(trx: DatabaseTransaction, decision: RiskDecision): Promise<void> {
  await trx
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
    SELECT seller_id AS "sellerId", id, method, status, amount, created_at AS "createdAt"
    FROM transactions WHERE ${QUEUED} ${after === null ? sql`` : sql`AND id > ${after}`}
    ORDER BY id LIMIT ${take}`.execute(db);
  return rows;
}

/** Up to 10,000. */
export async function countQueue(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT FROM transactions WHERE ${QUEUED} LIMIT 10000) AS q`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface Relative extends TransactionKey {
  readonly by: SignalKind;
  readonly method: string;
  readonly status: string;
  readonly amount: number;
  readonly createdAt: Date;
}

const MAX_RELATIVES = 50;

/** The signals of a transaction. */
export async function findSignals(db: Db, { sellerId, id }: TransactionKey): Promise<readonly Signal[]> {
  const { rows } = await sql<Signal>`
    SELECT kind, key FROM risk_signals WHERE seller_id = ${sellerId} AND transaction_id = ${id}
    ORDER BY kind`.execute(db);
  return rows;
}

/** The newest charges of any seller that have the value of a signal in common. */
export async function findRelatives(
  db: Db,
  { key, kind }: Signal,
  { id }: TransactionKey,
): Promise<readonly Relative[]> {
  const { rows } = await sql<Relative>`
    SELECT s.seller_id AS "sellerId", s.transaction_id AS id, ${kind}::text AS by, t.method, t.status,
      t.amount, t.created_at AS "createdAt"
    FROM (
      SELECT seller_id, transaction_id, created_at FROM risk_signals
      WHERE key = ${key} AND transaction_id <> ${id}
      ORDER BY created_at DESC LIMIT ${MAX_RELATIVES}) AS s
    CROSS JOIN LATERAL (
      SELECT method, status, amount, created_at FROM transactions
      WHERE seller_id = s.seller_id AND id = s.transaction_id OFFSET 0) AS t
    ORDER BY s.created_at DESC`.execute(db);
  return rows;
}
