import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';

/** The languages of emails to payers. */
export const PAYER_LANGUAGES = ['pt-BR', 'en'] as const;
type PayerLanguage = (typeof PAYER_LANGUAGES)[number];

/** Settings of a seller for the payment page and for emails to payers. */
export interface Preferences {
  /** Null: the name of the seller. */
  readonly displayName: string | null;
  readonly logoUrl: string | null;
  /** Whether payers receive receipts, and reminders of boletos. */
  readonly payerEmails: boolean;
  readonly payerLanguage: PayerLanguage;
  /** The origins that may embed the payment page. */
  readonly embedOrigins: readonly string[];
}

const DEFAULTS: Preferences = {
  displayName: null,
  logoUrl: null,
  payerEmails: false,
  payerLanguage: 'pt-BR',
  embedOrigins: [],
};

const selectPreferences = (db: Db, sellerId: string) =>
  db
    .selectFrom('seller_settings')
    .select([
      'display_name as displayName',
      'logo_url as logoUrl',
      'payer_emails as payerEmails',
      'payer_language as payerLanguage',
      'embed_origins as embedOrigins',
    ])
    .where('seller_id', '=', sellerId);

export async function findPreferences(db: Db, sellerId: string): Promise<Preferences> {
  const row = await selectPreferences(db, sellerId).executeTakeFirst();
  return row === undefined ? DEFAULTS : { ...row, payerLanguage: toPayerLanguage(row.payerLanguage) };
}

/** Locks the preferences of a seller. Inserts the defaults if it has none, so that there is a row. */
export async function lockPreferences(
  trx: DatabaseTransaction,
  sellerId: string,
  at: Date,
): Promise<Preferences> {
  await trx
    .insertInto('seller_settings')
    .values({ seller_id: sellerId, ...toColumns(DEFAULTS, at) })
    .onConflict((conflict) => conflict.column('seller_id').doNothing())
    .execute();
  const row = await selectPreferences(trx, sellerId).forUpdate().executeTakeFirstOrThrow();
  return { ...row, payerLanguage: toPayerLanguage(row.payerLanguage) };
}

const toPayerLanguage = (text: string): PayerLanguage => (text === 'en' ? 'en' : 'pt-BR');

/** A seller whose payers are to be reminded of the boletos of a day. */
export interface ReminderTurn {
  readonly sellerId: string;
  readonly displayName: string | null;
  readonly language: PayerLanguage;
  readonly sellerName: string;
  /** The last transaction whose payer was reminded. */
  readonly after: string | null;
}

/** Sellers whose payers have not been reminded of all boletos that are due on this day. */
export async function findReminderTurns(
  db: Db,
  day: string,
  limit: number,
): Promise<readonly ReminderTurn[]> {
  const { rows } = await sql<ReminderTurn>`
    SELECT p.seller_id AS "sellerId", p.display_name AS "displayName", p.payer_language AS language,
    s.name AS "sellerName",
      p.reminded_after AS after
    FROM (
      SELECT * FROM seller_settings
      WHERE payer_emails AND (reminded_day IS NULL OR reminded_day < ${day}::date) ORDER BY seller_id
        LIMIT ${limit}
    ) p CROSS JOIN LATERAL (SELECT name FROM sellers WHERE id = p.seller_id OFFSET 0) s`.execute(db);
  return rows;
}

/**
 * Ends a turn: at a transaction, or with the day. Returns false if another process was first, and
 * locks the row otherwise.
 */
export async function endReminderTurn(
  trx: DatabaseTransaction,
  { sellerId, after }: Pick<ReminderTurn, 'sellerId' | 'after'>,
  day: string,
  lastId: string | null,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE seller_settings
    SET reminded_after = ${lastId}::uuid,
      reminded_day = CASE WHEN ${lastId}::uuid IS NULL THEN ${day}::date ELSE reminded_day END
    WHERE seller_id = ${sellerId} AND reminded_after IS NOT DISTINCT FROM ${after}::uuid
      AND (reminded_day IS NULL OR reminded_day < ${day}::date)
    RETURNING seller_id`.execute(trx);
  return rows.length > 0;
}

/** Writes preferences that are locked. */
export async function savePreferences(
  trx: DatabaseTransaction,
  sellerId: string,
  preferences: Preferences,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('seller_settings')
    .set(toColumns(preferences, at))
    .where('seller_id', '=', sellerId)
    .execute();
}

const toColumns = (
  { displayName, logoUrl, payerEmails, payerLanguage, embedOrigins }: Preferences,
  at: Date,
) => ({
  display_name: displayName,
  logo_url: logoUrl,
  payer_emails: payerEmails,
  payer_language: payerLanguage,
  embed_origins: [...embedOrigins],
  updated_at: at,
});
