import { createHash } from 'node:crypto';

import { Type } from 'typebox';

import type { OperationOutcome } from '#payments/operations/completion.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import { runAll } from '#platform/jobs/provider-calls.ts';
import type { ProviderContext } from '#providers/adapter.ts';
import type { MedHandler } from './med.ts';
import { centsOf, payerOf, Pix, parseAs, type Devolucao } from './messages.ts';
import { devolucaoIdOf, outcomeOfDevolucao } from './refunds.ts';

/** Bounds the share of the database pool that one callback or list page uses. */
const CONCURRENT_ITEMS = 8;

export interface PixPaymentDeps extends Pick<
  ProviderContext,
  'clock' | 'log' | 'transactions' | 'operations' | 'reversals' | 'providerEvents'
> {
  /** Name of the provider. */
  readonly name: string;
  readonly medHandler: MedHandler;
}

/** Handles payments that the PSP reports, in a callback or in a list. */
export type PaymentsHandler = (items: readonly unknown[]) => Promise<void>;

/** Finds the transaction of one of our txids. */
export async function findTransactionByTxid(
  { transactions }: Pick<ProviderContext, 'transactions'>,
  txid: string | undefined,
): Promise<Transaction | undefined> {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i.exec(txid ?? '');
  return parts === null ? undefined : transactions.findById(parts.slice(1).join('-').toLowerCase());
}

/**
 * Calls `handle` for each item of a callback or a list, a few at once.
 *
 * @throws the first failure, after all other items are handled.
 */
export async function handleEach<Item>(
  items: readonly Item[],
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (let start = 0; start < items.length; start += CONCURRENT_ITEMS) {
    const chunk = items.slice(start, start + CONCURRENT_ITEMS);
    await runAll(chunk, handle).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Calls `handle` for each payment, like `handleEach`. Malformed ones are stored for the operator. */
export function forEachPayment(
  deps: PixPaymentDeps,
  items: readonly unknown[],
  handle: (pix: Pix) => Promise<void>,
): Promise<void> {
  return handleEach(items, async (item) => {
    const pix = parseAs(Pix, item);
    await (pix === undefined ? saveMalformed(deps, item) : handle(pix));
  });
}

/** Applies a payment of the PSP, with its refunds. A repeated one changes nothing. */
export async function applyPayment(deps: PixPaymentDeps, pix: Pix): Promise<void> {
  const transaction = await findTransactionByTxid(deps, pix.txid);
  const paidAt = paymentTimeOf(deps, pix);
  await deps.providerEvents.handle({
    provider: deps.name,
    eventId: pix.endToEndId,
    sellerId: transaction?.sellerId ?? '',
    transactionId: transaction?.id ?? pix.txid ?? '',
    event: { kind: 'PAYMENT', amount: centsOf(pix.valor), paidAt },
    occurredAt: paidAt,
    payer: payerOf(pix),
  });
  for (const devolucao of [pix.devolucoes ?? []].flat()) {
    await handleDevolucao(deps, pix, transaction, devolucao);
  }
}

/** Stores a malformed payment, which may be money, for the operator. */
async function saveMalformed(
  { name, clock, log, providerEvents }: PixPaymentDeps,
  item: unknown,
): Promise<void> {
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
    'unknown format: ask the provider',
  );
  if (isNew) log.error({ provider: name }, 'provider reported a malformed payment');
}

/** Handles a refund: by MED, by an operation, by a reversal, or unknown to the gateway. */
async function handleDevolucao(
  deps: PixPaymentDeps,
  pix: Pix,
  transaction: Transaction | undefined,
  devolucao: Devolucao,
): Promise<void> {
  const outcome = outcomeOfDevolucao(devolucao);
  // The PSP reports a pending refund again once it has an outcome.
  if (outcome.kind !== 'done' && outcome.kind !== 'refused') return;
  if (transaction !== undefined && isMed(devolucao)) {
    if (outcome.kind === 'done') await deps.medHandler.handleDebit(transaction, pix.endToEndId, devolucao);
    return;
  }
  if (transaction !== undefined) {
    if (await completeRefund(deps, transaction, devolucao, outcome)) return;
    if (await isReversal(deps, transaction, devolucao)) return;
  }
  if (outcome.kind === 'done') await saveUnknownRefund(deps, pix, transaction, devolucao);
}

/** Completes the refund operation with this id and amount; false if there is none. */
async function completeRefund(
  { name, operations }: PixPaymentDeps,
  transaction: Transaction,
  devolucao: Devolucao,
  outcome: OperationOutcome,
): Promise<boolean> {
  const candidates = await operations.listByTransaction(transaction);
  const operation = candidates.find(
    ({ kind, provider, id, amount }) =>
      kind === 'REFUND' &&
      provider === name &&
      devolucaoIdOf(id) === devolucao.id &&
      amount === centsOf(devolucao.valor),
  );
  if (operation === undefined) return false;
  await operations.complete(operation, outcome);
  return true;
}

/** Whether the refund is a reversal, whose outcome the reversal itself polls. */
async function isReversal(
  { reversals }: PixPaymentDeps,
  transaction: Transaction,
  devolucao: Devolucao,
): Promise<boolean> {
  const filter = { ...ANY_REVERSAL, transactionId: transaction.id };
  const { items } = await reversals.list(filter, { take: 100, skip: 0, after: undefined });
  return items.some(({ id }) => devolucaoIdOf(id) === devolucao.id);
}

async function saveUnknownRefund(
  { name, clock, log, providerEvents }: PixPaymentDeps,
  pix: Pix,
  transaction: Transaction | undefined,
  devolucao: Devolucao,
): Promise<void> {
  const isNew = await providerEvents.saveUnmatched(
    { sellerId: transaction?.sellerId ?? '', id: transaction?.id ?? pix.txid ?? '' },
    {
      provider: name,
      eventId: devolucao.rtrId ?? `${pix.endToEndId}/${devolucao.id}`,
      kind: 'REFUND',
      amount: centsOf(devolucao.valor),
      occurredAt: clock.now(),
    },
    'refunded at the provider, not requested by this gateway',
  );
  if (isNew) log.error({ provider: name }, 'provider refunded a payment that the gateway did not refund');
}

const Identified = Type.Pick(Pix, ['endToEndId']);

const ANY_REVERSAL = {
  status: undefined,
  reason: undefined,
  provider: undefined,
  sellerId: undefined,
  period: { from: undefined, before: undefined },
};

const isMed = ({ natureza }: Devolucao): boolean => natureza?.startsWith('MED_') === true;

/** When it was paid; now if the PSP states no valid time. PostgreSQL has no year before 4713 BC. */
export function paymentTimeOf({ clock }: Pick<PixPaymentDeps, 'clock'>, { horario }: Pix): Date {
  const time = new Date(horario);
  return Number.isNaN(time.getTime()) || !/^\d{4}-/.test(horario) ? clock.now() : time;
}
