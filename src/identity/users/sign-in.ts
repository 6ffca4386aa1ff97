import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';

import { recordAudit } from '#audit/service.ts';
import type { Locale } from '#notifications/templates/template.ts';
import {
  issueRequestOptions,
  consumePasskey,
  findPasskeyOwner,
  type PasskeyProof,
} from '#identity/passkeys/assertion.ts';
import type { PasskeyContext } from '#identity/passkeys/challenges.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { hashCredential } from '#platform/kit/ids.ts';
import type { UsersDeps } from './deps.ts';
import { findKnownDevice } from './known-devices.ts';
import { hashPassword, needsRehash, verifyPassword } from './passwords.ts';
import { callerFor, notifiedUserOf } from './profile.ts';
import {
  buildSignInResult,
  isUsable,
  startSession,
  type ActiveSession,
  type SessionOptions,
  type SignInResult,
} from './sessions.ts';
import type { RefusedSignIn, SignInClient } from './refused-sign-ins.ts';
import type { SignedToken } from './signed-tokens.ts';
import { countRecoveryCodes } from './store-second-factors.ts';
import { recordDevice } from './store-sessions.ts';
import {
  findUser,
  findUserByEmail,
  lockUser,
  replacePasswordHash,
  updateLocale,
  type User,
} from './store.ts';
import {
  consumeCredential,
  findSecondFactors,
  isAnyActive,
  type SecondFactorCredential,
  type SecondFactors,
} from './two-factor.ts';

/** The password was right, and the user must present a second factor. */
export interface TwoFactorChallenge {
  readonly challenge: string;
  readonly methods: readonly SecondFactorMethod[];
}

/** What the user can present with the challenge. */
type SecondFactorMethod = 'code' | 'passkey' | 'recoveryCode';

export interface SecondFactorSignIn {
  /** A challenge that was verified. */
  readonly challenge: SignedToken;
  readonly credential: SecondFactorCredential;
  readonly options: SignInOptions;
}

/** The options of a sign-in that does not name its user. */
export interface PasskeySignInOptions extends Omit<SignInOptions, 'isKnownDevice'> {
  /** The token of the browser, if it has one. */
  readonly deviceToken: string | undefined;
}

/** The session that is requested, its client, and what records a refusal. */
export interface SignInOptions extends SessionOptions {
  readonly client: SignInClient;
  /** The browser has signed in with the email and the current password before. */
  readonly isKnownDevice: boolean;
  /** The language that the client states, if any. */
  readonly locale: Locale | undefined;
  readonly onRefused: (refusal: RefusedSignIn) => Promise<void>;
}

/**
 * Returns undefined for a wrong email or password. Neither the result nor its time reveals which.
 */
export async function signIn(
  deps: UsersDeps,
  email: string,
  password: string,
  options: SignInOptions,
): Promise<SignInResult | TwoFactorChallenge | undefined> {
  const { db, signedTokens } = deps;
  const known = await findUserByEmail(db, email.toLowerCase());
  const verified = await verifyCredentials(deps, known, password);
  if (verified === undefined) {
    const reason = known === undefined ? 'UNKNOWN_EMAIL' : 'WRONG_PASSWORD';
    await options.onRefused({ reason, email, user: known === undefined ? null : toSubject(known) });
    return undefined;
  }
  const outcome = await db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, verified.id);
    // The password may have been changed since it was verified.
    if (user === undefined || user.password_hash !== verified.password_hash) return undefined;
    const factors = await findSecondFactors(trx, user.id);
    if (isAnyActive(factors)) return { challengedUser: user, methods: methodsOf(factors) };
    return startAuditedSession(deps, trx, user, { ...options, secondFactor: null });
  });
  if (outcome === undefined) return undefined;
  if (!('challengedUser' in outcome)) return buildSignInResult(deps, outcome);
  const { challengedUser: user, methods } = outcome;
  const token = { subject: user.id, bound: credentialFingerprint(user) };
  return { challenge: await signedTokens.sign('challenge', token), methods };
}

