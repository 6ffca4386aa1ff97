import { createHmac, hkdfSync, randomUUID } from 'node:crypto';

import { SignJWT } from 'jose';

import type { Clock } from '#platform/kit/clock.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { verifyWithAnyKey, type JwtSecrets } from './access-tokens.ts';

const ALGORITHM = 'HS256';

/** What is handed out beside access tokens. Each kind has a key, a type and an audience of its own. */
const TOKEN_KINDS = {
  challenge: { seconds: 5 * 60, type: 'challenge+jwt' },
  device: { seconds: 180 * 24 * 3_600, type: 'device+jwt' },
} as const;

type TokenKind = keyof typeof TOKEN_KINDS;

export interface SignedToken {
  /** Whom it was made for. */
  readonly subject: string;
  /** What must still be the same when it comes back. */
  readonly bound: string;
  /** Its own id. */
  readonly id: string;
}

export type SignedTokens = ReturnType<typeof createSignedTokens>;

/**
 * Signed slips that a caller brings back. None passes as another kind or as an access token: their keys differ, so not
 * even the signature fits. They run on the domain's clock.
 */
export function createSignedTokens(secrets: JwtSecrets, clock: Clock) {
  const deriveKeys = (purpose: string): JwtSecrets => {
    const [first, ...others] = secrets;
    const derived = (secret: Uint8Array) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
    return [derived(first), ...others.map(derived)];
  };
  const keys = { challenge: deriveKeys('second factor challenge'), device: deriveKeys('known device') };
  const [rotationKey] = deriveKeys('refresh token chain');

  return {
    sign(kind: TokenKind, { subject, bound }: Omit<SignedToken, 'id'>): Promise<string> {
      const issuedAt = Math.floor(clock.nowMs() / 1000);
      const { seconds, type } = TOKEN_KINDS[kind];
      return new SignJWT({ bound })
        .setProtectedHeader({ alg: ALGORITHM, typ: type })
        .setAudience(kind)
        .setSubject(subject)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .sign(keys[kind][0]);
    },

    /** Undefined for one that is forged, expired or of another kind. */
    async verify(kind: TokenKind, text: string): Promise<SignedToken | undefined> {
      try {
        const payload = await verifyWithAnyKey(text, keys[kind], {
          algorithms: [ALGORITHM],
          audience: kind,
          typ: TOKEN_KINDS[kind].type,
          requiredClaims: ['sub', 'exp', 'jti', 'bound'],
          currentDate: clock.now(),
        });
        const { sub: subject, jti: id, bound } = payload;
        if (subject === undefined || id === undefined || !isUuid(id) || typeof bound !== 'string')
          return undefined;
        return { subject, bound, id };
      } catch {
        return undefined;
      }
    },

    /**
     * The refresh token that follows this one in a browser. It follows from it under a key, so that two tabs that
     * bring the same token at the same moment are given the same next one, though none is kept in the clear.
     */
    nextRefreshToken(token: string): string {
      const bytes = createHmac('sha256', rotationKey).update(token).digest().subarray(0, 16);
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      const hex = bytes.toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
        '-',
      );
    },
  };
}

/** The length of time that a browser's cookie for a kind may be kept, in seconds. */
export const DEVICE_TOKEN_TTL_SECONDS = TOKEN_KINDS.device.seconds;
