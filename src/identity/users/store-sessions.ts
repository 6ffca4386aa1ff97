import { sql, type Selectable } from 'kysely';

import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { Sessions } from '#platform/database/types.gen.ts';
import { isIdle, refreshTokenEnd } from './session-lifetime.ts';
import { lockUser, type User } from './store.ts';

export type SessionRow = Selectable<Sessions>;

/** Where the client has its refresh token: in the response body, or in a browser's cookie. */
export type TokenTransport = 'BODY' | 'COOKIE';

/** The client of a session, so that its user recognizes it. */
export interface ClientInfo {
  readonly browser: string | null;
  readonly maskedAddress: string | null;
}

interface RefreshToken {
  readonly hash: Buffer;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly transport: TokenTransport;
  readonly clientInfo: ClientInfo;
  readonly token: RefreshToken;
}

/** Inserts a session with its first refresh token. The caller has locked the user's row. */
export async function insertSession(trx: DatabaseTransaction, session: NewSession): Promise<void> {
  const { id, userId, transport, clientInfo, token } = session;
  await trx
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      transport,
      browser: clientInfo.browser,
      masked_address: clientInfo.maskedAddress,
      created_at: token.createdAt,
      last_used_at: token.createdAt,
      verified_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute();
  await insertRefreshToken(trx, { userId, sessionId: id }, token);
}

async function insertRefreshToken(
  trx: DatabaseTransaction,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  token: RefreshToken,
): Promise<void> {
  await trx
    .insertInto('refresh_tokens')
    .values({
      token_hash: token.hash,
      family_id: sessionId,
      user_id: userId,
      expires_at: token.expiresAt,
      used_at: null,
      created_at: token.createdAt,
    })
    .execute();
}

export interface RefreshTokenRotation {
  readonly hash: Buffer;
  readonly transport: TokenTransport;
  readonly nextHash: Buffer;
  readonly clientInfo: ClientInfo;
  readonly now: Date;
  /** A token that was used after this time may be presented again while its successor is unused. */
  readonly reuseAllowedSince: Date | undefined;
}

/** Why a session ended before its user signed out. */
export type SessionEnd = 'IDLE' | 'TOKEN_REUSED' | 'REVOKED';

/** A session that the presented token ended. */
export interface EndedSession {
  readonly ended: Exclude<SessionEnd, 'REVOKED'>;
  readonly user: User;
  readonly sessionId: string;
}

export interface RotationResult {
  readonly user: User;
  readonly sessionId: string;
  readonly createdAt: Date;
}

/**
 * Replaces a valid refresh token by the next of its family. Returns undefined if the token is
 * unknown, expired or used, or if the session was idle, which ends it. A used token was stolen
 * from one of its two holders, so its family is
 * revoked. The user's row is locked, so that no revocation comes between the use of one token and
 * the insert of the next.
 */
