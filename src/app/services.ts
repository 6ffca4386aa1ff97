import { createProviderCostsService } from '#accounting/provider-costs/service.ts';
import { createReconciliationService } from '#accounting/reconciliation/service.ts';
import { createApprovalsService } from '#operator/approvals/service.ts';
import { createAuditService } from '#audit/service.ts';
import { createCnabPayoutProvider } from '#cnab/exchange/payout-provider.ts';
import { createCnabService } from '#cnab/exchange/service.ts';
import { createApiKeysService } from '#identity/api-keys/service.ts';
import { createUsersService, type UsersService } from '#identity/users/service.ts';
import { createNotificationsService } from '#notifications/notifications-service.ts';
import { createNotifier, type Notifier } from '#notifications/notifier.ts';
import { createMailsService } from '#notifications/service.ts';
import { createApplicationsService } from '#onboarding/service.ts';
import { createSignupService } from '#onboarding/signup.ts';
import { createCardTokensService } from '#payments/card-tokens/service.ts';
import { createCustomersService, CUSTOMER_SOURCE } from '#payments/customers/service.ts';
import { createEvidenceService } from '#payments/disputes/evidence.ts';
import { createDisputesService } from '#payments/disputes/service.ts';
import { createIdempotencyKeysService } from '#payments/idempotency/service.ts';
import type { PaymentProviders } from '#payments/operations/payment-provider.ts';
import { createProviderOperations, review, type ReviewDecision } from '#payments/operations/service.ts';
import { createOperationSweep } from '#payments/operations/sweep.ts';
import { createPaymentLinksService, PAYMENT_LINK_SOURCE } from '#payments/payment-links/service.ts';
import type { ProviderRouting } from '#payments/operations/routing.ts';
import { createProviderEvents } from '#payments/provider-events/service.ts';
import { createRefundsService } from '#payments/refunds/service.ts';
import { createTransactionCreator } from '#payments/transactions/transaction-creator.ts';
import { createOperatorTransactions } from '#payments/transactions/operator-service.ts';
import {
  createTransactionSource,
  createTransactionsService,
  type Transaction,
} from '#payments/transactions/service.ts';
import { createReversal, createReversalsService } from '#payouts/reversals/service.ts';
import { createWithdrawalsService, WITHDRAWAL_SOURCE } from '#payouts/withdrawals/service.ts';
import type { GroupCommitFactory } from '#platform/database/group-commit.ts';
import { RecordCaches } from '#platform/database/record-caches.ts';
import { Registration } from '#platform/jobs/lease-holder.ts';
import type { ProviderAdapter } from '#providers/adapter.ts';
import { createBoletoIssuer } from '#providers/boleto/issuer.ts';
import { createProviderMonitor, type CallWrapper } from '#providers/health.ts';
import { cardWithOutcome, createSandboxCardAuthorizer } from '#providers/sandbox/card-authorizer.ts';
import { createSandboxPayoutProvider } from '#providers/sandbox/payout-provider.ts';
import { createSandboxPixAutomatico } from '#providers/sandbox/pix-automatico.ts';
import { createSandboxPixIssuer } from '#providers/sandbox/pix-issuer.ts';
import { findSlowBank } from '#providers/sandbox/refunds.ts';
import { createSandboxReverser } from '#providers/sandbox/reverser.ts';
import { createRoutingService } from '#providers/routing/service.ts';
import { SANDBOX_ONLY, type OpenProviders } from '#providers/selection.ts';
import {
  createCounting,
  createPolicyCache,
  createRiskAssessor,
  createRiskService,
  recordDeclines,
  type PolicyCache,
} from '#payments/risk/service.ts';
import { createReportsService } from '#reports/service.ts';
import { createSellersService, type SellersService } from '#sellers/service.ts';
import { createPreferencesService } from '#sellers/preferences/service.ts';
import { mapAdjustable } from '#sellers/settings/adjustable.ts';
import { createSettingsService, type SettingsService } from '#sellers/settings/service.ts';
import { cancelSubscriptionsOf } from '#subscriptions/lifecycle.ts';
import { createSubscriptionsService } from '#subscriptions/service.ts';
import { createWebhooksService } from '#webhooks/service.ts';
import { composePrivacy } from './personal-data.ts';
import type { Runtime } from './runtime.ts';

