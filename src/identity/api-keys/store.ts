import { sql, type Selectable } from 'kysely';

import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { ApiKeys } from '#platform/database/types.gen.ts';
import { SELLER_ROLES, type SellerRole } from '#platform/kit/permissions.ts';

export interface ApiKey {
  readonly id: string;
  readonly sellerId: string;
  readonly name: string;
  /** The first characters of the key, which may be shown. */
  readonly prefix: string;
  readonly role: SellerRole;
  readonly hash: Buffer;
  /** The user who created the key, also after a deletion. Null for the gateway. */
  readonly creatorId: string | null;
  readonly creatorName: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Returns false if the key is stored already; its row stays unchanged. */
export async function insertApiKey(
  trx: DatabaseTransaction,
  { hash: keyHash, ...key }: ApiKey,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('api_keys')
    .values(toColumns({ ...key, keyHash }))
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Returns false if the seller has `limit` keys already. Locks the seller's row until the end of the
 * transaction, so that concurrent creations cannot exceed the limit.
 */
export async function insertApiKeyWithinLimit(
  trx: DatabaseTransaction,
  key: ApiKey,
  limit: number,
): Promise<boolean> {
  await trx
    .selectFrom('sellers')
    .select('id')
    .where('id', '=', key.sellerId)
    .forNoKeyUpdate()
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

/** Returns the deleted key; undefined if there is none. */
export async function deleteApiKey(
  trx: DatabaseTransaction,
  sellerId: string,
  id: string,
): Promise<ApiKey | undefined> {
  const deleted = await trx
    .deleteFrom('api_keys')
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .returningAll()
    .executeTakeFirst();
  await invalidateCaches(trx, [id]);
  return deleted === undefined ? undefined : toApiKey(deleted);
}

/** Deletes the keys of these roles that a user created. Returns them. */
export async function deleteKeysOfCreator(
  trx: DatabaseTransaction,
  { sellerId, userId: creatorId }: { readonly sellerId: string; readonly userId: string },
  roles: readonly SellerRole[],
): Promise<readonly ApiKey[]> {
  const deleted = await trx
    .deleteFrom('api_keys')
    .where((eb) => eb.and({ seller_id: sellerId, creator_id: creatorId }))
    .where('role', '=', sql<string>`ANY (${roles}::text[])`)
    .returningAll()
    .execute();
  await invalidateCaches(
    trx,
    deleted.map((key) => key.id),
  );
  return deleted.map(toApiKey);
}

/** What a request needs to know of its API key. */
export type AuthenticatedKey = Pick<ApiKey, 'id' | 'sellerId' | 'name' | 'role' | 'prefix'>;

type KeyRow = Pick<Selectable<ApiKeys>, 'id' | 'seller_id' | 'name' | 'role' | 'prefix' | 'key_hash'>;

const FIND_KEYS_BY_HASH: NamedStatement = {
  name: 'find-keys-by-hash',
  text: 'SELECT id, seller_id, name, role, prefix, key_hash FROM api_keys WHERE key_hash = ANY ($1::bytea[])',
};

/** By the hash, in hexadecimal. */
export async function findKeysByHash(
  query: RunStatement,
  hashes: readonly Buffer[],
): Promise<ReadonlyMap<string, AuthenticatedKey>> {
  const rows = await query<KeyRow>(FIND_KEYS_BY_HASH, [hashes]);
  return new Map(
    rows.map(({ id, seller_id: sellerId, name, role, prefix, key_hash: hash }) => [
      hash.toString('hex'),
      { id, sellerId, name, role: toRole(role), prefix },
    ]),
  );
}

export interface KeyUsage {
  readonly sellerId: string;
  readonly id: string;
  readonly at: Date;
}

/** Writes times of use. The latest one wins when several processes write the same key. */
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

const toApiKey = ({ key_hash: hash, ...row }: Selectable<ApiKeys>): ApiKey => ({
  ...toFields(row),
  hash,
  role: toRole(row.role),
});

/**
 * A CHECK constraint limits the column to the seller roles. Any other value gets the least
 * permissions.
 */
const toRole = (text: string): SellerRole => SELLER_ROLES.find((role) => role === text) ?? 'VIEWER';
