import { sql } from 'kysely';

import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { Db } from '#platform/database/connect.ts';

export interface CardToken {
  readonly sellerId: string;
  /** The token. Only the seller can use it. */
  readonly id: string;
  readonly encryptedNumber: string;
  readonly brand: string | null;
  readonly lastFour: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
  readonly createdAt: Date;
}

export async function insertCardToken(db: Db, token: CardToken): Promise<void> {
  await db.insertInto('card_tokens').values(toColumns(token)).execute();
}

export async function findCardToken(
  db: Db,
  sellerId: string,
  id: string,
): Promise<Pick<CardToken, 'encryptedNumber' | 'expirationMonth' | 'expirationYear'> | undefined> {
  const row = await db
    .selectFrom('card_tokens')
    .select(['encrypted_number', 'expiration_month', 'expiration_year'])
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .executeTakeFirst();
  return row && toFields(row);
}

/** Deletes the tokens of cards whose last valid month ended before `before`. */
export async function deleteCardTokensExpiredBefore(db: Db, before: Date, limit: number): Promise<number> {
  const [year, month] = [before.getUTCFullYear(), before.getUTCMonth() + 1];
  const result = await sql`
    DELETE FROM card_tokens WHERE (seller_id, id) IN (
      SELECT seller_id, id FROM card_tokens
      WHERE (expiration_year, expiration_month) < (${year}, ${month}) LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
