import {
  deleteApiKey,
  findApiKeys,
  findKeysByHash,
  insertApiKey,
  insertApiKeyWithinLimit,
  updateLastUsedAt,
  type ApiKey,
  type AuthenticatedKey,
} from './store.ts';
import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  apiKeyPrefix,
  hashCredential,
  isApiKey,
  isUuid,
  newApiKey,
  newId,
  type ApiKeyMode,
} from '#platform/kit/ids.ts';
import type { SellerRole } from '#platform/kit/permissions.ts';
import { TtlCache } from '#platform/kit/ttl-cache.ts';
import { KeyUsageBuffer } from './usage-buffer.ts';

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

export function createApiKeysService(db: Db, clock: Clock, kind: ApiKeyMode) {
  // By the key itself, in memory only: hashing it at every request would cost more than finding it.
  const keyCache = new TtlCache(
    async (keys: readonly string[]): Promise<ReadonlyMap<string, AuthenticatedKey>> => {
      const byHash = new Map(keys.map((key) => [hashCredential(key), key]));
      const keysByHash = await findKeysByHash(db, [...byHash.keys()]);
      const authenticated = new Map<string, AuthenticatedKey>();
      for (const [hash, key] of byHash) {
        const apiKey = keysByHash.get(hash.toString('hex'));
        if (apiKey !== undefined) authenticated.set(key, apiKey);
      }
      return authenticated;
    },
  );
  const usage = new KeyUsageBuffer((written) => updateLastUsedAt(db, written));

  function buildApiKey(sellerId: string, input: NewKey, key: string): ApiKey {
    const now = clock.now();
    return {
      id: newId(now.getTime()),
      sellerId,
      name: input.name,
      role: input.role,
      prefix: apiKeyPrefix(key),
      hash: hashCredential(key),
      createdAt: now,
      lastUsedAt: null,
    };
  }

  /** Writes down what became of a key; of the key itself only what may be shown. */
  async function recordKeyAudit(
    trx: Db,
    author: AuditActor,
    action: 'api-key.created' | 'api-key.deleted',
    { id: recordId, sellerId, name, role, prefix }: ApiKey,
  ): Promise<void> {
    const isCreation = action === 'api-key.created';
    const fields = { name, role, prefix };
    await recordAudit(trx, author, {
      action,
      recordType: 'api-key',
      recordId,
      sellerId,
      before: isCreation ? null : fields,
      after: isCreation ? fields : null,
      at: clock.now(),
    });
  }

  return {
    /** Makes a key; undefined at the limit of keys. The text of the key is answered here and nowhere else. */
    async create(
      sellerId: string,
      input: NewKey,
      author: AuditActor,
    ): Promise<{ readonly apiKey: ApiKey; readonly key: string } | undefined> {
      const key = newApiKey(kind);
      const apiKey = buildApiKey(sellerId, input, key);
      const inserted = await db.transaction().execute(async (trx) => {
        if (!(await insertApiKeyWithinLimit(trx, apiKey, MAX_API_KEYS))) return false;
        await recordKeyAudit(trx, author, 'api-key.created', apiKey);
        return true;
      });
      return inserted ? { apiKey, key } : undefined;
    },

    /** Keeps a key whose text was made before; nothing happens where it is kept already. */
    async createWithKey(
      sellerId: string,
      { key, ...input }: NewKey & { readonly key: string },
      author: AuditActor,
    ): Promise<void> {
      const apiKey = buildApiKey(sellerId, input, key);
      await db.transaction().execute(async (trx) => {
        if (await insertApiKey(trx, apiKey)) await recordKeyAudit(trx, author, 'api-key.created', apiKey);
      });
    },

    /** Newest first. Uses that this process has seen count at once, those of other nodes within a minute. */
    async list(sellerId: string): Promise<readonly ApiKey[]> {
      const apiKeys = await findApiKeys(db, sellerId);
      return apiKeys.map((key) => ({ ...key, lastUsedAt: later(usage.lastUsedAt(key.id), key.lastUsedAt) }));
    },

    /** The key stops working here at once, and on other nodes when what they keep of it ends, within a second. */
    async remove(sellerId: string, id: string, author: AuditActor): Promise<boolean> {
      if (!isUuid(id)) return false;
      const removed = await db.transaction().execute(async (trx) => {
        const apiKey = await deleteApiKey(trx, sellerId, id);
        if (apiKey !== undefined) await recordKeyAudit(trx, author, 'api-key.deleted', apiKey);
        return apiKey !== undefined;
      });
      if (!removed) return false;
      // What is kept is found by the key's text, which nobody knows any more; reading the others again costs little.
      keyCache.clear();
      usage.discard(id.toLowerCase());
      return true;
    },

    /** Undefined for a key that is unknown or deleted. */
    async authenticate(key: string): Promise<AuthenticatedKey | undefined> {
      const apiKey = isApiKey(key) ? await keyCache.get(key) : undefined;
      if (apiKey !== undefined) usage.record(apiKey.sellerId, apiKey.id, clock.nowMs());
      return apiKey;
    },

    /** Writes down when keys were used since the last time. */
    flushUsage: (): Promise<void> => usage.flush(),
  };
}

function later(one: Date | undefined, other: Date | null): Date | null {
  if (one === undefined) return other;
  return other === null || one > other ? one : other;
}