export async function rotateRefreshToken(
  trx: DatabaseTransaction,
  rotation: RefreshTokenRotation,
): Promise<RotationResult | EndedSession | undefined> {
  const { hash, transport, nextHash, clientInfo, now } = rotation;
  const known = await trx
    .selectFrom('refresh_tokens as t')
    .innerJoin('sessions as s', 's.id', 't.family_id')
    .select(['t.user_id', 't.family_id', 's.created_at', 's.last_used_at'])
    .where((eb) => eb.and({ 't.token_hash': hash, 's.transport': transport }))
    .executeTakeFirst();
  const user = known === undefined ? undefined : await lockUser(trx, known.user_id);
  if (known === undefined || user === undefined) return undefined;
  const { family_id: sessionId, created_at: createdAt } = known;
  if (isIdle(user, known.last_used_at, now)) {
    await endSession(trx, sessionId);
    return { ended: 'IDLE', user, sessionId };
  }
  const used = await trx
    .updateTable('refresh_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('family_id')
    .executeTakeFirst();
  if (used === undefined) {
    const reuse = await handleTokenReuse(trx, rotation);
    if (reuse === 'ALLOWED') return { user, sessionId, createdAt };
    return reuse === 'REVOKED' ? { ended: 'TOKEN_REUSED', user, sessionId } : undefined;
  }
  const next = { hash: nextHash, expiresAt: refreshTokenEnd(user, createdAt, now), createdAt: now };
  await insertRefreshToken(trx, { userId: user.id, sessionId }, next);
  await trx
    .updateTable('sessions')
    .set({
      browser: clientInfo.browser,
      masked_address: clientInfo.maskedAddress,
      last_used_at: now,
      expires_at: next.expiresAt,
    })
    .where('id', '=', sessionId)
    .execute();
  return { user, sessionId, createdAt };
}

/**
 * Decides on a token that is used or expired. It is allowed if it was used a moment ago and its
 * successor is unused: another tab of the same browser presented it. Within that moment a used
 * successor revokes nothing. After it, a used token revokes its family.
 */
async function handleTokenReuse(
  trx: DatabaseTransaction,
  { hash, nextHash, now, reuseAllowedSince }: RefreshTokenRotation,
): Promise<'ALLOWED' | 'REFUSED' | 'REVOKED'> {
  const token = await trx
    .selectFrom('refresh_tokens')
    .select(['family_id', 'used_at'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  if (token === undefined || token.used_at === null) return 'REFUSED';
  if (reuseAllowedSince !== undefined && token.used_at > reuseAllowedSince) {
    const unusedSuccessor = await trx
      .selectFrom('refresh_tokens')
      .select('family_id')
      .where((eb) => eb.and({ token_hash: nextHash, family_id: token.family_id }))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return unusedSuccessor === undefined ? 'REFUSED' : 'ALLOWED';
  }
  await endSession(trx, token.family_id);
  return 'REVOKED';
}

async function endSession(trx: DatabaseTransaction, id: string): Promise<void> {
  await trx.deleteFrom('sessions').where('id', '=', id).execute();
  await invalidateCaches(trx, [id]);
}

/** The user of a session. */
export interface SessionUser extends User {
  readonly session_id: string;
  readonly has_second_factor: boolean;
  /** Of the session, like the next. */
  readonly last_used_at: Date;
  readonly verified_at: Date;
}

const FIND_SESSION_USERS: NamedStatement = {
  name: 'find-session-users',
  text: `
    SELECT u.*, s.id AS session_id, s.last_used_at, s.verified_at,
      f.confirmed_at IS NOT NULL
        OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id) AS has_second_factor
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    LEFT JOIN second_factors f ON f.user_id = u.id
    WHERE s.id = ANY ($1::uuid[])`,
};

/** The users of sessions that were not revoked, by session id. */
export async function findSessionUsers(
  query: RunStatement,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, SessionUser>> {
  const rows = await query<SessionUser>(FIND_SESSION_USERS, [sessionIds]);
  return new Map(rows.map((user) => [user.session_id, user]));
}

/** Writes that a session was used, unless another request has. */
export async function updateLastUse(db: Db, sessionId: string, before: Date, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where((eb) => eb.and({ id: sessionId, last_used_at: before }))
    .execute();
}

/** Records that the user of a session was verified again. */
export async function updateVerification(
  trx: DatabaseTransaction,
  sessionId: string,
  now: Date,
): Promise<void> {
  await trx.updateTable('sessions').set({ verified_at: now }).where('id', '=', sessionId).execute();
  await invalidateCaches(trx, [sessionId]);
}

/** When the user of a session was last verified, as of now in the database. */
export async function findVerification(db: Db, sessionId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('sessions')
    .select('verified_at')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.verified_at;
}

/**
 * Revokes every token of a user: deletes the sessions and advances the generation of access tokens.
 */
export async function revokeAllTokens(trx: DatabaseTransaction, userId: string, now: Date): Promise<void> {
  await trx
    .updateTable('users')
    .set({ token_generation: sql`token_generation + 1`, updated_at: now })
    .where('id', '=', userId)
    .execute();
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await invalidateCaches(trx, [userId]);
}

const MAX_LISTED_SESSIONS = 100;

/** The user's sessions that have not expired, newest first. */
export function findSessions(db: Db, userId: string, now: Date): Promise<readonly SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED_SESSIONS)
    .execute();
}

/** Returns false if the user has no such session. */
export async function deleteSession(
  trx: DatabaseTransaction,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('sessions')
    .where((eb) => eb.and({ user_id: userId, id: sessionId }))
    .returning('id')
    .executeTakeFirst();
  await invalidateCaches(trx, [sessionId]);
  return deleted !== undefined;
}

export async function deleteOtherSessions(
  trx: DatabaseTransaction,
  userId: string,
  sessionId: string,
): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '<>', sessionId).execute();
  await invalidateCaches(trx, [userId]);
}

/**
 * Deletes expired refresh tokens. A used one is retained until then, so that its reuse is
 * recognized.
 */
export async function deleteRefreshTokensExpiredBefore(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM refresh_tokens WHERE token_hash IN (
      SELECT token_hash FROM refresh_tokens WHERE expires_at < ${now} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Deletes expired sessions, and with them their refresh tokens. */
export async function deleteSessionsExpiredBefore(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at < ${now} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export interface Device {
  /** Empty if the client does not say. */
  readonly browser: string;
  readonly maskedAddress: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** The clients that a user has signed in with, the latest first. */
export function findDevices(db: Db, userId: string): Promise<readonly Device[]> {
  return db
    .selectFrom('devices')
    .select([
      'browser',
      'masked_address as maskedAddress',
      'first_seen_at as firstSeenAt',
      'last_seen_at as lastSeenAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .limit(MAX_LISTED_SESSIONS)
    .execute();
}

/** Records a sign-in from a client. Returns whether it is a new one, and the first of the user. */
export async function recordDevice(
  trx: DatabaseTransaction,
  userId: string,
  { browser, maskedAddress }: ClientInfo,
  at: Date,
): Promise<{ readonly isNew: boolean; readonly isFirst: boolean }> {
  const device = { user_id: userId, browser: browser ?? '', masked_address: maskedAddress ?? '' };
  const others = await trx
    .selectFrom('devices')
    .select('browser')
    .where('user_id', '=', userId)
    .limit(1)
    .execute();
  const inserted = await trx
    .insertInto('devices')
    .values({ ...device, first_seen_at: at, last_seen_at: at })
    .onConflict((conflict) => conflict.columns(['user_id', 'browser', 'masked_address']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (inserted === undefined) {
    await trx
      .updateTable('devices')
      .set({ last_seen_at: at })
      .where((eb) => eb.and(device))
      .execute();
  }
  return { isNew: inserted !== undefined, isFirst: others.length === 0 };
}

export async function deleteDevicesUnusedSince(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM devices WHERE (user_id, browser, masked_address) IN (
      SELECT user_id, browser, masked_address FROM devices
      WHERE last_seen_at < ${before} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
