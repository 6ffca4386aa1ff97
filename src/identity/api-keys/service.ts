import type { Members } from '#audit/members.ts';
import { recordAudit, type ChangeOrigin } from '#audit/service.ts';
import type { Notifier } from '#notifications/notifier.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import type { RecordCaches } from '#platform/database/record-caches.ts';
import type { RunStatement } from '#platform/database/statements.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { forbidden } from '#platform/http/errors.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import {
  apiKeyPrefix,
  hashCredential,
  isApiKey,
  isUuid,
  newApiKey,
  newId,
  type ApiKeyMode,
} from '#platform/kit/ids.ts';
import {
  hasOnlyPermissionsOf,
  hasPermission,
  SELLER_ROLES,
  type Role,
  type SellerRole,
} from '#platform/kit/permissions.ts';
import type { RecordCache } from '#platform/kit/record-cache.ts';
import { roleOf } from '#identity/users/profile.ts';
import { lockUser } from '#identity/users/store.ts';
import { MAX_API_KEYS } from './errors.ts';
import {
  deleteApiKey,
  deleteKeysOfCreator,
  findApiKeys,
  findKeysByHash,
  insertApiKey,
  insertApiKeyWithinLimit,
  updateLastUsedAt,
  type ApiKey,
  type AuthenticatedKey,
} from './store.ts';
import { KeyUsageBuffer } from './usage-buffer.ts';

interface NewKey {
  readonly name: string;
  readonly role: SellerRole;
}

interface ApiKeysDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly mode: ApiKeyMode;
  /**
   * By the plain key, in memory only: hashing it on every request would cost more than the lookup.
   */
  readonly keyCache: RecordCache<string, AuthenticatedKey>;
  readonly usage: KeyUsageBuffer;
  readonly notifier: Notifier;
}

export type ApiKeysService = ReturnType<typeof createApiKeysService>;

export interface ApiKeysOptions {
  readonly mode: ApiKeyMode;
  readonly caches: RecordCaches;
  readonly notifier: Notifier;
}

export function createApiKeysService(db: Db, clock: Clock, { mode, caches, notifier }: ApiKeysOptions) {
  const deps: ApiKeysDeps = {
    db,
    clock,
    mode,
    notifier,
    keyCache: caches.create<AuthenticatedKey>({
      name: 'api-keys',
      tables: [],
      load: loadKeys,
      idsOf: ({ id }) => [id],
    }),
    usage: new KeyUsageBuffer((uses) => updateLastUsedAt(db, uses)),
  };
  return bindDeps(deps, { create, withTransaction, createWithKey, list, remove, authenticate, flushUsage });
}

/**
 * Creates a key. The plain key is returned here only; the database has its hash. Returns undefined
 * if the seller has as many keys as allowed.
 */
async function create(
  { db, clock, mode, notifier }: ApiKeysDeps,
  sellerId: string,
  input: NewKey,
  actor: AuditActor,
): Promise<{ readonly apiKey: ApiKey; readonly key: string } | undefined> {
  const key = newApiKey(mode);
  const apiKey = buildApiKey(sellerId, { ...input, key }, actor, clock.now());
  const inserted = await inTransaction(db, async (trx) => {
    if (!(await isStillEntitled(trx, apiKey, actor))) throw forbidden();
    if (!(await insertApiKeyWithinLimit(trx, apiKey, MAX_API_KEYS))) return false;
    await recordCreation(trx, actor, apiKey);
    const { name, prefix, createdAt: at } = apiKey;
    const params = { name, prefix, author: actor.name ?? 'Vereda', at: at.toISOString() };
    const team = { sellerId, permission: 'api-keys:write' } as const;
    await notifier.notifySeller(trx, team, { kind: 'api-key-created', params, at });
    return true;
  });
  return inserted ? { apiKey, key } : undefined;
}

/** The changes in a transaction of the caller. */
const withTransaction = (deps: ApiKeysDeps, trx: DatabaseTransaction) =>
  bindDeps({ ...deps, db: trx }, { create });

/**
 * Locks a seller's user who creates a key. Returns false if they were deleted since the request was
 * authenticated, or may no longer create it. A deletion or demotion that follows finds the key.
 */
async function isStillEntitled(
  trx: DatabaseTransaction,
  { role }: Pick<ApiKey, 'role'>,
  { kind, id }: AuditActor,
): Promise<boolean> {
  if (kind !== 'SELLER_USER' || id === null) return true;
  const user = await lockUser(trx, id);
  if (user === undefined) return false;
  const current = roleOf(user);
  return hasPermission(current, 'api-keys:write') && hasOnlyPermissionsOf(role, current);
}

/** Stores a key that was generated before. Does nothing if it is stored already. */
async function createWithKey(
  { db, clock }: ApiKeysDeps,
  sellerId: string,
  { key, ...input }: NewKey & { readonly key: string },
  actor: AuditActor,
): Promise<void> {
  const apiKey = buildApiKey(sellerId, { ...input, key }, actor, clock.now());
  await db.transaction().execute(async (trx) => {
    if (await insertApiKey(trx, apiKey)) await recordCreation(trx, actor, apiKey);
  });
}