export interface ServicesDeps extends Runtime {
  readonly providers: OpenProviders;
  readonly notifyWorker: () => void;
  /** Creates the group commits. Not instrumented by default. */
  readonly groupCommit?: GroupCommitFactory;
  /** Wraps calls to providers. Not instrumented by default. */
  readonly instrumentCall?: CallWrapper;
}

export type Services = ReturnType<typeof composeServices>;

/** The services of every module. Each knows only what it is given here. */
export function composeServices(deps: ServicesDeps) {
  const context = createContext(deps);
  const { config, clock, secrets, registration, notifyWorker, providerMonitor } = context;
  const { db, background, heavy } = deps.database;
  const caches = new RecordCaches(deps.database, deps.groupCommit);
  const sellers = createSellersService(db, caches, heavy);
  const environment = mapAdjustable((name) => config[name]);
  const settings = createSettingsService({ db, clock, caches, environment });
  const configured = configuredProvidersOf(context);
  const { routing, ...providerRoutes } = createRoutingService({ db, clock, caches, configured });
  const notifications = composeNotifications(context);
  const { notifier } = notifications;
  const policy = createPolicyCache(caches);
  const payments = composePayments(context, { sellers, settings, notifier, policy, routing });
  const payouts = composePayouts(context, notifier, routing);
  const identity = composeIdentity(context, caches, notifier);
  const providerCosts = composeProviderCosts(context);
  return {
    caches,
    secrets,
    registration,
    auditLog: createAuditService({ db, heavy }),
    sellers,
    settings,
    preferences: createPreferencesService({ db, clock }),
    ...notifications,
    ...identity,
    ...composeOnboarding(context, { sellers, settings, notifier, users: identity.users }),
    approvals: createApprovalsService({ db, clock, secrets, sellers, settings, ...identity }),
    webhooks: createWebhooksService({ db, clock, secrets, notifyWorker }),
    privacy: composePrivacy({ db: background, clock, sellers, secrets }),
    reconciliation: createReconciliationService({
      db: background,
      reads: heavy,
      clock,
      defaultProviders: defaultProvidersOf(context),
      providers: providerNamesOf(context),
    }),
    ...payments,
    risk: createRiskService({ db, clock, secrets, policy }),
    ...composeSubscriptions(context, sellers, payments),
    ...payouts,
    routing,
    providerRoutes,
    providerHealth: () => providerMonitor.list(),
    cnab: createCnabService({
      db: background,
      clock,
      secrets,
      settings: config.cnab,
      handleEvent: payments.providerEvents.handle,
      withdrawals: payouts.withdrawals,
      log: context.log,
    }),
    providerCosts,
    reports: createReportsService({ db: heavy, clock, providerCosts }),
    searchSources: [
      createTransactionSource(secrets),
      WITHDRAWAL_SOURCE,
      CUSTOMER_SOURCE,
      PAYMENT_LINK_SOURCE,
    ],
  };
}

interface OnboardingParts {
  readonly sellers: SellersService;
  readonly settings: SettingsService;
  readonly notifier: Notifier;
  readonly users: UsersService;
}

function composeOnboarding(
  { config, db, clock, secrets }: Context,
  { sellers, settings, notifier, users }: OnboardingParts,
) {
  return {
    signups: createSignupService({ db, clock, notifier, users, confirmEmail: config.signupConfirmEmail }),
    applications: createApplicationsService({
      db,
      clock,
      secrets,
      sellers,
      notifier,
      getRetentionDays: async () => (await settings.getAdjustable()).applicationRetentionDays,
    }),
  };
}

/**
 * Services for a command that calls no external provider. The worker polls, so nothing notifies it.
 */
export const composeOfflineServices = (runtime: Runtime): Services =>
  composeServices({ ...runtime, providers: SANDBOX_ONLY, notifyWorker: () => undefined });

type Context = ReturnType<typeof createContext>;

function createContext(deps: ServicesDeps) {
  const { clock, log, providers } = deps;
  const providerMonitor = createProviderMonitor(clock, log, deps.instrumentCall);
  return {
    ...deps,
    db: deps.database.db,
    secrets: deps.dataKeys.secrets,
    registration: new Registration(),
    providerMonitor,
    pix: selectProviders(providers.pix, ({ pix }) => pix && providerMonitor.pix(pix)),
    card: selectProviders(providers.card, ({ card }) => card && providerMonitor.card(card)),
  };
}

