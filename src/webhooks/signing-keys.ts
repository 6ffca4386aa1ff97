import { postbackContext, webhookContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { RecentCache } from '#platform/kit/recent-cache.ts';
import { newWebhookSecret, signingKey, type SigningKey } from './signature.ts';
import type { ClaimedDelivery } from './store-deliveries.ts';
import { findOrInsertPostbackSecret } from './store.ts';

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
export async function postbackSecret({ db, clock, secrets }: SigningDeps, sellerId: string): Promise<string> {
  const context = postbackContext(sellerId);
  const encrypted = secrets.encrypt(newWebhookSecret(), context);
  return secrets.decrypt(await findOrInsertPostbackSecret(db, sellerId, encrypted, clock.now()), context);
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
