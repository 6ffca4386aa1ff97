/** Who changes something, for the audit log. The guard makes it from the request; services pass it on to where they write. */
export type AuditActor =
  | {
      readonly kind: 'OPERATOR_USER' | 'SELLER_USER' | 'API_KEY';
      /** Of the user or of the key. */
      readonly id: string;
      /** Kept beside the id, since users and keys may be deleted. */
      readonly name: string;
      readonly requestId: string;
    }
  | { readonly kind: 'GATEWAY'; readonly id: null; readonly name: null; readonly requestId: null };

/** Somebody who calls, with an id. */
export type Caller = Exclude<AuditActor, { readonly kind: 'GATEWAY' }>;

export const AUDIT_ACTOR_KINDS = [
  'OPERATOR_USER',
  'SELLER_USER',
  'API_KEY',
  'GATEWAY',
] as const satisfies readonly AuditActor['kind'][];

/** What nobody asked for: the first operator, the sandbox's demo. */
export const GATEWAY_ACTOR: AuditActor = { kind: 'GATEWAY', id: null, name: null, requestId: null };
