import { Type, type Static } from 'typebox';

import type { Role } from '#platform/kit/permissions.ts';
import { described, nullable } from './envelope.ts';

/**
 * An authenticated caller: a user or an API key. Derived from the request and passed to services.
 */
export interface Caller {
  readonly kind: 'OPERATOR_USER' | 'SELLER_USER' | 'API_KEY';
  /** The id of the user or API key. */
  readonly id: string;
  /** Stored with the id, because users and keys can be deleted. */
  readonly name: string;
  readonly role: Role;
  /** The first characters of the API key. Null for a user. */
  readonly keyPrefix: string | null;
  readonly requestId: string;
}

/** The gateway itself, a request without a valid credential, or the payer on a page of its own. */
interface Unidentified {
  readonly kind: 'GATEWAY' | 'ANONYMOUS' | 'PAYER';
  readonly id: null;
  readonly name: null;
  readonly role: null;
  readonly keyPrefix: null;
  readonly requestId: string | null;
}

/** The author of a change, for the audit log. */
export type AuditActor = Caller | Unidentified;

export const AUDIT_ACTOR_KINDS = [
  'OPERATOR_USER',
  'SELLER_USER',
  'API_KEY',
  'GATEWAY',
  'ANONYMOUS',
  'PAYER',
] as const satisfies readonly AuditActor['kind'][];

const nobody = { id: null, name: null, role: null, keyPrefix: null } as const;

/** The author of changes without a request: the first operator, the demo data of the sandbox. */
export const GATEWAY_ACTOR: AuditActor = { kind: 'GATEWAY', ...nobody, requestId: null };

/** The author of a request that presented no valid credential. */
export const anonymousActor = (requestId: string): AuditActor => ({
  kind: 'ANONYMOUS',
  ...nobody,
  requestId,
});

/** The author of what the payer of a subscription does on its page. */
export const payerActor = (requestId: string): AuditActor => ({ kind: 'PAYER', ...nobody, requestId });

const ACTOR_PROPERTIES = {
  kind: Type.Enum([...AUDIT_ACTOR_KINDS], {
    description:
      'OPERATOR_USER, SELLER_USER or API_KEY; GATEWAY for the gateway itself; ANONYMOUS for a request ' +
      'without a valid credential; PAYER for the payer of a subscription on its page.',
  }),
  id: nullable(
    Type.String({
      format: 'uuid',
      description: 'The id of the user or API key. Null for the other kinds.',
    }),
  ),
  name: nullable(
    Type.String({
      description: 'Name of the user or API key at the time of the request; null for the other kinds.',
    }),
  ),
  role: nullable(Type.String({ description: 'The role at that time.' })),
  keyPrefix: nullable(
    Type.String({ description: 'The first characters of the API key. Null for the other kinds.' }),
  ),
};

export const ActorSchema = Type.Object(ACTOR_PROPERTIES, {
  title: 'Actor',
  description: 'Who acted.',
});

/** An author that is stored in the record that it made. */
export const AuthorSchema = Type.Object(
  {
    ...ACTOR_PROPERTIES,
    kind: described(
      ACTOR_PROPERTIES.kind,
      'OPERATOR_USER, SELLER_USER or API_KEY; GATEWAY for the gateway itself. Never ANONYMOUS or PAYER.',
    ),
    requestId: nullable(Type.String({ description: 'The x-request-id of the request.' })),
  },
  { title: 'Author', description: 'Who made the request, and the id of the request.' },
);

export type AuthorView = Static<typeof AuthorSchema>;

/** Reads an author from its JSON column. */
export function toAuthor(stored: unknown): AuthorView {
  const author = new Map(Object.entries(typeof stored === 'object' && stored !== null ? stored : {}));
  const text = (name: string): string | null => {
    const value: unknown = author.get(name);
    return typeof value === 'string' ? value : null;
  };
  return {
    kind: AUDIT_ACTOR_KINDS.find((kind) => kind === author.get('kind')) ?? 'GATEWAY',
    id: text('id'),
    name: text('name'),
    role: text('role'),
    keyPrefix: text('keyPrefix'),
    requestId: text('requestId'),
  };
}
