import type { CardTokensService } from '#payments/card-tokens/service.ts';
import type { CustomersService } from '#payments/customers/service.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import type { CardDetails } from '#payments/transactions/card.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { TransactionCreator } from '#payments/transactions/transaction-creator.ts';
import type { Db } from '#platform/database/connect.ts';
import type { LeaseHolder } from '#platform/jobs/lease-holder.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { SellersService } from '#sellers/service.ts';
import type { PixAutomaticoProvider } from './pix-automatico.ts';
import type { SimulatedOutcome } from './subscription.ts';

export interface SubscriptionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly log: Logger;
  readonly leaseHolder: LeaseHolder;
  readonly sellers: Pick<SellersService, 'getContext'>;
  readonly customers: Pick<CustomersService, 'find'>;
  readonly cardTokens: Pick<CardTokensService, 'find'>;
  readonly transactions: Pick<
    TransactionsService,
    'find' | 'findInTransaction' | 'applyEventInTransaction' | 'termsOf' | 'notifyWorker'
  >;
  readonly createTransaction: TransactionCreator;
  readonly operations: Pick<ProviderOperations, 'cancel'>;
  /** The bank of new authorizations. Undefined: the method is unavailable. */
  readonly pixAutomatico: PixAutomaticoProvider | undefined;
  /** All banks. An authorization stays with its own. */
  readonly pixAutomaticoBanks: readonly PixAutomaticoProvider[];
  /** Replaces a card by one with an outcome. Only in the sandbox. */
  readonly cardWithOutcome: ((card: CardDetails, outcome: SimulatedOutcome) => CardDetails) | undefined;
}
