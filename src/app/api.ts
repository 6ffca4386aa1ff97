import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';
import { apiKeyRoutes } from '#identity/api-keys/routes.ts';
import { recordAudit } from '#audit/service.ts';
import { auditRoutes } from '#audit/routes.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { createAuthenticator } from '#identity/authenticator.ts';
import { cardTokenRoutes } from '#payments/card-tokens/routes.ts';
import { Counter, type Registry } from 'prom-client';

import type { Clock } from '#platform/kit/clock.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { advanceDomainClock } from '#platform/database/domain-clock.ts';
import { dashboardRoutes } from '#platform/http/static/dashboard.ts';
import { DISPUTE_EVENT } from '#payments/disputes/events.ts';
import { disputeOperatorRoutes } from '#payments/disputes/operator-routes.ts';
import { disputeRoutes } from '#payments/disputes/routes.ts';
import { registerGuard, type GuardedRoute } from '#platform/http/guard.ts';
import { healthRoute } from '#platform/http/health.ts';
import { metricsRoute } from '#platform/http/metrics.ts';
import { createMemoryRateLimiter, type RateLimiter } from '#platform/http/rate-limiter.ts';
import { createServer, type App } from '#platform/http/server.ts';
import { createRedisRateLimiter } from '#platform/http/redis-rate-limiter.ts';
import { walletRoutes } from '#accounting/ledger/routes.ts';
import { operatorRoutes } from '#operator/routes.ts';
import { publicAssetRoutes } from '#platform/http/static/public-assets.ts';
import type { AdapterIntegration } from '#providers/adapter.ts';
import { providerHealthRoute } from '#providers/health-route.ts';
import { cnabRoutes } from '#cnab/exchange/routes.ts';
import { privacyRoutes } from '#privacy/routes.ts';
import { providerEventRoutes } from '#payments/provider-events/routes.ts';
import { sandboxRoutes } from '#providers/sandbox/routes.ts';
import { sandboxSettlementRoutes } from '#providers/sandbox/settlement-routes.ts';
import { sandboxWithdrawalRoutes } from '#providers/sandbox/withdrawal-routes.ts';
import { reconciliationRoutes } from '#accounting/reconciliation/routes.ts';
import { collectOpenApiRoutes } from '#platform/openapi/document.ts';
import { refundRoutes } from '#payments/refunds/routes.ts';
import { releasesRoutes } from '#reports/releases-routes.ts';
import { summaryRoutes } from '#reports/summary-routes.ts';
import { reversalOperatorRoutes } from '#payouts/reversals/routes.ts';
import { sellerRoutes } from '#sellers/routes.ts';
import { settingsRoutes } from '#sellers/settings/routes.ts';
import { boletoRoutes } from '#payments/transactions/boleto-routes.ts';
import { TRANSACTION_UPDATED_EVENT } from '#payments/transactions/events.ts';
import { transactionOperatorRoutes } from '#payments/transactions/operator-routes.ts';
import { transactionActionRoutes } from '#payments/transactions/action-routes.ts';
import { pixQrCodeRoute } from '#payments/transactions/pix-routes.ts';
import { transactionRoutes } from '#payments/transactions/routes.ts';
import { simulationRoutes } from '#payments/transactions/simulation-routes.ts';
import { lookupRoutes } from '#payments/transactions/lookup-routes.ts';
import { timelineRoutes } from '#payments/transactions/timeline-routes.ts';
import { createLoginThrottle } from '#identity/users/login-throttle.ts';
import { userRoutes } from '#identity/users/routes.ts';
import { teamRoutes } from '#identity/users/team-routes.ts';
import { PING_EVENT } from '#webhooks/ping-event.ts';
import { deliveryRoutes } from '#webhooks/delivery-routes.ts';
import { eventTypeRoutes } from '#webhooks/event-type-routes.ts';
import { replayRoutes } from '#webhooks/replay-routes.ts';
import { eventStreamRoutes } from '#webhooks/event-stream-routes.ts';
import { webhookOperatorRoutes } from '#webhooks/operator-routes.ts';
import { webhookRoutes } from '#webhooks/routes.ts';
import { WITHDRAWAL_EVENT } from '#payouts/withdrawals/events.ts';
import { withdrawalRoutes } from '#payouts/withdrawals/routes.ts';
import { JobLoop } from '#platform/jobs/loop.ts';
import { traceRequests } from '#platform/telemetry/request-tracing.ts';
import type { Tracing } from '#platform/telemetry/tracing.ts';
import type { Services } from './services.ts';
import type { Config } from './config.ts';
import type { Logger } from '#platform/kit/log.ts';

