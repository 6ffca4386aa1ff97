import { createApiKeysService } from '#identity/api-keys/service.ts';
import { createCardTokensService } from '#payments/card-tokens/service.ts';
import { createAuditService } from '#audit/service.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Config } from './config.ts';
import type { BatchFactory } from '#platform/database/group-commit.ts';
import type { Database } from '#platform/database/connect.ts';
import { createDisputesService } from '#payments/disputes/service.ts';
import { agreementBoletos } from '#providers/boleto.ts';
import { cnabPayouts, createCnabService } from '#cnab/exchange/service.ts';
import type { ProviderAdapter } from '#providers/adapter.ts';
import type { OpenProviders } from '#providers/choice.ts';
import { createProviderWatch, type CallWatch } from '#providers/health.ts';
import { createReportLog } from '#providers/event-log.ts';
import { createReportDoor } from '#providers/event-handler.ts';
import type { PaymentReturner } from '#payouts/reversals/payment-reverser.ts';
import { sandboxCards } from '#providers/sandbox/cards.ts';
import { sandboxPayouts } from '#providers/sandbox/payout.ts';
import { sandboxPix } from '#providers/sandbox/pix.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createKeysService } from '#payments/idempotency/service.ts';
import { createPayersService } from '#privacy/service.ts';
import { createReconciliationService } from '#accounting/reconciliation/service.ts';
import { sandboxReturns } from '#providers/sandbox/reverser.ts';
import { createRefundsService } from '#payments/refunds/service.ts';
import { createReportsService } from '#reports/service.ts';
import { createReturnsService } from '#payouts/reversals/service.ts';
import { SecretBox } from '#platform/crypto/secrets.ts';
import { createSettingsService } from '#sellers/settings/service.ts';
import { createSellersService } from '#sellers/service.ts';
import { createCharging } from '#payments/transactions/create.ts';
import { createFollowUps } from '#payments/operations/service.ts';
import { createOrderSweep } from '#payments/operations/sweep.ts';
import { createPlacing } from '#payments/operations/submission.ts';
import type { Rails } from '#payments/operations/payment-provider.ts';
import { createOperatorTransactions } from '#payments/transactions/operator-reads.ts';
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
  readonly onDeliveries: () => void;
  /** Who makes the batches, and who watches calls of providers; nobody unless told. */
  readonly batches?: BatchFactory;
  readonly watchCall?: CallWatch;
}

export function composeServices({
  config,
  database,
  clock,
  log,
  providers,
  onDeliveries,
  batches,
  watchCall,
}: ServicesDeps) {
  const { db, patient } = database;
  const watch = createProviderWatch(clock, log, watchCall);
  const sandbox = config.mode === 'sandbox';
  const secrets = new SecretBox(config.encryptionKeys);
  const sellers = createSellersService(db);
  const transactions = createTransactionsService({
    database,
    clock,
    onDeliveries,
    ...(batches === undefined ? {} : { batches }),
    async termsOf(sellerId) {
      const context = await sellers.contextOf(sellerId);
      if (context === undefined) throw new Error('a charge has no seller');
      return context.seller;
    },
  });
  const pix = chosenRails(providers.pix, ({ pix: rail }) => rail && watch.pix(rail));
  const card = chosenRails(providers.card, ({ card: rail }) => rail && watch.card(rail));
  const rails: Rails = {
    pix: pix === undefined ? sandboxPix(config.publicUrl) : someOf(pix),
    boleto:
      config.boletoProvider === undefined
        ? undefined
        : agreementBoletos(db, config.boletoAgreement, config.publicUrl, config.boletoProvider === 'cnab'),
    card: card === undefined ? sandboxCards() : someOf(card),
  };
  const placing = createPlacing({ db, clock, log, transactions, publicUrl: config.publicUrl });
  const remote = { pix: pix ?? [], card: card ?? [] };
  const followUps = createFollowUps({ db, clock, transactions, ...remote });
  const disputes = createDisputesService(db, clock, transactions);
  const report = createReportDoor(transactions);
  const payouts = config.payoutProviders.map((name) =>
    name === 'cnab' ? watch.payout(cnabPayouts({ db, clock, secrets })) : sandboxPayouts(),
  );
  const withdrawals = createWithdrawalsService({ db, clock, secrets, payouts, onDeliveries });
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
    webhooks: createWebhooksService({ db, clock, secrets, onDeliveries }),
    cardTokens: createCardTokensService(db, clock, secrets),
    transactions,
    operatorTransactions: createOperatorTransactions(db),
    charge: createCharging({ transactions, placing, clock, rails }),
    placing,
    followUps,
    sweepOrders: createOrderSweep({ db, clock, log, transactions, placing, followUps, pix: pix ?? [] }),
    providerHealth: () => watch.list(),
    keys: createKeysService(db, clock),
    payers: createPayersService(patient, clock),
    refunds: createRefundsService(db, clock, transactions, followUps),
    disputes,
    reconciliation: createReconciliationService({
      db: patient,
      clock,
      rails: {
        PIX: pix === undefined ? 'sandbox' : pix[0]?.name,
        BOLETO: config.boletoProvider,
        CARD: card === undefined ? 'sandbox' : card[0]?.name,
      },
    }),
    report,
    reports: createReportsService(patient, clock),
    reportLog: createReportLog(db),
    returns: createReturnsService(db, clock),
    withdrawals,
    /** Who pays withdrawals out, in the order of choice. */
    payouts,
    cnab: createCnabService({ db: patient, clock, secrets, settings: config.cnab, report, withdrawals }),
  };
}

/** Who sends payments back, each for what it reported itself. */
export const returnersOf = (config: Config, providers: OpenProviders): readonly PaymentReturner[] => [
  ...(config.mode === 'sandbox' ? [sandboxReturns()] : []),
  ...providers.all.flatMap(({ returns }) => (returns === undefined ? [] : [returns])),
];

/** The rails of providers of others, in the order of choice; undefined where the sandbox's own is chosen. */
function chosenRails<Rail>(
  chosen: OpenProviders['pix'],
  railOf: (adapter: ProviderAdapter) => Rail | undefined,
): readonly Rail[] | undefined {
  if (chosen === 'sandbox') return undefined;
  return chosen.map(railOf).filter((rail) => rail !== undefined);
}

const someOf = <Rail>(rails: readonly Rail[]): readonly Rail[] | undefined =>
  rails.length === 0 ? undefined : rails;

export type Services = ReturnType<typeof composeServices>;
