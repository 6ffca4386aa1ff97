import { Type, type Static } from 'typebox';

import type { Alongside, Dispute } from '#disputes/service.ts';
import { HttpError } from '#http/errors.ts';
import { leftOf } from '#transactions/decisions.ts';
import type { Transaction } from '#transactions/service.ts';
import type { ProviderDoors } from '../adapter.ts';
import { centsOf, shaped, type Devolucao } from './messages.ts';
import { endNotice, findMedReports, insertMedReport, type MedOutcome, type MedReport } from './store-med.ts';

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

export interface MedIntake {
  /** A request of MED or its outcome, as the PSP posts it. */
  take(body: unknown): Promise<void>;
  /** Money of a payment that the PSP has taken for MED. */
  returned(charge: Transaction, endToEndId: string, devolucao: Devolucao): Promise<void>;
}

/** Told before, or by another process at the same time: nothing is left to do. */
class KnownReport extends Error {}

/**
 * MED, by which a payer claims a payment back: a notice opens a dispute, its outcome ends it, and money that the PSP takes is
 * booked as lost, with a notice or without one. Each is taken once by the provider's own id, in whatever order they come.
 */
export function createMedIntake(
  name: string,
  doors: ProviderDoors,
  chargeOfPayment: (endToEndId: string) => Promise<Transaction | undefined>,
): MedIntake {
  const { db, clock, log, disputes, transactions, followUps } = doors;

  /** What cannot be booked is kept for the operator, who must look at it. */
  async function putAside(
    charge: Transaction | undefined,
    reportId: string,
    kind: 'MED' | 'MED_RETURN',
    amount: number,
    why: string,
  ): Promise<void> {
    log.error({ provider: name, why }, 'what a provider told of MED does not fit its charge');
    const claimed = { sellerId: charge?.sellerId ?? '', id: charge?.id ?? '' };
    const report = { provider: name, reportId, kind, amount, occurredAt: clock.now() };
    await transactions.keepUnmatched(claimed, report, why);
  }

  const reportOf = (charge: Transaction, kind: MedReport['kind'], reportId: string, amount: number) => ({
    sellerId: charge.sellerId,
    provider: name,
    kind,
    reportId,
    transactionId: charge.id,
    amount,
  });

  const disputeOf = async ({ sellerId, disputeId: id }: MedReport): Promise<Dispute | undefined> =>
    id === null ? undefined : disputes.find({ sellerId, id });

  /** Keeps a report in the transaction of what it does. */
  const keeping =
    (report: Omit<MedReport, 'disputeId' | 'outcome'>, outcome: MedOutcome | null = null): Alongside =>
    async (within, { id: disputeId }) => {
      const kept = await insertMedReport(within, { ...report, disputeId, outcome }, clock.now());
      if (!kept) throw new KnownReport();
    };

  const ending =
    (notice: MedReport, outcome: MedOutcome): Alongside =>
    async (within, { id: disputeId }) => {
      if (!(await endNotice(within, notice, { outcome, disputeId, now: clock.now() })))
        throw new KnownReport();
    };

  /** Money that is gone: a dispute that cannot be appealed any more, which the deadline ends should this process die now. */
  async function lose(
    charge: Transaction,
    {
      amount,
      reason,
      reference,
    }: { readonly amount: number; readonly reason: string; readonly reference: string },
    alongside: Alongside,
  ): Promise<boolean> {
    const by = { provider: name, reference, appealUntil: clock.now() };
    const opened = await disputes.open(charge, { reason, amount, by, alongside });
    if (opened.kind !== 'opened') return false;
    await disputes.resolveByProvider(opened.dispute, 'REJECTED');
    return true;
  }

  async function open(charge: Transaction, notice: Notice): Promise<void> {
    const asked = centsOf(notice.amount);
    const amount = Math.min(asked, leftOf(charge));
    const report = reportOf(charge, 'NOTICE', notice.id, asked);
    const until = new Date(notice.deadline ?? '');
    const opened = await disputes.open(charge, {
      reason: `MED: ${notice.reason}`,
      amount,
      by: {
        provider: name,
        reference: notice.id,
        appealUntil: Number.isNaN(until.getTime()) ? null : until,
      },
      alongside: keeping(report),
    });
    if (opened.kind !== 'opened') await putAside(charge, notice.id, 'MED', asked, opened.result.kind);
  }

  async function accept(charge: Transaction, notice: Notice, known: MedReport | undefined): Promise<void> {
    const asked = centsOf(notice.amount);
    const told = notice.refundedAmount === undefined ? undefined : centsOf(notice.refundedAmount);
    const dispute = known === undefined ? undefined : await disputeOf(known);
    if (known === undefined || dispute === undefined) {
      const amount = Math.min(told ?? asked, leftOf(charge));
      const report = reportOf(charge, 'NOTICE', notice.id, asked);
      const alongside = known === undefined ? keeping(report, 'ACCEPTED') : ending(known, 'ACCEPTED');
      const lost = await lose(
        charge,
        { amount, reason: `MED: ${notice.reason}`, reference: notice.id },
        alongside,
      );
      if (!lost)
        await putAside(charge, notice.id, 'MED', asked, `accepted, and the charge is ${charge.status}`);
      return;
    }
    const amount = Math.min(told ?? dispute.amount, dispute.amount);
    const ended = dispute.resolvedAt !== null;
    if (!ended && amount === dispute.amount) {
      await disputes.resolveByProvider(dispute, 'REJECTED', undefined, ending(known, 'ACCEPTED'));
      return;
    }
    if (ended && dispute.status === 'REJECTED') {
      // By the deadline, or by the money that was taken before its outcome was told.
      await ending(known, 'ACCEPTED')(db, dispute);
      if (amount !== dispute.amount) {
        await putAside(
          charge,
          notice.id,
          'MED',
          amount,
          `accepted in part, and ${dispute.amount} cents are lost`,
        );
      }
      return;
    }
    // Only a part is lost, or the operator had decided otherwise: all of it is given back first, then what is gone is booked.
    if (!ended) await disputes.resolveByProvider(dispute, 'RESOLVED');
    const lost = await lose(
      charge,
      { amount, reason: dispute.reason, reference: `${notice.id}/lost` },
      ending(known, 'ACCEPTED'),
    );
    if (!lost)
      await putAside(charge, notice.id, 'MED', amount, `accepted, and the charge is ${charge.status}`);
  }

  async function deny(charge: Transaction, notice: Notice, known: MedReport | undefined): Promise<void> {
    const asked = centsOf(notice.amount);
    if (known === undefined) {
      // Denied before it was told of: its notice, should it still come, opens nothing.
      const report = {
        ...reportOf(charge, 'NOTICE', notice.id, asked),
        disputeId: null,
        outcome: 'DENIED' as const,
      };
      await insertMedReport(db, report, clock.now());
      return;
    }
    const dispute = await disputeOf(known);
    if (dispute === undefined) return;
    if (dispute.resolvedAt === null) {
      await disputes.resolveByProvider(dispute, 'RESOLVED', undefined, ending(known, 'DENIED'));
      return;
    }
    await ending(known, 'DENIED')(db, dispute);
    if (dispute.status === 'REJECTED') {
      await putAside(
        charge,
        notice.id,
        'MED',
        dispute.amount,
        'denied, and the dispute is lost: settle it by hand',
      );
    }
  }

  async function takeNotice(charge: Transaction, notice: Notice): Promise<void> {
    const reports = await findMedReports(db, charge);
    const known = reports.find(
      ({ kind, provider, reportId }) => kind === 'NOTICE' && provider === name && reportId === notice.id,
    );
    const outcome = outcomeOf(notice);
    if (known !== undefined && known.outcome !== null) {
      if (outcome === undefined || outcome === known.outcome) return;
      const why = `told before as ${known.outcome}`;
      await putAside(charge, notice.id, 'MED', centsOf(notice.amount), why);
      return;
    }
    if (outcome === 'ACCEPTED') await accept(charge, notice, known);
    else if (outcome === 'DENIED') await deny(charge, notice, known);
    else if (known === undefined) await open(charge, notice);
  }

  async function takeReturn(charge: Transaction, devolucao: Devolucao): Promise<void> {
    const reports = await findMedReports(db, charge);
    const reportId = devolucao.rtrId ?? devolucao.id;
    const returns = reports.filter(({ kind, provider }) => kind === 'RETURN' && provider === name);
    if (returns.some((one) => one.reportId === reportId)) return;
    const amount = centsOf(devolucao.valor);
    const report = reportOf(charge, 'RETURN', reportId, amount);
    const open = await disputes.unresolvedOf(charge.sellerId, charge.id);
    if (open?.amount === amount) {
      await disputes.resolveByProvider(open, 'REJECTED', undefined, keeping(report));
      return;
    }
    for (const notice of reports.filter(({ kind }) => kind === 'NOTICE')) {
      const lost = await disputeOf(notice);
      if (lost?.status !== 'REJECTED') continue;
      const taken = returns
        .filter((one) => one.disputeId === lost.id)
        .reduce((sum, one) => sum + one.amount, 0);
      if (taken + amount > lost.amount) continue;
      // Its outcome has booked it; this is the money on its way.
      await keeping(report)(db, lost);
      return;
    }
    // Another amount than is held, or nothing is held at all.
    if (open !== undefined) await disputes.resolveByProvider(open, 'RESOLVED');
    const lost = await lose(
      charge,
      { amount, reason: `MED: ${devolucao.natureza ?? ''}`, reference: reportId },
      keeping(report),
    );
    if (!lost)
      await putAside(charge, reportId, 'MED_RETURN', amount, `taken, and the charge is ${charge.status}`);
  }

  /** Only of the payment that paid the charge: what came beside it was never the seller's. */
  async function isPaidBy(charge: Transaction, endToEndId: string): Promise<boolean> {
    const source = await followUps.refundSource(db, charge);
    return source?.provider === name && source.paymentReference === endToEndId;
  }

  return {
    async take(body) {
      const notice = shaped(Notice, body);
      if (notice === undefined) throw new HttpError(400, ['body must be a notice of MED']);
      const charge = await chargeOfPayment(notice.endToEndId);
      if (charge === undefined || !(await isPaidBy(charge, notice.endToEndId))) {
        const why = `of a payment that paid no charge: ${notice.endToEndId}`;
        await putAside(charge, notice.id, 'MED', centsOf(notice.amount), why);
        return;
      }
      await orKnown(takeNotice(charge, notice));
    },

    async returned(charge, endToEndId, devolucao) {
      const now = await transactions.find(charge);
      if (now === undefined || !(await isPaidBy(now, endToEndId))) {
        const why = `taken of a payment that paid no charge: ${endToEndId}`;
        const reportId = devolucao.rtrId ?? devolucao.id;
        await putAside(charge, reportId, 'MED_RETURN', centsOf(devolucao.valor), why);
        return;
      }
      await orKnown(takeReturn(now, devolucao));
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

async function orKnown(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof KnownReport)) throw error;
  }
}
