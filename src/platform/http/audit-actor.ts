/** The author of a change, for the audit log. Derived from the request and passed to services. */
export type AuditActor =
  | {
      readonly kind: 'OPERATOR_USER' | 'SELLER_USER' | 'API_KEY';
      /** The id of the user or API key. */
      readonly id: string;
      /** Stored with the id, because users and keys can be deleted. */
      readonly name: string;
      readonly requestId: string;
    }
  | { readonly kind: 'GATEWAY'; readonly id: null; readonly name: null; readonly requestId: null };

/** An authenticated caller: a user or an API key. */
export type Caller = Exclude<AuditActor, { readonly kind: 'GATEWAY' }>;

export const AUDIT_ACTOR_KINDS = [
  'OPERATOR_USER',
  'SELLER_USER',
  'API_KEY',
  'GATEWAY',
] as const satisfies readonly AuditActor['kind'][];

/** The author of changes without a request: the first operator, the demo data of the sandbox. */
export const GATEWAY_ACTOR: AuditActor = { kind: 'GATEWAY', id: null, name: null, requestId: null };
