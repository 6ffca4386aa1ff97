import type { Transaction } from '#transactions/service.ts';
import type { ProviderDoors } from '../adapter.ts';
import type { MedIntake } from './med.ts';
import { centsOf, type Devolucao, type Pix } from './messages.ts';
import { devolucaoIdOf, wordOf } from './refunds.ts';

export interface Intake {
  /** Takes what the PSP tells of one PIX: the payment, and what of it went back. Told again it changes nothing. */
  take(pix: Pix): Promise<void>;
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
    log.error({ provider: name }, 'a provider returned a payment that nobody here ordered back');
    const claimed = { sellerId: charge?.sellerId ?? '', id: charge?.id ?? pix.txid ?? '' };
    await transactions.keepUnmatched(
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
  }

  return {
    async take(pix) {
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
    },
  };
}

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