/**
 * Connections that wait to be taken. With fewer, of a crowd that comes at once some seem connected and are heard seconds later;
 * the system may bound it further (`net.core.somaxconn`).
 */
const LISTEN_BACKLOG = 4_096;

/** How often the last uses of API keys are written down. */
const KEY_USE_FLUSH_MS = 60_000;

export interface Api {
  readonly routes: readonly GuardedRoute[];
  start(): Promise<void>;
  /** Says that it is about to stop, and goes on serving. */
  drain(): void;
  stop(): Promise<void>;
}

export interface ApiOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
}

/** The server, with what runs beside it. */
export async function composeApi(
  { config, log, tracing }: ApiOptions,
  database: Database,
  clock: Clock,
  services: Services,
  attached: readonly AdapterIntegration[],
  registry: Registry,
  moveClock: (offsetMs: number) => void,
): Promise<Api> {
  const { apiKeys } = services;
  const rates =
    config.redisUrl === undefined
      ? createMemoryRateLimiter()
      : await createRedisRateLimiter(config.redisUrl, log);
  /** A start that fails must leave nothing behind that keeps the process alive. */
  const closeRatesOnFailure = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      await rates.close();
      throw error;
    }
  };
  const server = composeServer(
    { config, log, tracing },
    database,
    clock,
    rates,
    services,
    attached,
    registry,
    moveClock,
  );
  const { app, routes } = await closeRatesOnFailure(server);
  const flushKeyUses = async (): Promise<boolean> => {
    await apiKeys.flushUsage();
    return false;
  };
  const keyUseLoop = new JobLoop({ name: 'key uses', intervalMs: KEY_USE_FLUSH_MS, run: flushKeyUses }, log);
  return {
    routes,
    async start() {
      await closeRatesOnFailure(
        app.listen({ host: config.host, port: config.port, backlog: LISTEN_BACKLOG }),
      );
      keyUseLoop.start();
    },
    drain() {
      app.stopping.begun = true;
    },
    async stop() {
      await app.close();
      await keyUseLoop.stop();
      // Losing when keys were last used is no reason not to stop.
      await apiKeys
        .flushUsage()
        .catch((err: unknown) => log.warn({ err }, 'the last uses of API keys are lost'));
      await rates.close();
    },
  };
}

/** What webhooks are told, in the order in which the reference shows it. */
export const EVENTS = [TRANSACTION_UPDATED_EVENT, WITHDRAWAL_EVENT, DISPUTE_EVENT, PING_EVENT];

