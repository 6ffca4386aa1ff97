import type { ApiKeysService } from '#identity/api-keys/service.ts';
import type { UsersService } from '#identity/users/service.ts';
import type { Authenticator, Credential, Principal, SellerAccess } from '#platform/http/principal.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { isApiKey } from '#platform/kit/ids.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#platform/kit/permissions.ts';
import type { SellersService } from '#sellers/service.ts';

interface Services {
  readonly users: UsersService;
  readonly apiKeys: ApiKeysService;
  readonly sellers: SellersService;
}

interface AuthenticatorDeps extends Services {
  /** The sellers of API keys that were valid, by the plain key. In memory only. */
  readonly keySellers: Map<string, string>;
  /** Sessions whose access tokens were revoked before they expired. */
  readonly revokedSessions: Map<string, true>;
}

/** How many API keys and revoked sessions are remembered. */
const MAX_REMEMBERED = 100_000;

/** The user or the API key that a credential belongs to. */
interface CredentialOwner {
  readonly sellerId: string | null;
  readonly role: Role;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly key: { readonly id: string; readonly prefix: string } | null;
  readonly browser: boolean;
  readonly name: string;
  readonly needsSecondFactor: boolean;
  readonly isVerified: () => Promise<boolean>;
}

/**
 * Identifies the owner of a credential without a lookup: an API key if it was valid before, an
 * access token by its signature. The result selects a rate limit and never grants access.
 */
export function createAuthenticator(services: Services): Authenticator {
  const deps: AuthenticatorDeps = { ...services, keySellers: new Map(), revokedSessions: new Map() };
  return bindDeps(deps, { readApiKey, readAccessToken });
}

async function readApiKey(deps: AuthenticatorDeps, key: string): Promise<Credential | undefined> {
  if (!isApiKey(key)) return undefined;
  const sellerId = deps.keySellers.get(key);
  const seller = sellerId === undefined ? undefined : await findSellerAccess(deps.sellers, sellerId);
  return {
    holder: seller && { kind: 'seller', seller, userId: null, browser: false },
    authenticate: () => authenticateApiKey(deps, key),
  };
}

async function authenticateApiKey(deps: AuthenticatorDeps, key: string): Promise<Principal | undefined> {
  const { apiKeys, keySellers } = deps;
  const apiKey = await apiKeys.authenticate(key);
  if (apiKey === undefined) {
    keySellers.delete(key);
    return undefined;
  }
  const { sellerId, role, name } = apiKey;
  remember(keySellers, key, sellerId);
  const owner = { sellerId, role, userId: null, sessionId: null, key: apiKey, browser: false, name };
  return toPrincipal(deps, { ...owner, needsSecondFactor: false, isVerified: async () => true });
}

async function readAccessToken(deps: AuthenticatorDeps, token: string): Promise<Credential | undefined> {
  const { users, sellers, revokedSessions } = deps;
  const claims = await users.readAccessToken(token);
  if (claims === undefined) return undefined;
  const { userId, sessionId, sellerId, browser } = claims;
  const authenticate = async () => {
    const user = await users.findTokenUser(claims);
    // Step-up applies to browser sessions only.
    const isVerified = async () => !browser || user === undefined || users.isRecentlyVerified(user);
    if (user !== undefined) return toPrincipal(deps, { ...user, key: null, isVerified });
    remember(revokedSessions, sessionId, true);
    return undefined;
  };
  if (revokedSessions.has(sessionId)) return { holder: undefined, authenticate };
  if (sellerId === null) return { holder: { kind: 'operator', userId }, authenticate };
  const seller = await findSellerAccess(sellers, sellerId);
  return { holder: seller && { kind: 'seller', seller, userId, browser }, authenticate };
}

function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  if (memory.has(key)) return;
  memory.set(key, value);
  if (memory.size <= MAX_REMEMBERED) return;
  const [oldest] = memory.keys();
  if (oldest !== undefined) memory.delete(oldest);
}

async function toPrincipal(
  { sellers }: AuthenticatorDeps,
  { sellerId, role, userId, sessionId, key, browser, name, needsSecondFactor, isVerified }: CredentialOwner,
): Promise<Principal | undefined> {
  if (sellerId === null) {
    const operatorRole = OPERATOR_ROLES.find((known) => known === role);
    if (operatorRole === undefined || userId === null || sessionId === null) return undefined;
    return { kind: 'operator', role: operatorRole, userId, sessionId, name, needsSecondFactor, isVerified };
  }
  const sellerRole = SELLER_ROLES.find((known) => known === role);
  const seller = await findSellerAccess(sellers, sellerId);
  if (sellerRole === undefined || seller === undefined) return undefined;
  return { kind: 'seller', role: sellerRole, seller, userId, sessionId, key, browser, name, isVerified };
}

async function findSellerAccess(
  sellers: SellersService,
  sellerId: string,
): Promise<SellerAccess | undefined> {
  const context = await sellers.getContext(sellerId);
  if (context === undefined) return undefined;
  const { id, status, requestsPerMinute, creationsPerMinute } = context.seller;
  return { id, active: status === 'ACTIVE', requestsPerMinute, creationsPerMinute };
}
