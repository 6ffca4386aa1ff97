import { GATEWAY } from '#platform/http/author.ts';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

import { Clock } from '#platform/kit/clock.ts';
import type { Config } from './config.ts';
import { writableFirst } from '#platform/database/addresses.ts';
import type { BatchFactory } from '#platform/database/group-commit.ts';
import { openDatabase, type Database, type Db } from '#platform/database/connect.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import { prepareDemo, type Demo } from './demo.ts';
import type { GuardedRoute } from '#platform/http/guard.ts';
import { createDaySummer, createLedgerChecking, createSealer } from '#accounting/ledger/service.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { ProcessLink } from '#platform/processes/link.ts';
import type { Attached } from '#providers/adapter.ts';
import { openProviders, type OpenProviders } from '#providers/choice.ts';
import { createPlanPlayer } from '#providers/sandbox/plans.ts';
import { createReturnSending } from '#payouts/reversals/execution.ts';
import { recogniseKeys } from '#platform/crypto/service.ts';
import { SecretBox } from '#platform/crypto/secrets.ts';
import { measuredBatches } from '#platform/telemetry/group-commits.ts';
import { measuredCalls, providerMetrics } from '#app/telemetry/provider-calls.ts';
import { poolMetrics, systemMetrics } from '#app/telemetry/system-metrics.ts';
import { openTracing, type Tracing } from '#platform/telemetry/tracing.ts';
import { tracedSender } from '#app/telemetry/webhook-calls.ts';
import { createFirstOperator } from '#identity/users/service.ts';
import { createWebhookMetrics } from '#webhooks/metrics.ts';
import { createDeliverer } from '#webhooks/deliverer.ts';
import { createRetention } from '#webhooks/retention.ts';
import { createSender } from '#webhooks/sender.ts';
import { createPayouts } from '#payouts/withdrawals/payouts.ts';
import { createCleanUp } from '#platform/jobs/clean-up.ts';
import { Loop } from '#platform/jobs/loop.ts';
import { createSteppedClock } from '#platform/jobs/clock-rollback.ts';
import { createHeartbeat } from '#operator/system.ts';
import { createWorker, portionedChore, type Worker } from './worker.ts';
import { composeApi, serveMetrics } from './api.ts';
import { composeServices, returnersOf, type Services } from './services.ts';

/** How often a process looks whether another one has moved the domain's clock. */
const CLOCK_LOOK_MS = 500;

/** How often a process that does due work says so. */
const HEARTBEAT_MS = 5_000;

/** Calls of webhook receivers get this long to end by themselves when the gateway stops. */
const DELIVERY_GRACE_MS = 1_500;

export interface GatewayOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Serve HTTP. */
  readonly api: boolean;
  /** Do due work. */
  readonly worker: boolean;
  /** Serve health and metrics where the settings name a port for them, although the API is not served. */
  readonly metricsAlone?: boolean;
  /** Certificate authorities of webhook receivers in PEM, instead of Node's own. */
  readonly receiverAuthorities?: string;
  /** Where several processes serve together. */
  readonly link?: ProcessLink;
}

export interface Gateway {
  /** The sandbox's credentials, where this data folder knows them. */
  readonly demo: Demo | undefined;
  /** What is served and what each asks for; empty without the API. */
  readonly routes: readonly GuardedRoute[];
  /** Looks for deliveries now: another process has written some. */
  wakeDeliveries(): void;
  /** What this process measures. */
  readonly registry: Registry;
  /** Tells load balancers that it is about to stop, and goes on serving. */
  drain(): void;
  /** Finishes what is under way, then lets go of the database. */
  stop(): Promise<void>;
}

