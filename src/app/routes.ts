import type { ClockSkew } from '#platform/database/clock-skew.ts';
import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';

import { walletRoutes } from '#accounting/ledger/routes.ts';
import { providerCostRoutes } from '#accounting/provider-costs/routes.ts';
import { reconciliationRoutes } from '#accounting/reconciliation/routes.ts';
import type { BoundedAudit } from '#audit/bounded-audit.ts';
import { auditRoutes } from '#operator/audit-routes.ts';
import { paymentPageRoutes } from '#checkout/pages/routes.ts';
import { checkoutRoutes } from '#checkout/routes.ts';
import { payerSubscriptionRoutes } from '#checkout/subscription-routes.ts';
import { cnabRoutes } from '#cnab/exchange/routes.ts';
import { apiKeyRoutes } from '#identity/api-keys/routes.ts';
import { invitationRoutes } from '#identity/users/invitation-routes.ts';
import { linkRoutes } from '#identity/users/link-routes.ts';
import { secondFactorResetRoutes } from '#identity/second-factor-resets/routes.ts';
import { createLoginThrottle } from '#identity/users/login-throttle.ts';
import { userRoutes } from '#identity/users/routes.ts';
import { teamRoutes } from '#identity/users/team-routes.ts';
import { unsubscribeRoutes } from '#notifications/unsubscribe-routes.ts';
import { notificationRoutes } from '#notifications/user-routes.ts';
import { preferencesRoutes } from '#sellers/preferences/routes.ts';
import { mailRoutes } from '#notifications/operator-routes.ts';
import { sandboxMailRoutes } from '#notifications/sandbox-routes.ts';
import { applicationRoutes } from '#onboarding/routes.ts';
import { signupRoutes } from '#onboarding/signup-routes.ts';
import { operatorRoutes } from '#operator/routes.ts';
import { cardTokenRoutes } from '#payments/card-tokens/routes.ts';
import { customerRoutes } from '#payments/customers/routes.ts';
import { DISPUTE_EVENT } from '#payments/disputes/events.ts';
import { evidenceOperatorRoutes, evidenceRoutes } from '#payments/disputes/evidence-routes.ts';
import { disputeOperatorRoutes } from '#payments/disputes/operator-routes.ts';
import { disputeRoutes } from '#payments/disputes/routes.ts';
import { paymentLinkRoutes } from '#payments/payment-links/routes.ts';
import { providerEventRoutes } from '#payments/provider-events/routes.ts';
import { refundRoutes } from '#payments/refunds/routes.ts';
import { transactionActionRoutes } from '#payments/transactions/action-routes.ts';
import { boletoRoutes } from '#payments/transactions/boleto-routes.ts';
import { TRANSACTION_UPDATED_EVENT } from '#payments/transactions/events.ts';
import { lookupRoutes, operatorLookupRoutes } from '#payments/transactions/lookup-routes.ts';
import { transactionOperatorRoutes } from '#payments/transactions/operator-routes.ts';
import { pixQrCodeRoute } from '#payments/transactions/pix-routes.ts';
import { transactionRoutes } from '#payments/transactions/routes.ts';
import { simulationRoutes } from '#payments/transactions/simulation-routes.ts';
import { timelineRoutes } from '#payments/transactions/timeline-routes.ts';
import { reversalOperatorRoutes } from '#payouts/reversals/routes.ts';
import { WITHDRAWAL_EVENT } from '#payouts/withdrawals/events.ts';
import { withdrawalRoutes } from '#payouts/withdrawals/routes.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { healthRoute } from '#platform/http/health.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import type { App } from '#platform/http/server.ts';
import { privacyRoutes } from '#privacy/routes.ts';
import type { AdapterIntegration } from '#providers/adapter.ts';
import { providerHealthRoute } from '#providers/health-route.ts';
import { providerRoutingRoutes } from '#providers/routing/routes.ts';
import { sandboxMedRoutes } from '#providers/sandbox/med-routes.ts';
import { sandboxPixLocationRoutes } from '#providers/sandbox/pix-location-routes.ts';
import { sandboxRefundRoutes } from '#providers/sandbox/refund-routes.ts';
import { sandboxRoutes } from '#providers/sandbox/routes.ts';
import { sandboxSettlementRoutes } from '#providers/sandbox/settlement-routes.ts';
import { sandboxSubscriptionRoutes } from '#providers/sandbox/subscription-routes.ts';
import { sandboxWithdrawalRoutes } from '#providers/sandbox/withdrawal-routes.ts';
import { riskReviewRoutes } from '#payments/risk/review-routes.ts';
import { riskRoutes } from '#payments/risk/routes.ts';
import { releasesRoutes } from '#reports/releases-routes.ts';
import { revenueRoutes } from '#reports/revenue-routes.ts';
import { summaryRoutes } from '#reports/summary-routes.ts';
import { sellerRoutes } from '#sellers/routes.ts';
import { approvalRoutes } from '#operator/approvals/routes.ts';
import { defaultFeesRoutes, settingsRoutes } from '#operator/settings-routes.ts';
import { CARD_EVENT, INVOICE_EVENT, SUBSCRIPTION_EVENT } from '#subscriptions/events.ts';
import { subscriptionRoutes } from '#subscriptions/routes.ts';
import { deliveryRoutes } from '#webhooks/delivery-routes.ts';
import { eventStreamRoutes } from '#webhooks/event-stream-routes.ts';
import { eventTypeRoutes } from '#webhooks/event-type-routes.ts';
import { webhookOperatorRoutes } from '#webhooks/operator-routes.ts';
import { PING_EVENT } from '#webhooks/ping-event.ts';
import { replayRoutes } from '#webhooks/replay-routes.ts';
import { webhookRoutes } from '#webhooks/routes.ts';
import type { SystemCheck } from '#operator/system-routes.ts';
import type { Config } from './config.ts';
import type { Runtime } from './runtime.ts';
import type { Services } from './services.ts';

