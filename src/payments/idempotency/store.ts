import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';

export interface IdempotencyRecord {
  readonly recordId: string;
  readonly bodyHash: Buffer;
  readonly response: unknown;
  readonly createdAt: Date;
}

export interface IdempotencyKey {
  readonly sellerId: string;
  readonly operation: string;
  readonly key: string;
}

/** True where the key was free and is now the caller's. Waits for a transaction that is just taking the same key. */
export async function insertKey(
  db: Db,
  name: IdempotencyKey,
  values: { readonly recordId: string; readonly bodyHash: Buffer; readonly createdAt: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('idempotency_keys')
    .values({
      seller_id: name.sellerId,
      operation: name.operation,
      key: name.key,
      body_hash: values.bodyHash,
      record_id: values.recordId,
      response: null,
      created_at: values.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findKey(db: Db, name: IdempotencyKey): Promise<IdempotencyRecord | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['record_id', 'body_hash', 'response', 'created_at'])
    .where('seller_id', '=', name.sellerId)
    .where('operation', '=', name.operation)
    .where('key', '=', name.key)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    recordId: row.record_id,
    bodyHash: row.body_hash,
    response: row.response,
    createdAt: row.created_at,
  };
}

/** Keeps the answer with the key; the first one stays. */
export async function saveResponse(db: Db, name: IdempotencyKey, response: string): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ response })
    .where('seller_id', '=', name.sellerId)
    .where('operation', '=', name.operation)
    .where('key', '=', name.key)
    .where('response', 'is', null)
    .execute();
}

/** Frees a key whose life is over. */
export async function deleteExpiredKey(db: Db, name: IdempotencyKey, before: Date): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('seller_id', '=', name.sellerId)
    .where('operation', '=', name.operation)
    .where('key', '=', name.key)
    .where('created_at', '<', before)
    .execute();
}

/** Deletes keys created before `before`, the oldest first. */
export async function deleteKeysBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM idempotency_keys WHERE (seller_id, operation, key) IN (
      SELECT seller_id, operation, key FROM idempotency_keys WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
