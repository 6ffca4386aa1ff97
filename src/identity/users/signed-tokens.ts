import { createHmac, hkdfSync, randomUUID } from 'node:crypto';

import { SignJWT } from 'jose';

import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { verifyWithAnyKey, type JwtSecrets } from './access-tokens.ts';

const ALGORITHM = 'HS256';

/** The kinds of tokens beside access tokens. Each has its own key, type and audience. */
const TOKEN_KINDS = {
  challenge: { ttlSeconds: 5 * 60, type: 'challenge+jwt' },
  device: { ttlSeconds: 180 * 24 * 3_600, type: 'device+jwt' },
  passkey: { ttlSeconds: 5 * 60, type: 'passkey+jwt' },
} as const;

export const DEVICE_TOKEN_TTL_SECONDS = TOKEN_KINDS.device.ttlSeconds;
export const PASSKEY_CHALLENGE_TTL_SECONDS = TOKEN_KINDS.passkey.ttlSeconds;

type TokenKind = keyof typeof TOKEN_KINDS;

export interface SignedToken {
  readonly id: string;
  /** Who the token was issued for. */
  readonly subject: string;
  /** A value that must be unchanged when the token is used. */
  readonly bound: string;
}

interface SignedTokensDeps {
  readonly clock: Clock;
  readonly keys: Readonly<Record<TokenKind, JwtSecrets>>;
  readonly rotationKey: Uint8Array;
}

export type SignedTokens = ReturnType<typeof createSignedTokens>;

/**
 * Tokens that a client presents later: challenges of second factors and passkeys, and known
 * devices. A token of one kind never passes as another or as an access token, since the keys
 * differ. Expiry is by the domain clock.
 */
export function createSignedTokens(secrets: JwtSecrets, clock: Clock) {
  const [rotationKey] = deriveKeys(secrets, 'refresh token chain');
  const keys = {
    challenge: deriveKeys(secrets, 'second factor challenge'),
    device: deriveKeys(secrets, 'known device'),
    passkey: deriveKeys(secrets, 'passkey challenge'),
  };
  const deps: SignedTokensDeps = { clock, keys, rotationKey };
  return bindDeps(deps, { sign, verify, nextRefreshToken });
}

function sign(
  { clock, keys }: SignedTokensDeps,
  kind: TokenKind,
  { subject, bound }: Omit<SignedToken, 'id'>,
): Promise<string> {
  const issuedAt = Math.floor(clock.nowMs() / 1000);
  const { ttlSeconds, type } = TOKEN_KINDS[kind];
  return new SignJWT({ bound })
    .setProtectedHeader({ alg: ALGORITHM, typ: type })
    .setAudience(kind)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ttlSeconds)
    .sign(keys[kind][0]);
}

/** Returns undefined for a token that is forged, expired or of another kind. */
async function verify(
  { clock, keys }: SignedTokensDeps,
  kind: TokenKind,
  token: string,
): Promise<SignedToken | undefined> {
  try {
    const payload = await verifyWithAnyKey(token, keys[kind], {
      algorithms: [ALGORITHM],
      audience: kind,
      typ: TOKEN_KINDS[kind].type,
      requiredClaims: ['sub', 'exp', 'jti', 'bound'],
      currentDate: clock.now(),
    });
    const { sub: subject, jti: id, bound } = payload;
    if (subject === undefined || id === undefined || !isUuid(id) || typeof bound !== 'string')
      return undefined;
    return { id, subject, bound };
  } catch {
    return undefined;
  }
}

/**
 * Derives the refresh token that follows this one in a browser, as a UUID of version 4. Two tabs
 * that present the same token at the same time get the same successor, although tokens are stored
 * hashed.
 */
function nextRefreshToken({ rotationKey }: SignedTokensDeps, token: string): string {
  const bytes = createHmac('sha256', rotationKey).update(token).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function deriveKeys([first, ...others]: JwtSecrets, purpose: string): JwtSecrets {
  const derive = (secret: Uint8Array) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return [derive(first), ...others.map(derive)];
}
