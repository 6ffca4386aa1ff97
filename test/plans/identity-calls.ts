import * as audit from '#audit/store.ts';
import * as apiKeys from '#identity/api-keys/store.ts';
import * as links from '#identity/users/store-links.ts';
import * as passkeys from '#identity/passkeys/store.ts';
import * as factors from '#identity/users/store-second-factors.ts';
import * as sessions from '#identity/users/store-sessions.ts';
import * as users from '#identity/users/store.ts';
import * as notifications from '#notifications/store-notifications.ts';
import * as mails from '#notifications/store.ts';
import * as reminders from '#payments/boletos/store-reminders.ts';
import * as approvals from '#operator/approvals/store.ts';
import { ENCRYPTED_COLUMNS } from '#platform/crypto/encrypted-columns.ts';
import * as crypto from '#platform/crypto/store.ts';
import * as fees from '#sellers/fees/store.ts';
import * as preferences from '#sellers/preferences/store.ts';
import * as settings from '#sellers/settings/store.ts';
import * as sellers from '#sellers/store.ts';
import { ANY_TIME, call, callNamed, PAGE, type Call } from './call.ts';
import { DAY, idOf, LARGE, NOW } from './fill.ts';

const USER = idOf('user', 1);
const ID = idOf('transaction', 10_000);
const ANY = {
  action: undefined,
  actorId: undefined,
  sellerId: undefined,
  recordId: undefined,
  requestId: undefined,
  period: ANY_TIME,
};

export const IDENTITY_CALLS: readonly Call[] = [
  call(20, apiKeys.findApiKeys, LARGE),
  callNamed(30, apiKeys.findKeysByHash, [Buffer.from('none')]),
  call(20, apiKeys.deleteKeysOfCreator, { sellerId: LARGE, userId: USER }, ['OWNER', 'DEVELOPER']),
  call(30, apiKeys.updateLastUsedAt, [{ sellerId: LARGE, id: USER, at: NOW }]),
  call(20, factors.findSecondFactor, USER),
  call(20, factors.lockSecondFactor, USER),
  call(20, factors.countRecoveryCodes, USER),
  call(20, passkeys.findPasskeys, USER),
  call(20, passkeys.findPasskeyByCredential, Buffer.from('none')),
  call(20, passkeys.lockPasskey, USER, USER),
  call(20, passkeys.deletePasskeysOf, USER),
  call(50, passkeys.deleteChallengesExpiredBefore, NOW, 10),
  callNamed(30, sessions.findSessionUsers, [USER]),
  call(20, sessions.findSessions, USER, NOW),
  call(20, sessions.findVerification, USER),
  call(20, sessions.updateLastUse, USER, NOW, NOW),
  call(20, sessions.revokeAllTokens, USER, NOW),
  call(20, sessions.deleteSession, USER, USER),
  call(20, sessions.deleteOtherSessions, USER, ID),
  call(50, sessions.deleteRefreshTokensExpiredBefore, NOW, 10),
  call(50, sessions.deleteSessionsExpiredBefore, NOW, 10),
  call(20, users.findUserByEmail, '1-1@example.com'),
  call(20, users.findUser, USER),
  call(20, users.findUsers, LARGE, PAGE),
  call(20, users.countUsers, LARGE),
  call(20, users.hasOtherAdmin, USER),
  call(20, users.hasOperatorUser),
  call(20, users.lockUser, USER),
  call(20, users.lockOwners, LARGE),
  call(20, users.findTeamName, LARGE),
  call(20, sessions.findDevices, USER),
  call(20, sessions.recordDevice, USER, { browser: null, maskedAddress: null }, NOW),
  call(50, sessions.deleteDevicesUnusedSince, NOW, 10),
  call(20, links.findInvitations, { sellerId: LARGE, now: NOW }, PAGE),
  call(20, links.countInvitations, { sellerId: LARGE, now: NOW }),
  call(20, links.deleteInvitation, LARGE, ID),
  call(20, links.deleteInvitationsOf, USER),
  call(20, links.findInvitationByToken, Buffer.from('none'), NOW),
  call(20, links.takeResetRequest),
  call(20, links.countResetsSince, USER, NOW, 3),
  call(20, links.findPasswordReset, Buffer.from('none'), NOW),
  call(20, links.deletePasswordResets, USER),
  call(50, links.deleteInvitationsExpiredBefore, NOW, 10),
  call(50, links.deleteResetsExpiredBefore, NOW, 10),
  call(400, mails.leaseMails, 'user', { now: NOW, leaseUntil: NOW, leasedBy: USER, limit: 5 }),
  call(400, mails.leaseMails, 'payer', { now: NOW, leaseUntil: NOW, leasedBy: USER, limit: 5 }),
  call(20, mails.findMails, 'FAILED', PAGE),
  call(20, mails.findMails, undefined, PAGE),
  call(500, mails.countMails, 'FAILED'),
  call(20, mails.findUnsentMails, 'ana@example.com', 10),
  call(20, mails.lockMail, ID),
  call(50, mails.deleteMailsBefore, NOW, 10),
  call(20, notifications.findRecipients, LARGE, ['OWNER']),
  // Those of a user are deleted after a while, and fill few pages.
  call(150, notifications.findNotifications, USER, PAGE),
  call(200, notifications.countNotifications, USER),
  call(100, notifications.countUnread, USER, 100),
  call(300, notifications.markRead, USER, ID, { at: NOW, limit: 10 }),
  call(20, notifications.findChoices, USER),
  call(20, notifications.lockChoices, USER, [], NOW),
  call(50, notifications.findSummaryReaders, '2026-01-16', 10),
  call(50, notifications.deleteNotificationsBefore, NOW, 10),
  call(20, preferences.findPreferences, LARGE),
  call(20, preferences.lockPreferences, LARGE, NOW),
  call(30, users.findUsersWithDueReset, NOW, 10),
  call(100, preferences.findReminderTurns, '2026-01-17', 20),
  call(20, preferences.endReminderTurn, { sellerId: LARGE, after: null }, '2026-01-17', null),
  call(
    100,
    reminders.findDueBoletos,
    { sellerId: LARGE, after: null },
    { day: '2026-01-17', createdBefore: NOW },
    10,
  ),
  call(20, approvals.lockApproval, ID),
  call(20, approvals.findApprovals, { status: undefined, now: NOW }, PAGE),
  call(20, approvals.countApprovals, { status: undefined, now: NOW }),
];

