import type { Notifier } from '#notifications/notifier.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { SettingsService } from '#sellers/settings/service.ts';

export interface DisputesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly notifier: Notifier;
  /** The time that sellers have to appeal a MED dispute. */
  readonly settings: Pick<SettingsService, 'get'>;
}