const methodsOf = ({ authenticator, passkeys }: SecondFactors): readonly SecondFactorMethod[] => [
  ...(authenticator ? (['code'] as const) : []),
  ...(passkeys > 0 ? (['passkey'] as const) : []),
  'recoveryCode',
];

/** Issues the options of a passkey of any user, for the browser with this nonce. */
export const issueSignInOptions = (
  deps: UsersDeps,
  browserNonce: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  issueRequestOptions(deps, deps.db, null, signInContext(browserNonce));

/** The context of a challenge for a sign-in with a passkey alone. */
export const signInContext = (browserNonce: string): PasskeyContext => ({
  purpose: 'sign-in',
  binding: browserNonce,
});

/** Issues the options of a passkey of the user, as the second step of signing in. */
export async function issueSecondFactorOptions(
  deps: UsersDeps,
  challenge: SignedToken,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return issueRequestOptions(deps, deps.db, challenge.subject, secondFactorContext(challenge));
}

/** The context of a challenge for the second step of a sign-in. */
export const secondFactorContext = ({ id }: SignedToken): PasskeyContext => ({
  purpose: 'second-factor',
  binding: id,
});

/**
 * Signs in with a passkey alone, whose user was verified by the authenticator. Returns undefined if
 * the response is not valid.
 */
export async function signInWithPasskey(
  deps: UsersDeps,
  proof: PasskeyProof,
  { deviceToken, ...options }: PasskeySignInOptions,
): Promise<SignInResult | undefined> {
  const owner = await findPasskeyOwner(deps.db, proof.assertion);
  const isKnownDevice = owner !== undefined && (await isDeviceOf(deps, owner.user_id, deviceToken));
  const session = await deps.db.transaction().execute(async (trx) => {
    const user = owner && (await lockUser(trx, owner.user_id));
    if (user === undefined || !isUsable(deps, user)) return undefined;
    if (!(await consumePasskey(deps, trx, user.id, proof))) return { refused: user };
    return startAuditedSession(deps, trx, user, { ...options, isKnownDevice, secondFactor: 'passkey' });
  });
  if (session !== undefined && !('refused' in session)) return buildSignInResult(deps, session);
  const refused = session?.refused;
  const user = refused === undefined ? null : toSubject(refused);
  await options.onRefused({ reason: 'WRONG_PASSKEY', email: refused?.email ?? null, user });
  return undefined;
}

/** Whether the browser has signed in as this user before. */
async function isDeviceOf(
  deps: UsersDeps,
  userId: string,
  deviceToken: string | undefined,
): Promise<boolean> {
  if (deviceToken === undefined) return false;
  const user = await findUser(deps.db, userId);
  return user !== undefined && (await findKnownDevice(deps, user.email, deviceToken)) !== undefined;
}

/** The second step of signing in. Returns undefined if the code is wrong or used. */
export async function signInWithSecondFactor(
  deps: UsersDeps,
  { challenge, credential, options }: SecondFactorSignIn,
): Promise<SignInResult | undefined> {
  const session = await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, challenge.subject);
    // A password change or a sign-out since then invalidates the challenge.
    if (user === undefined || credentialFingerprint(user) !== challenge.bound) return undefined;
    if (!(await consumeCredential(deps, trx, user.id, credential))) return { refused: user };
    const { kind: secondFactor } = credential;
    const { requestId } = options.client;
    if (secondFactor === 'recovery') await recordRecoveryCodeUse(deps, trx, user, requestId);
    return startAuditedSession(deps, trx, user, { ...options, secondFactor });
  });
  if (session === undefined) return undefined;
  if (!('refused' in session)) return buildSignInResult(deps, session);
  const { refused } = session;
  const reason = credential.kind === 'passkey' ? 'WRONG_PASSKEY' : 'WRONG_CODE';
  await options.onRefused({ reason, email: refused.email, user: toSubject(refused) });
  return undefined;
}

