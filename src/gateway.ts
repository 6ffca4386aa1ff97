import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';

import { createApiKeysService } from '#api-keys/service.ts';
import { createAuthenticator } from '#authenticator.ts';
import { cardTokenRoutes } from '#card-tokens/routes.ts';
import { createCardTokensService } from '#card-tokens/service.ts';
import { Clock } from '#clock.ts';
import type { Config } from '#config.ts';
import { openDatabase, type Database, type Db } from '#database/connect.ts';
import { advanceDomainClock, readDomainClock } from '#database/domain-clock.ts';
import { prepareDemo, type Demo } from '#demo.ts';
import { disputeOperatorRoutes } from '#disputes/operator-routes.ts';
import { disputeRoutes } from '#disputes/routes.ts';
import { createDisputesService } from '#disputes/service.ts';
import { guard } from '#http/guard.ts';
import { healthRoute } from '#http/health.ts';
import { metricsRoute } from '#http/metrics.ts';
import { memoryRates } from '#http/rates.ts';
import { createServer, type App } from '#http/server.ts';
import { walletRoutes } from '#ledger/routes.ts';
import type { Logger } from '#log.ts';
import { operatorRoutes } from '#operator/routes.ts';
import { describeRoutes, pageRoutes } from '#pages.ts';
import { agreementBoletos } from '#providers/boleto.ts';
import { createReportDoor } from '#providers/reports.ts';
import { sandboxCards } from '#providers/sandbox/cards.ts';
import { createPlanPlayer } from '#providers/sandbox/plans.ts';
import { sandboxPix } from '#providers/sandbox/pix.ts';
import { sandboxRoutes } from '#providers/sandbox/routes.ts';
import { refundRoutes } from '#refunds/routes.ts';
import { createRefundsService } from '#refunds/service.ts';
import { SecretBox } from '#secrets.ts';
import { sellerRoutes } from '#sellers/routes.ts';
import { createSellersService } from '#sellers/service.ts';
import { createCharging, type Rails } from '#transactions/charging.ts';
import { boletoRoutes } from '#transactions/boleto-routes.ts';
import { pixPictureRoute, transactionActionRoutes, transactionRoutes } from '#transactions/routes.ts';
import { createTransactionsService } from '#transactions/service.ts';
import { createFirstOperator, createUsersService } from '#users/service.ts';
import { sessionRoutes } from '#users/routes.ts';
import { createDeliverer } from '#webhooks/deliverer.ts';
import { webhookRoutes } from '#webhooks/routes.ts';
import { createSender } from '#webhooks/sender.ts';
import { createWebhooksService } from '#webhooks/service.ts';
import { createCleanUp } from '#worker/clean-up.ts';
import { Loop } from '#worker/loop.ts';
import { createWorker, type Worker } from '#worker/worker.ts';

/** How often a process looks whether another one has moved the domain's clock. */
const CLOCK_LOOK_MS = 500;

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
  const sellers = createSellersService(db);
  const transactions = createTransactionsService({
    database,
    clock,
    onDeliveries,
    async termsOf(sellerId) {
      const context = await sellers.contextOf(sellerId);
      if (context === undefined) throw new Error('a charge has no seller');
      return context.seller;
    },
  });
  const rails: Rails = {
    pix: sandbox ? sandboxPix(config.publicUrl) : undefined,
    boleto: sandbox ? agreementBoletos(db, config.boletoAgreement, config.publicUrl) : undefined,
    card: sandbox ? sandboxCards() : undefined,
  };
  return {
    users: createUsersService(db, clock, config.jwtSecret),
    apiKeys: createApiKeysService(db, clock, sandbox ? 'test' : 'live'),
    sellers,
    webhooks: createWebhooksService(db, clock, secrets),
    cardTokens: createCardTokensService(db, clock, secrets),
    transactions,
    charge: createCharging(transactions, clock, rails),
    refunds: createRefundsService(db, clock, transactions),
    disputes: createDisputesService(db, clock, transactions),
    report: createReportDoor(transactions),
  };
}

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

  const app = options.api ? await composeServer(options, database, clock, services, moveClock) : undefined;
  await app?.listen({ host: config.host, port: config.port });
  worker?.start();
  if (config.mode === 'sandbox') clockLoop.start();

  return {
    demo,
    async stop() {
      // First nobody comes in, then what is under way ends, then the database is let go.
      await app?.close();
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
  { webhooks, transactions, disputes, report }: Services,
  onRoom: () => void,
): Worker {
  const sender = createSender({
    allowPrivate: config.webhookAllowPrivate,
    ...(ca === undefined ? {} : { ca }),
  });
  return createWorker({
    log,
    transactions,
    disputes,
    playPlans: config.mode === 'sandbox' ? createPlanPlayer({ db, clock, transactions, report }) : undefined,
    cleanUp: createCleanUp(db, clock),
    deliverer: createDeliverer({ db, clock, webhooks, log, sender, onRoom }),
  });
}

async function composeServer(
  { config, log }: GatewayOptions,
  database: Database,
  clock: Clock,
  services: Services,
  moveClock: (offsetMs: number) => void,
): Promise<App> {
  const { db } = database;
  const { users, apiKeys, sellers, webhooks, transactions, disputes, report } = services;
  const app = await createServer(log);
  await describeRoutes(app);
  guard(app, createAuthenticator({ users, apiKeys, sellers }), memoryRates());
  metricsRoute(app, config.metricsToken);
  const documents = {
    verify: config.verifyDocuments,
    alphanumericCnpj: config.alphanumericCnpj,
    isValid: (type: 'CPF' | 'CNPJ', text: string) => (type === 'CPF' ? isValidCpf(text) : isValidCnpj(text)),
  };
  await app.register(
    async (v1: App) => {
      healthRoute(v1, { ping: () => database.ping() });
      sessionRoutes(v1, { users });
      transactionRoutes(v1, {
        clock,
        transactions,
        charge: services.charge,
        findToken: services.cardTokens.find,
        sellers,
        documents,
      });
      transactionActionRoutes(v1, { clock, transactions });
      refundRoutes(v1, services);
      cardTokenRoutes(v1, services);
      disputeRoutes(v1, services);
      disputeOperatorRoutes(v1, services);
      sellerRoutes(v1, services);
      walletRoutes(v1, { db });
      webhookRoutes(v1, { webhooks, allowPrivate: config.webhookAllowPrivate });
      operatorRoutes(v1, { db, clock, sellers, apiKeys, documents });
      if (config.mode !== 'sandbox') return;
      sandboxRoutes(v1, {
        clock,
        transactions,
        disputes,
        report,
        advanceClock: async (seconds) => moveClock(await advanceDomainClock(db, seconds * 1000)),
      });
    },
    { prefix: '/v1' },
  );
  pixPictureRoute(app, { transactions });
  boletoRoutes(app, { transactions, sellers, agreement: config.boletoAgreement });
  await pageRoutes(app);
  return app;
}
