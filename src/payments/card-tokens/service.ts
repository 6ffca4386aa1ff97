import { brandOf } from '#formats/card/card-number.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { cardContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secrets.ts';
import { findCardToken, insertCardToken, type CardToken } from './store.ts';

export type { CardToken } from './store.ts';

export interface KeptCard {
  readonly number: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
}

export type CardTokensService = ReturnType<typeof createCardTokensService>;

/** Cards kept for later charges: the number sealed, the cvv never. */
export function createCardTokensService(db: Db, clock: Clock, secrets: SecretBox) {
  return {
    async keep(sellerId: string, card: KeptCard): Promise<CardToken> {
      const now = clock.now();
      const id = newId(now.getTime());
      const token: CardToken = {
        sellerId,
        id,
        sealedNumber: secrets.seal(card.number, cardContext(sellerId, id)),
        brand: brandOf(card.number),
        lastFour: card.number.slice(-4),
        expirationMonth: card.expirationMonth,
        expirationYear: card.expirationYear,
        createdAt: now,
      };
      await insertCardToken(db, token);
      return token;
    },

    async find(sellerId: string, id: string): Promise<KeptCard | undefined> {
      const token = isUuid(id) ? await findCardToken(db, sellerId, id) : undefined;
      if (token === undefined) return undefined;
      const { expirationMonth, expirationYear } = token;
      const number = secrets.open(token.sealedNumber, cardContext(sellerId, id.toLowerCase()));
      return { number, expirationMonth, expirationYear };
    },
  };
}
