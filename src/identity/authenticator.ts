import type { ApiKeysService } from '#identity/api-keys/service.ts';
import type { SellerAccess, Authenticator, Principal } from '#platform/http/guard.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#platform/kit/permissions.ts';
import type { SellersService } from '#sellers/service.ts';
import type { UsersService } from '#identity/users/service.ts';

interface AuthenticatorDeps {
  readonly users: UsersService;
  readonly apiKeys: ApiKeysService;
  readonly sellers: SellersService;
}

/** The user or the key that a credential belongs to. */
interface CredentialOwner {
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly keyId: string | null;
  readonly name: string;
}

/** Tells the HTTP layer who a credential belongs to, from the folders that keep credentials. */
export function createAuthenticator({ users, apiKeys, sellers }: AuthenticatorDeps): Authenticator {
  async function accountOf(sellerId: string): Promise<SellerAccess | undefined> {
    const context = await sellers.getContext(sellerId);
    if (context === undefined) return undefined;
    const { id, status, requestsPerMinute, creationsPerMinute } = context.seller;
    return { id, active: status === 'ACTIVE', requestsPerMinute, creationsPerMinute };
  }

  async function principalOf(
    sellerId: string | null,
    role: Role,
    { userId, sessionId, keyId, name }: CredentialOwner,
  ): Promise<Principal | undefined> {
    if (sellerId === null) {
      const operatorRole = OPERATOR_ROLES.find((known) => known === role);
      return operatorRole === undefined || userId === null || sessionId === null
        ? undefined
        : { kind: 'operator', role: operatorRole, userId, sessionId, name };
    }
    const sellerRole = SELLER_ROLES.find((known) => known === role);
    const account = await accountOf(sellerId);
    if (sellerRole === undefined || account === undefined) return undefined;
    return { kind: 'seller', role: sellerRole, seller: account, userId, sessionId, keyId, name };
  }

  return {
    async byApiKey(key) {
      const apiKey = await apiKeys.authenticate(key);
      if (apiKey === undefined) return undefined;
      const { sellerId, role, id: keyId, name } = apiKey;
      return principalOf(sellerId, role, { userId: null, sessionId: null, keyId, name });
    },
    async byAccessToken(token) {
      const user = await users.verifyAccessToken(token);
      if (user === undefined) return undefined;
      const { sellerId, role, userId, sessionId, name } = user;
      return principalOf(sellerId, role, { userId, sessionId, keyId: null, name });
    },
  };
}
