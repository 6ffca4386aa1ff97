import type { Registry } from 'prom-client';

import { createFirstOperator, findFirstOperatorProblem } from '#identity/users/creation.ts';
import { DATA_KEY_REFRESH_INTERVAL_MS } from '#platform/crypto/data-keys.ts';
import { registerKeyHolder, type KeyHolderRegistration } from '#platform/crypto/key-holders.ts';
import { openMasterKey } from '#platform/crypto/master-key.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { warnOfChangeableHistory } from '#platform/database/history-privileges.ts';
import { orderWritableFirst } from '#platform/database/server-urls.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { GuardedRoute } from '#platform/http/guard.ts';
import { createHeartbeatJob } from '#platform/jobs/heartbeats.ts';
import { JobLoop, type Job } from '#platform/jobs/loop.ts';
import type { Logger } from '#platform/kit/log.ts';
import { standardOutput } from '#platform/kit/standard-output.ts';
import { VERSION } from '#platform/kit/version.ts';
import { openClockSkew, type ClockSkew } from '#platform/database/clock-skew.ts';
import { registerCounter, registerGauge } from '#platform/telemetry/gauge.ts';
import type { AdapterIntegration, ProviderAdapter } from '#providers/adapter.ts';
import { openProviders } from '#providers/selection.ts';
import { composeApi, serveMetrics } from './api.ts';
import type { Config } from './config.ts';
import { prepareDemo, type Demo } from './demo.ts';
import { recentChecks } from './doctor/recent-checks.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import { advanceSandboxClock, createClockSyncJob } from './sandbox-clock.ts';
import { composeServices, type Services } from './services.ts';
import { createAvailabilityLog } from './telemetry/availability-log.ts';
import { registerCheckMetrics } from './telemetry/check-metrics.ts';
import { registerProviderMetrics } from './telemetry/provider-calls.ts';
import { registerSystemMetrics } from './telemetry/system-metrics.ts';
import { openTelemetry } from './telemetry/telemetry.ts';
import { composeWorker, type Worker } from './worker.ts';

const HEARTBEAT_INTERVAL_MS = 3_000;

/** On stop, calls to webhook receivers have this long to finish. */
const DELIVERY_GRACE_MS = 1_500;

export interface GatewayOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly log: Logger;
  /** Serve HTTP. */
  readonly api: boolean;
  /** Run jobs and deliver webhooks. */
  readonly worker: boolean;
  /** Certificate authorities of webhook receivers in PEM, instead of Node's own. */
  readonly receiverAuthorities?: string;
  /** For tests that set the clock of their own process. */
  readonly clockSkew?: ClockSkew;
}

export interface Gateway {
  /** The sandbox's credentials, if this data folder has them. */
  readonly demo: Demo | undefined;
  /** The routes and the access they require; empty without the API. */
  readonly routes: readonly GuardedRoute[];
  /** Reports to load balancers that it is about to stop, and continues to serve. */
  drain(): void;
  /** Finishes what is in progress and closes the database. */
  stop(): Promise<void>;
}