/** The server alone, not listening: of it the reference can be made too. */
export async function composeServer(
  { config, log, tracing }: ApiOptions,
  database: Database,
  clock: Clock,
  rates: RateLimiter,
  services: Services,
  attached: readonly AdapterIntegration[],
  registry: Registry,
  moveClock: (offsetMs: number) => void,
): Promise<{
  readonly app: App;
  readonly routes: readonly GuardedRoute[];
  readonly generateOpenApi: () => object;
}> {
  const { db } = database;
  const { users, apiKeys, sellers, webhooks, transactions, withdrawals, disputes, providerEvents } = services;
  const rejectedRequests = new Counter({
    name: 'http_requests_refused_total',
    help: 'Requests that were refused at the door because more were asked for than can be served',
    registers: [registry],
  });
  const app = createServer(log, {
    ...config,
    admission: {
      databaseWaitMs: () => database.queryDeadline?.longestWaitMs() ?? 0,
      onRejected: () => rejectedRequests.inc(),
    },
  });
  if (tracing !== undefined) traceRequests(app, tracing);
  const generateOpenApi = collectOpenApiRoutes(app, { publicUrl: config.publicUrl, events: EVENTS });
  const routes = registerGuard(app, createAuthenticator({ users, apiKeys, sellers }), rates);
  metricsRoute(app, config.metricsToken, registry);
  const documents = {
    verify: config.verifyDocuments,
    alphanumericCnpj: config.alphanumericCnpj,
    isValid: (type: 'CPF' | 'CNPJ', text: string) =>
      type === 'CPF' ? isValidCpf(text) : isValidCnpj(text, { version: config.alphanumericCnpj ? 2 : 1 }),
  };
  await app.register(
    async (v1: App) => {
      healthRoute(v1, database);
      await userRoutes(v1, {
        users,
        sellers,
        throttle: createLoginThrottle(rates),
        publicUrl: config.publicUrl,
      });
      teamRoutes(v1, { users });
      apiKeyRoutes(v1, { apiKeys });
      transactionRoutes(v1, {
        transactions,
        createTransaction: services.createTransaction,
        findCardToken: (sellerId, token) => services.cardTokens.find(sellerId, token),
        sellers,
        keys: services.keys,
        documents,
      });
      transactionActionRoutes(v1, services);
      refundRoutes(v1, services);
      cardTokenRoutes(v1, services);
      disputeRoutes(v1, services);
      disputeOperatorRoutes(v1, services);
      sellerRoutes(v1, services);
      walletRoutes(v1, { db });
      releasesRoutes(v1, services);
      summaryRoutes(v1, services);
      simulationRoutes(v1, { clock, sellers });
      lookupRoutes(v1, services);
      timelineRoutes(v1, { ...services, findRefunds: services.refunds.listByTransaction });
      deliveryRoutes(v1, services);
      eventStreamRoutes(v1, services);
      eventTypeRoutes(v1, { events: EVENTS });
      replayRoutes(v1, services);
      webhookRoutes(v1, { webhooks, allowPrivate: config.webhookAllowPrivate });
      operatorRoutes(v1, {
        ...services,
        db,
        background: database.background,
        clock,
        documents,
        mode: config.mode,
      });
      withdrawalRoutes(v1, {
        withdrawals,
        sellers,
        keys: services.keys,
        documents,
        payoutProviders: services.payoutProviders,
      });
      transactionOperatorRoutes(v1, services);
      settingsRoutes(v1, services);
      auditRoutes(v1, services);
      webhookOperatorRoutes(v1, services);
      reconciliationRoutes(v1, services);
      cnabRoutes(v1, services);
      reversalOperatorRoutes(v1, services);
      providerHealthRoute(v1, services);
      providerEventRoutes(v1, services);
      privacyRoutes(v1, services);
      if (config.mode !== 'sandbox') return;
      sandboxRoutes(v1, {
        clock,
        transactions,
        disputes,
        handleEvent: providerEvents.handle,
        advanceClock: async (seconds, author) => moveClock(await advanceClock(db, clock, seconds, author)),
      });
      sandboxWithdrawalRoutes(v1, { clock, withdrawals });
      sandboxSettlementRoutes(v1, { db });
    },
    { prefix: '/v1' },
  );
  for (const one of attached) one.routes?.(app);
  pixQrCodeRoute(app, { transactions });
  boletoRoutes(app, { transactions, sellers, agreement: config.boletoAgreement });
  await publicAssetRoutes(app, generateOpenApi);
  await dashboardRoutes(app, config.mode);
  return { app, routes, generateOpenApi };
}

/** Health and metrics of a process that serves nothing else; answers the server, listening. */
export async function serveMetrics(
  { config, log }: ApiOptions,
  port: number,
  registry: Registry,
  database: Database,
): Promise<App> {
  const app = createServer(log, config);
  metricsRoute(app, config.metricsToken, registry);
  const routes = async (v1: App): Promise<void> => healthRoute(v1, database);
  await app.register(routes, { prefix: '/v1' });
  await app.listen({ host: config.host, port });
  return app;
}

/** Moves the domain's clock ahead and writes down who did; answers how far it is ahead now, in milliseconds. */
function advanceClock(db: Db, clock: Clock, seconds: number, author: AuditActor): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const at = clock.now();
    const offsetMs = await advanceDomainClock(trx, seconds * 1_000);
    const offsetSeconds = offsetMs / 1_000;
    await recordAudit(trx, author, {
      action: 'sandbox.clock-advanced',
      recordType: 'clock',
      recordId: null,
      sellerId: null,
      before: { offsetSeconds: offsetSeconds - seconds },
      after: { offsetSeconds },
      at,
    });
    return offsetMs;
  });
}
