import type { Notifier } from '#notifications/notifier.ts';
import type { Db } from '#platform/database/connect.ts';
import type { RecordCache } from '#platform/kit/record-cache.ts';
import type { AccessTokenDeps } from './access-tokens.ts';
import type { SessionUser } from './store-sessions.ts';
import type { TwoFactorDeps } from './two-factor.ts';

export interface UsersDeps extends AccessTokenDeps, TwoFactorDeps {
  readonly db: Db;
  /** Outside the sandbox demo users cannot sign in, and operators need a second factor. */
  readonly sandbox: boolean;
  /** Writes mails and notifications of the changes of accounts. */
  readonly notifier: Notifier;
  /** Users by the id of their session. Other processes see a change within a second. */
  readonly userCache: RecordCache<string, SessionUser>;
  /** How long a lost second factor is kept after its removal was requested. */
  readonly resetDelayMs: number;
  /** Verified when no user has the email, so that the response takes the same time. */
  readonly dummyHash: Promise<string>;
}
