import { toColumns } from '#platform/database/column-names.ts';
import type { Db } from '#platform/database/connect.ts';

export interface StoredSigningKey {
  readonly id: string;
  /** DER in base64. */
  readonly certificate: string;
  readonly encryptedPrivateKey: string;
}

export async function findSigningKey(db: Db): Promise<StoredSigningKey | undefined> {
  return db
    .selectFrom('sandbox_signing_keys')
    .select(['id', 'certificate', 'encrypted_private_key as encryptedPrivateKey'])
    .executeTakeFirst();
}

/** Stores the key unless there is one. */
export async function insertSigningKey(
  db: Db,
  key: StoredSigningKey & { readonly createdAt: Date },
): Promise<void> {
  await db
    .insertInto('sandbox_signing_keys')
    .values({ ...toColumns(key), purpose: 'PIX' })
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute();
}
