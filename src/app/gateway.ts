import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

import type { Clock } from '#platform/kit/clock.ts';
import type { Config } from './config.ts';
import { orderWritableFirst } from '#platform/database/server-urls.ts';
import type { GroupCommitFactory } from '#platform/database/group-commit.ts';
import { openDatabase, type Database, type Db } from '#platform/database/connect.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import { prepareDemo, type Demo } from './demo.ts';
import type { GuardedRoute } from '#platform/http/guard.ts';
import {
  createDailyTotalsJob,
  createLedgerCheckJob,
  createLedgerChainJob,
} from '#accounting/ledger/service.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { AdapterIntegration } from '#providers/adapter.ts';
import { openProviders } from '#providers/selection.ts';
import { createScheduledEventJob } from '#providers/sandbox/scheduled-events.ts';
import { createReversalExecution } from '#payouts/reversals/execution.ts';
import { instrumentGroupCommits } from '#platform/telemetry/group-commit-metrics.ts';
import { instrumentProviderCalls, registerProviderMetrics } from '#app/telemetry/provider-calls.ts';
import { registerPoolMetrics, registerSystemMetrics } from '#app/telemetry/system-metrics.ts';
import { openTracing, type Tracing } from '#platform/telemetry/tracing.ts';
import { tracedSender } from '#app/telemetry/webhook-calls.ts';
import { createFirstOperator } from '#identity/users/service.ts';
import { createWebhookMetrics } from '#webhooks/metrics.ts';
import { createDeliverer } from '#webhooks/deliverer.ts';
import { createRetention } from '#webhooks/retention.ts';
import { createSender } from '#webhooks/sender.ts';
import { createPayoutExecution } from '#payouts/withdrawals/payout-execution.ts';
import { createCleanupJob } from '#platform/jobs/cleanup.ts';
import { JobLoop } from '#platform/jobs/loop.ts';
import { createClockRollbackJob } from '#platform/jobs/clock-rollback.ts';
import { createHeartbeatJob } from '#platform/jobs/heartbeats.ts';
import { CLEANUP_TARGETS, LEASED_TABLES } from './maintenance.ts';
import { createWorker, chunkedJob, type Worker } from './worker.ts';
import { composeApi, serveMetrics } from './api.ts';
import { openRuntime } from './runtime.ts';
import { composeServices, type Services } from './services.ts';

/** How often a process looks whether another one has moved the domain's clock. */
const CLOCK_POLL_MS = 500;

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
  readonly metricsOnly?: boolean;
  /** Certificate authorities of webhook receivers in PEM, instead of Node's own. */
  readonly receiverAuthorities?: string;
}

