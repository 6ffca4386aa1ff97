import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';

import { createApiKeysService } from '#api-keys/service.ts';
import { createAuthenticator } from '#authenticator.ts';
import { Clock } from '#clock.ts';
import type { Config } from '#config.ts';
import { openDatabase, type Database } from '#database/connect.ts';
import { advanceDomainClock, readDomainClock } from '#database/domain-clock.ts';
import { prepareDemo, type Demo } from '#demo.ts';
import { guard } from '#http/guard.ts';
import { healthRoute } from '#http/health.ts';
import { memoryRates } from '#http/rates.ts';
import { createServer, type App } from '#http/server.ts';
import { walletRoutes } from '#ledger/routes.ts';
import type { Logger } from '#log.ts';
import { operatorRoutes } from '#operator/routes.ts';
import { describeRoutes, pageRoutes } from '#pages.ts';
import { createReportDoor } from '#providers/reports.ts';
import { sandboxPix } from '#providers/sandbox/pix.ts';
import { sandboxRoutes } from '#providers/sandbox/routes.ts';
import { SecretBox } from '#secrets.ts';
import { createSellersService } from '#sellers/service.ts';
import { pixPictureRoute, transactionRoutes } from '#transactions/routes.ts';
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

async function assemble(options: GatewayOptions, database: Database): Promise<Gateway> {
  const { config, log, api, worker: works, receiverAuthorities: ca } = options;
  const { db } = database;
  const clock = new Clock();
  clock.moveTo(await readDomainClock(db));
  const sandbox = config.mode === 'sandbox';

  const users = createUsersService(db, clock, config.jwtSecret);
  const apiKeys = createApiKeysService(db, clock, sandbox ? 'test' : 'live');
  const sellers = createSellersService(db);
  const webhooks = createWebhooksService(db, clock, new SecretBox(config.encryptionKeys));
  const transactions = createTransactionsService({
    database,
    clock,
    pix: sandbox ? sandboxPix(config.publicUrl) : undefined,
    onDeliveries: () => worker?.wakeDeliveries(),
  });

  let demo: Demo | undefined;
  if (sandbox) {
    demo = await prepareDemo(config, { db, clock, sellers, apiKeys });
  } else if (config.adminEmail !== undefined && config.adminPassword !== undefined) {
    const credentials = { email: config.adminEmail, password: config.adminPassword };
    await createFirstOperator(db, credentials, clock.now());
  }

  const worker: Worker | undefined = works
    ? createWorker({
        log,
        transactions,
        cleanUp: createCleanUp(db, clock),
        deliverer: createDeliverer({
          db,
          clock,
          webhooks,
          log,
          sender: createSender({
            allowPrivate: config.webhookAllowPrivate,
            ...(ca === undefined ? {} : { ca }),
          }),
          onRoom: () => worker?.wakeDeliveries(),
        }),
      })
    : undefined;

  const moveClock = (offsetMs: number): void => {
    if (offsetMs <= clock.offsetMs) return;
    clock.moveTo(offsetMs);
    worker?.wakeAll();
  };
  const clockLoop = new Loop(
    {
      name: 'clock',
      everyMs: CLOCK_LOOK_MS,
      run: async () => {
        moveClock(await readDomainClock(db));
        return false;
      },
    },
    log,
  );

  let app: App | undefined;
  if (api) {
    app = await createServer(log);
    await describeRoutes(app);
    guard(app, createAuthenticator({ users, apiKeys, sellers }), memoryRates());
    const documents = {
      verify: config.verifyDocuments,
      alphanumericCnpj: config.alphanumericCnpj,
      isValid: (type: 'CPF' | 'CNPJ', text: string) =>
        type === 'CPF' ? isValidCpf(text) : isValidCnpj(text),
    };
    await app.register(
      async (v1: App) => {
        healthRoute(v1, { ping: () => database.ping() });
        sessionRoutes(v1, { users });
        transactionRoutes(v1, { transactions, sellers, documents });
        walletRoutes(v1, { db });
        webhookRoutes(v1, { webhooks, allowPrivate: config.webhookAllowPrivate });
        operatorRoutes(v1, { db, clock, sellers, apiKeys, documents });
        if (sandbox) {
          sandboxRoutes(v1, {
            clock,
            transactions,
            report: createReportDoor(transactions),
            advanceClock: async (seconds) => moveClock(await advanceDomainClock(db, seconds * 1000)),
          });
        }
      },
      { prefix: '/v1' },
    );
    pixPictureRoute(app, { transactions });
    await pageRoutes(app);
    await app.listen({ host: config.host, port: config.port });
  }
  worker?.start();
  if (sandbox) clockLoop.start();

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