/**
 * Composes and starts the gateway on a migrated database. A request goes through
 * `platform/http/guard.ts`, then a module's `routes.ts`, `service.ts` and `store.ts`.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const database = await openGatewayDatabase(options);
  try {
    return await composeGateway(options, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openGatewayDatabase({ config, databaseUrl, log }: GatewayOptions): Promise<Database> {
  return openDatabase({
    url: await orderWritableFirst(databaseUrl),
    poolSize: config.databasePool,
    onError: (err) => log.warn({ err }, 'idle database connection failed'),
    monitor: {
      onChange: createAvailabilityLog(log),
      onHung(backendPid, ms) {
        const seconds = Math.round(ms / 100) / 10;
        log.warn({ backendPid, seconds }, 'hung database connection closed');
      },
    },
  });
}

async function composeGateway(options: GatewayOptions, database: Database): Promise<Gateway> {
  const { config, log } = options;
  const { db } = database;
  await database.shards.load();
  const runtime = await openRuntime({ config, database, log });
  if (config.mode === 'production') await warnOfChangeableHistory(db, log);
  const { clock } = runtime;
  const telemetry = await openTelemetry(runtime);
  const clockSkew = options.clockSkew ?? (await openClockSkew({ db, log, registry: telemetry.registry }));
  const providers = await openProviders(config.providers, { clock, log, publicUrl: config.publicUrl });

  // The services notify the worker, which is created after them.
  let worker: Worker | undefined;
  const notifyWorker = () => worker?.wakeDeliveries();
  const services = composeServices({ ...runtime, ...telemetry, providers, notifyWorker });
  registerMetrics(telemetry.registry, runtime, services);
  const checkInstallation = recentChecks(config, db);
  registerCheckMetrics(telemetry.registry, checkInstallation);
  const integrations = attachProviders(providers.all, runtime, services);
  const demo = await prepareCredentials(runtime, services);
  const composed = { ...runtime, ...telemetry, clockSkew, services, integrations, checkInstallation };
  if (options.worker) {
    const { receiverAuthorities, api: servesRequests } = options;
    worker = composeWorker({ ...composed, notifyWorker, receiverAuthorities, servesRequests });
  }

  const keyHolder = await registerKeyHolder(db, openMasterKey(config.masterKey));
  const clockDeps = { db, clock, worker: () => worker };
  const api = options.api
    ? await composeApi({
        ...composed,
        advanceClock: (seconds, actor) => advanceSandboxClock(clockDeps, seconds, actor),
        noticeActivity: () => worker?.noticeActivity(),
      })
    : undefined;
  const metricsServer =
    options.api || config.metricsPort === undefined
      ? undefined
      : await serveMetrics({ ...runtime, clockSkew }, telemetry.registry, config.metricsPort);
  const jobs = [
    services.caches.job(),
    clockSkew.job,
    ...(config.mode === 'sandbox' ? [createClockSyncJob(clockDeps)] : []),
    dataKeysJob(runtime, keyHolder),
    ...(worker === undefined ? [] : [heartbeatJob(database, services, worker, clockSkew)]),
  ];
  const loops = jobs.map((job) => new JobLoop(job, log));
  await api?.start();
  worker?.start();
  for (const loop of loops) loop.start();

  return {
    demo,
    routes: api?.routes ?? [],
    drain: () => api?.drain(),
    async stop() {
      await api?.stop();
      await metricsServer?.close();
      await Promise.all([worker?.stop(DELIVERY_GRACE_MS), ...loops.map((loop) => loop.stop())]);
      await Promise.all(providers.all.map((adapter) => adapter.close()));
      // Without its row, a rotation need not wait for this process. The database may be
      // unavailable.
      await keyHolder.end().catch(() => undefined);
      await database.close();
      await telemetry.tracing?.close();
    },
  };
}

function registerMetrics(registry: Registry, { database, clock }: Runtime, services: Services): void {
  registerGauge({
    name: 'gateway_info',
    help: 'Always 1; the version is a label',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  registerCounter({
    name: 'log_lines_dropped_total',
    help: 'Log lines that could not be written to standard output',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(standardOutput().dropped);
    },
  });
  const { providerHealth: list, providerRoutes } = services;
  registerProviderMetrics(registry, { list, findPaused: providerRoutes.findPaused });
  registerSystemMetrics(registry, database.db, clock);
}

/** Gives each external provider what its callbacks and jobs need. */
function attachProviders(
  adapters: readonly ProviderAdapter[],
  { database, clock, log }: Runtime,
  services: Services,
): readonly AdapterIntegration[] {
  const { transactions, providerOperations: operations, disputes, reversals, providerEvents } = services;
  const { subscriptions } = services;
  const { registration: leaseHolder } = services;
  const payments = { transactions, operations, disputes, reversals, providerEvents, subscriptions };
  const context = { clock, log, leaseHolder, ...payments };
  return adapters.map((adapter) => adapter.attach?.({ ...context, db: database.db }) ?? {});
}

/** Creates the first operator; in the sandbox the demo seller too. */
async function prepareCredentials(runtime: Runtime, services: Services): Promise<Demo | undefined> {
  if (runtime.config.mode === 'sandbox') return prepareDemo(runtime, services, { serves: true });
  await prepareFirstOperator(runtime);
  return undefined;
}

const OPERATOR_WARNINGS = {
  missing: 'no operator user exists: set ADMIN_EMAIL and ADMIN_PASSWORD, and start again',
  'other-user': 'ADMIN_EMAIL has no effect: other operator users exist already',
  'other-password': 'ADMIN_PASSWORD has no effect: the user of ADMIN_EMAIL has another password already',
} as const;

/** Creates the first operator, or logs why the settings have no effect. */
async function prepareFirstOperator({ config, database, clock, log }: Runtime): Promise<void> {
  const { db } = database;
  const { adminEmail: email, adminPassword: password } = config;
  const credentials = email === undefined || password === undefined ? undefined : { email, password };
  if (credentials !== undefined) await createFirstOperator(db, credentials, clock.now(), GATEWAY_ACTOR);
  const problem = await findFirstOperatorProblem(db, credentials);
  if (problem !== undefined) log.warn(OPERATOR_WARNINGS[problem]);
}

/** Follows rotations of the data key, which another process runs. */
const dataKeysJob = ({ dataKeys }: Runtime, keyHolder: KeyHolderRegistration) => ({
  name: 'data keys',
  intervalMs: DATA_KEY_REFRESH_INTERVAL_MS,
  async run() {
    await keyHolder.renew();
    await dataKeys.refresh();
    return false;
  },
});

/** Without a heartbeat the leases of a process whose clock is wrong pass to others. */
function heartbeatJob(
  { db }: Database,
  { registration }: Services,
  worker: Worker,
  clockSkew: ClockSkew,
): Job {
  const run = createHeartbeatJob(db, registration, () => worker.states());
  return {
    name: 'heartbeat',
    intervalMs: HEARTBEAT_INTERVAL_MS,
    run: async () => !(await clockSkew.checkExceeded()) && run(),
  };
}
