import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { LeaseHolder } from '#platform/jobs/lease-holder.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { ProviderEvents } from '#payments/provider-events/service.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { CardProvider, PixProvider } from './payment-provider.ts';
import type { ProviderRouting } from './routing.ts';

export interface ProviderOperationDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly leaseHolder: LeaseHolder;
  readonly transactions: TransactionsService;
  readonly providerEvents: Pick<ProviderEvents, 'reversePayment'>;
  /** The configured external providers; none if the sandbox is configured. */
  readonly pix: readonly PixProvider[];
  readonly card: readonly CardProvider[];
  readonly routing: ProviderRouting;
  /** Without a trailing slash. */
  readonly publicUrl: string;
}