/** Returns the selected external providers in the order in which they are tried. */
function selectProviders<Provider>(
  selected: OpenProviders['pix'],
  providerOf: (adapter: ProviderAdapter) => Provider | undefined,
): 'sandbox' | readonly Provider[] {
  if (selected === 'sandbox') return selected;
  return selected.map(providerOf).filter((provider) => provider !== undefined);
}

function composeNotifications({ config, db, clock, secrets }: Context) {
  const { mail, mode, publicUrl } = config;
  const canMail = mode === 'sandbox' || mail.smtp !== undefined;
  return {
    notifier: createNotifier({ secrets, canMail }),
    mails: createMailsService({ db, clock, secrets, publicUrl }),
    notifications: createNotificationsService({ db, clock }),
  };
}

function composeIdentity({ config, db, clock, secrets }: Context, caches: RecordCaches, notifier: Notifier) {
  const { jwtSecret, jwtSecretPrevious: previous } = config;
  const jwtSecrets = [jwtSecret, ...(previous === undefined ? [] : [previous])] as const;
  const sandbox = config.mode === 'sandbox';
  const resetDelayMs = config.secondFactorResetHours * 3_600_000;
  const { publicUrl } = config;
  return {
    users: createUsersService(db, clock, {
      jwtSecrets,
      secrets,
      caches,
      notifier,
      sandbox,
      publicUrl,
      resetDelayMs,
    }),
    apiKeys: createApiKeysService(db, clock, {
      caches,
      notifier,
      mode: sandbox ? 'test' : 'live',
    }),
  };
}

interface PaymentsDeps {
  readonly sellers: SellersService;
  readonly settings: SettingsService;
  readonly notifier: Notifier;
  readonly policy: PolicyCache;
  readonly routing: ProviderRouting;
}

function composePayments(context: Context, { sellers, settings, notifier, policy, routing }: PaymentsDeps) {
  const { config, database, db, clock, log, secrets, notifyWorker, groupCommit } = context;
  const { registration, pix, card } = context;
  const transactions = createTransactionsService({
    database,
    clock,
    secrets,
    notifyWorker,
    recordDeclines,
    ...(groupCommit === undefined ? {} : { groupCommit }),
    async termsOf(sellerId) {
      const found = await sellers.getContext(sellerId);
      if (found === undefined) throw new Error(`transaction of an unknown seller ${sellerId}`);
      return found.seller;
    },
  });
  const providerEvents = createProviderEvents({ db, clock, transactions, createReversal });
  const operationDeps = {
    db,
    clock,
    log,
    leaseHolder: registration,
    transactions,
    providerEvents,
    pix: pix === 'sandbox' ? [] : pix,
    card: card === 'sandbox' ? [] : card,
    publicUrl: config.publicUrl,
    routing,
  };
  const providerOperations = createProviderOperations(operationDeps);
  const providers = paymentProvidersOf(context);
  return {
    keys: createIdempotencyKeysService({ db, clock }),
    cardTokens: createCardTokensService({ db, clock, secrets }),
    paymentLinks: createPaymentLinksService({
      db,
      clock,
      operations: providerOperations,
      publicUrl: config.publicUrl,
    }),
    customers: composeCustomers(context),
    transactions,
    operatorTransactions: createOperatorTransactions({ db, exports: database.heavy }),
    createTransaction: createTransactionCreator({
      transactions,
      operations: providerOperations,
      clock,
      providers,
      routing,
      publicUrl: config.publicUrl,
      risk: createRiskAssessor({ db, secrets, policy, counting: createCounting(database, groupCommit) }),
    }),
    reviewTransaction: (transaction: Transaction, decision: ReviewDecision) =>
      review({ ...operationDeps, providers }, transaction, decision),
    providerEvents,
    providerOperations,
    sweepOperations: createOperationSweep(operationDeps),
    refunds: createRefundsService({
      db,
      clock,
      transactions,
      operations: providerOperations,
      findSandboxSource: config.mode === 'sandbox' ? findSlowBank : () => undefined,
      publicUrl: config.publicUrl,
    }),
    disputes: createDisputesService({ db, clock, transactions, notifier, settings }),
    evidence: createEvidenceService({ db, clock, secrets }),
  };
}

const composeCustomers = ({ db, database, clock, notifyWorker }: Context) =>
  createCustomersService({
    db,
    heavy: database.heavy,
    clock,
    beforeDelete: cancelSubscriptionsOf,
    notifyWorker,
  });

