import { randomUUID } from 'node:crypto';

import { audit } from '#audit/service.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { credentialHash, isUuid, newId } from '#platform/kit/ids.ts';
import type { Role } from '#platform/http/permissions.ts';
import { ShortCache } from '#platform/kit/short-cache.ts';
import { createTokenSigner, type JwtSecrets } from './access-tokens.ts';
import { callerFor, roleOf } from './profile.ts';
import { hashPassword, isOfOtherCost, isPassword } from './passwords.ts';
import type { Slip, Slips } from './signed-tokens.ts';
import { findUser, findUserByEmail, lockUser, replacePasswordHash, type User } from './store.ts';
import {
  deleteSession,
  exchangeToken,
  findSessions,
  findSessionUsers,
  insertSession,
  revokeAllTokens,
  type Carrier,
  type Place,
  type RefreshToken,
} from './store-sessions.ts';
import type { Proof, TwoFactor } from './two-factor.ts';

export const REFRESH_SECONDS = 7 * 24 * 3_600;

/** For so long two tabs of one browser may bring the same token: see exchangeToken. */
const GRACE_MS = 10_000;

export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string; readonly role: Role };
}

/** The password was right, and a second factor is asked for. */
export interface Challenged {
  readonly challenge: string;
}

/** How a session is begun. */
export interface Manner {
  readonly carrier: Carrier;
  readonly place: Place;
}

export interface TokenHolder {
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
  readonly slips: Slips;
  readonly twoFactor: TwoFactor;
}

