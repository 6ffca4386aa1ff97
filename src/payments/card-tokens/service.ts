import { detectCardBrand } from '#formats/card/card-number.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { cardContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { deleteCardTokensExpiredBefore, findCardToken, insertCardToken, type CardToken } from './store.ts';

export type { CardToken } from './store.ts';

export interface StoredCard {
  readonly number: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
}

/** For this long after a card expired, a charge with its token fails as expired. After it, the token is unknown. */
const EXPIRED_CARD_RETENTION_MS = 31 * 24 * 3_600_000;

/** Deletes the tokens of cards that expired a month ago, at most `limit`. Returns how many it deleted. */
export const deleteExpiredCardTokens = (db: Db, now: Date, limit: number): Promise<number> =>
  deleteCardTokensExpiredBefore(db, new Date(now.getTime() - EXPIRED_CARD_RETENTION_MS), limit);

export type CardTokensService = ReturnType<typeof createCardTokensService>;

/** Cards kept for later charges: the number sealed, the cvv never. */
export function createCardTokensService(db: Db, clock: Clock, secrets: SecretBox) {
  return {
    async create(sellerId: string, card: StoredCard): Promise<CardToken> {
      const now = clock.now();
      const id = newId(now.getTime());
      const token: CardToken = {
        sellerId,
        id,
        encryptedNumber: secrets.encrypt(card.number, cardContext(sellerId, id)),
        brand: detectCardBrand(card.number),
        lastFour: card.number.slice(-4),
        expirationMonth: card.expirationMonth,
        expirationYear: card.expirationYear,
        createdAt: now,
      };
      await insertCardToken(db, token);
      return token;
    },

    async find(sellerId: string, id: string): Promise<StoredCard | undefined> {
      const token = isUuid(id) ? await findCardToken(db, sellerId, id) : undefined;
      if (token === undefined) return undefined;
      const { expirationMonth, expirationYear } = token;
      const number = secrets.decrypt(token.encryptedNumber, cardContext(sellerId, id.toLowerCase()));
      return { number, expirationMonth, expirationYear };
    },
  };
}
