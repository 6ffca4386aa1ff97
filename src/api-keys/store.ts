import type { Db } from '#database/connect.ts';
import type { SellerRole } from '#permissions.ts';
import { SELLER_ROLES } from '#permissions.ts';

export interface ApiKey {
  readonly id: string;
  readonly sellerId: string;
  readonly name: string;
  /** What may be shown of the key. */
  readonly prefix: string;
  readonly role: SellerRole;
  readonly hash: Buffer;
  readonly createdAt: Date;
}

/** A key that is there already stays as it is. */
export async function insertApiKey(db: Db, key: ApiKey): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      id: key.id,
      seller_id: key.sellerId,
      name: key.name,
      prefix: key.prefix,
      role: key.role,
      key_hash: key.hash,
      created_at: key.createdAt,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .execute();
}

export interface KeyHolder {
  readonly sellerId: string;
  readonly role: SellerRole;
}

export async function findKeyHolder(db: Db, hash: Buffer): Promise<KeyHolder | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['seller_id', 'role'])
    .where('key_hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { sellerId: row.seller_id, role: SELLER_ROLES.find((role) => role === row.role) ?? 'VIEWER' };
}
