import type { Db } from '#platform/database/connect.ts';
import type { TtlCache } from '#platform/kit/ttl-cache.ts';
import type { AccessTokenDeps } from './access-tokens.ts';
import type { SignedTokens } from './signed-tokens.ts';
import type { User } from './store.ts';
import type { TwoFactorDeps } from './two-factor.ts';

export interface UsersDeps extends AccessTokenDeps, TwoFactorDeps {
  readonly db: Db;
  readonly signedTokens: SignedTokens;
  /** Users by the id of their session. Other processes see a change within a second. */
  readonly userCache: TtlCache<string, User>;
  /** Verified when no user has the e-mail, so that the response takes the same time. */
  readonly dummyHash: Promise<string>;
}