/** Signing in and out, and what follows from it until the next time. */
export function createSessions({ db, clock, jwtSecrets, slips, twoFactor }: SessionDeps) {
  const signer = createTokenSigner(jwtSecrets, clock);
  const holders = new ShortCache((sessionIds: readonly string[]) => findSessionUsers(db, sessionIds));
  // Checked where no user has the e-mail, so that the answer takes the same time.
  const nobodysHash = hashPassword(randomUUID());

  function tokenOf(text: string): RefreshToken {
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + REFRESH_SECONDS * 1_000);
    return { hash: credentialHash(text), expiresAt, createdAt };
  }

  async function signedIn(user: User, sessionId: string, refreshToken: string): Promise<SignedIn> {
    return {
      accessToken: await signer.sign({ userId: user.id, sessionId, generation: user.token_generation }),
      refreshToken,
      user: { id: user.id, name: user.name, email: user.email, role: roleOf(user) },
    };
  }

  /** Keeps the right password at today's cost. Undefined where it has just been changed to another one. */
  async function rehashed(user: User, password: string): Promise<User | undefined> {
    const passwordHash = await hashPassword(password);
    if (await replacePasswordHash(db, user, passwordHash)) return { ...user, password_hash: passwordHash };
    const now = await findUser(db, user.id);
    return now !== undefined && (await isPassword(now.password_hash, password)) ? now : undefined;
  }

  /** The caller holds the lock of the user's row, so that whatever ended the user or their tokens meanwhile counts. */
  async function begin(within: Db, user: User, { carrier, place }: Manner) {
    const text = randomUUID();
    const id = newId(clock.nowMs());
    await insertSession(within, { id, userId: user.id, carrier, place, token: tokenOf(text) });
    return { user, id, text };
  }

  return {
    /** Undefined for a wrong e-mail or password; neither the answer nor its time tells which. */
    async signIn(
      email: string,
      password: string,
      manner: Manner,
    ): Promise<SignedIn | Challenged | undefined> {
      const found = await findUserByEmail(db, email.toLowerCase());
      const matches = await isPassword(found?.password_hash ?? (await nobodysHash), password);
      if (found === undefined || !matches) return undefined;
      const seen = isOfOtherCost(found.password_hash) ? await rehashed(found, password) : found;
      if (seen === undefined) return undefined;
      const outcome = await db.transaction().execute(async (within) => {
        const user = await lockUser(within, seen.id);
        // The password was changed while it was looked at.
        if (user === undefined || user.password_hash !== seen.password_hash) return undefined;
        if (await twoFactor.isActive(within, user.id)) return { challenged: user };
        return begin(within, user, manner);
      });
      if (outcome === undefined) return undefined;
      if ('challenged' in outcome) {
        const { challenged: user } = outcome;
        return { challenge: await slips.make('challenge', { subject: user.id, bound: boundTo(user) }) };
      }
      return signedIn(outcome.user, outcome.id, outcome.text);
    },

    /** The second step, with a challenge that was read. Undefined where the code is wrong or was used. */
    async signInWithProof(
      challenge: Slip,
      proof: Proof,
      manner: Manner,
      requestId: string,
    ): Promise<SignedIn | undefined> {
      const outcome = await db.transaction().execute(async (within) => {
        const user = await lockUser(within, challenge.subject);
        // A new password or a sign-out since then ends the challenge too.
        if (user === undefined || boundTo(user) !== challenge.bound) return undefined;
        if (!(await twoFactor.prove(within, user.id, proof))) return undefined;
        if (proof.kind === 'recovery') {
          const left = await twoFactor.codesLeft(within, user.id);
          await audit(within, callerFor(user, requestId), {
            action: 'user.recovery-code-used',
            recordType: 'user',
            recordId: user.id,
            sellerId: user.seller_id,
            before: null,
            after: { recoveryCodesLeft: left },
            at: clock.now(),
          });
        }
        return begin(within, user, manner);
      });
      return outcome === undefined ? undefined : signedIn(outcome.user, outcome.id, outcome.text);
    },

    /**
     * Exchanges a refresh token for the next of its family. A token used twice ends the family. In a browser's cookie
     * it may come twice within ten seconds, from two tabs or a page that was loaded again, and gets the same answer.
     */
    async refresh(refreshToken: string, { carrier, place }: Manner): Promise<SignedIn | undefined> {
      const shared = carrier === 'COOKIE';
      const text = shared ? slips.nextToken(refreshToken) : randomUUID();
      const now = clock.now();
      const exchange = {
        hash: credentialHash(refreshToken),
        carrier,
        next: tokenOf(text),
        place,
        now,
        forgivenSince: shared ? new Date(now.getTime() - GRACE_MS) : undefined,
      };
      const exchanged = await db.transaction().execute((within) => exchangeToken(within, exchange));
      if (exchanged === undefined) return undefined;
      return signedIn(exchanged.user, exchanged.sessionId, text);
    },

    async signOut(userId: string): Promise<void> {
      await revokeAllTokens(db, userId, clock.now());
      holders.clear();
    },

    /** Where a user is signed in, newest first. */
    async listSessions(userId: string, currentId: string): Promise<readonly Session[]> {
      const found = await findSessions(db, userId, clock.now());
      return found.map((row) => ({
        id: row.id,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        browser: row.browser,
        address: row.address_shown,
        current: row.id === currentId,
      }));
    },

    /** Ends one of the user's sessions with all its tokens; false where there is no such session. */
    async endSession(userId: string, sessionId: string): Promise<boolean> {
      if (!isUuid(sessionId)) return false;
      const ended = await db.transaction().execute(async (within) => {
        // So that no exchange of its token is under way.
        await lockUser(within, userId);
        return deleteSession(within, userId, sessionId);
      });
      holders.clear();
      return ended;
    },

    /** Whose access token this is; undefined for one that is forged, expired or revoked. */
    async holderOf(accessToken: string): Promise<TokenHolder | undefined> {
      const claims = await signer.verify(accessToken);
      if (claims === undefined) return undefined;
      const { sessionId } = claims;
      const user = await holders.get(sessionId);
      if (user === undefined || user.id !== claims.userId) return undefined;
      if (user.token_generation !== claims.generation) return undefined;
      return { userId: user.id, sessionId, sellerId: user.seller_id, name: user.name, role: roleOf(user) };
    },

    /** Reads all users anew: after what changed or ended some of them. Other nodes do so within a second. */
    forgetHolders: (): void => holders.clear(),
  };
}

/** What a challenge is bound to. Of a salted hash, so that it tells nothing. */
const boundTo = (user: User): string =>
  credentialHash(`${user.password_hash} ${user.token_generation}`).toString('base64url').slice(0, 22);
