import { randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { hashCredential } from '#platform/kit/ids.ts';
import { secondFactorContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  lockSecondFactor,
  replaceRecoveryCodes,
  consumeRecoveryCode,
  consumeStep,
  type SecondFactor,
} from './store-second-factors.ts';

/** What authenticators take for granted (RFC 6238 with the defaults of the Key URI format). */
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const ISSUER = 'Vereda';
/** 160 bits, as RFC 4226 advises. */
const SEED_BYTES = 20;
/** A code of the step before or after counts too: clocks differ, and people type slowly. */
const STEP_WINDOW = 1;
const RECOVERY_CODE_COUNT = 10;
/** 80 bits: too many to be tried, even by who has the hash. */
const RECOVERY_CODE_BYTES = 10;

/** What is brought instead of a password: one of them. */
export type SecondFactorCredential =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string };

/** What an authenticator is told. */
export interface TwoFactorSetup {
  readonly secret: string;
  readonly uri: string;
}

export type TwoFactor = ReturnType<typeof createTwoFactor>;

/**
 * The second factor: codes by time. They run on the machine's clock and not on the domain's, since the authenticator is
 * a device in somebody's hand, which no sandbox moves ahead.
 */
export function createTwoFactor(db: Db, clock: Clock, secrets: SecretBox) {
  /** The step that the code belongs to; undefined where it is of none near this moment. Compares in constant time. */
  function matchStep(factor: SecondFactor, code: string): number | undefined {
    const secret = Secret.fromBase32(
      secrets.decrypt(factor.encrypted_secret, secondFactorContext(factor.user_id)),
    );
    const timestamp = Date.now();
    const delta = TOTP.validate({ ...TOTP_OPTIONS, token: code, secret, timestamp, window: STEP_WINDOW });
    return delta === null ? undefined : TOTP.counter({ period: TOTP_OPTIONS.period, timestamp }) + delta;
  }

  return {
    /** A new seed, not asked for before it is confirmed. Undefined where a second factor is active. */
    async begin(userId: string, email: string): Promise<TwoFactorSetup | undefined> {
      const secret = new Secret({ buffer: new Uint8Array(randomBytes(SEED_BYTES)).buffer });
      const encryptedSecret = secrets.encrypt(secret.base32, secondFactorContext(userId));
      if (!(await beginSecondFactor(db, { userId, sealedSecret: encryptedSecret, at: clock.now() })))
        return undefined;
      const uri = new TOTP({ ...TOTP_OPTIONS, issuer: ISSUER, label: email, secret }).toString();
      return { secret: secret.base32, uri };
    },

    /** Makes active what was begun; answers its recovery codes, which nobody can be told again. */
    async confirm(trx: Db, userId: string, code: string): Promise<readonly string[] | undefined> {
      const factor = await lockSecondFactor(trx, userId);
      if (factor === undefined || factor.confirmed_at !== null) return undefined;
      const step = matchStep(factor, code);
      if (step === undefined || !(await confirmSecondFactor(trx, factor, step, clock.now())))
        return undefined;
      const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode);
      await replaceRecoveryCodes(trx, userId, codes.map(hashRecoveryCode));
      return codes;
    },

    async isActive(trx: Db, userId: string): Promise<boolean> {
      const factor = await findSecondFactor(trx, userId);
      return factor !== undefined && factor.confirmed_at !== null;
    },

    /** Uses up what is brought; false where it is wrong, was used, or no second factor is active. */
    async verify(trx: Db, userId: string, credential: SecondFactorCredential): Promise<boolean> {
      const factor = await lockSecondFactor(trx, userId);
      if (factor === undefined || factor.confirmed_at === null) return false;
      if (credential.kind === 'recovery')
        return consumeRecoveryCode(trx, userId, hashRecoveryCode(credential.code), clock.now());
      const step = matchStep(factor, credential.code);
      return step !== undefined && consumeStep(trx, factor, step);
    },

    remove: (trx: Db, userId: string): Promise<void> => deleteSecondFactor(trx, userId),

    countRemainingCodes: (trx: Db, userId: string): Promise<number> => countRecoveryCodes(trx, userId),
  };
}

/** Sixteen characters of base32 in four groups. */
function newRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_CODE_BYTES)).buffer });
  return (base32.match(/.{4}/g) ?? []).join('-');
}

/** Typed in any case, with or without its hyphens. */
const hashRecoveryCode = (code: string): Buffer =>
  hashCredential(code.replaceAll(/[\s-]/g, '').toUpperCase());
