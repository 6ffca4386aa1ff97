import { Type, type Static } from 'typebox';

import type { Dispute } from '#payments/disputes/dispute.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { HttpError } from '#platform/http/errors.ts';
import { remainingAmount } from '#payments/transactions/decisions.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import type { ProviderContext } from '#providers/adapter.ts';
import { centsOf, parseAs, type Devolucao } from './messages.ts';
import {
  saveNoticeOutcome,
  findMedEvents,
  insertMedEvent,
  type MedOutcome,
  type MedEvent,
} from './store-med.ts';

/** The members of the DICT's infraction reports and refund requests, as docs/providers.md describes them. */
const Notice = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  endToEndId: Type.String({ pattern: '^[a-zA-Z0-9]{32}$' }),
  reason: Type.String({ minLength: 1, maxLength: 200 }),
  amount: Type.String({ pattern: '^\\d{1,10}\\.\\d{2}$' }),
  deadline: Type.Optional(Type.String({ maxLength: 64 })),
  status: Type.Enum(['OPEN', 'ACKNOWLEDGED', 'CLOSED', 'CANCELLED']),
  analysisResult: Type.Optional(
    Type.Enum(['AGREED', 'DISAGREED', 'TOTALLY_ACCEPTED', 'PARTIALLY_ACCEPTED', 'REJECTED']),
  ),
  refundedAmount: Type.Optional(Type.String({ pattern: '^\\d{1,10}\\.\\d{2}$' })),
});
type Notice = Static<typeof Notice>;

const MAX_ATTEMPTS = 5;

export interface MedHandler {
  /** A request of MED or its outcome, as the PSP posts it. */
  handleNotice(body: unknown): Promise<void>;
  /** Money of a payment that the PSP has taken for MED. */
  handleDevolucao(transaction: Transaction, endToEndId: string, devolucao: Devolucao): Promise<void>;
}

/** A write that belongs to a change of a dispute; on its own where the change is already committed. */
type DisputeHook = (db: Db, dispute: Dispute) => Promise<void>;

/** Told before, or by another process at the same time: nothing is left to do. */
class AlreadyProcessedError extends Error {}

/** A dispute changed between the look at it and this; what was told is looked at anew. */
class ConcurrentChangeError extends Error {}

/**
 * MED, by which a payer claims a payment back: a notice opens a dispute, its outcome ends it, and money that the PSP takes is
 * booked as lost, with a notice or without one. Each is taken once by the provider's own id, in whatever order they come.
 */
