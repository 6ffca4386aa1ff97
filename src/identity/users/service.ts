import { randomUUID } from 'node:crypto';

import type { Notifier } from '#notifications/notifier.ts';
import {
  beginPasskey,
  listPasskeys,
  registerPasskey,
  removePasskey,
  renamePasskey,
} from '#identity/passkeys/service.ts';
import { createRelyingParty } from '#identity/passkeys/relying-party.ts';
import { deleteChallengesExpiredBefore } from '#identity/passkeys/store.ts';
import { cancelReset, executeDueResets, requestReset } from '#identity/second-factor-resets/service.ts';
import { issueStepUpOptions, isRecentlyVerified, stepUp } from '#identity/step-up/service.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { RecordCaches } from '#platform/database/record-caches.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { JwtSecrets } from './access-tokens.ts';
import { beginTwoFactor, changePassword, confirmTwoFactor, disableTwoFactor } from './credentials.ts';
import {
  removeOperatorUser,
  removeSellerUser,
  removeTeamMember,
  rename,
  updateTeamMember,
} from './changes.ts';
import { create, createHashed, hash } from './creation.ts';
import type { UsersDeps } from './deps.ts';
import { findKnownDevice, issueDeviceToken } from './known-devices.ts';
import { acceptInvitation, invite, listInvitations, withdrawInvitation } from './invitations.ts';
import { processResetRequest, requestPasswordReset, resetPassword } from './password-reset.ts';
import { hashPassword } from './passwords.ts';
import { profileOf, type Profile } from './profile.ts';
import { findTokenUser, listSessions, readAccessToken, refresh, revokeSession, signOut } from './sessions.ts';
import {
  issueSecondFactorOptions,
  issueSignInOptions,
  signIn,
  signInWithPasskey,
  signInWithSecondFactor,
} from './sign-in.ts';
import { createSignedTokens } from './signed-tokens.ts';
import { deleteInvitationsExpiredBefore, deleteResetsExpiredBefore } from './store-links.ts';
import { countRecoveryCodes } from './store-second-factors.ts';
import {
  deleteDevicesUnusedSince,
  deleteRefreshTokensExpiredBefore,
  deleteSessionsExpiredBefore,
  findDevices,
  findSessionUsers,
  type SessionUser,
} from './store-sessions.ts';
import { countUsers, findUser, findUserByEmail, findUsers, hasOtherAdmin } from './store.ts';
import { findSecondFactors, isAnyActive, type SecondFactors } from './two-factor.ts';

export { SECOND_FACTOR_RESETS_DUE } from './store.ts';
export { RESET_REQUESTS_DUE } from './store-links.ts';

const NEW_ADMIN_MS = 86_400_000;

export interface UsersOptions {
  readonly jwtSecrets: JwtSecrets;
  readonly secrets: SecretBox;
  readonly sandbox: boolean;
  readonly publicUrl: string;
  readonly resetDelayMs: number;
  readonly caches: RecordCaches;
  readonly notifier: Notifier;
}

export type UsersService = ReturnType<typeof createUsersService>;

/** Passkeys, step-up, and resets of lost second factors. */
const SECOND_FACTOR_USE_CASES = {
  signInWithPasskey,
  issueSecondFactorOptions,
  issueSignInOptions,
  beginPasskey,
  registerPasskey,
  listPasskeys,
  renamePasskey,
  removePasskey,
  stepUp,
  issueStepUpOptions,
  isRecentlyVerified,
  requestReset,
  cancelReset,
  executeDueResets,
};

