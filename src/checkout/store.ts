import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { Status } from '#payments/transactions/transaction.ts';
import { minIdAt } from '#platform/kit/ids.ts';

interface AttemptRow {
  readonly sellerId: string;
  readonly id: string;
  readonly linkId: string;
  readonly addressMac: string;
  readonly declined: boolean;
  readonly createdAt: Date;
}

/** Serializes the attempts of a link or an address until the end of the transaction. */
export async function lockScope(trx: DatabaseTransaction, scopes: readonly string[]): Promise<void> {
  for (const scope of scopes.toSorted())
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${scope}, 0))`.execute(trx);
}

export async function insertAttempt(trx: DatabaseTransaction, attempt: AttemptRow): Promise<void> {
  await trx
    .insertInto('checkout_attempts')
    .values({
      seller_id: attempt.sellerId,
      id: attempt.id,
      link_id: attempt.linkId,
      address_mac: attempt.addressMac,
      transaction_id: null,
      declined: attempt.declined,
      created_at: attempt.createdAt,
    })
    .execute();
}

const first = (rows: readonly { readonly count: number }[]): number => rows[0]?.count ?? 0;

/** The attempts of an address on a link whose transactions are not paid. */
export async function countUnpaid(
  trx: DatabaseTransaction,
  { sellerId, linkId, addressMac }: Pick<AttemptRow, 'sellerId' | 'linkId' | 'addressMac'>,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM checkout_attempts a
    LEFT JOIN transactions t ON t.seller_id = a.seller_id AND t.id = a.transaction_id
    WHERE a.seller_id = ${sellerId} AND a.link_id = ${linkId} AND a.address_mac = ${addressMac}
      AND a.id >= ${minIdAt(since.getTime())}::uuid AND t.paid_at IS NULL AND NOT a.declined`.execute(trx);
  return first(rows);
}

/** The statuses of a card payment that has not been accepted. */
export const UNACCEPTED_CARD_STATUSES: readonly Status[] = ['PENDING', 'PROCESSING', 'FAILED', 'REFUSED'];

/**
 * A card that was undecided when its attempt ended, and was accepted since, is no decline.
 * Undecided ones count, so that cards cannot be tested faster than a provider responds.
 */
const UNACCEPTED = sql`(t.id IS NULL
  OR t.status IN (${sql.join(UNACCEPTED_CARD_STATUSES.map((status) => sql.lit(status)))}))`;

export async function countDeclinesOfAddress(
  trx: DatabaseTransaction,
  addressMac: string,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM checkout_attempts a
    LEFT JOIN transactions t ON t.seller_id = a.seller_id AND t.id = a.transaction_id
    WHERE a.address_mac = ${addressMac} AND a.declined AND a.id >= ${minIdAt(since.getTime())}::uuid
      AND ${UNACCEPTED}`.execute(trx);
  return first(rows);
}

export async function countDeclinesOfLink(
  trx: DatabaseTransaction,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM checkout_attempts a
    LEFT JOIN transactions t ON t.seller_id = a.seller_id AND t.id = a.transaction_id
    WHERE a.seller_id = ${sellerId} AND a.link_id = ${id} AND a.declined
      AND a.id >= ${minIdAt(since.getTime())}::uuid AND ${UNACCEPTED}`.execute(trx);
  return first(rows);
}

/** Without an outcome the attempt is deleted. */
export async function completeAttempt(
  db: Db,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
  outcome: { readonly transactionId: string; readonly declined: boolean } | null,
): Promise<void> {
  await (
    outcome === null
      ? sql`DELETE FROM checkout_attempts WHERE seller_id = ${sellerId} AND id = ${id}`
      : sql`UPDATE checkout_attempts SET transaction_id = ${outcome.transactionId},
           declined = ${outcome.declined}
        WHERE seller_id = ${sellerId} AND id = ${id}`
  ).execute(db);
}

export async function deleteAttemptsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM checkout_attempts WHERE (seller_id, id) IN (
      SELECT seller_id, id FROM checkout_attempts WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** What a seller shows to payers. */
export interface Brand {
  readonly displayName: string | null;
  readonly logoUrl: string | null;
}

export async function findBrand(db: Db, sellerId: string): Promise<Brand | undefined> {
  return db
    .selectFrom('seller_settings')
    .select(['display_name as displayName', 'logo_url as logoUrl'])
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
}