/**
 * Puts the parts together on a migrated database and starts them: the one place that knows them all.
 * The way of a request: `http/guard.ts`, then a folder's `routes.ts`, its `service.ts`, its `store.ts`.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, log } = options;
  const database = openDatabase({
    url: await writableFirst(options.databaseUrl),
    poolSize: config.databasePool,
    onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
    watch: {
      onChange(database, error) {
        if (database === 'ok') log.info('the database is back');
        else log.error({ database, ...(error && { err: error }) }, 'the database cannot be used');
      },
    },
  });
  try {
    return await assemble(options, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(options: GatewayOptions, database: Database): Promise<Gateway> {
  const { config, log } = options;
  const { db } = database;
  const clock = new Clock();
  clock.moveTo((await readDomainClock(db)).offsetMs);
  await recogniseKeys(db, new SecretBox(config.encryptionKeys), clock.now());

  let worker: Worker | undefined;
  const providers = await openProviders(config.providers, { clock, log, publicUrl: config.publicUrl });
  const onDeliveries = () => (worker ?? options.link)?.wakeDeliveries();
  const registry = new Registry();
  void new Gauge({
    name: 'database_up',
    help: 'Whether the database can be asked: 1 or 0',
    registers: [registry],
    collect() {
      this.set(database.reach === 'ok' ? 1 : 0);
    },
  });
  collectDefaultMetrics({ register: registry });
  const tracing = await openTracing(config.tracing, log, registry);
  const batches = measuredBatches(registry, tracing);
  const watchCall = measuredCalls(registry, tracing);
  const services = composeServices({
    ...{ config, database, clock, log, providers, onDeliveries, batches, watchCall },
  });
  poolMetrics(registry, database);
  providerMetrics(registry, services.providerHealth);
  // Of several processes on one port the first one looks for all of them.
  if (options.link === undefined) systemMetrics(registry, db, clock);
  const doors = { ...services, db, clock, log };
  const attached = providers.all.map((adapter) => adapter.attach?.(doors) ?? {});
  const demo = await prepareCredentials(config, db, clock, services);
  if (options.worker) {
    const telemetry = { registry, tracing, batches };
    worker = composeWorker(options, database, clock, services, providers, attached, telemetry, onDeliveries);
  }

  const moveClock = (offsetMs: number): void => {
    if (offsetMs <= clock.offsetMs) return;
    clock.moveTo(offsetMs);
    worker?.wakeAll();
  };
  const followClock = async (): Promise<boolean> => {
    const { offsetMs, workersRestUntilMs } = await readDomainClock(db);
    worker?.restUntil(workersRestUntilMs);
    moveClock(offsetMs);
    return false;
  };
  const beat = createHeartbeat(db, () => worker?.states() ?? []);
  const heartbeat = new Loop({ name: 'heartbeat', everyMs: HEARTBEAT_MS, run: beat }, log);
  const clockLoop = new Loop({ name: 'clock', everyMs: CLOCK_LOOK_MS, run: followClock }, log);

  const api = options.api
    ? await composeApi({ ...options, tracing }, database, clock, services, attached, registry, moveClock)
    : undefined;
  const { metricsPort } = config;
  const metricsAlone =
    options.metricsAlone === true && metricsPort !== undefined
      ? await serveMetrics(options, metricsPort, registry, database)
      : undefined;
  await api?.start();
  worker?.start();
  if (worker !== undefined) heartbeat.start();
  if (config.mode === 'sandbox') clockLoop.start();

  return {
    demo,
    routes: api?.routes ?? [],
    wakeDeliveries: onDeliveries,
    registry,
    drain: () => api?.drain(),
    async stop() {
      // First nobody comes in, then what is under way ends, then the database is let go.
      await api?.stop();
      await metricsAlone?.close();
      await Promise.all([worker?.stop(DELIVERY_GRACE_MS), clockLoop.stop(), heartbeat.stop()]);
      await Promise.all(providers.all.map((adapter) => adapter.close()));
      await database.close();
      await tracing?.close();
    },
  };
}

interface Telemetry {
  readonly registry: Registry;
  readonly tracing: Tracing | undefined;
  readonly batches: BatchFactory;
}

/** The first operator; in the sandbox the demo seller too. */
async function prepareCredentials(
  config: Config,
  db: Db,
  clock: Clock,
  { sellers, apiKeys }: Services,
): Promise<Demo | undefined> {
  if (config.mode === 'sandbox') return prepareDemo(config, { db, clock, sellers, apiKeys });
  if (config.adminEmail !== undefined && config.adminPassword !== undefined) {
    const credentials = { email: config.adminEmail, password: config.adminPassword };
    await createFirstOperator(db, credentials, clock.now(), GATEWAY);
  }
  return undefined;
}

function composeWorker(
  { config, log, receiverAuthorities: ca }: GatewayOptions,
  database: Database,
  clock: Clock,
  services: Services,
  providers: OpenProviders,
  attached: readonly Attached[],
  { registry, tracing, batches }: Telemetry,
  onRoom: () => void,
): Worker {
  // What is done in the background keeps nobody waiting, and may take as long as it takes.
  const { patient: db } = database;
  const { secrets, webhooks, transactions, withdrawals, disputes, followUps, sweepOrders, report } = services;
  const sender = tracedSender(
    createSender({ allowPrivate: config.webhookAllowPrivate, ...(ca === undefined ? {} : { ca }) }),
    tracing,
  );
  const payouts = createPayouts({ db, clock, withdrawals, providers: services.payouts, log });
  const sendReturns = createReturnSending({ db, clock, returners: returnersOf(config, providers), log });
  const metrics = createWebhookMetrics(registry);
  const checking = createLedgerChecking({ db, secrets, log, everyHours: config.ledgerCheckHours });
  const plans = createPlanPlayer({ db, clock, transactions, report });
  return createWorker({
    log,
    deliverer: createDeliverer({ database, clock, webhooks, log, metrics, sender, onRoom, batches }),
    ...(tracing === undefined
      ? {}
      : { watchTask: (name: string, run: () => Promise<boolean>) => tracing.task(name, run) }),
    chores: [
      portionedChore('expiries', 500, (portion) => transactions.expireDue(portion, followUps.expire)),
      portionedChore('releases', 1_000, (portion) => transactions.releaseDue(portion)),
      portionedChore('counts', 30_000, (portion) => transactions.gatherCounts(portion)),
      portionedChore('dispute deadlines', 1_000, (portion) => disputes.closeUnappealed(portion)),
      { name: 'payouts', everyMs: 250, run: () => payouts.run() },
      { name: 'returns', everyMs: 250, run: sendReturns },
      { name: 'charge orders', everyMs: 250, run: sweepOrders },
      ...attached.flatMap(({ chores }) => chores ?? []),
      { name: 'seals', everyMs: 1_000, run: createSealer({ db, clock, secrets }) },
      { name: 'day sums', everyMs: 30_000, run: createDaySummer(db) },
      { name: 'clean-up', everyMs: 60_000, run: createCleanUp(db, clock) },
      { name: 'stepped clock', everyMs: 1_000, run: createSteppedClock({ db, clock, log }) },
      {
        name: 'webhook log',
        everyMs: 60_000,
        run: createRetention({ db, clock, days: config.webhookLogDays }),
      },
      { name: 'ledger check', everyMs: 60_000, run: checking, leftBehind: true },
      { name: 'disabled webhooks', everyMs: 60_000, run: () => webhooks.holdLeftOver() },
      ...(config.mode === 'sandbox' ? [{ name: 'sandbox plans', everyMs: 500, run: plans }] : []),
    ],
  });
}