export function createUsersService(db: Db, clock: Clock, options: UsersOptions) {
  const { jwtSecrets, secrets, sandbox, publicUrl, resetDelayMs, caches, notifier } = options;
  const signedTokens = createSignedTokens(jwtSecrets, clock);
  const deps: UsersDeps = {
    db,
    clock,
    sandbox,
    secrets,
    notifier,
    jwtSecrets,
    signedTokens,
    relyingParty: createRelyingParty({ publicUrl, sandbox }),
    resetDelayMs,
    userCache: caches.create<SessionUser>({
      name: 'users',
      tables: [{ table: 'users', idColumn: 'id' }],
      load: findSessionUsers,
      idsOf: ({ id, session_id: sessionId }) => [id, sessionId],
    }),
    dummyHash: hashPassword(randomUUID()),
  };
  const useCases = bindDeps(deps, {
    create,
    createHashed,
    hash,
    withTransaction,
    isAdmin,
    hasSecondAdmin,
    isNewAdmin,
    list,
    findProfile,
    findEmail,
    findByEmail: async ({ db }, email: string) => {
      const user = await findUserByEmail(db, email.toLowerCase());
      return user && { id: user.id, sellerId: user.seller_id };
    },
    rename,
    removeOperatorUser,
    removeSellerUser,
    removeTeamMember,
    updateTeamMember,
    changePassword,
    beginTwoFactor,
    confirmTwoFactor,
    disableTwoFactor,
    signIn,
    signInWithSecondFactor,
    ...SECOND_FACTOR_USE_CASES,
    refresh,
    signOut,
    listSessions,
    listDevices: ({ db }, userId: string) => findDevices(db, userId),
    revokeSession,
    readAccessToken,
    findTokenUser,
    issueDeviceToken,
    findKnownDevice,
    invite,
    listInvitations,
    withdrawInvitation,
    acceptInvitation,
    requestPasswordReset,
    processResetRequest,
    resetPassword,
  });
  return { ...useCases, signedTokens };
}

/** Clients that a user has not signed in with for this long are forgotten. */
const DEVICE_TTL_MS = 180 * 86_400_000;

export async function deleteUnusedDevices(db: Db, now: Date, limit: number): Promise<number> {
  return deleteDevicesUnusedSince(db, new Date(now.getTime() - DEVICE_TTL_MS), limit);
}

/**
 * Deletes expired invitations and password resets, at most `limit` of each. Returns the larger
 * count.
 */
export async function deleteExpiredLinks(db: Db, now: Date, limit: number): Promise<number> {
  const invitations = await deleteInvitationsExpiredBefore(db, now, limit);
  return Math.max(invitations, await deleteResetsExpiredBefore(db, now, limit));
}

/**
 * Deletes expired refresh tokens, sessions and used challenges, at most `limit` of each. Returns
 * the largest of the counts.
 */
export async function deleteExpiredSessions(db: Db, now: Date, limit: number): Promise<number> {
  const refreshTokens = await deleteRefreshTokensExpiredBefore(db, now, limit);
  const sessions = await deleteSessionsExpiredBefore(db, now, limit);
  const challenges = await deleteChallengesExpiredBefore(db, now, limit);
  return Math.max(refreshTokens, sessions, challenges);
}

/** The changes in a transaction of the caller. */
const withTransaction = (deps: UsersDeps, trx: DatabaseTransaction) =>
  bindDeps({ ...deps, db: trx }, { createHashed, invite, removeOperatorUser, isAdmin, requestReset });

/** Whether the user is an ADMIN of the operator. */
async function isAdmin({ db }: UsersDeps, id: string): Promise<boolean> {
  return isUuid(id) && (await findUser(db, id.toLowerCase()))?.role === 'ADMIN';
}

/** Whether another ADMIN than the given one exists. */
function hasSecondAdmin({ db }: UsersDeps, id: string): Promise<boolean> {
  return hasOtherAdmin(db, id);
}

/** Whether another user made this ADMIN less than 24 hours ago. Such an ADMIN cannot approve. */
async function isNewAdmin({ db, clock }: UsersDeps, id: string): Promise<boolean> {
  const user = await findUser(db, id);
  if (user === undefined) return true;
  return user.created_by !== null && clock.nowMs() - user.created_at.getTime() < NEW_ADMIN_MS;
}

/** A page of the users of one seller, or of the operator (null), newest first, and their number. */
async function list({ db }: UsersDeps, sellerId: string | null, page: Page) {
  const [users, count] = await Promise.all([findUsers(db, sellerId, page), countUsers(db, sellerId)]);
  return { items: users.map(profileOf), count };
}

interface OwnProfile {
  readonly profile: Profile;
  readonly secondFactors: SecondFactors;
  /** Null if no second factor is active. */
  readonly recoveryCodesLeft: number | null;
}

/** A user's own profile. */
async function findProfile({ db }: UsersDeps, userId: string): Promise<OwnProfile | undefined> {
  const user = await findUser(db, userId);
  if (user === undefined) return undefined;
  const secondFactors = await findSecondFactors(db, userId);
  const recoveryCodesLeft = isAnyActive(secondFactors) ? await countRecoveryCodes(db, userId) : null;
  return { profile: profileOf(user), secondFactors, recoveryCodesLeft };
}

async function findEmail({ db }: UsersDeps, userId: string): Promise<string | undefined> {
  return (await findUser(db, userId))?.email;
}
