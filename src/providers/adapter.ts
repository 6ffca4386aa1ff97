import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import type { DisputesService } from '#payments/disputes/service.ts';
import type { App } from '#platform/http/server.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { Mode } from '#platform/config/settings.ts';
import type { NamedValue, SettingsReader } from '#platform/config/settings-reader.ts';
import type { ReversalsService } from '#payouts/reversals/service.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import type { CardProvider, PixProvider } from '#payments/operations/payment-provider.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { LeaseHolder } from '#platform/jobs/lease-holder.ts';
import type { Job } from '#platform/jobs/loop.ts';
import type { ProviderJobName } from './job-names.ts';
import type { ProviderEvents } from '#payments/provider-events/service.ts';
import type { PixAutomaticoProvider } from '#subscriptions/pix-automatico.ts';
import type { SubscriptionsService } from '#subscriptions/service.ts';
import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';

/** Dependencies of an adapter that exist before the services. */
export interface AdapterDeps {
  /** Name in the settings: the kind, followed by a number if there are several. */
  readonly name: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

/** Services that adapters report to. */
export interface ProviderContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly leaseHolder: LeaseHolder;
  readonly transactions: TransactionsService;
  readonly operations: ProviderOperations;
  readonly disputes: DisputesService;
  readonly reversals: ReversalsService;
  readonly providerEvents: ProviderEvents;
  readonly subscriptions: SubscriptionsService;
}

export interface ProviderJob extends Job {
  readonly name: ProviderJobName;
}

/** How an adapter receives events: callbacks from the provider, and jobs that poll it. */
export interface AdapterIntegration {
  /** Registers callbacks under `/providers/<name>/`, outside the sellers' API. */
  readonly routes?: (app: App) => void;
  readonly jobs?: readonly ProviderJob[];
}

/** An external provider. Members that it does not support are absent. */
export interface ProviderAdapter {
  readonly name: string;
  readonly pix?: PixProvider;
  readonly card?: CardProvider;
  readonly pixAutomatico?: PixAutomaticoProvider;
  readonly reverser?: PaymentReverser;
  attach?(context: ProviderContext): AdapterIntegration;
  /** Closes its connections. */
  close(): Promise<void>;
}

/** An adapter whose settings were read. */
export interface ConfiguredAdapter {
  /** The URLs that it calls, by the settings that decide them. */
  readonly addresses: readonly NamedValue[];
  open(deps: AdapterDeps): Promise<ProviderAdapter>;
}

/** Reads an adapter's settings. */
export type AdapterFactory = (
  reader: SettingsReader,
  /** Prefix of the settings' names: `BACEN`, or `BACEN2` for a second provider. */
  prefix: string,
  mode: Mode,
) => ConfiguredAdapter;
