import { createHash } from 'node:crypto';

import { Type } from 'typebox';

import type { Transaction } from '#payments/transactions/service.ts';
import type { ProviderDoors } from '#providers/adapter.ts';
import type { MedIntake } from './med.ts';
import { centsOf, Pix, shaped, type Devolucao } from './messages.ts';
import { devolucaoIdOf, wordOf } from './refunds.ts';

const AT_ONCE = 8;

export interface Intake {
  /**
   * Takes what the PSP tells of payments: each, and what of it went back. Told again it changes nothing. Where one cannot be
   * taken now it throws, after the others are.
   */
  takeAll(items: readonly unknown[]): Promise<void>;
}

/** The charge behind a txid of ours. */
export async function chargeOf(
  { transactions }: Pick<ProviderDoors, 'transactions'>,
  txid: string | undefined,
): Promise<Transaction | undefined> {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(txid ?? '');
  return parts === null ? undefined : transactions.payable(parts.slice(1).join('-').toLowerCase());
}

/** Brings what a PSP tells of payments to the doors they belong to, whether it was called back or read from a list. */
export function createIntake(name: string, doors: ProviderDoors, med: MedIntake): Intake {
  const { transactions, followUps, returns, report, clock, log } = doors;

  async function takeReturn(pix: Pix, charge: Transaction | undefined, devolucao: Devolucao): Promise<void> {
    const word = wordOf(devolucao);
    // What the PSP still works on is no news; its end will be told.
    if (word.kind !== 'done' && word.kind !== 'refused') return;
    if (charge !== undefined && isMed(devolucao)) {
      if (word.kind === 'done') await med.returned(charge, pix.endToEndId, devolucao);
      return;
    }
    if (charge !== undefined) {
      const orders = await followUps.ordersOf(charge);
      const order = orders.find(
        (one) => one.kind === 'REFUND' && one.provider === name && devolucaoIdOf(one.id) === devolucao.id,
      );
      if (order !== undefined) {
        await followUps.end(order, word);
        return;
      }
      // Money that was never the seller's: whoever sends it back asks until it is settled.
      const filter = { ...ANY_RETURN, transactionId: charge.id };
      const { found } = await returns.list(filter, { take: 100, skip: 0, after: undefined });
      if (found.some(({ id }) => devolucaoIdOf(id) === devolucao.id)) return;
    }
    if (word.kind === 'refused') return;
    const claimed = { sellerId: charge?.sellerId ?? '', id: charge?.id ?? pix.txid ?? '' };
    const isNew = await transactions.keepUnmatched(
      claimed,
      {
        provider: name,
        reportId: devolucao.rtrId ?? `${pix.endToEndId}/${devolucao.id}`,
        kind: 'REFUND',
        amount: centsOf(devolucao.valor),
        occurredAt: clock.now(),
      },
      'returned at the provider, by no order of this gateway',
    );
    if (isNew) log.error({ provider: name }, 'a provider returned a payment that nobody here ordered back');
  }

  /** Nothing that may be money is thrown away because of its form; neither may it keep the others back. */
  async function keepStrange(item: unknown): Promise<void> {
    const told = shaped(Named, item)?.endToEndId;
    const isNew = await transactions.keepUnmatched(
      { sellerId: '', id: '' },
      {
        provider: name,
        reportId: told ?? createHash('sha256').update(JSON.stringify(item)).digest('hex'),
        kind: 'PAYMENT',
        amount: null,
        occurredAt: clock.now(),
      },
      'in a form that is not known: ask the provider what it is',
    );
    if (isNew) log.error({ provider: name }, 'a provider told of a payment in a form that is not known');
  }

  async function take(pix: Pix): Promise<void> {
    const charge = await chargeOf(doors, pix.txid);
    const paidAt = timeOf(pix.horario) ?? clock.now();
    await report({
      provider: name,
      reportId: pix.endToEndId,
      sellerId: charge?.sellerId ?? '',
      transactionId: charge?.id ?? pix.txid ?? '',
      happening: { kind: 'PAYMENT', amount: centsOf(pix.valor), paidAt },
      occurredAt: paidAt,
    });
    for (const devolucao of [pix.devolucoes ?? []].flat()) await takeReturn(pix, charge, devolucao);
  }

  return {
    async takeAll(items) {
      // A few at a time: callers of the API must find room in the pool beside them.
      const failures: unknown[] = [];
      for (let at = 0; at < items.length; at += AT_ONCE) {
        const portion = items.slice(at, at + AT_ONCE).map(async (item) => {
          const pix = shaped(Pix, item);
          return pix === undefined ? keepStrange(item) : take(pix);
        });
        const results = await Promise.allSettled(portion);
        failures.push(...results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

const Named = Type.Object({ endToEndId: Type.String({ minLength: 1, maxLength: 64 }) });

const ANY_RETURN = {
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
