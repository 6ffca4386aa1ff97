import { createHash } from 'node:crypto';

import { Type } from 'typebox';

import type { Transaction } from '#payments/transactions/service.ts';
import type { ProviderContext } from '#providers/adapter.ts';
import type { MedHandler } from './med.ts';
import { centsOf, Pix, parseAs, type Devolucao } from './messages.ts';
import { devolucaoIdOf, outcomeOfDevolucao } from './refunds.ts';

const CONCURRENT_ITEMS = 8;

export interface PixPaymentHandler {
  /**
   * Takes what the PSP tells of payments: each, and what of it went back. Told again it changes nothing. Where one cannot be
   * taken now it throws, after the others are.
   */
  handleAll(items: readonly unknown[]): Promise<void>;
}

/** The charge behind a txid of ours. */
export async function findTransactionByTxid(
  { transactions }: Pick<ProviderContext, 'transactions'>,
  txid: string | undefined,
): Promise<Transaction | undefined> {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(txid ?? '');
  return parts === null ? undefined : transactions.findById(parts.slice(1).join('-').toLowerCase());
}

/** Brings what a PSP tells of payments to the doors they belong to, whether it was called back or read from a list. */
export function createPixPaymentHandler(
  name: string,
  context: ProviderContext,
  medHandler: MedHandler,
): PixPaymentHandler {
  const { providerEvents, operations, reversals, clock, log } = context;

  async function handleDevolucao(
    pix: Pix,
    transaction: Transaction | undefined,
    devolucao: Devolucao,
  ): Promise<void> {
    const outcome = outcomeOfDevolucao(devolucao);
    // What the PSP still works on is no news; its end will be told.
    if (outcome.kind !== 'done' && outcome.kind !== 'refused') return;
    if (transaction !== undefined && isMed(devolucao)) {
      if (outcome.kind === 'done') await medHandler.handleDevolucao(transaction, pix.endToEndId, devolucao);
      return;
    }
    if (transaction !== undefined) {
      const candidates = await operations.listByTransaction(transaction);
      const operation = candidates.find(
        (one) => one.kind === 'REFUND' && one.provider === name && devolucaoIdOf(one.id) === devolucao.id,
      );
      if (operation !== undefined) {
        await operations.complete(operation, outcome);
        return;
      }
      // Money that was never the seller's: whoever sends it back asks until it is settled.
      const filter = { ...ANY_REVERSAL, transactionId: transaction.id };
      const { items: found } = await reversals.list(filter, { take: 100, skip: 0, after: undefined });
      if (found.some(({ id }) => devolucaoIdOf(id) === devolucao.id)) return;
    }
    if (outcome.kind === 'refused') return;
    const claimed = { sellerId: transaction?.sellerId ?? '', id: transaction?.id ?? pix.txid ?? '' };
    const isNew = await providerEvents.saveUnmatched(
      claimed,
      {
        provider: name,
        eventId: devolucao.rtrId ?? `${pix.endToEndId}/${devolucao.id}`,
        kind: 'REFUND',
        amount: centsOf(devolucao.valor),
        occurredAt: clock.now(),
      },
      'returned at the provider, by no order of this gateway',
    );
    if (isNew) log.error({ provider: name }, 'a provider returned a payment that nobody here ordered back');
  }

  /** Nothing that may be money is thrown away because of its form; neither may it keep the others back. */
  async function saveMalformed(item: unknown): Promise<void> {
    const endToEndId = parseAs(Identified, item)?.endToEndId;
    const isNew = await providerEvents.saveUnmatched(
      { sellerId: '', id: '' },
      {
        provider: name,
        eventId: endToEndId ?? createHash('sha256').update(JSON.stringify(item)).digest('hex'),
        kind: 'PAYMENT',
        amount: null,
        occurredAt: clock.now(),
      },
      'in a form that is not known: ask the provider what it is',
    );
    if (isNew) log.error({ provider: name }, 'a provider told of a payment in a form that is not known');
  }

  async function handlePayment(pix: Pix): Promise<void> {
    const transaction = await findTransactionByTxid(context, pix.txid);
    const paidAt = timeOf(pix.horario) ?? clock.now();
    await providerEvents.handle({
      provider: name,
      eventId: pix.endToEndId,
      sellerId: transaction?.sellerId ?? '',
      transactionId: transaction?.id ?? pix.txid ?? '',
      event: { kind: 'PAYMENT', amount: centsOf(pix.valor), paidAt },
      occurredAt: paidAt,
    });
    for (const devolucao of [pix.devolucoes ?? []].flat()) await handleDevolucao(pix, transaction, devolucao);
  }

  return {
    async handleAll(items) {
      // A few at a time: callers of the API must find room in the pool beside them.
      const failures: unknown[] = [];
      for (let at = 0; at < items.length; at += CONCURRENT_ITEMS) {
        const chunk = items.slice(at, at + CONCURRENT_ITEMS).map(async (item) => {
          const pix = parseAs(Pix, item);
          return pix === undefined ? saveMalformed(item) : handlePayment(pix);
        });
        const results = await Promise.allSettled(chunk);
        failures.push(...results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

const Identified = Type.Object({ endToEndId: Type.String({ minLength: 1, maxLength: 64 }) });

const ANY_REVERSAL = {
  status: undefined,
  reason: undefined,
  provider: undefined,
  sellerId: undefined,
  period: { from: undefined, before: undefined },
};

const isMed = ({ natureza }: Devolucao): boolean => natureza?.startsWith('MED_') === true;

function timeOf(text: string): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
