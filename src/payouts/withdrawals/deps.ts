import type { Notifier } from '#notifications/notifier.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { PayoutProvider } from './payout-provider.ts';

export interface WithdrawalDeps {
  readonly db: Db;
  /** For reads of many rows. */
  readonly heavy: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** In the order in which they are tried. */
  readonly payoutProviders: readonly PayoutProvider[];
  readonly notifier: Notifier;
  /** Called after a commit that inserted webhook deliveries. */
  readonly notifyWorker: () => void;
}
