import { createApiKeysService } from '#identity/api-keys/service.ts';
import { createCardTokensService } from '#payments/card-tokens/service.ts';
import { createAuditService } from '#audit/service.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Config } from './config.ts';
import type { GroupCommitFactory } from '#platform/database/group-commit.ts';
import type { Database } from '#platform/database/connect.ts';
import { createDisputesService } from '#payments/disputes/service.ts';
import { createBoletoIssuer } from '#providers/boleto/issuer.ts';
import { createCnabPayoutProvider } from '#cnab/exchange/payout-provider.ts';
import { createCnabService } from '#cnab/exchange/service.ts';
import type { ProviderAdapter } from '#providers/adapter.ts';
import type { OpenProviders } from '#providers/selection.ts';
import { createProviderMonitor, type CallWrapper } from '#providers/health.ts';
import { createProviderEvents } from '#payments/provider-events/service.ts';
import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';
import { createSandboxCardAuthorizer } from '#providers/sandbox/card-authorizer.ts';
import { createSandboxPayoutProvider } from '#providers/sandbox/payout-provider.ts';
import { createSandboxPixIssuer } from '#providers/sandbox/pix-issuer.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createIdempotencyKeysService } from '#payments/idempotency/service.ts';
import { createPrivacyService } from '#privacy/service.ts';
import { createReconciliationService } from '#accounting/reconciliation/service.ts';
import { createSandboxReverser } from '#providers/sandbox/reverser.ts';
import { createRefundsService } from '#payments/refunds/service.ts';
import { createReportsService } from '#reports/service.ts';
import { createReversal, createReversalsService } from '#payouts/reversals/service.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { createSettingsService } from '#sellers/settings/service.ts';
import { createSellersService } from '#sellers/service.ts';
import { createTransactionCreator } from '#payments/transactions/create.ts';
import { createProviderOperations } from '#payments/operations/service.ts';
import { createOperationSweep } from '#payments/operations/sweep.ts';
import type { PaymentProviders } from '#payments/operations/payment-provider.ts';
import { createOperatorTransactions } from '#payments/transactions/operator-service.ts';
import { createTransactionsService } from '#payments/transactions/service.ts';
import { createUsersService } from '#identity/users/service.ts';
import { createWebhooksService } from '#webhooks/service.ts';
import { createWithdrawalsService } from '#payouts/withdrawals/service.ts';

/** The folders' services, each knowing only what it is given. */
export interface ServicesDeps {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly providers: OpenProviders;
  readonly notifyWorker: () => void;
  /** Creates the group commits, and wraps calls to providers. Both default to no instrumentation. */
  readonly groupCommit?: GroupCommitFactory;
  readonly instrumentCall?: CallWrapper;
}

