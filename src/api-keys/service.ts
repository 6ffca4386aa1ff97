import { findKeyHolder, insertApiKey, type ApiKey, type KeyHolder } from './store.ts';
import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import { apiKeyPrefix, credentialHash, isApiKey, newApiKey, newId, type KeyKind } from '#ids.ts';
import type { SellerRole } from '#permissions.ts';
import { ShortCache } from '#short-cache.ts';

export type ApiKeysService = ReturnType<typeof createApiKeysService>;

export function createApiKeysService(db: Db, clock: Clock, kind: KeyKind) {
  // By the key itself, in memory only: hashing it at every request would cost more than finding it.
  const holders = new ShortCache((key: string) => findKeyHolder(db, credentialHash(key)));
  function recordOf(
    sellerId: string,
    wanted: { readonly name: string; readonly role: SellerRole },
    key: string,
  ): ApiKey {
    const now = clock.now();
    return {
      id: newId(now.getTime()),
      sellerId,
      ...wanted,
      prefix: apiKeyPrefix(key),
      hash: credentialHash(key),
      createdAt: now,
    };
  }

  return {
    /** Makes a key. The text of the key is answered here and nowhere else. */
    async create(
      sellerId: string,
      wanted: { readonly name: string; readonly role: SellerRole },
    ): Promise<{ readonly apiKey: ApiKey; readonly key: string }> {
      const key = newApiKey(kind);
      const apiKey = recordOf(sellerId, wanted, key);
      await insertApiKey(db, apiKey);
      return { apiKey, key };
    },

    /** Keeps a key whose text was made before; nothing happens where it is kept already. */
    async keep(
      sellerId: string,
      { key, ...wanted }: { readonly name: string; readonly role: SellerRole; readonly key: string },
    ): Promise<void> {
      await insertApiKey(db, recordOf(sellerId, wanted, key));
    },

    /** Undefined for a key that is unknown or deleted. */
    async holderOf(key: string): Promise<KeyHolder | undefined> {
      return isApiKey(key) ? holders.get(key) : undefined;
    },
  };
}
