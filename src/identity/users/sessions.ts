import { randomUUID } from 'node:crypto';

import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { hashCredential, isUuid, newId } from '#platform/kit/ids.ts';
import type { Role } from '#platform/kit/permissions.ts';
import { signAccessToken, verifyClaims, type AccessClaims } from './access-tokens.ts';
import type { UsersDeps } from './deps.ts';
import { roleOf } from './profile.ts';
import {
  deleteSession,
  findSessions,
  insertSession,
  revokeAllTokens,
  rotateRefreshToken,
  type ClientInfo,
  type RefreshToken,
  type TokenTransport,
} from './store-sessions.ts';
import { lockUser, type User } from './store.ts';

export const REFRESH_TOKEN_TTL_SECONDS = 7 * 24 * 3_600;

/** Two tabs of one browser may present the same refresh token within this time. */
const REUSE_GRACE_MS = 10_000;

export interface SignInResult {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string; readonly role: Role };
}

/** How the client uses the session: it selects the token transport and describes itself. */
export interface SessionOptions {
  readonly transport: TokenTransport;
  readonly clientInfo: ClientInfo;
}

/** A session that was started or refreshed, with its current refresh token. */
export interface ActiveSession {
  readonly user: User;
  readonly sessionId: string;
  readonly transport: TokenTransport;
  readonly refreshToken: string;
}

export interface AuthenticatedUser {
  readonly userId: string;
  readonly sessionId: string;
  readonly sellerId: string | null;
  readonly browser: boolean;
  readonly name: string;
  readonly role: Role;
}

export interface Session {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly browser: string | null;
  readonly address: string | null;
  readonly current: boolean;
}

/** Starts a session. The caller has locked the user's row, so that concurrent revocations apply. */
export async function startSession(
  { clock }: UsersDeps,
  trx: DatabaseTransaction,
  user: User,
  { transport, clientInfo }: SessionOptions,
): Promise<ActiveSession> {
  const refreshToken = randomUUID();
  const now = clock.now();
  const id = newId(now.getTime());
  const token = buildRefreshToken(refreshToken, now);
  await insertSession(trx, { id, userId: user.id, transport, clientInfo, token });
  return { user, sessionId: id, transport, refreshToken };
}

export async function buildSignInResult(
  deps: UsersDeps,
  { user, sessionId, transport, refreshToken }: ActiveSession,
): Promise<SignInResult> {
  return {
    accessToken: await signAccessToken(deps, {
      userId: user.id,
      sessionId,
      sellerId: user.seller_id,
      browser: transport === 'COOKIE',
      generation: user.token_generation,
    }),
    refreshToken,
    user: { id: user.id, name: user.name, email: user.email, role: roleOf(user) },
  };
}

/**
 * Exchanges a refresh token for its successor. A token that is used twice revokes its family. In a
 * browser's cookie a token may be presented again within ten seconds, by another tab or a page that
 * was reloaded, and gets the same successor.
 */
export async function refresh(
  deps: UsersDeps,
  refreshToken: string,
  { transport, clientInfo }: SessionOptions,
): Promise<SignInResult | undefined> {
  const { db, clock, signedTokens } = deps;
  const isCookie = transport === 'COOKIE';
  const successor = isCookie ? signedTokens.nextRefreshToken(refreshToken) : randomUUID();
  const now = clock.now();
  const rotation = {
    hash: hashCredential(refreshToken),
    transport,
    next: buildRefreshToken(successor, now),
    clientInfo,
    now,
    reuseAllowedSince: isCookie ? new Date(now.getTime() - REUSE_GRACE_MS) : undefined,
  };
  const rotated = await db.transaction().execute((trx) => rotateRefreshToken(trx, rotation));
  if (rotated === undefined) return undefined;
  return buildSignInResult(deps, { ...rotated, transport, refreshToken: successor });
}

/** Revokes all tokens of the user. */
export async function signOut({ db, clock, userCache }: UsersDeps, userId: string): Promise<void> {
  await db.transaction().execute((trx) => revokeAllTokens(trx, userId, clock.now()));
  userCache.clear();
}

/** The user's sessions that have not expired, newest first. */
export async function listSessions(
  { db, clock }: UsersDeps,
  userId: string,
  currentId: string,
): Promise<readonly Session[]> {
  const rows = await findSessions(db, userId, clock.now());
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    browser: row.browser,
    address: row.masked_address,
    current: row.id === currentId,
  }));
}

/**
 * Revokes one session of the user with all its tokens. Returns false if there is no such session.
 */
export async function revokeSession(
  { db, userCache }: UsersDeps,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  if (!isUuid(sessionId)) return false;
  const revoked = await db.transaction().execute(async (trx) => {
    // Waits for a concurrent exchange of the session's refresh token.
    await lockUser(trx, userId);
    return deleteSession(trx, userId, sessionId);
  });
  userCache.clear();
  return revoked;
}

/**
 * The claims of a token, without a database query. Returns undefined for a token that is forged or
 * expired. It may still be revoked.
 */
export function readAccessToken(deps: UsersDeps, accessToken: string): Promise<AccessClaims | undefined> {
  return verifyClaims(deps, accessToken);
}

/** Returns undefined for the claims of a token that is revoked. */
export async function findTokenUser(
  { userCache }: UsersDeps,
  { userId, sessionId, browser, generation }: AccessClaims,
): Promise<AuthenticatedUser | undefined> {
  const user = await userCache.get(sessionId);
  if (user === undefined || user.id !== userId || user.token_generation !== generation) return undefined;
  return { userId, sessionId, sellerId: user.seller_id, browser, name: user.name, role: roleOf(user) };
}

function buildRefreshToken(token: string, createdAt: Date): RefreshToken {
  const expiresAt = new Date(createdAt.getTime() + REFRESH_TOKEN_TTL_SECONDS * 1_000);
  return { hash: hashCredential(token), expiresAt, createdAt };
}
