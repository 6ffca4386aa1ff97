import type { Action } from '#audit/actions.ts';
import { recordAudit } from '#audit/service.ts';
import { postbackContext, webhookContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { RecentCache } from '#platform/kit/recent-cache.ts';
import { newWebhookSecret, ROTATION_OVERLAP_MS, signingKey, type SigningKey } from './signature.ts';
import type { ClaimedDelivery } from './store-deliveries.ts';
import { findOrInsertPostbackSecret, replacePostbackSecret } from './store.ts';

/** Decrypting a secret costs more than signing with it. */
const MAX_CACHED_KEYS = 16_384;
const KEY_CACHE_TTL_MS = 5 * 60_000;

export interface SigningDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** By encryption context and encrypted secret. A rotated secret has another encrypted text. */
  readonly keyCache: RecentCache<string, SigningKey>;
}

export const createKeyCache = (): SigningDeps['keyCache'] =>
  new RecentCache(MAX_CACHED_KEYS, KEY_CACHE_TTL_MS);

/** The secret that signs deliveries to postback URLs of a seller. Created on first use. */
async function postbackSecret({ db, clock, secrets }: SigningDeps, sellerId: string): Promise<string> {
  const context = postbackContext(sellerId);
  const encrypted = secrets.encrypt(newWebhookSecret(), context);
  return secrets.decrypt(await findOrInsertPostbackSecret(db, sellerId, encrypted, clock.now()), context);
}

/** Reads the secret for a person, which is recorded. */
export async function readPostbackSecret(
  deps: SigningDeps,
  sellerId: string,
  actor: AuditActor,
): Promise<string> {
  const secret = await postbackSecret(deps, sellerId);
  const { db, clock } = deps;
  await db
    .transaction()
    .execute((trx) => recordUse(trx, actor, { action: 'postback-secret.read', sellerId, at: clock.now() }));
  return secret;
}

/**
 * Replaces the secret. The old one signs beside the new one for 24 hours; a further rotation within
 * that time ends the oldest.
 */
export async function rotatePostbackSecret(
  deps: SigningDeps,
  sellerId: string,
  actor: AuditActor,
): Promise<{ readonly secret: string; readonly previousSignsUntil: Date }> {
  const { db, clock, secrets } = deps;
  const secret = newWebhookSecret();
  // The row exists before it is rotated, so that there is a secret to retire.
  await postbackSecret(deps, sellerId);
  const at = clock.now();
  const previousSignsUntil = new Date(at.getTime() + ROTATION_OVERLAP_MS);
  const encryptedSecret = secrets.encrypt(secret, postbackContext(sellerId));
  await db.transaction().execute(async (trx) => {
    await replacePostbackSecret(trx, sellerId, encryptedSecret, previousSignsUntil);
    await recordUse(trx, actor, { action: 'postback-secret.rotated', sellerId, at });
  });
  return { secret, previousSignsUntil };
}

function recordUse(
  trx: DatabaseTransaction,
  actor: AuditActor,
  use: {
    readonly action: Extract<Action, `postback-secret.${string}`>;
    readonly sellerId: string;
    readonly at: Date;
  },
): Promise<void> {
  return recordAudit(trx, actor, {
    ...use,
    recordType: 'postback-secret',
    recordId: use.sellerId,
    before: null,
    after: null,
  });
}

/** The keys that sign a delivery, newest first. Empty if its webhook has been deleted. */
export async function signingKeys(
  deps: SigningDeps,
  {
    sellerId,
    webhookId,
    encryptedSecrets,
  }: Pick<ClaimedDelivery, 'sellerId' | 'webhookId' | 'encryptedSecrets'>,
): Promise<readonly SigningKey[]> {
  if (webhookId === null && encryptedSecrets.length === 0) {
    return [signingKey(await postbackSecret(deps, sellerId))];
  }
  const { keyCache, secrets } = deps;
  const context = webhookId === null ? postbackContext(sellerId) : webhookContext(sellerId, webhookId);
  return encryptedSecrets.map((encrypted) =>
    // The context is part of the key: a secret encrypted for one record must not sign for another.
    keyCache.get(`${context} ${encrypted}`, () => signingKey(secrets.decrypt(encrypted, context))),
  );
}