export interface Gateway {
  /** The sandbox's credentials, where this data folder knows them. */
  readonly demo: Demo | undefined;
  /** What is served and what each asks for; empty without the API. */
  readonly routes: readonly GuardedRoute[];
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
    url: await orderWritableFirst(options.databaseUrl),
    poolSize: config.databasePool,
    onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
    monitor: {
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
  const { clock } = await openRuntime({ config, database, log });

  let worker: Worker | undefined;
  const providers = await openProviders(config.providers, { clock, log, publicUrl: config.publicUrl });
  const notifyWorker = () => worker?.wakeDeliveries();
  const registry = new Registry();
  void new Gauge({
    name: 'database_up',
    help: 'Whether the database can be asked: 1 or 0',
    registers: [registry],
    collect() {
      this.set(database.availability === 'ok' ? 1 : 0);
    },
  });
  collectDefaultMetrics({ register: registry });
  const tracing = await openTracing(config.tracing, log, registry);
  const groupCommit = instrumentGroupCommits(registry, tracing);
  const instrumentCall = instrumentProviderCalls(registry, tracing);
  const services = composeServices({
    ...{ config, database, clock, log, providers, notifyWorker, groupCommit, instrumentCall },
  });
  registerPoolMetrics(registry, database);
  registerProviderMetrics(registry, services.providerHealth);
  registerSystemMetrics(registry, db, clock);
  const context = {
    db,
    clock,
    log,
    transactions: services.transactions,
    operations: services.providerOperations,
    disputes: services.disputes,
    reversals: services.reversals,
    providerEvents: services.providerEvents,
  };
  const attached = providers.all.map((adapter) => adapter.attach?.(context) ?? {});
  const demo = await prepareCredentials(config, db, clock, services);
  if (options.worker) {
    const telemetry = { registry, tracing, groupCommit };
    worker = composeWorker(options, database, clock, services, attached, telemetry, notifyWorker);
  }

  const moveClock = (offsetMs: number): void => {
    if (offsetMs <= clock.offsetMs) return;
    clock.advanceTo(offsetMs);
    worker?.wakeAll();
  };
  const syncClock = async (): Promise<boolean> => {
    const { offsetMs, workersPausedUntilMs } = await readDomainClock(db);
    worker?.pauseUntil(workersPausedUntilMs);
    moveClock(offsetMs);
    return false;
  };
  const sendHeartbeat = createHeartbeatJob(db, () => worker?.states() ?? []);
  const heartbeat = new JobLoop({ name: 'heartbeat', intervalMs: HEARTBEAT_MS, run: sendHeartbeat }, log);
  const clockLoop = new JobLoop({ name: 'clock', intervalMs: CLOCK_POLL_MS, run: syncClock }, log);

  const api = options.api
    ? await composeApi({ ...options, tracing }, database, clock, services, attached, registry, moveClock)
    : undefined;
  const { metricsPort } = config;
  const metricsServer =
    options.metricsOnly === true && metricsPort !== undefined
      ? await serveMetrics(options, metricsPort, registry, database)
      : undefined;
  await api?.start();
  worker?.start();
  if (worker !== undefined) heartbeat.start();
  if (config.mode === 'sandbox') clockLoop.start();

  return {
    demo,
    routes: api?.routes ?? [],
    drain: () => api?.drain(),
    async stop() {
      // First nobody comes in, then what is under way ends, then the database is let go.
      await api?.stop();
      await metricsServer?.close();
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
  readonly groupCommit: GroupCommitFactory;
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
    await createFirstOperator(db, credentials, clock.now(), GATEWAY_ACTOR);
  }
  return undefined;
}

function composeWorker(
  { config, log, receiverAuthorities: ca }: GatewayOptions,
  database: Database,
  clock: Clock,
  services: Services,
  attached: readonly AdapterIntegration[],
  { registry, tracing, groupCommit }: Telemetry,
  notifyWorker: () => void,
): Worker {
  // What is done in the background keeps nobody waiting, and may take as long as it takes.
  const { background: db } = database;
  const {
    secrets,
    webhooks,
    transactions,
    withdrawals,
    disputes,
    providerOperations,
    sweepOperations,
    providerEvents,
  } = services;
  const sender = tracedSender(
    createSender({ allowPrivate: config.webhookAllowPrivate, ...(ca === undefined ? {} : { ca }) }),
    tracing,
  );
  const payWithdrawals = createPayoutExecution({
    ...{ db, clock, withdrawals, log },
    providers: services.payoutProviders,
  });
  const sendReversals = createReversalExecution({
    db,
    clock,
    reversers: services.paymentReversers,
    log,
  });
  const metrics = createWebhookMetrics(registry);
  const checkLedger = createLedgerCheckJob({ db, secrets, log, everyHours: config.ledgerCheckHours });
  const runSandboxPlans = createScheduledEventJob({
    db,
    clock,
    transactions,
    handleEvent: providerEvents.handle,
  });
  return createWorker({
    log,
    deliverer: createDeliverer({
      database,
      clock,
      webhooks,
      log,
      metrics,
      sender,
      onCapacity: notifyWorker,
      groupCommit,
    }),
    ...(tracing === undefined
      ? {}
      : { traceJob: (name: string, run: () => Promise<boolean>) => tracing.task(name, run) }),
    jobs: [
      chunkedJob('expiries', 500, (chunkSize) =>
        transactions.expireDue(chunkSize, providerOperations.expire),
      ),
      chunkedJob('releases', 1_000, (chunkSize) => transactions.releaseDue(chunkSize)),
      chunkedJob('counts', 30_000, (chunkSize) => transactions.compactCounts(chunkSize)),
      chunkedJob('dispute deadlines', 1_000, (chunkSize) => disputes.closeUnappealed(chunkSize)),
      { name: 'payouts', intervalMs: 250, run: payWithdrawals },
      { name: 'returns', intervalMs: 250, run: sendReversals },
      { name: 'charge orders', intervalMs: 250, run: sweepOperations },
      ...attached.flatMap(({ jobs }) => jobs ?? []),
      { name: 'seals', intervalMs: 1_000, run: createLedgerChainJob({ db, clock, secrets }) },
      { name: 'day sums', intervalMs: 30_000, run: createDailyTotalsJob(db) },
      { name: 'clean-up', intervalMs: 60_000, run: createCleanupJob({ db, clock }, CLEANUP_TARGETS) },
      {
        name: 'stepped clock',
        intervalMs: 1_000,
        run: createClockRollbackJob({ db, clock, log }, LEASED_TABLES),
      },
      {
        name: 'webhook log',
        intervalMs: 60_000,
        run: createRetention({ db, clock, days: config.webhookLogDays }),
      },
      { name: 'ledger check', intervalMs: 60_000, run: checkLedger, abandonOnStop: true },
      { name: 'disabled webhooks', intervalMs: 60_000, run: () => webhooks.holdRemaining() },
      ...(config.mode === 'sandbox'
        ? [{ name: 'sandbox plans', intervalMs: 500, run: runSandboxPlans }]
        : []),
    ],
  });
}
