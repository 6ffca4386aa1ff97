import { randomUUID } from 'node:crypto';

import { errors, jwtVerify, SignJWT, type JWTPayload, type JWTVerifyOptions } from 'jose';

import type { Clock } from '#platform/kit/clock.ts';
import { isUuid } from '#platform/kit/ids.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'gateway';
const ACCESS_TOKEN_TTL_SECONDS = 3_600;

export interface AccessClaims {
  readonly userId: string;
  /** The session that the token was issued in. The token ends with it. */
  readonly sessionId: string;
  /** Null for a user of the operator. */
  readonly sellerId: string | null;
  /** The session is one of a browser, which keeps its refresh token in a cookie. */
  readonly browser: boolean;
  /** The user's token generation at issue. Tokens of an earlier generation are revoked. */
  readonly generation: number;
}

/** The keys of token signatures: the first one signs, all of them verify. */
export type JwtSecrets = readonly [Uint8Array, ...Uint8Array[]];

export interface AccessTokenDeps {
  readonly jwtSecrets: JwtSecrets;
  readonly clock: Clock;
}

/**
 * Signs an access token: a JWT with HS256, valid for one hour of the domain clock but not longer
 * than its session, without personal data.
 */
export function signAccessToken(
  { jwtSecrets: [secret], clock }: AccessTokenDeps,
  claims: AccessClaims & { readonly notAfter: Date },
): Promise<string> {
  const { userId, sessionId, sellerId, browser, generation, notAfter } = claims;
  const issuedAt = Math.floor(clock.nowMs() / 1000);
  const expiresAt = Math.min(issuedAt + ACCESS_TOKEN_TTL_SECONDS, Math.floor(notAfter.getTime() / 1000));
  return (
    new SignJWT({ gen: generation, sid: sessionId, seller: sellerId, browser })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(ISSUER)
      .setSubject(userId)
      // Makes two tokens of the same second differ.
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(secret)
  );
}

/** Returns undefined for a token that is forged, malformed or expired. */
export async function verifyClaims(
  { jwtSecrets, clock }: AccessTokenDeps,
  token: string,
): Promise<AccessClaims | undefined> {
  try {
    const payload = await verifyWithAnyKey(token, jwtSecrets, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      requiredClaims: ['sub', 'exp', 'gen', 'sid', 'seller', 'browser'],
      currentDate: clock.now(),
    });
    const { sub, gen, sid, seller: sellerId, browser } = payload;
    if (sub === undefined || !isUuid(sub) || typeof gen !== 'number') return undefined;
    if (typeof sid !== 'string' || !isUuid(sid)) return undefined;
    if (sellerId !== null && (typeof sellerId !== 'string' || !isUuid(sellerId))) return undefined;
    if (typeof browser !== 'boolean') return undefined;
    return { userId: sub, sessionId: sid, sellerId, browser, generation: gen };
  } catch {
    return undefined;
  }
}

/**
 * Verifies a JWT with the first key that fits its signature. Throws the error of the last key if
 * none does.
 */
export async function verifyWithAnyKey(
  token: string,
  [key, ...others]: JwtSecrets,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, key, options)).payload;
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return verifyWithAnyKey(token, [next, ...rest], options);
  }
}
