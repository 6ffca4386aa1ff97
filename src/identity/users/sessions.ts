import { randomUUID } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { hashCredential, isUuid, newId } from '#platform/kit/ids.ts';
import type { Role } from '#platform/kit/permissions.ts';
import { TtlCache } from '#platform/kit/ttl-cache.ts';
import { createTokenSigner, type JwtSecrets } from './access-tokens.ts';
import { callerFor, roleOf } from './profile.ts';
import { hashPassword, needsRehash, verifyPassword } from './passwords.ts';
import type { SignedToken, SignedTokens } from './signed-tokens.ts';
import { findUser, findUserByEmail, lockUser, replacePasswordHash, type User } from './store.ts';
import {
  deleteSession,
  rotateRefreshToken,
  findSessions,
  findSessionUsers,
  insertSession,
  revokeAllTokens,
  type TokenTransport,
  type ClientInfo,
  type RefreshToken,
} from './store-sessions.ts';
import type { SecondFactorCredential, TwoFactor } from './two-factor.ts';

export const REFRESH_TOKEN_TTL_SECONDS = 7 * 24 * 3_600;

/** For so long two tabs of one browser may bring the same token: see exchangeToken. */
const REUSE_GRACE_MS = 10_000;

export interface SignInResult {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string; readonly role: Role };
}

/** The password was right, and a second factor is asked for. */
export interface TwoFactorChallenge {
  readonly challenge: string;
}

/** How a session is begun. */
export interface SessionOptions {
  readonly transport: TokenTransport;
  readonly clientInfo: ClientInfo;
}

export interface AuthenticatedUser {
  readonly userId: string;
  readonly sessionId: string;
  readonly sellerId: string | null;
  readonly name: string;
  readonly role: Role;
}

/** A session as its user sees it. */
export interface Session {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly browser: string | null;
  readonly address: string | null;
  readonly current: boolean;
}

export interface SessionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly jwtSecrets: JwtSecrets;
  readonly signedTokens: SignedTokens;
  readonly twoFactor: TwoFactor;
}

