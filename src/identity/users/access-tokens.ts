import { randomUUID } from 'node:crypto';

import { errors, jwtVerify, SignJWT, type JWTPayload, type JWTVerifyOptions } from 'jose';

import type { Clock } from '#platform/kit/clock.ts';
import { isUuid } from '#platform/kit/ids.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'gateway';
const ACCESS_TOKEN_TTL_SECONDS = 3_600;

export interface AccessClaims {
  readonly userId: string;
  /** The session it was issued in; a token ends with its session. */
  readonly sessionId: string;
  /** The user's token generation at issue; a token of an older generation is revoked. */
  readonly generation: number;
}

/** What tokens may be signed with: the first one signs, and all count. */
export type JwtSecrets = readonly [Uint8Array, ...Uint8Array[]];

/** Reads a signed text with the first of the keys that made it; throws what the last one says of it where none has. */
export async function verifyWithAnyKey(
  text: string,
  [key, ...others]: JwtSecrets,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(text, key, options)).payload;
  } catch (error) {
    const [next, ...more] = others;
    if (next === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return verifyWithAnyKey(text, [next, ...more], options);
  }
}

/** Access tokens: JWT, HS256, one hour on the domain's clock. Nothing personal stands in them. */
export function createTokenSigner(secrets: JwtSecrets, clock: Clock) {
  const [secret] = secrets;
  return {
    sign(claims: AccessClaims): Promise<string> {
      const issuedAt = Math.floor(clock.nowMs() / 1000);
      return (
        new SignJWT({ gen: claims.generation, sid: claims.sessionId })
          .setProtectedHeader({ alg: ALGORITHM })
          .setIssuer(ISSUER)
          .setSubject(claims.userId)
          // Two tokens of one second are two tokens: an exchange answers a new one.
          .setJti(randomUUID())
          .setIssuedAt(issuedAt)
          .setExpirationTime(issuedAt + ACCESS_TOKEN_TTL_SECONDS)
          .sign(secret)
      );
    },

    async verify(token: string): Promise<AccessClaims | undefined> {
      try {
        const payload = await verifyWithAnyKey(token, secrets, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          requiredClaims: ['sub', 'exp', 'gen', 'sid'],
          currentDate: clock.now(),
        });
        const { sub, gen, sid } = payload;
        if (sub === undefined || !isUuid(sub) || typeof gen !== 'number') return undefined;
        if (typeof sid !== 'string' || !isUuid(sid)) return undefined;
        return { userId: sub, sessionId: sid, generation: gen };
      } catch {
        // Whatever is wrong with a token, its holder is told the same.
        return undefined;
      }
    },
  };
}