function composeSubscriptions(
  { config, database, clock, log, registration, providers, card }: Context,
  sellers: SellersService,
  {
    customers,
    cardTokens,
    transactions,
    createTransaction,
    providerOperations,
  }: ReturnType<typeof composePayments>,
) {
  const { db, background } = database;
  const pixAutomaticoBanks =
    providers.pix === 'sandbox'
      ? [createSandboxPixAutomatico(db, config.publicUrl)]
      : providers.pix.flatMap(({ pixAutomatico }) => pixAutomatico ?? []);
  const deps = {
    clock,
    log,
    leaseHolder: registration,
    sellers,
    customers,
    cardTokens,
    transactions,
    createTransaction,
    operations: providerOperations,
    publicUrl: config.publicUrl,
    pixAutomatico: pixAutomaticoBanks[0],
    pixAutomaticoBanks,
    cardWithOutcome: card === 'sandbox' ? cardWithOutcome : undefined,
  };
  return {
    subscriptions: createSubscriptionsService({ ...deps, db }),
    /** For its jobs. */
    subscriptionDeps: { ...deps, db: background },
  };
}

function paymentProvidersOf({ config, db, pix, card }: Context): PaymentProviders {
  const { publicUrl, boletoProvider, boletoAgreement: agreement } = config;
  const boletoOptions = { agreement, publicUrl, requiresRegistration: boletoProvider === 'cnab' };
  return {
    pix: pix === 'sandbox' ? createSandboxPixIssuer(publicUrl) : nonEmpty(pix),
    boleto: boletoProvider === undefined ? undefined : createBoletoIssuer(db, boletoOptions),
    card: card === 'sandbox' ? createSandboxCardAuthorizer() : nonEmpty(card),
  };
}

const nonEmpty = <Provider>(providers: readonly Provider[]): readonly Provider[] | undefined =>
  providers.length === 0 ? undefined : providers;

/** The provider of each origin's movements that no provider reports by name. */
const defaultProvidersOf = ({ config, pix, card }: Context) => ({
  PIX: pix === 'sandbox' ? pix : pix[0]?.name,
  BOLETO: config.boletoProvider,
  CARD: card === 'sandbox' ? card : card[0]?.name,
});

const namesOf = (selected: 'sandbox' | readonly { readonly name: string }[]) =>
  selected === 'sandbox' ? [selected] : selected.map(({ name }) => name);

function composeProviderCosts(context: Context) {
  const { config, db, clock, pix, card } = context;
  return createProviderCostsService({
    db,
    clock,
    defaultProviders: defaultProvidersOf(context),
    providersOf: {
      PIX: namesOf(pix),
      BOLETO: config.boletoProvider === undefined ? [] : [config.boletoProvider],
      CREDIT_CARD: namesOf(card),
    },
  });
}

/** The names of the providers of each method, in the order of the environment. */
const configuredProvidersOf = ({ config, pix, card }: Context) => ({
  PIX: namesOf(pix),
  BOLETO: config.boletoProvider === undefined ? [] : [config.boletoProvider],
  CREDIT_CARD: namesOf(card),
  PAYOUT: config.payoutProviders,
});

/** The names of all configured providers. */
const providerNamesOf = ({ config, pix, card }: Context): readonly string[] => {
  const named = [pix, card].flatMap(namesOf);
  const banks = config.boletoProvider === undefined ? [] : [config.boletoProvider];
  return [...new Set([...named, ...banks, ...config.payoutProviders])];
};

function composePayouts(context: Context, notifier: Notifier, routing: ProviderRouting) {
  const { config, database, db, clock, secrets, providers, providerMonitor, notifyWorker } = context;
  const payoutProviders = config.payoutProviders.map((name) =>
    name === 'cnab'
      ? providerMonitor.payout(createCnabPayoutProvider({ db, clock, secrets }))
      : createSandboxPayoutProvider(),
  );
  return {
    /** In the order in which they are tried. */
    payoutProviders,
    withdrawals: createWithdrawalsService({
      db,
      clock,
      secrets,
      payoutProviders,
      routing,
      notifyWorker,
      notifier,
      heavy: database.heavy,
    }),
    reversals: createReversalsService({ db, clock }),
    /** Each reverses the payments that it reported. */
    paymentReversers: [
      ...(config.mode === 'sandbox' ? [createSandboxReverser()] : []),
      ...providers.all.flatMap(({ reverser }) => (reverser === undefined ? [] : [reverser])),
    ],
  };
}
