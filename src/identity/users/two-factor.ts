import { randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

import { consumePasskey, type PasskeyDeps, type PasskeyProof } from '#identity/passkeys/assertion.ts';
import { deletePasskeysOf, findPasskeys } from '#identity/passkeys/store.ts';
import { secondFactorContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { hashCredential } from '#platform/kit/ids.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  consumeRecoveryCode,
  consumeStep,
  deleteRecoveryCodes,
  deleteSecondFactor,
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
/**
 * 128 bits cannot be searched, even by an attacker who has the unsalted hash (ASVS 6.5.2, 11.5.1).
 */
const RECOVERY_CODE_BYTES = 16;

export type SecondFactorCredential =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string }
  | { readonly kind: 'passkey'; readonly proof: PasskeyProof };

export interface TwoFactorSetup {
  /** In base32, for typing. */
  readonly secret: string;
  /** An `otpauth://` URI, for a QR code. */
  readonly uri: string;
}

export interface TwoFactorDeps extends PasskeyDeps {
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
  return issueRecoveryCodes(trx, userId);
}

/** Replaces the recovery codes of a user, who has them as long as a second factor is active. */
export async function issueRecoveryCodes(
  trx: DatabaseTransaction,
  userId: string,
): Promise<readonly string[]> {
  const recoveryCodes = Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode);
  await replaceRecoveryCodes(trx, userId, recoveryCodes.map(hashRecoveryCode));
  return recoveryCodes;
}

export const endRecoveryCodes = (trx: DatabaseTransaction, userId: string): Promise<void> =>
  deleteRecoveryCodes(trx, userId);

/** Removes the authenticator, the passkeys and the recovery codes of a user. */
export async function endSecondFactors(trx: DatabaseTransaction, userId: string): Promise<void> {
  await deleteSecondFactor(trx, userId);
  await deletePasskeysOf(trx, userId);
  await deleteRecoveryCodes(trx, userId);
}

/** The second factors of a user. Any of them is required after the password. */
export interface SecondFactors {
  readonly authenticator: boolean;
  readonly passkeys: number;
}

export async function findSecondFactors(db: Db, userId: string): Promise<SecondFactors> {
  const [factor, passkeys] = [await findSecondFactor(db, userId), await findPasskeys(db, userId)];
  const authenticator = factor !== undefined && factor.confirmed_at !== null;
  return { authenticator, passkeys: passkeys.length };
}

export const isAnyActive = ({ authenticator, passkeys }: SecondFactors): boolean =>
  authenticator || passkeys > 0;

export const hasSecondFactor = async (db: Db, userId: string): Promise<boolean> =>
  isAnyActive(await findSecondFactors(db, userId));

/**
 * Consumes a code or a signature of the user, who is locked. Returns false if it is wrong or used,
 * or if the second factor is not active.
 */
export async function consumeCredential(
  deps: TwoFactorDeps,
  trx: DatabaseTransaction,
  userId: string,
  credential: SecondFactorCredential,
): Promise<boolean> {
  const { clock, secrets } = deps;
  if (credential.kind === 'passkey') return consumePasskey(deps, trx, userId, credential.proof);
  const { kind, code } = credential;
  if (kind === 'recovery') return consumeRecoveryCode(trx, userId, hashRecoveryCode(code), clock.now());
  const factor = await lockSecondFactor(trx, userId);
  if (factor === undefined || factor.confirmed_at === null) return false;
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

/** 26 base32 characters, in groups of four for typing. */
function newRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_CODE_BYTES)).buffer });
  return (base32.match(/.{1,4}/g) ?? []).join('-');
}

/** Case, hyphens and spaces do not matter. */
const hashRecoveryCode = (code: string): Buffer =>
  hashCredential(code.replaceAll(/[\s-]/g, '').toUpperCase());
