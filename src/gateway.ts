import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';

import { apiKeyRoutes } from '#api-keys/routes.ts';
import { createApiKeysService } from '#api-keys/service.ts';
import { createAuthenticator } from '#authenticator.ts';
import { Clock } from '#clock.ts';
import type { Config } from '#config.ts';
import { openDatabase, type Database, type Db } from '#database/connect.ts';
import { advanceDomainClock, readDomainClock } from '#database/domain-clock.ts';
import { prepareDemo, type Demo } from '#demo.ts';
import { guard, type GuardedRoute } from '#http/guard.ts';
import { healthRoute } from '#http/health.ts';
import { metricsRoute } from '#http/metrics.ts';
import { memoryRates, type RateCounter } from '#http/rates.ts';
import { createServer, type App } from '#http/server.ts';
import { sharedRates } from '#http/shared-rates.ts';
import { walletRoutes } from '#ledger/routes.ts';
import type { Logger } from '#log.ts';
import { operatorRoutes } from '#operator/routes.ts';
import { operatorUserRoutes } from '#operator/user-routes.ts';
import { operatorWithdrawalRoutes } from '#operator/withdrawal-routes.ts';
import { describeRoutes, pageRoutes } from '#pages.ts';
import { createReportDoor } from '#providers/reports.ts';
import { sandboxPayouts } from '#providers/sandbox/payout.ts';
import { sandboxPix } from '#providers/sandbox/pix.ts';
import { sandboxRoutes } from '#providers/sandbox/routes.ts';
import { sandboxWithdrawalRoutes } from '#providers/sandbox/withdrawal-routes.ts';
import { SecretBox } from '#secrets.ts';
import { createSellersService } from '#sellers/service.ts';
import { pixPictureRoute, transactionRoutes } from '#transactions/routes.ts';
import { createTransactionsService } from '#transactions/service.ts';
import { createLoginThrottle } from '#users/login-throttle.ts';
import { createFirstOperator, createUsersService } from '#users/service.ts';
import { sessionRoutes } from '#users/routes.ts';
import { createDeliverer } from '#webhooks/deliverer.ts';
import { webhookRoutes } from '#webhooks/routes.ts';
import { createSender } from '#webhooks/sender.ts';
import { createWebhooksService } from '#webhooks/service.ts';
import { createPayouts } from '#withdrawals/payouts.ts';
import { withdrawalRoutes } from '#withdrawals/routes.ts';
import { createWithdrawalsService } from '#withdrawals/service.ts';
import { createCleanUp } from '#worker/clean-up.ts';
import { Loop } from '#worker/loop.ts';
import { createWorker, type Worker } from '#worker/worker.ts';

/** How often a process looks whether another one has moved the domain's clock. */
const CLOCK_LOOK_MS = 500;

/** How often the last uses of API keys are written down. */
const KEY_USES_MS = 60_000;

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
  /** Certificate authorities of webhook receivers in PEM, instead of Node's own. */
  readonly receiverAuthorities?: string;
}

