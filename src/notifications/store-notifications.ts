import { sql } from 'kysely';

import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import type { Role } from '#platform/kit/permissions.ts';

/** A user who is notified. */
export interface Recipient {
  readonly id: string;
  readonly email: string;
  readonly locale: string;
  /** The kinds that the user has chosen to receive by mail. Null for the defaults. */
  readonly mailed: readonly string[] | null;
}

/** Recipients of one notification of a seller. */
const MAX_RECIPIENTS = 50;

/**
 * The users of a seller with one of the roles, the oldest first. Until the end of the transaction
 * none of them is deleted, which would make the insert of their notification fail.
 */
export function findRecipients(
  trx: DatabaseTransaction,
  /** Null: operator users. */
  sellerId: string | null,
  roles: readonly Role[],
): Promise<readonly Recipient[]> {
  return trx
    .selectFrom('users as u')
    .leftJoin('notification_choices as c', 'c.user_id', 'u.id')
    .select(['u.id', 'u.email', 'u.locale', 'c.mailed'])
    .where('u.seller_id', sellerId === null ? 'is' : '=', sellerId)
    .where('u.role', 'in', roles)
    .orderBy('u.id')
    .limit(MAX_RECIPIENTS)
    .forKeyShare('u')
    .execute();
}

export interface NotificationRow {
  readonly user_id: string;
  readonly id: string;
  readonly kind: string;
  /** JSON. */
  readonly params: string;
  readonly created_at: Date;
}

export async function insertNotifications(
  trx: DatabaseTransaction,
  rows: readonly NotificationRow[],
): Promise<void> {
  if (rows.length > 0) await trx.insertInto('notifications').values(rows).execute();
}

export interface StoredNotification {
  readonly id: string;
  readonly kind: string;
  readonly params: unknown;
  readonly read_at: Date | null;
  readonly created_at: Date;
}

/** Newest first, with one extra row if there is a next page. */
export function findNotifications(
  db: Db,
  userId: string,
  page: Page,
): Promise<readonly StoredNotification[]> {
  return db
    .selectFrom('notifications')
    .select(['id', 'kind', 'params', 'read_at', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('user_id', 'desc')
    .$call(paginateNewestFirst(page))
    .execute();
}

export const countNotifications = (db: Db, userId: string): Promise<ListCount> =>
  countList(db, db.selectFrom('notifications').where('user_id', '=', userId), { isExact: false });

/** How many notifications a user has not read, up to `limit`. */
export async function countUnread(db: Db, userId: string, limit: number): Promise<number> {
  const unread = db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .limit(limit);
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (${unread}) AS unread`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Marks the notifications of a user up to an id as read, at most `limit` of them. Returns how many.
 */
export async function markRead(
  db: Db,
  userId: string,
  upTo: string,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<number> {
  const unread = db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('id', '<=', upTo)
    .orderBy('id', 'desc')
    .limit(limit);
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ read_at: at })
    .where('user_id', '=', userId)
    .where('id', 'in', unread)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

const selectChoices = (db: Db, userId: string) =>
  db.selectFrom('notification_choices').select('mailed').where('user_id', '=', userId);

export async function findChoices(db: Db, userId: string): Promise<readonly string[] | undefined> {
  return (await selectChoices(db, userId).executeTakeFirst())?.mailed;
}

/** Locks the choices of a user. Inserts the defaults if there are none, so that there is a row. */
export async function lockChoices(
  trx: DatabaseTransaction,
  userId: string,
  defaults: readonly string[],
  at: Date,
): Promise<readonly string[]> {
  await trx
    .insertInto('notification_choices')
    .values({ user_id: userId, mailed: [...defaults], updated_at: at })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
  return (await selectChoices(trx, userId).forUpdate().executeTakeFirstOrThrow()).mailed;
}

/** Writes choices that are locked. */
export async function saveChoices(
  trx: DatabaseTransaction,
  userId: string,
  { mailed, isSummarized }: { readonly mailed: readonly string[]; readonly isSummarized: boolean },
  at: Date,
): Promise<void> {
  // The first summary is of the day of the choice. Other choices leave it, so that none is skipped.
  const summaryAfter = isSummarized
    ? sql<string>`coalesce(summary_after, ${addDays(saoPauloDate(at), -1)}::date)`
    : null;
  await trx
    .updateTable('notification_choices')
    .set({ mailed: [...mailed], updated_at: at, summary_after: summaryAfter })
    .where('user_id', '=', userId)
    .execute();
}

/** A user who receives a summary of each day. */
export interface SummaryReader {
  readonly userId: string;
  readonly sellerId: string;
  readonly email: string;
  readonly locale: string;
}

/** Users of sellers who want a daily summary and have none of this day, the oldest first. */
export async function findSummaryReaders(
  db: Db,
  day: string,
  limit: number,
): Promise<readonly SummaryReader[]> {
  const { rows } = await sql<SummaryReader>`
    SELECT u.id AS "userId", u.seller_id AS "sellerId", u.email, u.locale
    FROM (
      SELECT user_id FROM notification_choices WHERE summary_after < ${day}::date
      ORDER BY summary_after LIMIT ${limit}
    ) due CROSS JOIN LATERAL (SELECT * FROM users WHERE id = due.user_id OFFSET 0) u
    WHERE u.seller_id IS NOT NULL`.execute(db);
  return rows;
}

/** Records that a user has the summary of a day. Returns false if another process was first. */
export async function markSummarized(
  trx: DatabaseTransaction,
  userId: string,
  day: string,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE notification_choices SET summary_after = ${day}::date
    WHERE user_id = ${userId} AND summary_after < ${day}::date RETURNING user_id`.execute(trx);
  return rows.length > 0;
}

/** Deletes notifications that were created before a time. */
export async function deleteNotificationsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM notifications WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM notifications WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${limit}))`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