async function verifyCredentials(
  deps: UsersDeps,
  user: User | undefined,
  password: string,
): Promise<User | undefined> {
  const { db, dummyHash } = deps;
  const matches = await verifyPassword(user?.password_hash ?? (await dummyHash), password);
  if (user === undefined || !matches || !isUsable(deps, user)) return undefined;
  return needsRehash(user.password_hash) ? rehashPassword(db, user, password) : user;
}

/**
 * Hashes the password with the current parameters. Returns undefined if it has just been changed.
 */
async function rehashPassword(db: Db, user: User, password: string): Promise<User | undefined> {
  const passwordHash = await hashPassword(password);
  if (await replacePasswordHash(db, user, passwordHash)) return { ...user, password_hash: passwordHash };
  const current = await findUser(db, user.id);
  if (current === undefined || !(await verifyPassword(current.password_hash, password))) return undefined;
  return current;
}

const toSubject = ({ id, seller_id: sellerId }: User) => ({ id, sellerId });

interface AuditedSessionOptions extends SignInOptions {
  /** Null if the password sufficed. */
  readonly secondFactor: SecondFactorCredential['kind'] | null;
}

async function startAuditedSession(
  deps: UsersDeps,
  trx: DatabaseTransaction,
  user: User,
  { client: { requestId, address, browser }, secondFactor, ...options }: AuditedSessionOptions,
): Promise<ActiveSession> {
  await recordClient(deps, trx, user, options);
  const { locale } = options;
  if (locale !== undefined && locale !== user.locale) await updateLocale(trx, user.id, locale);
  const session = await startSession(deps, trx, user, options);
  await recordAudit(trx, callerFor(user, requestId), {
    action: 'user.sign-in',
    recordType: 'user',
    recordId: user.id,
    sellerId: user.seller_id,
    before: null,
    after: {
      sessionId: session.sessionId,
      address,
      browser,
      secondFactor,
    },
    at: session.createdAt,
  });
  return session;
}

/** A new user signs in for the first time within this time. */
const NEW_USER_MS = 3_600_000;

/**
 * Records the client, and notifies the user of one that has not signed in before: neither as it
 * describes itself nor with the cookie of a known device.
 */
async function recordClient(
  { clock, notifier }: UsersDeps,
  trx: DatabaseTransaction,
  user: User,
  { clientInfo, isKnownDevice }: Pick<SignInOptions, 'clientInfo' | 'isKnownDevice'>,
): Promise<void> {
  const at = clock.now();
  const { isNew, isFirst } = await recordDevice(trx, user.id, clientInfo, at);
  const isExpected = isFirst && at.getTime() - user.created_at.getTime() < NEW_USER_MS;
  if (isKnownDevice || !isNew || isExpected) return;
  const { browser, maskedAddress: address } = clientInfo;
  const params = { browser: browser ?? '?', address: address ?? '?', at: at.toISOString() };
  await notifier.notifyUser(trx, notifiedUserOf(user), { kind: 'new-device', params, at });
}

async function recordRecoveryCodeUse(
  { clock }: UsersDeps,
  trx: DatabaseTransaction,
  user: User,
  requestId: string,
): Promise<void> {
  await recordAudit(trx, callerFor(user, requestId), {
    action: 'user.recovery-code-used',
    recordType: 'user',
    recordId: user.id,
    sellerId: user.seller_id,
    before: null,
    after: { recoveryCodesLeft: await countRecoveryCodes(trx, user.id) },
    at: clock.now(),
  });
}

/**
 * What a challenge is bound to. The password hash is salted, so the fingerprint reveals nothing of
 * it.
 */
const credentialFingerprint = (user: User): string =>
  hashCredential(`${user.password_hash} ${user.token_generation}`).toString('base64url').slice(0, 22);
