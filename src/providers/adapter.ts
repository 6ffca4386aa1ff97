import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { DisputesService } from '#payments/disputes/service.ts';
import type { App } from '#platform/http/server.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { SettingsReader } from '#platform/config/settings-reader.ts';
import type { ReversalsService } from '#payouts/reversals/service.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import type { CardProvider, PixProvider } from '#payments/operations/payment-provider.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { Job } from '#platform/jobs/loop.ts';
import type { ProviderEvents } from '#payments/provider-events/service.ts';
import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';

/** What an adapter is opened with, before there are any services. */
export interface AdapterDeps {
  /** As the operator's settings name it: its kind, and a number where there are several. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

/** Where what a provider tells goes: the doors that all providers knock at. */
export interface ProviderContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly transactions: TransactionsService;
  readonly operations: ProviderOperations;
  readonly disputes: DisputesService;
  readonly reversals: ReversalsService;
  readonly providerEvents: ProviderEvents;
}

/** What a provider calls back, and what must be asked of it from time to time. */
export interface AdapterIntegration {
  /** Registers its callbacks, which lie beside the API under `/providers/<name>/`. */
  readonly routes?: (app: App) => void;
  readonly jobs?: readonly Job[];
}

/** A provider of others behind the gateway's one port. What it cannot do it does not have. */
export interface ProviderAdapter {
  readonly name: string;
  readonly pix?: PixProvider;
  readonly card?: CardProvider;
  /** Sends back money that is not the seller's. */
  readonly reverser?: PaymentReverser;
  attach?(context: ProviderContext): AdapterIntegration;
  /** Lets go of its connections. */
  close(): Promise<void>;
}

/** A kind of adapter: it reads its settings, naming every wrong one, and is opened with them later. */
export type AdapterFactory = (
  reader: SettingsReader,
  /** In front of its settings' names: `BACEN`, or `BACEN2` of a second one. */
  prefix: string,
  /** Whether no money moves here. */
  mode: { readonly sandbox: boolean },
) => (deps: AdapterDeps) => Promise<ProviderAdapter>;
