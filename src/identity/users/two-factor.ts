import { randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

import { secondFactorContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { hashCredential } from '#platform/kit/ids.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  consumeRecoveryCode,
  consumeStep,
  findSecondFactor,
  lockSecondFactor,
  replaceRecoveryCodes,
  type SecondFactor,
} from './store-second-factors.ts';

/** RFC 6238 with the defaults of the Key URI format, which all authenticators support. */
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const ISSUER = 'Vereda';
/** 160 bits, as RFC 4226 recommends. */
const SEED_BYTES = 20;
/** Codes of the previous and the next step are valid too: clocks differ, and typing takes time. */
const STEP_WINDOW = 1;
const RECOVERY_CODE_COUNT = 10;
/** 80 bits cannot be searched, even by an attacker who has the hash. */
const RECOVERY_CODE_BYTES = 10;

export type SecondFactorCredential =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string };

export interface TwoFactorSetup {
  /** In base32, for typing. */
  readonly secret: string;
  /** An `otpauth://` URI, for a QR code. */
  readonly uri: string;
}

export interface TwoFactorDeps {
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

/**
 * Stores a new seed, which has no effect until it is confirmed. Returns undefined if a second
 * factor is active.
 */
export async function beginSetup(
  { clock, secrets }: TwoFactorDeps,
  db: Db,
  { id: userId, email }: { readonly id: string; readonly email: string },
): Promise<TwoFactorSetup | undefined> {
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SEED_BYTES)).buffer });
  const encryptedSecret = secrets.encrypt(secret.base32, secondFactorContext(userId));
  if (!(await beginSecondFactor(db, { userId, encryptedSecret, at: clock.now() }))) return undefined;
  const uri = new TOTP({ ...TOTP_OPTIONS, issuer: ISSUER, label: email, secret }).toString();
  return { secret: secret.base32, uri };
}

/**
 * Activates the second factor that was begun. Returns its recovery codes; the database has their
 * hashes only.
 */
export async function confirmSetup(
  { clock, secrets }: TwoFactorDeps,
  trx: DatabaseTransaction,
  userId: string,
  code: string,
): Promise<readonly string[] | undefined> {
  const factor = await lockSecondFactor(trx, userId);
  if (factor === undefined || factor.confirmed_at !== null) return undefined;
  const step = matchStep(secrets, factor, code);
  if (step === undefined || !(await confirmSecondFactor(trx, factor, step, clock.now()))) return undefined;
  const recoveryCodes = Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode);
  await replaceRecoveryCodes(trx, userId, recoveryCodes.map(hashRecoveryCode));
  return recoveryCodes;
}

export async function isTwoFactorActive(db: Db, userId: string): Promise<boolean> {
  const factor = await findSecondFactor(db, userId);
  return factor !== undefined && factor.confirmed_at !== null;
}

/** Consumes a code. Returns false if it is wrong or used, or if no second factor is active. */
export async function consumeCredential(
  { clock, secrets }: TwoFactorDeps,
  trx: DatabaseTransaction,
  userId: string,
  { kind, code }: SecondFactorCredential,
): Promise<boolean> {
  const factor = await lockSecondFactor(trx, userId);
  if (factor === undefined || factor.confirmed_at === null) return false;
  if (kind === 'recovery') return consumeRecoveryCode(trx, userId, hashRecoveryCode(code), clock.now());
  const step = matchStep(secrets, factor, code);
  return step !== undefined && consumeStep(trx, factor, step);
}

/**
 * Returns the time step of the code, undefined if the code is wrong. Compares in constant time.
 * Uses the machine's clock, not the domain clock: the sandbox cannot advance the clock of an
 * authenticator.
 */
function matchStep(secrets: SecretBox, factor: SecondFactor, code: string): number | undefined {
  const secret = Secret.fromBase32(
    secrets.decrypt(factor.encrypted_secret, secondFactorContext(factor.user_id)),
  );
  const timestamp = Date.now();
  const delta = TOTP.validate({ ...TOTP_OPTIONS, token: code, secret, timestamp, window: STEP_WINDOW });
  return delta === null ? undefined : TOTP.counter({ period: TOTP_OPTIONS.period, timestamp }) + delta;
}

/** Sixteen base32 characters in four groups. */
function newRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_CODE_BYTES)).buffer });
  return (base32.match(/.{4}/g) ?? []).join('-');
}

/** Case, hyphens and spaces do not matter. */
const hashRecoveryCode = (code: string): Buffer =>
  hashCredential(code.replaceAll(/[\s-]/g, '').toUpperCase());