export function composeServices({
  config,
  database,
  clock,
  log,
  providers,
  notifyWorker,
  groupCommit,
  instrumentCall,
}: ServicesDeps) {
  const { db, background } = database;
  const providerMonitor = createProviderMonitor(clock, log, instrumentCall);
  const sandbox = config.mode === 'sandbox';
  const secrets = new SecretBox(config.encryptionKeys);
  const sellers = createSellersService(db);
  const transactions = createTransactionsService({
    database,
    clock,
    notifyWorker,
    ...(groupCommit === undefined ? {} : { groupCommit }),
    async termsOf(sellerId) {
      const context = await sellers.getContext(sellerId);
      if (context === undefined) throw new Error('a charge has no seller');
      return context.seller;
    },
  });
  const providerEvents = createProviderEvents({ db, clock, transactions, createReversal });
  const pix = chosenProviders(
    providers.pix,
    ({ pix: provider }) => provider && providerMonitor.pix(provider),
  );
  const card = chosenProviders(
    providers.card,
    ({ card: provider }) => provider && providerMonitor.card(provider),
  );
  const paymentProviders: PaymentProviders = {
    pix: pix === undefined ? createSandboxPixIssuer(config.publicUrl) : nonEmpty(pix),
    boleto:
      config.boletoProvider === undefined
        ? undefined
        : createBoletoIssuer(db, {
            agreement: config.boletoAgreement,
            publicUrl: config.publicUrl,
            requiresRegistration: config.boletoProvider === 'cnab',
          }),
    card: card === undefined ? createSandboxCardAuthorizer() : nonEmpty(card),
  };
  const operationDeps = {
    ...{ db, clock, log, transactions, providerEvents },
    pix: pix ?? [],
    card: card ?? [],
    publicUrl: config.publicUrl,
  };
  const providerOperations = createProviderOperations(operationDeps);
  const disputes = createDisputesService(db, clock, transactions);
  const payouts = config.payoutProviders.map((name) =>
    name === 'cnab'
      ? providerMonitor.payout(createCnabPayoutProvider({ db, clock, secrets }))
      : createSandboxPayoutProvider(),
  );
  const withdrawals = createWithdrawalsService({
    db,
    clock,
    secrets,
    payoutProviders: payouts,
    notifyWorker,
  });
  return {
    secrets,
    users: createUsersService(db, clock, {
      jwtSecrets: [
        config.jwtSecret,
        ...(config.jwtSecretPrevious === undefined ? [] : [config.jwtSecretPrevious]),
      ],
      secrets,
    }),
    apiKeys: createApiKeysService(db, clock, sandbox ? 'test' : 'live'),
    sellers,
    auditLog: createAuditService(db),
    settings: createSettingsService(db, clock),
    webhooks: createWebhooksService({ db, clock, secrets, notifyWorker }),
    cardTokens: createCardTokensService(db, clock, secrets),
    transactions,
    operatorTransactions: createOperatorTransactions(db),
    createTransaction: createTransactionCreator({
      transactions,
      operations: providerOperations,
      clock,
      providers: paymentProviders,
    }),
    providerOperations,
    sweepOperations: createOperationSweep(operationDeps),
    providerHealth: () => providerMonitor.list(),
    keys: createIdempotencyKeysService({ db, clock }),
    privacy: createPrivacyService(background, clock),
    refunds: createRefundsService({ db, clock, transactions, operations: providerOperations }),
    disputes,
    reconciliation: createReconciliationService({
      db: background,
      clock,
      defaultProviders: {
        PIX: pix === undefined ? 'sandbox' : pix[0]?.name,
        BOLETO: config.boletoProvider,
        CARD: card === undefined ? 'sandbox' : card[0]?.name,
      },
    }),
    providerEvents,
    reports: createReportsService(background, clock),
    reversals: createReversalsService(db, clock),
    withdrawals,
    /** Who pays withdrawals out, in the order of choice. */
    payouts,
    cnab: createCnabService({
      db: background,
      clock,
      secrets,
      settings: config.cnab,
      handleEvent: providerEvents.handle,
      withdrawals,
    }),
  };
}

/** Who sends payments back, each for what it reported itself. */
export const paymentReversersOf = (config: Config, providers: OpenProviders): readonly PaymentReverser[] => [
  ...(config.mode === 'sandbox' ? [createSandboxReverser()] : []),
  ...providers.all.flatMap(({ reverser }) => (reverser === undefined ? [] : [reverser])),
];

/** The rails of providers of others, in the order of choice; undefined where the sandbox's own is chosen. */
function chosenProviders<Provider>(
  chosen: OpenProviders['pix'],
  providerOf: (adapter: ProviderAdapter) => Provider | undefined,
): readonly Provider[] | undefined {
  if (chosen === 'sandbox') return undefined;
  return chosen.map(providerOf).filter((rail) => rail !== undefined);
}

const nonEmpty = <Provider>(providers: readonly Provider[]): readonly Provider[] | undefined =>
  providers.length === 0 ? undefined : providers;

export type Services = ReturnType<typeof composeServices>;
