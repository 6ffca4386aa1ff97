import type { OperatorRole, SellerRole } from '#platform/kit/permissions.ts';

/** The part of a seller that the guard needs. */
export interface SellerAccess {
  readonly id: string;
  readonly active: boolean;
  readonly requestsPerMinute: number;
  readonly creationsPerMinute: number;
}

interface Verification {
  /**
   * Whether the user of a browser session was verified within the last minutes. Always true for API
   * keys and other programs.
   */
  readonly isVerified: () => Promise<boolean>;
}

export type Principal =
  | (Verification & {
      readonly kind: 'seller';
      readonly role: SellerRole;
      readonly seller: SellerAccess;
      /** Null for an API key. */
      readonly userId: string | null;
      /** The session of the access token. Null for an API key. */
      readonly sessionId: string | null;
      /** The API key, with its first characters. Null for a user. */
      readonly key: { readonly id: string; readonly prefix: string } | null;
      /** A user in a browser, whose refresh token is in a cookie. */
      readonly browser: boolean;
      /** The name of the user or API key. */
      readonly name: string;
    })
  | (Verification & {
      readonly kind: 'operator';
      readonly role: OperatorRole;
      /** Set outside the sandbox until the user has a second factor. */
      readonly needsSecondFactor: boolean;
      readonly userId: string;
      readonly sessionId: string;
      readonly name: string;
    });

/** What selects the rate limits of a credential. */
export type CredentialHolder =
  | {
      readonly kind: 'seller';
      readonly seller: SellerAccess;
      /** Null for an API key. */
      readonly userId: string | null;
      readonly browser: boolean;
    }
  | { readonly kind: 'operator'; readonly userId: string };

/** A well-formed API key, or an access token that is signed and has not expired. */
export interface Credential {
  /** Whom it belongs to if it is valid, as far as that is known without a database query. */
  readonly holder: CredentialHolder | undefined;
  /** Looks the credential up. Resolves to undefined if it is unknown or revoked. */
  authenticate(): Promise<Principal | undefined>;
}

/**
 * Reads credentials without a query of their own. Malformed, forged and expired ones are undefined.
 */
export interface Authenticator {
  readApiKey(key: string): Promise<Credential | undefined>;
  readAccessToken(token: string): Promise<Credential | undefined>;
}

/** Whose concurrency limit a request counts against. Users and API keys of a seller share one. */
export function ownerOf(principal: Principal | null): string {
  if (principal === null) return 'anonymous';
  return principal.kind === 'seller' ? principal.seller.id : principal.userId;
}