export interface RouteOptions extends Runtime {
  readonly services: Services;
  readonly rates: RateLimiter;
  readonly boundedAudit: BoundedAudit;
  readonly clockSkew: Pick<ClockSkew, 'isExceeded'>;
  /** Advances the clock of all processes; only the sandbox does. */
  readonly advanceClock: (seconds: number, actor: AuditActor) => Promise<void>;
  /** Callbacks of the external providers. */
  readonly integrations: readonly AdapterIntegration[];
  /** The checks of this process's environment, at most a minute old. */
  readonly checkInstallation: () => Promise<readonly SystemCheck[]>;
}

/** The events of webhooks, in the order of the API reference. */
export const EVENTS = [
  TRANSACTION_UPDATED_EVENT,
  WITHDRAWAL_EVENT,
  DISPUTE_EVENT,
  SUBSCRIPTION_EVENT,
  CARD_EVENT,
  INVOICE_EVENT,
  PING_EVENT,
];

type RegisterRoutes = (app: App, deps: RouteDeps) => unknown;

/** The routes below /v1, in the order of the API reference. */
const API_ROUTES: readonly RegisterRoutes[] = [
  (app, { database, clockSkew }) => healthRoute(app, database, clockSkew),
  userRoutes,
  notificationRoutes,
  linkRoutes,
  teamRoutes,
  invitationRoutes,
  secondFactorResetRoutes,
  signupRoutes,
  applicationRoutes,
  apiKeyRoutes,
  transactionRoutes,
  transactionActionRoutes,
  refundRoutes,
  customerRoutes,
  cardTokenRoutes,
  paymentLinkRoutes,
  checkoutRoutes,
  payerSubscriptionRoutes,
  subscriptionRoutes,
  disputeRoutes,
  evidenceRoutes,
  disputeOperatorRoutes,
  evidenceOperatorRoutes,
  sellerRoutes,
  preferencesRoutes,
  walletRoutes,
  releasesRoutes,
  summaryRoutes,
  simulationRoutes,
  lookupRoutes,
  timelineRoutes,
  deliveryRoutes,
  eventStreamRoutes,
  eventTypeRoutes,
  replayRoutes,
  webhookRoutes,
  operatorRoutes,
  withdrawalRoutes,
  transactionOperatorRoutes,
  operatorLookupRoutes,
  riskRoutes,
  riskReviewRoutes,
  settingsRoutes,
  defaultFeesRoutes,
  approvalRoutes,
  auditRoutes,
  webhookOperatorRoutes,
  revenueRoutes,
  providerCostRoutes,
  reconciliationRoutes,
  cnabRoutes,
  reversalOperatorRoutes,
  providerHealthRoute,
  providerRoutingRoutes,
  providerEventRoutes,
  privacyRoutes,
  mailRoutes,
];

