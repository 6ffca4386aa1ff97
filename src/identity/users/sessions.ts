import { randomUUID } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { anonymousActor, type AuditActor } from '#platform/http/audit-actor.ts';
import { hashCredential, isUuid, newId } from '#platform/kit/ids.ts';
import type { Role } from '#platform/kit/permissions.ts';
import { signAccessToken, verifyClaims, type AccessClaims } from './access-tokens.ts';
import type { UsersDeps } from './deps.ts';
import { roleOf } from './profile.ts';
import { isUseDue, refreshTokenEnd, sessionEnd } from './session-lifetime.ts';
import {
  deleteSession,
  findSessions,
  insertSession,
  revokeAllTokens,
  rotateRefreshToken,
  updateLastUse,
  type ClientInfo,
  type EndedSession,
  type TokenTransport,
} from './store-sessions.ts';
import { lockUser, type User } from './store.ts';

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
  readonly createdAt: Date;
  readonly refreshToken: string;
}

export interface AuthenticatedUser {
  readonly userId: string;
  readonly sessionId: string;
  readonly sellerId: string | null;
  readonly browser: boolean;
  readonly name: string;
  readonly role: Role;
  /**
   * Outside the sandbox, a user of the operator must set up a second factor before anything else.
   */
  readonly needsSecondFactor: boolean;
  /** When the user signed in, or was verified again in the session. */
  readonly verifiedAt: Date;
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
  const expiresAt = refreshTokenEnd(user, now, now);
  const token = { hash: hashCredential(refreshToken), expiresAt, createdAt: now };
  await insertSession(trx, { id, userId: user.id, transport, clientInfo, token });
  return { user, sessionId: id, createdAt: now, transport, refreshToken };
}

export async function buildSignInResult(
  deps: UsersDeps,
  { user, sessionId, createdAt, transport, refreshToken }: ActiveSession,
): Promise<SignInResult> {
  return {
    accessToken: await signAccessToken(deps, {
      userId: user.id,
      sessionId,
      sellerId: user.seller_id,
      browser: transport === 'COOKIE',
      generation: user.token_generation,
      notAfter: sessionEnd(user, createdAt),
    }),
    refreshToken,
    user: { id: user.id, name: user.name, email: user.email, role: roleOf(user) },
  };
}

/**
 * Exchanges a refresh token for its successor. A token that is used twice revokes its family. In a
 * browser's cookie a token may be presented again within ten seconds, by another tab or a page that
 * was reloaded, and gets the same successor. A session of the operator that was idle is ended.
 */
export async function refresh(
  deps: UsersDeps,
  refreshToken: string,
  { transport, clientInfo }: SessionOptions,
  requestId: string,
): Promise<SignInResult | undefined> {
  const { db, clock, signedTokens } = deps;
  const isCookie = transport === 'COOKIE';
  const successor = isCookie ? signedTokens.nextRefreshToken(refreshToken) : randomUUID();
  const now = clock.now();
  const rotation = {
    hash: hashCredential(refreshToken),
    transport,
    nextHash: hashCredential(successor),
    clientInfo,
    now,
    reuseAllowedSince: isCookie ? new Date(now.getTime() - REUSE_GRACE_MS) : undefined,
  };
  const rotated = await db.transaction().execute(async (trx) => {
    const result = await rotateRefreshToken(trx, rotation);
    if (result !== undefined && 'ended' in result) await recordEnd(trx, result, { requestId, at: now });
    return result;
  });
  if (rotated === undefined || 'ended' in rotated || !isUsable(deps, rotated.user)) return undefined;
  return buildSignInResult(deps, { ...rotated, transport, refreshToken: successor });
}

/**
 * Records that a session ended because it was idle, or because its refresh token was used again.
 */
function recordEnd(
  trx: DatabaseTransaction,
  { ended, user, sessionId }: EndedSession,
  { requestId, at }: { readonly requestId: string; readonly at: Date },
): Promise<void> {
  const target = { recordType: 'user', recordId: user.id, sellerId: user.seller_id } as const;
  const action = ended === 'IDLE' ? 'user.session-ended' : 'user.refresh-token-reused';
  const after = { sessionId, reason: ended };
  return recordAudit(trx, anonymousActor(requestId), { action, ...target, before: null, after, at });
}

/** Revokes all tokens of the user. */
export async function signOut(
  { db, clock, userCache }: UsersDeps,
  userId: string,
  actor: AuditActor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const at = clock.now();
    const user = await lockUser(trx, userId);
    await revokeAllTokens(trx, userId, at);
    const target = { recordType: 'user', recordId: userId, sellerId: user?.seller_id ?? null } as const;
    await recordAudit(trx, actor, { action: 'user.sign-out', ...target, before: null, after: null, at });
  });
  userCache.invalidate(new Set([userId]));
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
  { db, clock, userCache }: UsersDeps,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  actor: AuditActor,
): Promise<boolean> {
  if (!isUuid(sessionId)) return false;
  const revoked = await db.transaction().execute(async (trx) => {
    // Waits for a concurrent exchange of the session's refresh token.
    const user = await lockUser(trx, userId);
    if (!(await deleteSession(trx, userId, sessionId))) return false;
    await recordAudit(trx, actor, {
      action: 'user.session-ended',
      recordType: 'user',
      recordId: userId,
      sellerId: user?.seller_id ?? null,
      before: null,
      after: {
        sessionId,
        reason: 'REVOKED',
      },
      at: clock.now(),
    });
    return true;
  });
  userCache.invalidate(new Set([sessionId.toLowerCase()]));
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
  deps: UsersDeps,
  { userId, sessionId, browser, generation }: AccessClaims,
): Promise<AuthenticatedUser | undefined> {
  const user = await deps.userCache.get(sessionId);
  if (user === undefined || user.id !== userId || user.token_generation !== generation) return undefined;
  if (!isUsable(deps, user)) return undefined;
  const now = deps.clock.now();
  if (isUseDue(user, user.last_used_at, now)) {
    await updateLastUse(deps.db, sessionId, user.last_used_at, now);
    deps.userCache.invalidate(new Set([sessionId]));
  }
  const { seller_id: sellerId, name, has_second_factor: hasSecondFactor } = user;
  const needsSecondFactor = sellerId === null && !deps.sandbox && !hasSecondFactor;
  const person = { userId, sellerId, name, role: roleOf(user), needsSecondFactor };
  return { ...person, sessionId, browser, verifiedAt: user.verified_at };
}

/** The password of a demo user is in a file and on the terminal of the sandbox. */
export const isUsable = ({ sandbox }: UsersDeps, { demo }: User): boolean => sandbox || !demo;
