import type { Notifier } from '#notifications/notifier.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { KeyedMutex } from '#platform/database/keyed-mutex.ts';
import type { ProviderRouting } from '#payments/operations/routing.ts';
import type { PayoutProvider } from './payout-provider.ts';

export interface WithdrawalDeps {
  readonly db: Db;
  /** For reads of many rows. */
  readonly heavy: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly payoutProviders: readonly PayoutProvider[];
  readonly routing: ProviderRouting;
  readonly notifier: Notifier;
  /** Called after a commit that inserted webhook deliveries. */
  readonly notifyWorker: () => void;
  /**
   * Creations of one seller in this process wait here, without a connection and ahead of the lock
   * of its wallets, so that its payments wait for one of them at most.
   */
  readonly creations: KeyedMutex;
}