/** Also below /v1, in the sandbox only. */
const SANDBOX_ROUTES: readonly RegisterRoutes[] = [
  sandboxRoutes,
  sandboxRefundRoutes,
  sandboxWithdrawalRoutes,
  sandboxMedRoutes,
  sandboxSettlementRoutes,
  sandboxSubscriptionRoutes,
  sandboxMailRoutes,
];

export async function registerRoutes(app: App, options: RouteOptions): Promise<void> {
  const deps = composeRouteDeps(options);
  const routes = deps.mode === 'sandbox' ? [...API_ROUTES, ...SANDBOX_ROUTES] : API_ROUTES;
  await app.register(
    async (v1: App) => {
      for (const register of routes) await register(v1, deps);
    },
    { prefix: '/v1' },
  );
  for (const integration of options.integrations) integration.routes?.(app);
  if (deps.mode === 'sandbox') sandboxPixLocationRoutes(app, deps);
  pixQrCodeRoute(app, deps);
  boletoRoutes(app, deps);
  unsubscribeRoutes(app, deps);
  paymentPageRoutes(app, deps);
}

type RouteDeps = ReturnType<typeof composeRouteDeps>;

/** Everything that a route needs; each takes its own part. */
function composeRouteDeps(options: RouteOptions) {
  const { config, database, clock, services, rates, boundedAudit, advanceClock, clockSkew } = options;
  return {
    ...services,
    clock,
    clockSkew,
    database,
    db: database.db,
    background: database.background,
    heavy: database.heavy,
    mode: config.mode,
    publicUrl: config.publicUrl,
    stepUpAbove: config.stepUpWithdrawalAbove,
    allowPrivate: config.webhookAllowPrivate,
    agreement: config.boletoAgreement,
    documents: documentRules(config),
    events: EVENTS,
    boundedAudit,
    throttle: createLoginThrottle(rates),
    rates,
    signup: {
      open: config.signup === 'open',
      confirmEmail: config.signupConfirmEmail,
      getPerHour: async () => (await services.settings.getAdjustable()).signupsPerHour,
    },
    getLimits: async () => {
      const limits = await services.settings.getAdjustable();
      return {
        unpaidPerHour: limits.checkoutUnpaidPerHour,
        declinesPerAddress: limits.checkoutDeclinesPerAddress,
        declinesPerLink: limits.checkoutDeclinesPerLink,
      };
    },
    findCardToken: services.cardTokens.find,
    findCustomer: services.customers.find,
    findSaleNames: services.transactions.findSaleNames,
    findRefunds: services.refunds.listByTransaction,
    handleEvent: services.providerEvents.handle,
    advanceClock,
    checkInstallation: options.checkInstallation,
  };
}

const documentRules = ({ verifyDocuments, alphanumericCnpj }: Config) => ({
  verify: verifyDocuments,
  alphanumericCnpj,
  isValid: (type: 'CPF' | 'CNPJ', text: string) =>
    type === 'CPF' ? isValidCpf(text) : isValidCnpj(text, { version: alphanumericCnpj ? 2 : 1 }),
});