export const SELLER_CALLS: readonly Call[] = [
  call(20, fees.findFees, LARGE),
  callNamed(20, fees.findFeesBySeller, [LARGE]),
  call(20, fees.lockFees, LARGE),
  call(20, settings.findSettings),
  callNamed(20, settings.loadStoredSettings),
  call(20, settings.saveStoredSetting, 'webhookLogDays', 30, NOW),
  call(20, settings.deleteStoredSetting, 'webhookLogDays'),
  call(20, settings.findDefaultFees),
  call(20, settings.lockSettings),
  call(20, sellers.lockSeller, LARGE),
  call(20, sellers.findSeller, LARGE),
  callNamed(20, sellers.findSellersByIds, [LARGE]),
  call(20, sellers.findSellers, {}, PAGE),
  call(20, sellers.findSellers, { search: 'none' }, PAGE),
  call(20, sellers.countSellers, {}),
];

export const AUDIT_CALLS: readonly Call[] = [
  call(20, audit.findAuditEntries, ANY, PAGE),
  call(750, audit.findAuditEntries, { ...ANY, action: 'RARE' }, PAGE),
  call(20, audit.findAuditEntries, { ...ANY, actorId: LARGE }, PAGE),
  call(20, audit.findAuditEntries, { ...ANY, sellerId: LARGE }, PAGE),
  call(20, audit.findAuditEntries, { ...ANY, recordId: ID }, PAGE),
  call(20, audit.findAuditEntries, { ...ANY, requestId: ID }, PAGE),
  call(20, audit.findAuditEntries, { ...ANY, period: DAY }, PAGE),
  call(
    75,
    audit.findEntriesOfRecord,
    { sellerId: LARGE, recordId: ID },
    { actions: ['withdrawal.approved'], limit: 10 },
  ),
  call(300, audit.countAuditEntries, ANY),
  call(20, audit.countAuditEntries, { ...ANY, recordId: ID }),
];

export const KEY_CALLS: readonly Call[] = [
  call(20, crypto.findDataKeys),
  call(20, crypto.lockKeys),
  ...ENCRYPTED_COLUMNS.map((column) =>
    call(20, crypto.findOutdatedValues, column, { keyId: 'none', after: undefined, limit: 10 }),
  ),
];