export function createMedHandler(
  name: string,
  context: ProviderContext,
  findTransactionByEndToEndId: (endToEndId: string) => Promise<Transaction | undefined>,
): MedHandler {
  const { db, clock, log, disputes, transactions, operations, providerEvents } = context;

  /** What cannot be booked is kept for the operator, who must look at it. */
  async function saveUnmatched(
    transaction: Transaction | undefined,
    eventId: string,
    kind: 'MED' | 'MED_RETURN',
    amount: number,
    detail: string,
  ): Promise<void> {
    const claimed = { sellerId: transaction?.sellerId ?? '', id: transaction?.id ?? '' };
    const event = { provider: name, eventId, kind, amount, occurredAt: clock.now() };
    const isNew = await providerEvents.saveUnmatched(claimed, event, detail);
    if (isNew) log.error({ provider: name }, 'what a provider told of MED does not fit its charge');
  }

  /** The same, unless another process has just booked it: that is why it does not fit. */
  async function saveUnmatchedUnlessKnown(
    transaction: Transaction,
    { kind, eventId, amount }: Pick<MedEvent, 'kind' | 'eventId' | 'amount'>,
    detail: string,
    isDone: (event: MedEvent) => boolean = () => true,
  ): Promise<void> {
    const events = await findMedEvents(db, transaction);
    const isKnown = events.some(
      (one) => one.kind === kind && one.provider === name && one.eventId === eventId && isDone(one),
    );
    if (isKnown) throw new AlreadyProcessedError();
    await saveUnmatched(transaction, eventId, kind === 'NOTICE' ? 'MED' : 'MED_RETURN', amount, detail);
  }

  async function resolveDispute(
    dispute: Dispute,
    outcome: 'RESOLVED' | 'REJECTED',
    hook?: DisputeHook,
  ): Promise<void> {
    const ended = await disputes.resolveByProvider(dispute, outcome, { hook });
    if (ended.kind !== 'resolved') throw new ConcurrentChangeError('a dispute moved on');
  }

  /** Before less than it held, or more, is booked as lost. */
  async function releaseHeldAmount(dispute: Dispute): Promise<void> {
    await resolveDispute(dispute, 'RESOLVED');
    failPoint('med.released');
  }

  const eventOf = (transaction: Transaction, kind: MedEvent['kind'], eventId: string, amount: number) => ({
    sellerId: transaction.sellerId,
    provider: name,
    kind,
    eventId,
    transactionId: transaction.id,
    amount,
  });

  const disputeOfFirst = async ([first]: readonly MedEvent[]): Promise<Dispute | undefined> =>
    first === undefined ? undefined : disputeOf(first);

  const disputeOf = async ({ sellerId, disputeId: id }: MedEvent): Promise<Dispute | undefined> =>
    id === null ? undefined : disputes.find({ sellerId, id });

  /** Keeps a report in the transaction of what it does. */
  const insertEventHook =
    (event: Omit<MedEvent, 'disputeId' | 'outcome'>, outcome: MedOutcome | null = null): DisputeHook =>
    async (trx, { id: disputeId }) => {
      const inserted = await insertMedEvent(trx, { ...event, disputeId, outcome }, clock.now());
      if (!inserted) throw new AlreadyProcessedError();
    };

  const saveOutcomeHook =
    (notice: MedEvent, outcome: MedOutcome): DisputeHook =>
    async (trx, { id: disputeId }) => {
      if (!(await saveNoticeOutcome(trx, notice, { outcome, disputeId, now: clock.now() })))
        throw new AlreadyProcessedError();
    };

  /** Money that is gone: a dispute that cannot be appealed any more, which the deadline ends should this process die now. */
  async function recordLoss(
    transaction: Transaction,
    {
      amount,
      reason,
      reference,
    }: { readonly amount: number; readonly reason: string; readonly reference: string },
    hook: DisputeHook,
  ): Promise<boolean> {
    const by = { provider: name, reference, appealUntil: clock.now() };
    const opened = await disputes.open(transaction, { reason, amount, by, hook });
    if (opened.kind !== 'opened') return false;
    failPoint('med.opened');
    // Where somebody else has ended it, the deadline did.
    await disputes.resolveByProvider(opened.dispute, 'REJECTED');
    return true;
  }

  async function openDispute(
    transaction: Transaction,
    notice: Notice,
    debits: readonly MedEvent[],
  ): Promise<void> {
    const requestedAmount = centsOf(notice.amount);
    const bookedDispute = await disputeOfFirst(debits);
    if (bookedDispute !== undefined) {
      // The money was faster than its notice.
      await insertEventHook(eventOf(transaction, 'NOTICE', notice.id, requestedAmount))(db, bookedDispute);
      return;
    }
    const amount = Math.min(requestedAmount, remainingAmount(transaction));
    const event = eventOf(transaction, 'NOTICE', notice.id, requestedAmount);
    const deadline = new Date(notice.deadline ?? '');
    const opened = await disputes.open(transaction, {
      reason: `MED: ${notice.reason}`,
      amount,
      by: {
        provider: name,
        reference: notice.id,
        appealUntil: Number.isNaN(deadline.getTime()) ? null : deadline,
      },
      hook: insertEventHook(event),
    });
    if (opened.kind !== 'opened') {
      await saveUnmatchedUnlessKnown(
        transaction,
        event,
        `a request, and the charge is ${transaction.status}`,
      );
    }
  }

  async function acceptNotice(
    transaction: Transaction,
    notice: Notice,
    known: MedEvent | undefined,
    debits: readonly MedEvent[],
  ): Promise<void> {
    const event = eventOf(transaction, 'NOTICE', notice.id, centsOf(notice.amount));
    const refundedAmount = notice.refundedAmount === undefined ? undefined : centsOf(notice.refundedAmount);
    const dispute = known === undefined ? undefined : await disputeOf(known);
    const hook =
      known === undefined ? insertEventHook(event, 'ACCEPTED') : saveOutcomeHook(known, 'ACCEPTED');
    const bookedDispute = await disputeOfFirst(debits);
    if (bookedDispute !== undefined) {
      // What was taken is booked already, with the notice or without it.
      const sum = debits.reduce((cents, one) => cents + one.amount, 0);
      await hook(db, bookedDispute);
      if (refundedAmount !== undefined && refundedAmount !== sum) {
        await saveUnmatched(
          transaction,
          notice.id,
          'MED',
          refundedAmount,
          `accepted, and ${sum} cents have been taken`,
        );
      }
      return;
    }
    const loss = {
      amount: Math.min(refundedAmount ?? event.amount, remainingAmount(transaction)),
      reference: notice.id,
    };
    if (dispute !== undefined) {
      loss.amount = Math.min(refundedAmount ?? dispute.amount, dispute.amount);
      if (dispute.resolvedAt === null && loss.amount === dispute.amount) {
        await resolveDispute(dispute, 'REJECTED', hook);
        return;
      }
      if (dispute.status === 'REJECTED') {
        // By its deadline, before its outcome was told.
        await hook(db, dispute);
        if (loss.amount === dispute.amount) return;
        const detail = `accepted in part, and ${dispute.amount} cents are lost: settle it by hand`;
        await saveUnmatched(transaction, notice.id, 'MED', loss.amount, detail);
        return;
      }
      // Only a part is lost, or the operator had decided otherwise: all of it is given back, then what is gone is booked.
      if (dispute.resolvedAt === null) await releaseHeldAmount(dispute);
      loss.reference = `${notice.id}/lost`;
    }
    const isRecorded = await recordLoss(transaction, { ...loss, reason: `MED: ${notice.reason}` }, hook);
    if (isRecorded) return;
    const detail = `accepted, and the charge is ${transaction.status}`;
    await saveUnmatchedUnlessKnown(transaction, event, detail, ({ outcome }) => outcome !== null);
  }

  async function denyNotice(
    transaction: Transaction,
    notice: Notice,
    known: MedEvent | undefined,
  ): Promise<void> {
    const requestedAmount = centsOf(notice.amount);
    if (known === undefined) {
      // Denied before it was told of: its notice, should it still come, opens nothing.
      const event = {
        ...eventOf(transaction, 'NOTICE', notice.id, requestedAmount),
        disputeId: null,
        outcome: 'DENIED' as const,
      };
      await insertMedEvent(db, event, clock.now());
      return;
    }
    const dispute = await disputeOf(known);
    if (dispute === undefined) return;
    if (dispute.resolvedAt === null) {
      await resolveDispute(dispute, 'RESOLVED', saveOutcomeHook(known, 'DENIED'));
      return;
    }
    await saveOutcomeHook(known, 'DENIED')(db, dispute);
    if (dispute.status === 'REJECTED') {
      const detail = 'denied, and the dispute is lost: settle it by hand';
      await saveUnmatched(transaction, notice.id, 'MED', dispute.amount, detail);
    }
  }

  async function applyNotice(transaction: Transaction, notice: Notice): Promise<void> {
    const events = await findMedEvents(db, transaction);
    const known = events.find(
      ({ kind, provider, eventId }) => kind === 'NOTICE' && provider === name && eventId === notice.id,
    );
    const outcome = outcomeOf(notice);
    if (known !== undefined && known.outcome !== null) {
      if (outcome === undefined || outcome === known.outcome) return;
      const detail = `told before as ${known.outcome}`;
      await saveUnmatched(transaction, notice.id, 'MED', centsOf(notice.amount), detail);
      return;
    }
    const debits = events.filter(({ kind, provider }) => kind === 'RETURN' && provider === name);
    if (outcome === 'ACCEPTED') await acceptNotice(transaction, notice, known, debits);
    else if (outcome === 'DENIED') await denyNotice(transaction, notice, known);
    else if (known === undefined) await openDispute(transaction, notice, debits);
  }

  async function applyDevolucao(transaction: Transaction, devolucao: Devolucao): Promise<void> {
    const events = await findMedEvents(db, transaction);
    const eventId = devolucao.rtrId ?? devolucao.id;
    const debits = events.filter(({ kind, provider }) => kind === 'RETURN' && provider === name);
    if (debits.some((one) => one.eventId === eventId)) return;
    const amount = centsOf(devolucao.valor);
    const event = eventOf(transaction, 'RETURN', eventId, amount);
    const unresolvedDispute = await disputes.findUnresolved(transaction);
    if (unresolvedDispute?.amount === amount) {
      await resolveDispute(unresolvedDispute, 'REJECTED', insertEventHook(event));
      return;
    }
    for (const notice of events.filter(({ kind }) => kind === 'NOTICE')) {
      const lostDispute = await disputeOf(notice);
      if (lostDispute?.status !== 'REJECTED') continue;
      const takenAmount = debits
        .filter((one) => one.disputeId === lostDispute.id)
        .reduce((sum, one) => sum + one.amount, 0);
      if (takenAmount + amount > lostDispute.amount) continue;
      // Its outcome has booked it; this is the money on its way.
      await insertEventHook(event)(db, lostDispute);
      return;
    }
    // Another amount than is held, or nothing is held at all.
    if (unresolvedDispute !== undefined) await releaseHeldAmount(unresolvedDispute);
    const isRecorded = await recordLoss(
      transaction,
      { amount, reason: `MED: ${devolucao.natureza ?? ''}`, reference: eventId },
      insertEventHook(event),
    );
    if (!isRecorded)
      await saveUnmatchedUnlessKnown(transaction, event, `taken, and the charge is ${transaction.status}`);
  }

  /** Only of the payment that paid the charge: what came beside it was never the seller's. */
  async function isPaidBy(transaction: Transaction, endToEndId: string): Promise<boolean> {
    const source = await operations.findRefundSource(db, transaction);
    return source?.provider === name && source.paymentReference === endToEndId;
  }

  return {
    async handleNotice(body) {
      const notice = parseAs(Notice, body);
      if (notice === undefined) throw new HttpError(400, ['body must be a notice of MED']);
      const transaction = await findTransactionByEndToEndId(notice.endToEndId);
      if (transaction === undefined || !(await isPaidBy(transaction, notice.endToEndId))) {
        const detail = `of a payment that paid no charge: ${notice.endToEndId}`;
        await saveUnmatched(transaction, notice.id, 'MED', centsOf(notice.amount), detail);
        return;
      }
      await retryOnConflict(async () =>
        applyNotice((await transactions.find(transaction)) ?? transaction, notice),
      );
    },

    async handleDevolucao(transaction, endToEndId, devolucao) {
      const current = await transactions.find(transaction);
      if (current === undefined || !(await isPaidBy(current, endToEndId))) {
        const detail = `taken of a payment that paid no charge: ${endToEndId}`;
        const eventId = devolucao.rtrId ?? devolucao.id;
        await saveUnmatched(transaction, eventId, 'MED_RETURN', centsOf(devolucao.valor), detail);
        return;
      }
      await retryOnConflict(async () =>
        applyDevolucao((await transactions.find(transaction)) ?? transaction, devolucao),
      );
    },
  };
}

function outcomeOf({ status, analysisResult }: Notice): MedOutcome | undefined {
  if (status === 'CANCELLED') return 'DENIED';
  if (status !== 'CLOSED') return undefined;
  if (analysisResult === undefined)
    throw new HttpError(400, ['analysisResult is required of what is CLOSED']);
  return analysisResult === 'DISAGREED' || analysisResult === 'REJECTED' ? 'DENIED' : 'ACCEPTED';
}

/** Of several that are told the same at once one does it, and the others find it done. */
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