export interface Gateway {
  /** The sandbox's credentials, where this data folder knows them. */
  readonly demo: Demo | undefined;
  /** What is served and what each asks for; empty without the API. */
  readonly routes: readonly GuardedRoute[];
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
    url: options.databaseUrl,
    poolSize: config.databasePool,
    onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  });
  try {
    return await assemble(options, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The folders' services, each knowing only what it is given. */
function composeServices(config: Config, database: Database, clock: Clock, onDeliveries: () => void) {
  const { db } = database;
  const sandbox = config.mode === 'sandbox';
  const secrets = new SecretBox(config.encryptionKeys);
  return {
    users: createUsersService(db, clock, config.jwtSecret),
    apiKeys: createApiKeysService(db, clock, sandbox ? 'test' : 'live'),
    sellers: createSellersService(db),
    webhooks: createWebhooksService(db, clock, secrets),
    transactions: createTransactionsService({
      database,
      clock,
      pix: sandbox ? sandboxPix(config.publicUrl) : undefined,
      onDeliveries,
    }),
    withdrawals: createWithdrawalsService({ db, clock, secrets, payouts: payoutsOf(config), onDeliveries }),
  };
}

/** Who pays withdrawals out. */
const payoutsOf = (config: Config) => (config.mode === 'sandbox' ? sandboxPayouts() : undefined);

type Services = ReturnType<typeof composeServices>;

async function assemble(options: GatewayOptions, database: Database): Promise<Gateway> {
  const { config, log } = options;
  const { db } = database;
  const clock = new Clock();
  clock.moveTo(await readDomainClock(db));

  let worker: Worker | undefined;
  const services = composeServices(config, database, clock, () => worker?.wakeDeliveries());
  const demo = await prepareCredentials(config, db, clock, services);
  if (options.worker) {
    worker = composeWorker(options, db, clock, services, () => worker?.wakeDeliveries());
  }

  const moveClock = (offsetMs: number): void => {
    if (offsetMs <= clock.offsetMs) return;
    clock.moveTo(offsetMs);
    worker?.wakeAll();
  };
  const followClock = async (): Promise<boolean> => {
    moveClock(await readDomainClock(db));
    return false;
  };
  const clockLoop = new Loop({ name: 'clock', everyMs: CLOCK_LOOK_MS, run: followClock }, log);

  const api = options.api ? await composeApi(options, database, clock, services, moveClock) : undefined;
  await api?.start();
  worker?.start();
  if (config.mode === 'sandbox') clockLoop.start();

  return {
    demo,
    routes: api?.routes ?? [],
    async stop() {
      // First nobody comes in, then what is under way ends, then the database is let go.
      await api?.stop();
      await Promise.all([worker?.stop(DELIVERY_GRACE_MS), clockLoop.stop()]);
      await database.close();
    },
  };
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
    await createFirstOperator(db, credentials, clock.now());
  }
  return undefined;
}

function composeWorker(
  { config, log, receiverAuthorities: ca }: GatewayOptions,
  db: Db,
  clock: Clock,
  { webhooks, transactions, withdrawals }: Services,
  onRoom: () => void,
): Worker {
  const sender = createSender({
    allowPrivate: config.webhookAllowPrivate,
    ...(ca === undefined ? {} : { ca }),
  });
  const payouts = createPayouts({ db, clock, withdrawals, provider: payoutsOf(config), log });
  return createWorker({
    log,
    transactions,
    payouts: () => payouts.run(),
    cleanUp: createCleanUp(db, clock),
    deliverer: createDeliverer({ db, clock, webhooks, log, sender, onRoom }),
  });
}

interface Api {
  readonly routes: readonly GuardedRoute[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The server, with what runs beside it. */
async function composeApi(
  options: GatewayOptions,
  database: Database,
  clock: Clock,
  services: Services,
  moveClock: (offsetMs: number) => void,
): Promise<Api> {
  const { config, log } = options;
  const { apiKeys } = services;
  const rates = config.redisUrl === undefined ? memoryRates() : await sharedRates(config.redisUrl, log);
  /** A start that fails must leave nothing behind that keeps the process alive. */
  const orLetGo = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      await rates.close();
      throw error;
    }
  };
  const server = composeServer(options, database, clock, rates, services, moveClock);
  const { app, routes } = await orLetGo(server);
  const recordUses = async (): Promise<boolean> => {
    await apiKeys.recordUses();
    return false;
  };
  const keyUses = new Loop({ name: 'key uses', everyMs: KEY_USES_MS, run: recordUses }, log);
  return {
    routes,
    async start() {
      await orLetGo(app.listen({ host: config.host, port: config.port }));
      keyUses.start();
    },
    async stop() {
      await app.close();
      await keyUses.stop();
      // Losing when keys were last used is no reason not to stop.
      await apiKeys
        .recordUses()
        .catch((err: unknown) => log.warn({ err }, 'the last uses of API keys are lost'));
      await rates.close();
    },
  };
}

async function composeServer(
  { config, log }: GatewayOptions,
  database: Database,
  clock: Clock,
  rates: RateCounter,
  { users, apiKeys, sellers, webhooks, transactions, withdrawals }: Services,
  moveClock: (offsetMs: number) => void,
): Promise<{ readonly app: App; readonly routes: readonly GuardedRoute[] }> {
  const { db } = database;
  const app = await createServer(log);
  await describeRoutes(app);
  const routes = guard(app, createAuthenticator({ users, apiKeys, sellers }), rates);
  metricsRoute(app, config.metricsToken);
  const documents = {
    verify: config.verifyDocuments,
    alphanumericCnpj: config.alphanumericCnpj,
    isValid: (type: 'CPF' | 'CNPJ', text: string) => (type === 'CPF' ? isValidCpf(text) : isValidCnpj(text)),
  };
  await app.register(
    async (v1: App) => {
      healthRoute(v1, { ping: () => database.ping() });
      sessionRoutes(v1, { users, throttle: createLoginThrottle(rates) });
      apiKeyRoutes(v1, { apiKeys });
      transactionRoutes(v1, { transactions, sellers, documents });
      walletRoutes(v1, { db });
      webhookRoutes(v1, { webhooks, allowPrivate: config.webhookAllowPrivate });
      operatorRoutes(v1, { db, clock, sellers, apiKeys, documents });
      operatorUserRoutes(v1, { users, sellers });
      withdrawalRoutes(v1, { withdrawals, sellers, documents });
      operatorWithdrawalRoutes(v1, { withdrawals });
      if (config.mode !== 'sandbox') return;
      sandboxRoutes(v1, {
        clock,
        transactions,
        report: createReportDoor(transactions),
        advanceClock: async (seconds) => moveClock(await advanceDomainClock(db, seconds * 1000)),
      });
      sandboxWithdrawalRoutes(v1, { clock, withdrawals });
    },
    { prefix: '/v1' },
  );
  pixPictureRoute(app, { transactions });
  await pageRoutes(app);
  return { app, routes };
}
