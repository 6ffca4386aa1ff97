import { recordAudit, type ChangeOrigin } from '#audit/service.ts';
import type { Locale } from '#notifications/templates/template.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Violation } from '#platform/http/errors.ts';
import type { Page } from '#platform/http/pagination.ts';
import { hashCredential, isUuid, newId } from '#platform/kit/ids.ts';
import { hasPermission, OPERATOR_ROLES, SELLER_ROLES, type Role } from '#platform/kit/permissions.ts';
import type { UsersDeps } from './deps.ts';
import { newLinkToken } from './link-token.ts';
import { loadPasswordEstimator, passwordViolations } from './password-policy.ts';
import { hashPassword } from './passwords.ts';
import { callerFor, profileOf, type Profile } from './profile.ts';
import {
  countInvitations,
  deleteInvitation,
  deleteInvitationsOf,
  findInvitationByToken,
  findInvitations,
  replaceInvitation,
  type InvitationRow,
} from './store-links.ts';
import { findTeamName, findUser, findUserByEmail, insertUser, type User } from './store.ts';

const INVITATION_TTL_MS = 7 * 86_400_000;

export interface NewInvitation {
  /** Null for a user of the operator. */
  readonly sellerId: string | null;
  readonly email: string;
  readonly role: Role;
  /** The language of the mail, and of later ones until the user signs in. */
  readonly locale: Locale;
  /** Empty if only the user knows it. */
  readonly name?: string | undefined;
}

export interface Invitation {
  /** Becomes the id of the user. */
  readonly id: string;
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly inviterName: string | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export type InvitationFailure = 'CANNOT_MAIL' | 'EMAIL_TAKEN';

/**
 * Invites a person to a team. An earlier invitation of the team to the same address ends. If the
 * address has an account elsewhere, the response is the same; only the email to the owner of the
 * address says so.
 */
export async function invite(
  deps: UsersDeps,
  input: NewInvitation,
  actor: AuditActor,
): Promise<Invitation | InvitationFailure> {
  if (!deps.notifier.canMail) return 'CANNOT_MAIL';
  return inTransaction(deps.db, (trx) => inviteInTransaction(deps, trx, input, actor));
}

async function inviteInTransaction(
  { clock, notifier }: Pick<UsersDeps, 'clock' | 'notifier'>,
  trx: DatabaseTransaction,
  { sellerId, role, locale, name = '', ...input }: NewInvitation,
  actor: AuditActor,
): Promise<Invitation | InvitationFailure> {
  const email = input.email.toLowerCase();
  const holder = await findUserByEmail(trx, email);
  if (holder?.seller_id === sellerId) return 'EMAIL_TAKEN';
  const at = clock.now();
  const { text, hash } = newLinkToken();
  const expiresAt = new Date(at.getTime() + INVITATION_TTL_MS);
  const row: InvitationRow = {
    id: newId(at.getTime()),
    seller_id: sellerId,
    name,
    email,
    role,
    locale,
    token_hash: hash,
    created_by: actor.id,
    creator_name: actor.name,
    expires_at: expiresAt,
    created_at: at,
  };
  await replaceInvitation(trx, row);
  const organization = (await findTeamName(trx, sellerId)) ?? 'Vereda';
  const inviter = actor.name ?? 'Vereda';
  const mail = { sellerId, to: email, locale, at };
  if (holder === undefined) {
    const params = { inviter, organization, role };
    const token = { text, expiresAt };
    await notifier.writeMail(trx, { ...mail, template: 'invitation', params, token });
  } else {
    await notifier.writeMail(trx, {
      ...mail,
      template: 'invitation-refused',
      params: { inviter, organization },
    });
  }
  await recordInvitation(trx, row, { action: 'user.invited', actor, at });
  return toInvitation(row);
}

/** A page of the pending invitations of one seller or of the operator, newest first. */
export function listInvitations({ db, clock }: UsersDeps, sellerId: string | null, page: Page) {
  const now = clock.now();
  const rows = findInvitations(db, { sellerId, now }, page);
  const items = rows.then((found) => found.map(toInvitation));
  return countedPage(items, countInvitations(db, { sellerId, now }));
}

/** Withdraws an invitation; its link is void. Returns false if the team has none with this id. */
export async function withdrawInvitation(
  { db, clock }: UsersDeps,
  sellerId: string | null,
  id: string,
  actor: AuditActor,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  return db.transaction().execute(async (trx) => {
    const deleted = await deleteInvitation(trx, sellerId, id.toLowerCase());
    if (deleted === undefined) return false;
    await recordInvitation(trx, deleted, { action: 'user.invitation-withdrawn', actor, at: clock.now() });
    return true;
  });
}

/** Withdraws the invitations of a user who is deleted or may no longer invite. */
export async function withdrawInvitationsOf(
  trx: DatabaseTransaction,
  userId: string,
  { actor, at }: ChangeOrigin,
): Promise<void> {
  for (const deleted of await deleteInvitationsOf(trx, userId))
    await recordInvitation(trx, deleted, { action: 'user.invitation-withdrawn', actor, at });
}

/** Whether a user may invite to the team of a seller, or of the operator (null). */
export const mayInvite = ({ role, seller_id: sellerId }: Pick<User, 'role' | 'seller_id'>): boolean =>
  hasPermission(knownRole(role), sellerId === null ? 'operator:write' : 'users:write');

export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
}

