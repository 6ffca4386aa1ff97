import type { EventDetail } from '#payments/provider-events/details.ts';
import { ValidationError } from '#platform/http/errors.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import { AlreadyProcessedError, ConcurrentChangeError, saveUnmatched, type MedDeps } from './med-booking.ts';
import { applyDebit, debitIdOf } from './med-debits.ts';
import { applyNotice, Notice } from './med-notices.ts';
import { centsOf, parseAs, type Devolucao } from './messages.ts';

const MAX_ATTEMPTS = 5;

export interface MedHandlerDeps extends MedDeps {
  readonly findTransactionByEndToEndId: (endToEndId: string) => Promise<Transaction | undefined>;
}

export type MedHandler = ReturnType<typeof createMedHandler>;

/**
 * MED, the Central Bank's mechanism by which a payer claims a payment back. A notice opens a
 * dispute, its outcome ends it, and money that the PSP debits is booked as lost, with or without a
 * notice. Each event is applied once by the provider's id, in any order.
 */
export function createMedHandler(deps: MedHandlerDeps) {
  return bindDeps(deps, { handleNotice, handleDebit });
}

/** Handles a request of MED or its outcome, as the PSP posts it. */
async function handleNotice(deps: MedHandlerDeps, body: unknown): Promise<void> {
  const notice = parseAs(Notice, body);
  if (notice === undefined) throw new ValidationError([{ path: ['body'], rule: 'must be a MED notice' }]);
  const transaction = await deps.findTransactionByEndToEndId(notice.endToEndId);
  if (transaction === undefined || !(await isPaidBy(deps, transaction, notice.endToEndId))) {
    const event = { kind: 'NOTICE', eventId: notice.id, amount: centsOf(notice.amount) } as const;
    const detail: EventDetail = `the payment belongs to no transaction: ${notice.endToEndId}`;
    return saveUnmatched(deps, transaction, event, detail);
  }
  await retryOnConflict(async () =>
    applyNotice(deps, (await deps.transactions.find(transaction)) ?? transaction, notice),
  );
}

/** Handles money of a payment that the PSP has debited by MED. */
async function handleDebit(
  deps: MedHandlerDeps,
  transaction: Transaction,
  endToEndId: string,
  devolucao: Devolucao,
): Promise<void> {
  const current = await deps.transactions.find(transaction);
  if (current === undefined || !(await isPaidBy(deps, current, endToEndId))) {
    const event = {
      kind: 'RETURN',
      eventId: debitIdOf(devolucao),
      amount: centsOf(devolucao.valor),
    } as const;
    const detail: EventDetail = `debited, but the payment belongs to no transaction: ${endToEndId}`;
    return saveUnmatched(deps, transaction, event, detail);
  }
  await retryOnConflict(async () =>
    applyDebit(deps, (await deps.transactions.find(transaction)) ?? transaction, devolucao),
  );
}

/** Whether this payment paid the transaction. Any other payment was never the seller's money. */
async function isPaidBy(
  { db, name, operations }: MedDeps,
  transaction: Transaction,
  endToEndId: string,
): Promise<boolean> {
  const source = await operations.findRefundSource(db, transaction);
  return source?.provider === name && source.paymentReference === endToEndId;
}

/** Retries work that read a stale dispute. One of several concurrent calls applies an event. */
async function retryOnConflict(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AlreadyProcessedError) return undefined;
      if (!(error instanceof ConcurrentChangeError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