/** Newest first. Uses by other processes are visible within a minute. */
async function list({ db, usage }: ApiKeysDeps, sellerId: string): Promise<readonly ApiKey[]> {
  const apiKeys = await findApiKeys(db, sellerId);
  return apiKeys.map((key) => ({ ...key, lastUsedAt: latest(usage.lastUsedAt(key.id), key.lastUsedAt) }));
}

/**
 * Deletes a key. It stops working immediately in this process, and in others within a second.
 * Returns false if there is no such key.
 *
 * @throws HttpError 403 if the key has a permission that the role of its deleter lacks.
 */
async function remove(
  { db, clock, keyCache, usage }: ApiKeysDeps,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
  deleterRole: Role,
  actor: AuditActor,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const deleted = await db.transaction().execute(async (trx) => {
    const apiKey = await deleteApiKey(trx, sellerId, id);
    if (apiKey === undefined) return false;
    if (!mayDelete(deleterRole, apiKey)) throw forbidden();
    await recordDeletion(trx, actor, apiKey, clock.now());
    return true;
  });
  if (!deleted) return false;
  const keyId = id.toLowerCase();
  keyCache.invalidate(new Set([keyId]));
  usage.discard(keyId);
  return true;
}

/** Returns undefined for a key that is unknown, deleted or of another mode. */
async function authenticate(
  { clock, mode, keyCache, usage }: ApiKeysDeps,
  key: string,
): Promise<AuthenticatedKey | undefined> {
  const isOfMode = isApiKey(key) && key.startsWith(`sk_${mode}_`);
  const apiKey = isOfMode ? await keyCache.get(key) : undefined;
  if (apiKey !== undefined) usage.record(apiKey.sellerId, apiKey.id, clock.nowMs());
  return apiKey;
}

/** Writes the times of use since the last flush. */
function flushUsage({ usage }: ApiKeysDeps): Promise<void> {
  return usage.flush();
}

function buildApiKey(
  sellerId: string,
  { name, role, key }: NewKey & { readonly key: string },
  creator: AuditActor,
  now: Date,
): ApiKey {
  return {
    id: newId(now.getTime()),
    sellerId,
    name,
    role,
    prefix: apiKeyPrefix(key),
    hash: hashCredential(key),
    creatorId: creator.id,
    creatorName: creator.name,
    createdAt: now,
    lastUsedAt: null,
  };
}

/**
 * Deletes the keys that a user created and that have a permission which the user's role lacks; all
 * of them if the user is deleted. They stop within a second.
 */
export async function deleteKeysOfUser(
  trx: DatabaseTransaction,
  user: { readonly sellerId: string; readonly userId: string; readonly role?: Role },
  { actor, at }: ChangeOrigin,
): Promise<void> {
  const { role: kept } = user;
  const roles = SELLER_ROLES.filter((role) => kept === undefined || !hasOnlyPermissionsOf(role, kept));
  for (const apiKey of await deleteKeysOfCreator(trx, user, roles))
    await recordDeletion(trx, actor, apiKey, at);
}

/** The operator manages every key. */
const mayDelete = (role: Role, apiKey: ApiKey): boolean =>
  role === 'ADMIN' || hasOnlyPermissionsOf(apiKey.role, role);

function recordDeletion(
  trx: DatabaseTransaction,
  actor: AuditActor,
  apiKey: ApiKey,
  at: Date,
): Promise<void> {
  const change = { action: 'api-key.deleted', before: auditFields(apiKey), after: null } as const;
  return recordAudit(trx, actor, { ...change, ...auditTarget(apiKey), at });
}

function recordCreation(trx: DatabaseTransaction, actor: AuditActor, apiKey: ApiKey): Promise<void> {
  const change = { action: 'api-key.created', before: null, after: auditFields(apiKey) } as const;
  return recordAudit(trx, actor, { ...change, ...auditTarget(apiKey), at: apiKey.createdAt });
}

const auditTarget = ({ id, sellerId }: ApiKey) =>
  ({ recordType: 'api-key', recordId: id, sellerId }) as const;

/** Nothing secret: of the key only its prefix. */
const auditFields = ({ name, role, prefix }: ApiKey): Members => ({ name, role, prefix });

async function loadKeys(
  query: RunStatement,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AuthenticatedKey>> {
  const hashed = keys.map((key) => ({ key, hash: hashCredential(key) }));
  const keysByHash = await findKeysByHash(
    query,
    hashed.map(({ hash }) => hash),
  );
  const authenticated = new Map<string, AuthenticatedKey>();
  for (const { key, hash } of hashed) {
    const apiKey = keysByHash.get(hash.toString('hex'));
    if (apiKey !== undefined) authenticated.set(key, apiKey);
  }
  return authenticated;
}

function latest(one: Date | undefined, other: Date | null): Date | null {
  if (one === undefined) return other;
  return other === null || one > other ? one : other;
}
