import { createApiKeysService } from '#api-keys/service.ts';
import { createCardTokensService } from '#card-tokens/service.ts';
import { createAuditService } from '#audit/service.ts';
import type { Clock } from '#clock.ts';
import type { Config } from '#config.ts';
import { type Database } from '#database/connect.ts';
import { createDisputesService } from '#disputes/service.ts';
import { agreementBoletos } from '#providers/boleto.ts';
import { createReportLog } from '#providers/report-log.ts';
import { createReportDoor } from '#providers/reports.ts';
import { sandboxCards } from '#providers/sandbox/cards.ts';
import { sandboxPayouts } from '#providers/sandbox/payout.ts';
import { sandboxPix } from '#providers/sandbox/pix.ts';
import { createKeysService } from '#idempotency/service.ts';
import { createReconciliationService } from '#reconciliation/service.ts';
import { sandboxReturns } from '#providers/sandbox/returner.ts';
import { createRefundsService } from '#refunds/service.ts';
import { createReturnsService } from '#returns/service.ts';
import { SecretBox } from '#secrets.ts';
import { createSettingsService } from '#settings/service.ts';
import { createSellersService } from '#sellers/service.ts';
import { createCharging, type Rails } from '#transactions/charging.ts';
import { createOperatorTransactions } from '#transactions/operator-reads.ts';
import { createTransactionsService } from '#transactions/service.ts';
import { createUsersService } from '#users/service.ts';
import { createWebhooksService } from '#webhooks/service.ts';
import { createWithdrawalsService } from '#withdrawals/service.ts';

/** The folders' services, each knowing only what it is given. */
export function composeServices(config: Config, database: Database, clock: Clock, onDeliveries: () => void) {
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
    secrets,
    users: createUsersService(db, clock, config.jwtSecret),
    apiKeys: createApiKeysService(db, clock, sandbox ? 'test' : 'live'),
    sellers,
    auditLog: createAuditService(db),
    settings: createSettingsService(db, clock),
    webhooks: createWebhooksService({ db, clock, secrets, onDeliveries }),
    cardTokens: createCardTokensService(db, clock, secrets),
    transactions,
    operatorTransactions: createOperatorTransactions(db),
    charge: createCharging(transactions, clock, rails),
    keys: createKeysService(db, clock),
    refunds: createRefundsService(db, clock, transactions),
    disputes: createDisputesService(db, clock, transactions),
    reconciliation: createReconciliationService({
      db,
      clock,
      rails: sandbox ? { PIX: 'sandbox', BOLETO: 'sandbox', CARD: 'sandbox' } : {},
    }),
    report: createReportDoor(transactions),
    reportLog: createReportLog(db),
    returns: createReturnsService(db, clock),
    withdrawals: createWithdrawalsService({ db, clock, secrets, payouts: payoutsOf(config), onDeliveries }),
  };
}

/** Who pays withdrawals out. */
export const payoutsOf = (config: Config) => (config.mode === 'sandbox' ? sandboxPayouts() : undefined);

/** Who sends payments back, each for what it reported itself. */
export const returnersOf = (config: Config) => (config.mode === 'sandbox' ? [sandboxReturns()] : []);

export type Services = ReturnType<typeof composeServices>;
