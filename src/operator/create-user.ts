import { admitInvitation, releaseInvitation } from '#identity/users/invitation-limits.ts';
import { requireInvited } from '#identity/users/invitation-schema.ts';
import type { Invitation } from '#identity/users/invitations.ts';
import type { Profile } from '#identity/users/profile.ts';
import type { NewUser } from '#identity/users/creation.ts';
import type { UsersService } from '#identity/users/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import type { ApprovalRequest } from './approvals/request.ts';

/** A user to be created. Without a password, the person is invited. */
type RequestedUser = Omit<NewUser, 'password'> & { readonly password: string | undefined };

interface CreationDeps {
  readonly users: UsersService;
  readonly rates: RateLimiter;
}

type CreationRequest = Extract<ApprovalRequest, { readonly action: 'user.create' | 'user.invite' }>;

/**
 * The creation as it can be stored for a second ADMIN: without the password. Counts an invitation,
 * and throws above the operator's limit.
 */
export async function requestOf(
  { users, rates }: CreationDeps,
  { password, ...user }: RequestedUser,
  locale: 'pt-BR' | 'en',
): Promise<CreationRequest> {
  if (password === undefined) {
    await admitInvitation(rates, null, user.email);
    return { action: 'user.invite', ...user, locale };
  }
  return { action: 'user.create', ...(await users.hash({ ...user, password })) };
}

/** Creates the user, or invites the person. */
export async function createOrInvite(
  { users, rates }: CreationDeps,
  request: CreationRequest,
  author: AuditActor,
): Promise<{ readonly profile: Profile } | { readonly invitation: Invitation }> {
  if (request.action === 'user.invite') {
    const invited = await users.invite(request, author);
    if (typeof invited === 'string') await releaseInvitation(rates, null, request.email);
    return { invitation: requireInvited(invited) };
  }
  const created = await users.createHashed(request, author);
  if (!created.ok) throw new HttpError('email_taken');
  return { profile: created.user };
}
