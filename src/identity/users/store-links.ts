import { sql, type Selectable } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { Invitations } from '#platform/database/types.gen.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';

/** Invitations and password resets: what a mailed link refers to. */

export type InvitationRow = Selectable<Invitations>;

/** Inserts an invitation, in place of an earlier one of the same team to the same email. */
export async function replaceInvitation(trx: DatabaseTransaction, row: InvitationRow): Promise<void> {
  const { seller_id: _sellerId, email: _email, ...changes } = row;
  await trx
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['seller_id', 'email']).doUpdateSet(changes))
    .execute();
}

interface InvitationFilter {
  /** Null for the operator. */
  readonly sellerId: string | null;
  readonly now: Date;
}

/**
 * The invitations of one seller or of the operator (null) that have not expired, newest first; one
 * extra if there is a next page.
 */
export function findInvitations(
  db: Db,
  filter: InvitationFilter,
  page: Page,
): Promise<readonly InvitationRow[]> {
  return pending(db, filter).selectAll().$call(paginateNewestFirst(page)).execute();
}

export const countInvitations = (db: Db, filter: InvitationFilter): Promise<ListCount> =>
  countList(db, pending(db, filter), { isExact: true });

const pending = (db: Db, { sellerId, now }: InvitationFilter) =>
  db
    .selectFrom('invitations')
    .where('seller_id', sellerId === null ? 'is' : '=', sellerId)
    .where('expires_at', '>', now);

/** Deletes an invitation of a team. Returns it; undefined if there is none. */
export function deleteInvitation(
  trx: DatabaseTransaction,
  sellerId: string | null,
  id: string,
): Promise<InvitationRow | undefined> {
  return trx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('seller_id', sellerId === null ? 'is' : '=', sellerId)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes the invitations that a user has made, of all teams. Returns them. */
export function deleteInvitationsOf(
  trx: DatabaseTransaction,
  userId: string,
): Promise<readonly InvitationRow[]> {
  return trx.deleteFrom('invitations').where('created_by', '=', userId).returningAll().execute();
}

export function findInvitationByToken(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export interface ResetRequest {
  readonly id: string;
  readonly email: string;
  readonly locale: string;
  readonly created_at: Date;
}

export async function insertResetRequest(db: Db, request: ResetRequest): Promise<void> {
  await db.insertInto('password_reset_requests').values(request).execute();
}

/** Whether requests wait. */
export const RESET_REQUESTS_DUE: DueCondition = () =>
  sql`(SELECT 1 FROM password_reset_requests ORDER BY id LIMIT 1)`;

/** Takes the oldest request. Of concurrent transactions, each takes another one. */
export function takeResetRequest(trx: DatabaseTransaction): Promise<ResetRequest | undefined> {
  const oldest = trx
    .selectFrom('password_reset_requests')
    .select('id')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked();
  return trx.deleteFrom('password_reset_requests').where('id', '=', oldest).returningAll().executeTakeFirst();
}

export interface PasswordReset {
  readonly token_hash: Buffer;
  readonly user_id: string;
  readonly expires_at: Date;
  readonly created_at: Date;
}

export async function insertPasswordReset(trx: DatabaseTransaction, reset: PasswordReset): Promise<void> {
  await trx.insertInto('password_resets').values(reset).execute();
}

/** How many resets of a user were requested since a time, up to `limit`. */
export async function countResetsSince(
  trx: DatabaseTransaction,
  userId: string,
  since: Date,
  limit: number,
): Promise<number> {
  const rows = await trx
    .selectFrom('password_resets')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .limit(limit)
    .execute();
  return rows.length;
}

export function findPasswordReset(db: Db, tokenHash: Buffer, now: Date): Promise<PasswordReset | undefined> {
  return db
    .selectFrom('password_resets')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Deletes all resets of a user, so that every link that was mailed is void. */
export async function deletePasswordResets(trx: DatabaseTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

export async function deleteInvitationsExpiredBefore(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM invitations WHERE id IN (
      SELECT id FROM invitations WHERE expires_at < ${now} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export async function deleteResetsExpiredBefore(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM password_resets WHERE token_hash IN (
      SELECT token_hash FROM password_resets WHERE expires_at < ${now} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
