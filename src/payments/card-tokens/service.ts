import { recordAudit } from '#audit/service.ts';
import { detectCardBrand } from '#formats/card/card-number.ts';
import { cardContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import {
  deleteCardToken,
  deleteCardTokensExpiredBefore,
  findCardToken,
  findCardTokensOf,
  insertCardToken,
  type CardToken,
  type FoundCard,
} from './store.ts';

interface CardTokensDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

interface StoredCard {
  readonly number: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
}

export { deleteCardToken, deleteCardTokensOf, deleteTokenOfPayer } from './store.ts';
export type { CardToken } from './store.ts';

/** A customer has fewer saved cards. Older ones are not listed. */
const MAX_LISTED = 100;

export type CardTokensService = ReturnType<typeof createCardTokensService>;

export const createCardTokensService = (deps: CardTokensDeps) =>
  bindDeps(deps, { create, find, describe, listOf, delete: remove });

/** Saves a card for later transactions. The number is stored encrypted, the CVV never. */
async function create(
  { db, clock, secrets }: CardTokensDeps,
  sellerId: string,
  {
    number,
    expirationMonth,
    expirationYear,
    customerId,
    savedByPayer = false,
  }: StoredCard & { readonly customerId: string | null; readonly savedByPayer?: boolean },
): Promise<CardToken> {
  const createdAt = clock.now();
  const id = newId(createdAt.getTime());
  const token: CardToken = {
    sellerId,
    id,
    customerId,
    savedByPayer,
    encryptedNumber: secrets.encrypt(number, cardContext(sellerId, id)),
    brand: detectCardBrand(number),
    lastFour: number.slice(-4),
    expirationMonth,
    expirationYear,
    createdAt,
  };
  await insertCardToken(db, token);
  return token;
}

/** Decrypts a saved card. Returns undefined if the token is not one of the seller's. */
async function find(
  { db, secrets }: CardTokensDeps,
  sellerId: string,
  id: string,
): Promise<StoredCard | undefined> {
  const token = isUuid(id) ? await findCardToken(db, sellerId, id) : undefined;
  if (token === undefined) return undefined;
  const { encryptedNumber, expirationMonth, expirationYear } = token;
  const number = secrets.decrypt(encryptedNumber, cardContext(sellerId, id.toLowerCase()));
  return { number, expirationMonth, expirationYear };
}

/** A saved card without its number. Returns undefined if the token is not one of the seller's. */
const describe = async (
  { db }: CardTokensDeps,
  sellerId: string,
  id: string,
): Promise<Omit<FoundCard, 'encryptedNumber'> | undefined> =>
  isUuid(id) ? findCardToken(db, sellerId, id) : undefined;

/** The saved cards of a customer, newest first. */
const listOf = ({ db }: CardTokensDeps, customer: { readonly sellerId: string; readonly id: string }) =>
  findCardTokensOf(db, customer, MAX_LISTED);

/** Returns false if there is no such token. */
async function remove(
  { db, clock }: CardTokensDeps,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
  actor: AuditActor,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  return db.transaction().execute(async (trx) => {
    if (!(await deleteCardToken(trx, { sellerId, id }))) return false;
    await recordAudit(trx, actor, {
      ...({
        action: 'card-token.deleted',
        recordType: 'card-token',
      } as const),
      recordId: id.toLowerCase(),
      sellerId,
      before: {},
      after: null,
      at: clock.now(),
    });
    return true;
  });
}

/** For this long after its expiry a card fails as expired. After it, its token is unknown. */
const EXPIRED_CARD_RETENTION_MS = 31 * 24 * 3_600_000;

/** Deletes up to `limit` tokens of cards that expired a month ago. Returns how many it deleted. */
export const deleteExpiredCardTokens = (db: Db, now: Date, limit: number): Promise<number> =>
  deleteCardTokensExpiredBefore(db, new Date(now.getTime() - EXPIRED_CARD_RETENTION_MS), limit);
