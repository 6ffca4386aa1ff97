import { randomUUID } from 'node:crypto';

import { Clock } from '#platform/kit/clock.ts';
import { openDatabase } from '#platform/database/connect.ts';
import type { ProviderEvent, ProviderEventHandler } from '#payments/provider-events/handler.ts';
import { createProviderEvents } from '#payments/provider-events/service.ts';
import { createReversal } from '#payouts/reversals/service.ts';
import type { TestGateway } from './gateway.ts';
import { createTransactionsService } from '#payments/transactions/service.ts';

export interface EventReporter {
  readonly report: ProviderEventHandler;
  close(): Promise<void>;
}

/** The provider event handler of a gateway's database, as an external provider uses it. */
export function createEventReporter(gateway: TestGateway): EventReporter {
  const database = openDatabase({ url: gateway.database.url, poolSize: 8, onError: () => undefined });
  const clock = new Clock();
  const transactions = createTransactionsService({
    database,
    clock,
    secrets: gateway.secrets,
    termsOf: async () => ({
      boletoDelayDays: 1,
      cardDelayDays: 30,
      chargebackFee: 0,
      negativeBalanceUpTo: 0,
    }),
    notifyWorker: () => undefined,
    recordDeclines: async () => undefined,
  });
  const providerEvents = createProviderEvents({ db: database.db, clock, transactions, createReversal });
  return { report: providerEvents.handle, close: () => database.close() };
}

/** A payment event for the whole amount of a valid transaction, by the sandbox provider. */
export function paymentOf(
  gateway: TestGateway,
  transactionId: string,
  changes: Partial<ProviderEvent> = {},
): ProviderEvent {
  return {
    provider: 'sandbox',
    eventId: `E${randomUUID()}`,
    sellerId: gateway.demo.seller.id,
    transactionId,
    event: { kind: 'PAYMENT', amount: 1500, paidAt: new Date() },
    occurredAt: new Date(),
    ...changes,
  };
}
