import { Type, type Static, type TProperties, type TSchema } from 'typebox';

import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { Role } from '#platform/kit/permissions.ts';
import type { Invitation, InvitationFailure } from './invitations.ts';
import { emailString, operatorRole, sellerRole } from './schema.ts';

const members = <T extends TSchema>(role: T) => ({
  id: recordId('The id of the invitation. The user who accepts it has the same id.'),
  email: Type.String({ description: 'The address that was invited.' }),
  role,
  inviterName: nullable(
    Type.String({ description: 'Name of the user who sent the invitation; null for the gateway.' }),
  ),
  expiresAt: timestamp('When the link expires, seven days after the invitation.'),
  createdAt: timestamp('When the invitation was made.'),
});

export const InvitationSchema = Type.Object(members(sellerRole), {
  title: 'Invitation',
  description: 'A person who was invited to the team and has not accepted yet.',
});
export const OperatorInvitationSchema = Type.Object(members(operatorRole), {
  title: 'OperatorInvitation',
  description: 'A person who was invited as an operator user and has not accepted yet.',
});

export const InvitationBody = Type.Object({ email: emailString, role: sellerRole });
export const OperatorInvitationBody = Type.Object({ email: emailString, role: operatorRole });

/** The invitation as the API returns it. Throws if the role is not one of `roles`. */
export function viewInvitation<R extends Role>(
  { id, email, role, inviterName, expiresAt, createdAt }: Invitation,
  roles: readonly R[],
) {
  const known = roles.find((candidate) => candidate === role);
  if (known === undefined) throw new Error(`the invitation has the unexpected role ${role}`);
  const times = { expiresAt: expiresAt.toISOString(), createdAt: createdAt.toISOString() };
  return { id, email, role: known, inviterName, ...times };
}

/** The response of a request that creates a user: the user, or who will be one on acceptance. */
export const createdUser = <T extends TProperties>(properties: T, title: string) =>
  Type.Object(
    {
      ...properties,
      invitationExpiresAt: Type.Optional(
        timestamp('When the invitation expires. Absent if the user was created with a password.'),
      ),
    },
    {
      title,
      description:
        'A user who was created or invited. An invited user keeps this id after accepting the invitation.',
    },
  );

/** An invited person as the user that they will be. */
export function viewInvited<R extends Role>(invitation: Invitation, roles: readonly R[]) {
  const { id, email, role, expiresAt, createdAt } = viewInvitation(invitation, roles);
  const user = { id, name: invitation.name, email, role, createdAt, secondFactorResetAt: null };
  return { ...user, invitationExpiresAt: expiresAt };
}

/** Returns the invitation. Throws the error if it was refused. */
export function requireInvited(invited: Invitation | InvitationFailure): Invitation {
  if (invited === 'CANNOT_MAIL') throw new HttpError('email_not_configured');
  if (invited === 'EMAIL_TAKEN') throw new HttpError('email_taken');
  return invited;
}

const invitation: Static<typeof InvitationSchema> = {
  id: '01a1fb65-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  email: 'bia@example.com',
  role: 'FINANCE',
  inviterName: 'Dona da Loja',
  expiresAt: '2026-03-10T12:00:00.000Z',
  createdAt: '2026-03-03T12:00:00.000Z',
};
const operator = { ...invitation, role: 'SUPPORT', inviterName: 'Caio Prado' };

/** Examples of the API reference. A test validates each against its schema. */
export const NEW_INVITATION = { 'A user for finances': { email: invitation.email, role: 'FINANCE' } };
export const INVITED = { 'The invitation': { status: true, data: invitation } };
export const INVITATIONS = {
  'The only page': { status: true, data: [invitation], count: 1, nextCursor: null },
};
export const WITHDRAWN = { Withdrawn: { status: true, data: { id: invitation.id } } };
export const NEW_OPERATOR_INVITATION = {
  'A user for support': { email: operator.email, role: 'SUPPORT' },
};
export const OPERATOR_INVITED = { 'The invitation': { status: true, data: operator } };
export const OPERATOR_INVITATIONS = {
  'The only page': { status: true, data: [operator], count: 1, nextCursor: null },
};
