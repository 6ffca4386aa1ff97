import type { Role } from '#platform/kit/permissions.ts';

/** The kind of record of an id. */
export type Kind =
  | 'transaction'
  | 'withdrawal'
  | 'dispute'
  | 'webhook'
  | 'delivery'
  | 'api key'
  | 'user'
  | 'invitation'
  | 'session'
  | 'passkey'
  | 'card token'
  | 'customer'
  | 'payment link'
  | 'subscription'
  | 'refund'
  /** A cursor of the same list. */
  | 'cursor';

/** A field of a request that refers to a record. */
export interface Naming {
  readonly at: 'path' | 'query' | 'body';
  readonly name: string;
  readonly kind: Kind;
  /** The response if the caller has no such record: an error, or an empty list. */
  readonly unknown: readonly [status: number, message: string] | 'nothing';
  /** A valid body with this id. */
  readonly body?: (id: string) => object;
}

/** Who may call an operation, and which of its fields refer to records. */
export interface Operation {
  /** Public, or these roles only. */
  readonly may: 'public' | readonly Role[];
  /** API keys are rejected, whatever their role. */
  readonly peopleOnly: boolean;
  /** Open to sellers that are not ACTIVE too. */
  readonly whileClosed: boolean;
  readonly names: readonly Naming[];
}

const rule =
  (may: Operation['may'], { peopleOnly = false, whileClosed = false } = {}) =>
  (...names: readonly Naming[]): Operation => ({ may, peopleOnly, whileClosed, names });

const SELLERS = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'] as const;
const OPERATORS = ['ADMIN', 'SUPPORT'] as const;

export const open = rule('public');
export const reads = rule(SELLERS);
export const builds = rule(['OWNER', 'DEVELOPER']);
export const keepsCustomers = rule(['OWNER', 'FINANCE', 'DEVELOPER']);
export const buildsInPerson = rule(['OWNER', 'DEVELOPER'], { peopleOnly: true });
export const pays = rule(['OWNER', 'FINANCE']);
export const leads = rule(['OWNER'], { peopleOnly: true });
export const applies = rule(['OWNER'], { peopleOnly: true, whileClosed: true });
export const oneself = rule([...SELLERS, ...OPERATORS], { peopleOnly: true, whileClosed: true });
export const looks = rule(OPERATORS);
export const rules = rule(['ADMIN']);

const UNKNOWN = {
  transaction: [404, 'Transaction not found'],
  withdrawal: [404, 'Withdrawal not found'],
  dispute: [404, 'Record Not Found'],
  webhook: [404, 'Webhook not found'],
  delivery: [404, 'Delivery not found'],
  'api key': [404, 'API key not found'],
  user: [404, 'User not found'],
  invitation: [404, 'Invitation not found'],
  session: [404, 'Session not found'],
  customer: [404, 'Customer not found'],
  'card token': [404, 'Card token not found'],
  'payment link': [404, 'Payment link not found'],
  subscription: [404, 'Subscription not found'],
  refund: [404, 'Refund not found'],
  passkey: [404, 'Passkey not found'],
} as const;

export const id = (kind: keyof typeof UNKNOWN, body?: object): Naming => ({
  at: 'path',
  name: 'id',
  kind,
  unknown: UNKNOWN[kind],
  ...(body === undefined ? {} : { body: () => body }),
});
export const filter = (name: string, kind: Kind): Naming => ({ at: 'query', name, kind, unknown: 'nothing' });
export const cursor: Naming = filter('cursor', 'cursor');
export const inBody = (name: string, kind: keyof typeof UNKNOWN, body: (id: string) => object): Naming => ({
  at: 'body',
  name,
  kind,
  unknown: UNKNOWN[kind],
  body,
});
