import {
  deleteApiKey,
  findApiKeys,
  findKeyHolders,
  insertApiKey,
  insertApiKeyUpTo,
  updateLastUses,
  type ApiKey,
  type KeyHolder,
} from './store.ts';
import { audit } from '#audit/service.ts';
import type { Author } from '#platform/http/author.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  apiKeyPrefix,
  credentialHash,
  isApiKey,
  isUuid,
  newApiKey,
  newId,
  type KeyKind,
} from '#platform/kit/ids.ts';
import type { SellerRole } from '#platform/http/permissions.ts';
import { ShortCache } from '#platform/kit/short-cache.ts';
import { KeyUses } from './uses.ts';

export type { ApiKey } from './store.ts';

/** What a seller can have at once: enough for every system of theirs and for rotating each key. */
const MAX_API_KEYS = 50;

/** The refusal at that limit, the same for the seller and for the operator. */
export const TOO_MANY_KEYS = `A seller can have at most ${MAX_API_KEYS} API keys`;

export interface NewKey {
  readonly name: string;
  readonly role: SellerRole;
}

export type ApiKeysService = ReturnType<typeof createApiKeysService>;

export function createApiKeysService(db: Db, clock: Clock, kind: KeyKind) {
  // By the key itself, in memory only: hashing it at every request would cost more than finding it.
  const holders = new ShortCache(async (keys: readonly string[]): Promise<ReadonlyMap<string, KeyHolder>> => {
    const byHash = new Map(keys.map((key) => [credentialHash(key), key]));
    const found = await findKeyHolders(db, [...byHash.keys()]);
    const held = new Map<string, KeyHolder>();
    for (const [hash, key] of byHash) {
      const holder = found.get(hash.toString('hex'));
      if (holder !== undefined) held.set(key, holder);
    }
    return held;
  });
  const uses = new KeyUses((written) => updateLastUses(db, written));

  function recordOf(sellerId: string, wanted: NewKey, key: string): ApiKey {
    const now = clock.now();
    return {
      id: newId(now.getTime()),
      sellerId,
      name: wanted.name,
      role: wanted.role,
      prefix: apiKeyPrefix(key),
      hash: credentialHash(key),
      createdAt: now,
      lastUsedAt: null,
    };
  }

  /** Writes down what became of a key; of the key itself only what may be shown. */
  async function told(
    within: Db,
    author: Author,
    action: 'api-key.created' | 'api-key.deleted',
    { id: recordId, sellerId, name, role, prefix }: ApiKey,
  ): Promise<void> {
    const made = action === 'api-key.created';
    const members = { name, role, prefix };
    await audit(within, author, {
      action,
      recordType: 'api-key',
      recordId,
      sellerId,
      before: made ? null : members,
      after: made ? members : null,
      at: clock.now(),
    });
  }

  return {
    /** Makes a key; undefined at the limit of keys. The text of the key is answered here and nowhere else. */
    async create(
      sellerId: string,
      wanted: NewKey,
      author: Author,
    ): Promise<{ readonly apiKey: ApiKey; readonly key: string } | undefined> {
      const key = newApiKey(kind);
      const apiKey = recordOf(sellerId, wanted, key);
      const kept = await db.transaction().execute(async (within) => {
        if (!(await insertApiKeyUpTo(within, apiKey, MAX_API_KEYS))) return false;
        await told(within, author, 'api-key.created', apiKey);
        return true;
      });
      return kept ? { apiKey, key } : undefined;
    },

    /** Keeps a key whose text was made before; nothing happens where it is kept already. */
    async keep(
      sellerId: string,
      { key, ...wanted }: NewKey & { readonly key: string },
      author: Author,
    ): Promise<void> {
      const apiKey = recordOf(sellerId, wanted, key);
      await db.transaction().execute(async (within) => {
        if (await insertApiKey(within, apiKey)) await told(within, author, 'api-key.created', apiKey);
      });
    },

    /** Newest first. Uses that this process has seen count at once, those of other nodes within a minute. */
    async list(sellerId: string): Promise<readonly ApiKey[]> {
      const found = await findApiKeys(db, sellerId);
      return found.map((key) => ({ ...key, lastUsedAt: later(uses.lastOf(key.id), key.lastUsedAt) }));
    },

    /** The key stops working here at once, and on other nodes when what they keep of it ends, within a second. */
    async remove(sellerId: string, id: string, author: Author): Promise<boolean> {
      if (!isUuid(id)) return false;
      const removed = await db.transaction().execute(async (within) => {
        const apiKey = await deleteApiKey(within, sellerId, id);
        if (apiKey !== undefined) await told(within, author, 'api-key.deleted', apiKey);
        return apiKey !== undefined;
      });
      if (!removed) return false;
      // What is kept is found by the key's text, which nobody knows any more; reading the others again costs little.
      holders.clear();
      uses.forget(id.toLowerCase());
      return true;
    },

    /** Undefined for a key that is unknown or deleted. */
    async holderOf(key: string): Promise<KeyHolder | undefined> {
      const holder = isApiKey(key) ? await holders.get(key) : undefined;
      if (holder !== undefined) uses.note(holder.sellerId, holder.id, clock.nowMs());
      return holder;
    },

    /** Writes down when keys were used since the last time. */
    recordUses: (): Promise<void> => uses.flush(),
  };
}

function later(one: Date | undefined, other: Date | null): Date | null {
  if (one === undefined) return other;
  return other === null || one > other ? one : other;
}
