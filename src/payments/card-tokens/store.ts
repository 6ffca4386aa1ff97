import { sql } from 'kysely';

import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';

export interface CardToken {
  readonly sellerId: string;
  /** The token. Only the seller can use it. */
  readonly id: string;
  readonly customerId: string | null;
  /** On a page, for one subscription. */
  readonly savedByPayer: boolean;
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

export type FoundCard = Omit<CardToken, 'sellerId' | 'id' | 'savedByPayer' | 'createdAt'>;

export async function findCardToken(db: Db, sellerId: string, id: string): Promise<FoundCard | undefined> {
  const row = await db
    .selectFrom('card_tokens')
    .select(['customer_id', 'encrypted_number', 'brand', 'last_four', 'expiration_month', 'expiration_year'])
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .executeTakeFirst();
  return row && toFields(row);
}

/** The saved cards of a customer, newest first. */
export async function findCardTokensOf(
  db: Db,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
  limit: number,
): Promise<readonly CardToken[]> {
  const rows = await db
    .selectFrom('card_tokens')
    .selectAll()
    .where((eb) => eb.and({ seller_id: sellerId, customer_id: id }))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toFields);
}

/** Returns false if there is no such token. */
export async function deleteCardToken(
  trx: DatabaseTransaction,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('card_tokens')
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes a token that a payer has saved for a subscription and that is of no customer record. */
export async function deleteTokenOfPayer(
  trx: DatabaseTransaction,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
): Promise<void> {
  await trx
    .deleteFrom('card_tokens')
    .where((eb) => eb.and({ seller_id: sellerId, id, saved_by_payer: true }))
    .where('customer_id', 'is', null)
    .execute();
}

export async function deleteCardTokensOf(
  trx: DatabaseTransaction,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
): Promise<void> {
  await trx
    .deleteFrom('card_tokens')
    .where((eb) => eb.and({ seller_id: sellerId, customer_id: id }))
    .execute();
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