/**
 * Creates the user of an invitation. Returns undefined for a token that is unknown, expired or
 * used, or whose inviter may no longer invite. A password that is refused does not use it up.
 */
export async function acceptInvitation(
  { db, clock }: UsersDeps,
  { token, name, password }: Acceptance,
  requestId: string,
): Promise<Profile | 'EMAIL_TAKEN' | readonly Violation[] | undefined> {
  const found = await findInvitationByToken(db, hashCredential(token), clock.now());
  if (found === undefined) return undefined;
  await loadPasswordEstimator();
  const { email, seller_id: sellerId } = found;
  const violations = passwordViolations('password', password, { name, email, sellerId });
  if (violations.length > 0) return violations;
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    // A user who is deleted while they invite leaves an invitation.
    if (!(await isInviterEntitled(trx, found))) return undefined;
    const invitation = await deleteInvitation(trx, sellerId, found.id);
    if (invitation === undefined) return undefined;
    const user = toUser(invitation, { name, passwordHash, now: clock.now() });
    if (!(await insertUser(trx, user))) return 'EMAIL_TAKEN';
    const { role, created_at: at } = user;
    await recordAudit(trx, callerFor(user, requestId), {
      action: 'user.created',
      recordType: 'user',
      recordId: user.id,
      sellerId,
      at,
      before: null,
      after: {
        name,
        email,
        role,
      },
    });
    return profileOf(user);
  });
}

/** Invitations of the gateway itself have no inviter. */
async function isInviterEntitled(
  trx: DatabaseTransaction,
  { created_by: inviterId }: InvitationRow,
): Promise<boolean> {
  if (inviterId === null) return true;
  const inviter = await findUser(trx, inviterId);
  return inviter !== undefined && mayInvite(inviter);
}

function toUser(
  { id, seller_id, email, role, locale, created_by }: InvitationRow,
  { name, passwordHash, now }: { readonly name: string; readonly passwordHash: string; readonly now: Date },
): User {
  return {
    id,
    seller_id,
    name,
    email,
    role,
    locale,
    password_hash: passwordHash,
    created_by: seller_id === null ? created_by : null,
    token_generation: 0,
    demo: false,
    second_factor_reset_due_at: null,
    created_at: now,
    updated_at: now,
  };
}

function toInvitation(row: InvitationRow): Invitation {
  const { id, seller_id: sellerId, name, email, creator_name: inviterName } = row;
  const times = { expiresAt: row.expires_at, createdAt: row.created_at };
  return { id, sellerId, name, email, role: knownRole(row.role), inviterName, ...times };
}

function knownRole(role: string): Role {
  const found = [...SELLER_ROLES, ...OPERATOR_ROLES].find((known) => known === role);
  if (found === undefined) throw new Error('a user or an invitation has an unknown role');
  return found;
}

function recordInvitation(
  trx: DatabaseTransaction,
  { id, seller_id: sellerId, email, role }: InvitationRow,
  {
    action,
    actor,
    at,
  }: {
    readonly action: 'user.invited' | 'user.invitation-withdrawn';
    readonly actor: AuditActor;
    readonly at: Date;
  },
): Promise<void> {
  const target = { recordType: 'invitation', recordId: id, sellerId } as const;
  const fields = { email, role };
  const [before, after] = action === 'user.invited' ? [null, fields] : [fields, null];
  return recordAudit(trx, actor, { action, ...target, before, after, at });
}
