import type { ApiKeysService } from '#identity/api-keys/service.ts';
import type { UsersService } from '#identity/users/service.ts';
import type { Authenticator, Principal, SellerAccess } from '#platform/http/guard.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#platform/kit/permissions.ts';
import type { SellersService } from '#sellers/service.ts';

interface AuthenticatorDeps {
  readonly users: UsersService;
  readonly apiKeys: ApiKeysService;
  readonly sellers: SellersService;
}

/** The user or the API key that a credential belongs to. */
interface CredentialOwner {
  readonly sellerId: string | null;
  readonly role: Role;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly keyId: string | null;
  readonly name: string;
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  return bindDeps(deps, { byApiKey, byAccessToken });
}

async function byApiKey(deps: AuthenticatorDeps, key: string): Promise<Principal | undefined> {
  const apiKey = await deps.apiKeys.authenticate(key);
  if (apiKey === undefined) return undefined;
  const { sellerId, role, id: keyId, name } = apiKey;
  return toPrincipal(deps, { sellerId, role, userId: null, sessionId: null, keyId, name });
}

async function byAccessToken(deps: AuthenticatorDeps, token: string): Promise<Principal | undefined> {
  const user = await deps.users.verifyAccessToken(token);
  return user === undefined ? undefined : toPrincipal(deps, { ...user, keyId: null });
}

async function toPrincipal(
  { sellers }: AuthenticatorDeps,
  { sellerId, role, userId, sessionId, keyId, name }: CredentialOwner,
): Promise<Principal | undefined> {
  if (sellerId === null) {
    const operatorRole = OPERATOR_ROLES.find((known) => known === role);
    if (operatorRole === undefined || userId === null || sessionId === null) return undefined;
    return { kind: 'operator', role: operatorRole, userId, sessionId, name };
  }
  const sellerRole = SELLER_ROLES.find((known) => known === role);
  const seller = await findSellerAccess(sellers, sellerId);
  if (sellerRole === undefined || seller === undefined) return undefined;
  return { kind: 'seller', role: sellerRole, seller, userId, sessionId, keyId, name };
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
