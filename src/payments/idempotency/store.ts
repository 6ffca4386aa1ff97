import { onReachableShards } from '#platform/database/shards/each-shard.ts';
import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';

/** Keys of one seller and operation are independent of those of another. */
export interface IdempotencyKey {
  readonly sellerId: string;
  readonly operation: string;
  readonly key: string;
}

export interface IdempotencyRecord {
  readonly recordId: string;
  readonly bodyHash: Buffer;
  readonly response: unknown;
  readonly createdAt: Date;
}

/**
 * Inserts a key. Returns false if it exists. Waits for a concurrent transaction that is inserting
 * the same key.
 */
export async function insertKey(
  trx: DatabaseTransaction,
  { sellerId, operation, key }: IdempotencyKey,
  { recordId, bodyHash, createdAt }: Omit<IdempotencyRecord, 'response'>,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('idempotency_keys')
    .values({
      seller_id: sellerId,
      operation,
      key,
      body_hash: bodyHash,
      record_id: recordId,
      response: null,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findKey(
  db: Db,
  { sellerId, operation, key }: IdempotencyKey,
): Promise<IdempotencyRecord | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['record_id as recordId', 'body_hash as bodyHash', 'response', 'created_at as createdAt'])
    .where((eb) => eb.and({ seller_id: sellerId, operation, key }))
    .executeTakeFirst();
}

/** Stores the response with its key. A response that is already stored stays. */
export async function saveResponse(
  trx: DatabaseTransaction,
  { sellerId, operation, key }: IdempotencyKey,
  response: string,
): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ response })
    .where((eb) => eb.and({ seller_id: sellerId, operation, key }))
    .where('response', 'is', null)
    .execute();
}

const SAVE_RESPONSES: NamedStatement = {
  name: 'save-idempotent-responses',
  text: `
    UPDATE idempotency_keys AS k SET response = r.response
    FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::json[]) AS r (seller_id, operation, key, response)
    WHERE k.seller_id = r.seller_id AND k.operation = r.operation AND k.key = r.key AND k.response IS NULL
      AND k.seller_id = ANY ($1)`,
};

/** Stores the responses of a batch with their keys. A response that is already stored stays. */
export async function saveResponses(
  query: RunStatement,
  responses: readonly (IdempotencyKey & { readonly response: string })[],
): Promise<void> {
  await query(SAVE_RESPONSES, [
    responses.map(({ sellerId }) => sellerId),
    responses.map(({ operation }) => operation),
    responses.map(({ key }) => key),
    responses.map(({ response }) => response),
  ]);
}

/** Deletes a key if it was created before the given time. */
export async function deleteExpiredKey(
  db: Db,
  { sellerId, operation, key }: IdempotencyKey,
  before: Date,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where((eb) => eb.and({ seller_id: sellerId, operation, key }))
    .where('created_at', '<', before)
    .execute();
}

/**
 * Deletes keys created before `before`, the oldest first. By `ctid`, since a generic plan would
 * join them with the whole table.
 */
export async function deleteKeysBefore(db: Db, before: Date, limit: number): Promise<number> {
  const oldest = sql`
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_keys WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}))`;
  const deleted = await onReachableShards(db, (shard) => oldest.execute(shard));
  return Math.max(...deleted.map(({ numAffectedRows }) => Number(numAffectedRows ?? 0)));
}