/** Signing in and out, and what follows from it until the next time. */
export function createSessions({ db, clock, jwtSecrets, signedTokens, twoFactor }: SessionDeps) {
  const signer = createTokenSigner(jwtSecrets, clock);
  const userCache = new TtlCache((sessionIds: readonly string[]) => findSessionUsers(db, sessionIds));
  // Checked where no user has the e-mail, so that the answer takes the same time.
  const dummyHash = hashPassword(randomUUID());

  function newRefreshToken(text: string): RefreshToken {
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + REFRESH_TOKEN_TTL_SECONDS * 1_000);
    return { hash: hashCredential(text), expiresAt, createdAt };
  }

  async function buildSignInResult(
    user: User,
    sessionId: string,
    refreshToken: string,
  ): Promise<SignInResult> {
    return {
      accessToken: await signer.sign({ userId: user.id, sessionId, generation: user.token_generation }),
      refreshToken,
      user: { id: user.id, name: user.name, email: user.email, role: roleOf(user) },
    };
  }

  /** Keeps the right password at today's cost. Undefined where it has just been changed to another one. */
  async function rehashPassword(user: User, password: string): Promise<User | undefined> {
    const passwordHash = await hashPassword(password);
    if (await replacePasswordHash(db, user, passwordHash)) return { ...user, password_hash: passwordHash };
    const current = await findUser(db, user.id);
    return current !== undefined && (await verifyPassword(current.password_hash, password))
      ? current
      : undefined;
  }

  /** The caller holds the lock of the user's row, so that whatever ended the user or their tokens meanwhile counts. */
  async function startSession(trx: Db, user: User, { transport, clientInfo }: SessionOptions) {
    const text = randomUUID();
    const id = newId(clock.nowMs());
    await insertSession(trx, { id, userId: user.id, transport, clientInfo, token: newRefreshToken(text) });
    return { user, id, text };
  }

  return {
    /** Undefined for a wrong e-mail or password; neither the answer nor its time tells which. */
    async signIn(
      email: string,
      password: string,
      options: SessionOptions,
    ): Promise<SignInResult | TwoFactorChallenge | undefined> {
      const candidate = await findUserByEmail(db, email.toLowerCase());
      const matches = await verifyPassword(candidate?.password_hash ?? (await dummyHash), password);
      if (candidate === undefined || !matches) return undefined;
      const verified = needsRehash(candidate.password_hash)
        ? await rehashPassword(candidate, password)
        : candidate;
      if (verified === undefined) return undefined;
      const outcome = await db.transaction().execute(async (trx) => {
        const user = await lockUser(trx, verified.id);
        // The password was changed while it was looked at.
        if (user === undefined || user.password_hash !== verified.password_hash) return undefined;
        if (await twoFactor.isActive(trx, user.id)) return { challenged: user };
        return startSession(trx, user, options);
      });
      if (outcome === undefined) return undefined;
      if ('challenged' in outcome) {
        const { challenged: user } = outcome;
        return {
          challenge: await signedTokens.sign('challenge', {
            subject: user.id,
            bound: credentialFingerprint(user),
          }),
        };
      }
      return buildSignInResult(outcome.user, outcome.id, outcome.text);
    },

    /** The second step, with a challenge that was read. Undefined where the code is wrong or was used. */
    async signInWithSecondFactor(
      challenge: SignedToken,
      proof: SecondFactorCredential,
      options: SessionOptions,
      requestId: string,
    ): Promise<SignInResult | undefined> {
      const outcome = await db.transaction().execute(async (trx) => {
        const user = await lockUser(trx, challenge.subject);
        // A new password or a sign-out since then ends the challenge too.
        if (user === undefined || credentialFingerprint(user) !== challenge.bound) return undefined;
        if (!(await twoFactor.verify(trx, user.id, proof))) return undefined;
        if (proof.kind === 'recovery') {
          const left = await twoFactor.countRemainingCodes(trx, user.id);
          await recordAudit(trx, callerFor(user, requestId), {
            action: 'user.recovery-code-used',
            recordType: 'user',
            recordId: user.id,
            sellerId: user.seller_id,
            before: null,
            after: { recoveryCodesLeft: left },
            at: clock.now(),
          });
        }
        return startSession(trx, user, options);
      });
      return outcome === undefined ? undefined : buildSignInResult(outcome.user, outcome.id, outcome.text);
    },

    /**
     * Exchanges a refresh token for the next of its family. A token used twice ends the family. In a browser's cookie
     * it may come twice within ten seconds, from two tabs or a page that was loaded again, and gets the same answer.
     */
    async refresh(
      refreshToken: string,
      { transport, clientInfo }: SessionOptions,
    ): Promise<SignInResult | undefined> {
      const fromCookie = transport === 'COOKIE';
      const text = fromCookie ? signedTokens.nextRefreshToken(refreshToken) : randomUUID();
      const now = clock.now();
      const rotation = {
        hash: hashCredential(refreshToken),
        transport,
        next: newRefreshToken(text),
        clientInfo,
        now,
        reuseAllowedSince: fromCookie ? new Date(now.getTime() - REUSE_GRACE_MS) : undefined,
      };
      const rotated = await db.transaction().execute((trx) => rotateRefreshToken(trx, rotation));
      if (rotated === undefined) return undefined;
      return buildSignInResult(rotated.user, rotated.sessionId, text);
    },

    async signOut(userId: string): Promise<void> {
      await revokeAllTokens(db, userId, clock.now());
      userCache.clear();
    },

    /** Where a user is signed in, newest first. */
    async listSessions(userId: string, currentId: string): Promise<readonly Session[]> {
      const rows = await findSessions(db, userId, clock.now());
      return rows.map((row) => ({
        id: row.id,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        browser: row.browser,
        address: row.masked_address,
        current: row.id === currentId,
      }));
    },

    /** Ends one of the user's sessions with all its tokens; false where there is no such session. */
    async revokeSession(userId: string, sessionId: string): Promise<boolean> {
      if (!isUuid(sessionId)) return false;
      const revoked = await db.transaction().execute(async (trx) => {
        // So that no exchange of its token is under way.
        await lockUser(trx, userId);
        return deleteSession(trx, userId, sessionId);
      });
      userCache.clear();
      return revoked;
    },

    /** Whose access token this is; undefined for one that is forged, expired or revoked. */
    async verifyAccessToken(accessToken: string): Promise<AuthenticatedUser | undefined> {
      const claims = await signer.verify(accessToken);
      if (claims === undefined) return undefined;
      const { sessionId } = claims;
      const user = await userCache.get(sessionId);
      if (user === undefined || user.id !== claims.userId) return undefined;
      if (user.token_generation !== claims.generation) return undefined;
      return { userId: user.id, sessionId, sellerId: user.seller_id, name: user.name, role: roleOf(user) };
    },

    /** Reads all users anew: after what changed or ended some of them. Other nodes do so within a second. */
    clearUserCache: (): void => userCache.clear(),
  };
}

/** What a challenge is bound to. Of a salted hash, so that it tells nothing. */
const credentialFingerprint = (user: User): string =>
  hashCredential(`${user.password_hash} ${user.token_generation}`).toString('base64url').slice(0, 22);
