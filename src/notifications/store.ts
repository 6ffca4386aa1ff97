import { sql, type Selectable } from 'kysely';

import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { leaseRows, type Lease, type Leased } from '#platform/database/leases.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { Mails } from '#platform/database/types.gen.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { hashCredential, minIdAt } from '#platform/kit/ids.ts';
import { isRecord } from '#platform/kit/records.ts';
import { MAILS_TABLE, TO_PAYERS, TO_USERS } from './leased-table.ts';
import { MAIL_STATUSES, type MailStatus, type StoredMail } from './mail.ts';

export interface InsertedMail {
  readonly sellerId: string;
  readonly id: string;
  readonly template: string;
  readonly locale: string;
  readonly recipient: string;
  /** JSON. */
  readonly params: string;
  readonly encryptedToken: string | null;
  readonly recordId: string | null;
  readonly expiresAt: Date | null;
  readonly at: Date;
}

export async function insertMails(trx: DatabaseTransaction, mails: readonly InsertedMail[]): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map(({ at, ...mail }) =>
    toColumns({
      ...mail,
      status: 'PENDING',
      attempts: 0,
      dueAt: at,
      createdAt: at,
      updatedAt: at,
    }),
  );
  await trx.insertInto('mails').values(rows).execute();
}

/** Whom a mail is for: a user or an invited person, or a payer. */
export type MailAudience = 'user' | 'payer';

/** Leases mails that are due. */
export async function leaseMails(
  db: Db,
  audience: MailAudience,
  lease: Lease,
): Promise<readonly (StoredMail & Leased)[]> {
  const columns = sql`mails.*`;
  const about = audience === 'payer' ? TO_PAYERS : TO_USERS;
  const pending = sql`${MAILS_TABLE.pending} AND ${about}`;
  const rows = await leaseRows<Selectable<Mails>>(db, lease, { ...MAILS_TABLE, pending, columns });
  return rows.map(({ leasedBy, ...row }) => ({ ...toMail(row), leasedBy }));
}

export interface MailOutcome {
  readonly status: MailStatus;
  readonly dueAt: Date;
  readonly smtpCode: number | null;
  readonly error: string | null;
  readonly at: Date;
}

/**
 * Records an attempt, unless another process holds the lease by now. A mail that was sent keeps no
 * token.
 */
export async function recordMailAttempt(
  db: Db,
  { sellerId, id, attempts, leasedBy }: StoredMail & Leased,
  { status, dueAt, smtpCode, error, at }: MailOutcome,
): Promise<void> {
  const outcome = { status, due_at: dueAt, smtp_code: smtpCode, error, updated_at: at };
  const token = status === 'SENT' ? { encrypted_token: null } : {};
  await db
    .updateTable('mails')
    .set({ ...outcome, ...token, attempts: attempts + 1, lease_until: null })
    .where((eb) => eb.and({ seller_id: sellerId, id, leased_by: leasedBy, status: 'PENDING' }))
    .execute();
}

/** The mails of all sellers, newest first; one extra if there is a next page. */
export async function findMails(
  db: Db,
  status: MailStatus | undefined,
  page: Page,
): Promise<readonly StoredMail[]> {
  const rows = await matching(db, status).selectAll().$call(paginateNewestFirst(page)).execute();
  return rows.map(toMail);
}

export const countMails = (db: Db, status: MailStatus | undefined): Promise<ListCount> =>
  countList(db, matching(db, status), { isExact: false });

function matching(db: Db, status: MailStatus | undefined) {
  const query = db.selectFrom('mails');
  return status === undefined ? query : query.where('status', '=', status);
}

/** The newest mails that were not sent, all or those to one address. */
export async function findUnsentMails(
  db: Db,
  recipient: string | undefined,
  limit: number,
): Promise<readonly StoredMail[]> {
  const unsent = db.selectFrom('mails').selectAll().where('status', '<>', 'SENT');
  // In the order of an index, which PostgreSQL would otherwise leave for that of all ids.
  const ordered =
    recipient === undefined ? unsent : unsent.where('recipient', '=', recipient).orderBy('recipient', 'desc');
  const rows = await ordered.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(toMail);
}

/** Locks a mail until the end of the transaction. */
export async function lockMail(trx: DatabaseTransaction, id: string): Promise<StoredMail | undefined> {
  const found = await trx.selectFrom('mails').select('seller_id').where('id', '=', id).executeTakeFirst();
  if (found === undefined) return undefined;
  // A row is locked by its whole key, so that a distributed database finds its node.
  const row = await trx
    .selectFrom('mails')
    .selectAll()
    .where((eb) => eb.and({ seller_id: found.seller_id, id }))
    .forUpdate()
    .executeTakeFirst();
  return row && toMail(row);
}

/** Makes a mail that failed due again, with all its attempts. */
export async function requeueMail(
  trx: DatabaseTransaction,
  { sellerId, id }: Pick<StoredMail, 'sellerId' | 'id'>,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('mails')
    .set({ status: 'PENDING', attempts: 0, due_at: at, updated_at: at })
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .execute();
}

/** Deletes mails that were created before a time, whatever their status. */
export async function deleteMailsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM mails WHERE id = ANY (ARRAY(
      SELECT id FROM mails WHERE id < ${minIdAt(before.getTime())} ORDER BY id LIMIT ${limit}))`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/**
 * Unsubscribes the recipient of a payer's mail from mails about its seller. False if the mail does
 * not exist.
 */
export async function optOut(trx: DatabaseTransaction, id: string, at: Date): Promise<boolean> {
  const mail = await trx
    .selectFrom('mails')
    .select(['seller_id', 'recipient'])
    .where('id', '=', id)
    .where('record_id', 'is not', null)
    .executeTakeFirst();
  if (mail === undefined) return false;
  await trx
    .insertInto('mail_opt_outs')
    .values({ seller_id: mail.seller_id, email_hash: hashCredential(mail.recipient), created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}

const toMail = ({ params, locale, status, ...row }: Selectable<Mails>): StoredMail => ({
  ...toFields(row),
  locale: locale === 'en' ? 'en' : 'pt-BR',
  status: MAIL_STATUSES.find((known) => known === status) ?? 'FAILED',
  params: isRecord(params) ? params : {},
});
