import { randomBytes } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { credentialHash } from '#platform/kit/ids.ts';
import { secondFactorContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secrets.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  findSecondFactor,
  lockSecondFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  useStep,
  type SecondFactor,
} from './store-second-factors.ts';

/** What authenticators take for granted (RFC 6238 with the defaults of the Key URI format). */
const RULES = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const ISSUER = 'Vereda';
/** 160 bits, as RFC 4226 advises. */
const SEED_BYTES = 20;
/** A code of the step before or after counts too: clocks differ, and people type slowly. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** 80 bits: too many to be tried, even by who has the hash. */
const RECOVERY_BYTES = 10;

/** What is brought instead of a password: one of them. */
export type Proof =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string };

/** What an authenticator is told. */
export interface Begun {
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
  function stepOf(factor: SecondFactor, code: string): number | undefined {
    const secret = Secret.fromBase32(secrets.open(factor.sealed_secret, secondFactorContext(factor.user_id)));
    const timestamp = Date.now();
    const delta = TOTP.validate({ ...RULES, token: code, secret, timestamp, window: WINDOW });
    return delta === null ? undefined : TOTP.counter({ period: RULES.period, timestamp }) + delta;
  }

  return {
    /** A new seed, not asked for before it is confirmed. Undefined where a second factor is active. */
    async begin(userId: string, email: string): Promise<Begun | undefined> {
      const secret = new Secret({ buffer: new Uint8Array(randomBytes(SEED_BYTES)).buffer });
      const sealedSecret = secrets.seal(secret.base32, secondFactorContext(userId));
      if (!(await beginSecondFactor(db, { userId, sealedSecret, at: clock.now() }))) return undefined;
      const uri = new TOTP({ ...RULES, issuer: ISSUER, label: email, secret }).toString();
      return { secret: secret.base32, uri };
    },

    /** Makes active what was begun; answers its recovery codes, which nobody can be told again. */
    async confirm(within: Db, userId: string, code: string): Promise<readonly string[] | undefined> {
      const factor = await lockSecondFactor(within, userId);
      if (factor === undefined || factor.confirmed_at !== null) return undefined;
      const step = stepOf(factor, code);
      if (step === undefined || !(await confirmSecondFactor(within, factor, step, clock.now())))
        return undefined;
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
      await replaceRecoveryCodes(within, userId, codes.map(recoveryHash));
      return codes;
    },

    async isActive(within: Db, userId: string): Promise<boolean> {
      const factor = await findSecondFactor(within, userId);
      return factor !== undefined && factor.confirmed_at !== null;
    },

    /** Uses up what is brought; false where it is wrong, was used, or no second factor is active. */
    async prove(within: Db, userId: string, proof: Proof): Promise<boolean> {
      const factor = await lockSecondFactor(within, userId);
      if (factor === undefined || factor.confirmed_at === null) return false;
      if (proof.kind === 'recovery')
        return takeRecoveryCode(within, userId, recoveryHash(proof.code), clock.now());
      const step = stepOf(factor, proof.code);
      return step !== undefined && useStep(within, factor, step);
    },

    remove: (within: Db, userId: string): Promise<void> => deleteSecondFactor(within, userId),

    codesLeft: (within: Db, userId: string): Promise<number> => countRecoveryCodes(within, userId),
  };
}

/** Sixteen characters of base32 in four groups. */
function newRecoveryCode(): string {
  const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer });
  return (base32.match(/.{4}/g) ?? []).join('-');
}

/** Typed in any case, with or without its hyphens. */
const recoveryHash = (code: string): Buffer => credentialHash(code.replaceAll(/[\s-]/g, '').toUpperCase());
