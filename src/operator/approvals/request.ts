import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import type { Members } from '#audit/members.ts';
import { OPERATOR_ROLES, SELLER_ROLES } from '#platform/kit/permissions.ts';
import { mapAdjustable } from '#sellers/settings/adjustable.ts';
import { SellerChanges } from '#operator/schema.ts';

const text = Type.String();

/** The requests that need a second ADMIN, as they are stored. Passwords are hashed. */
const ApprovalRequest = Type.Union([
  Type.Object({
    action: Type.Literal('user.create'),
    sellerId: Type.Union([text, Type.Null()]),
    name: text,
    email: text,
    role: Type.Enum([...OPERATOR_ROLES, ...SELLER_ROLES]),
    passwordHash: text,
  }),
  Type.Object({
    action: Type.Literal('user.invite'),
    sellerId: Type.Union([text, Type.Null()]),
    name: text,
    email: text,
    role: Type.Enum([...OPERATOR_ROLES, ...SELLER_ROLES]),
    locale: Type.Enum(['pt-BR', 'en']),
  }),
  Type.Object({ action: Type.Literal('user.delete'), id: text }),
  Type.Object({ action: Type.Literal('second-factor.reset'), id: text }),
  Type.Object({
    action: Type.Literal('settings.replace'),
    twoPersonApprovalAbove: Type.Union([Type.Integer(), Type.Null()]),
    medWindowDays: Type.Optional(Type.Integer()),
    ...mapAdjustable(() => Type.Optional(Type.Union([Type.Integer(), Type.Null()]))),
  }),
  Type.Object({
    action: Type.Literal('seller.update'),
    sellerId: text,
    changes: SellerChanges,
  }),
  Type.Object({
    action: Type.Literal('api-key.create'),
    sellerId: text,
    name: text,
    role: Type.Enum([...SELLER_ROLES]),
  }),
]);

export type ApprovalRequest = Static<typeof ApprovalRequest>;
export type ApprovalAction = ApprovalRequest['action'];

export const APPROVAL_ACTIONS = [
  'user.create',
  'user.invite',
  'user.delete',
  'second-factor.reset',
  'settings.replace',
  'seller.update',
  'api-key.create',
] as const satisfies readonly ApprovalAction[];

/** @throws Error if the decrypted text is not a request. */
export function parseRequest(json: string): ApprovalRequest {
  const request: unknown = JSON.parse(json);
  if (!Value.Check(ApprovalRequest, request)) throw new Error('a stored approval has an unknown format');
  return request;
}

/** What the approver and the audit log see of a request. */
export function summarize(request: ApprovalRequest): Members {
  switch (request.action) {
    case 'user.create':
    case 'user.invite': {
      const { name, email, role } = request;
      return { name, email, role };
    }
    case 'user.delete':
    case 'second-factor.reset':
      return { userId: request.id };
    case 'settings.replace': {
      const { action: _action, ...settings } = request;
      return settings;
    }
    case 'seller.update': {
      const { changes } = request;
      // The body may have members that the schema does not list.
      const known = Object.keys(SellerChanges.properties);
      return Object.fromEntries(Object.entries(changes).filter(([name]) => known.includes(name)));
    }
    case 'api-key.create':
      return { name: request.name, role: request.role };
  }
}
