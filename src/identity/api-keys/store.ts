import { sql, type Selectable, type SqlBool } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { ApiKeys } from '#platform/database/types.gen.ts';
import type { SellerRole } from '#platform/kit/permissions.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';

export interface ApiKey {
  readonly id: string;
  readonly sellerId: string;
  readonly name: string;
  /** What may be shown of the key. */
  readonly prefix: string;
  readonly role: SellerRole;
  readonly hash: Buffer;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A key that is there already stays as it is; then this is false. */
export async function insertApiKey(db: Db, key: ApiKey): Promise<boolean> {
  const inserted = await db
    .insertInto('api_keys')
    .values({
      id: key.id,
      seller_id: key.sellerId,
      name: key.name,
      prefix: key.prefix,
      role: key.role,
      key_hash: key.hash,
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
    })
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * False where the seller has `limit` keys already. In a transaction of the caller's: the seller's row is locked until its
 * end, so that two at once cannot both be the last.
 */
export async function insertApiKeyWithinLimit(trx: Db, key: ApiKey, limit: number): Promise<boolean> {
  await trx
    .selectFrom('sellers')
    .select('id')
    .where('id', '=', key.sellerId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const count = await countRows(trx.selectFrom('api_keys').where('seller_id', '=', key.sellerId));
  return count < limit && insertApiKey(trx, key);
}

/** Newest first. */
export async function findApiKeys(db: Db, sellerId: string): Promise<readonly ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toApiKey);
}

/** The key as it was; undefined where there is none. */
export async function deleteApiKey(db: Db, sellerId: string, id: string): Promise<ApiKey | undefined> {
  const deleted = await db
    .deleteFrom('api_keys')
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return deleted === undefined ? undefined : toApiKey(deleted);
}

export interface AuthenticatedKey {
  readonly id: string;
  readonly sellerId: string;
  readonly name: string;
  readonly role: SellerRole;
}

/** By the hash, in hexadecimal. */
export async function findKeysByHash(
  db: Db,
  hashes: readonly Buffer[],
): Promise<ReadonlyMap<string, AuthenticatedKey>> {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'seller_id', 'name', 'role', 'key_hash'])
    .where(sql<SqlBool>`key_hash = ANY (${hashes}::bytea[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.key_hash.toString('hex'),
      { id: row.id, sellerId: row.seller_id, name: row.name, role: roleOf(row.role) },
    ]),
  );
}

export interface KeyUsage {
  readonly sellerId: string;
  readonly id: string;
  readonly at: Date;
}

/** Writes down when keys were used; of several nodes that tell of one key the latest time stays. */
export async function updateLastUsedAt(db: Db, uses: readonly KeyUsage[]): Promise<void> {
  const sellerIds = uses.map((use) => use.sellerId);
  await sql`
    UPDATE api_keys k SET last_used_at = u.at
    FROM unnest(
      ${sellerIds}::uuid[], ${uses.map((use) => use.id)}::uuid[], ${uses.map((use) => use.at)}::timestamptz[]
    ) AS u (seller_id, id, at)
    WHERE k.seller_id = ANY (${sellerIds}::uuid[]) AND k.seller_id = u.seller_id AND k.id = u.id
      AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`.execute(db);
}

function toApiKey(row: Selectable<ApiKeys>): ApiKey {
  return {
    id: row.id,
    sellerId: row.seller_id,
    name: row.name,
    prefix: row.prefix,
    role: roleOf(row.role),
    hash: row.key_hash,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

/** The table's CHECK admits the four roles; whatever else is read counts as the least of them. */
const roleOf = (text: string): SellerRole => SELLER_ROLES.find((role) => role === text) ?? 'VIEWER';
