import { Type, type Static } from 'typebox';

import type { Alongside, Dispute } from '#payments/disputes/service.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { HttpError } from '#platform/http/errors.ts';
import { leftOf } from '#payments/transactions/decisions.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import type { ProviderDoors } from '#providers/adapter.ts';
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

const MOST_ATTEMPTS = 5;

export interface MedIntake {
  /** A request of MED or its outcome, as the PSP posts it. */
  take(body: unknown): Promise<void>;
  /** Money of a payment that the PSP has taken for MED. */
  returned(charge: Transaction, endToEndId: string, devolucao: Devolucao): Promise<void>;
}

/** Told before, or by another process at the same time: nothing is left to do. */
class KnownReport extends Error {}

/** A dispute changed between the look at it and this; what was told is looked at anew. */
class Moved extends Error {}

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
    const claimed = { sellerId: charge?.sellerId ?? '', id: charge?.id ?? '' };
    const report = { provider: name, reportId, kind, amount, occurredAt: clock.now() };
    const isNew = await transactions.keepUnmatched(claimed, report, why);
    if (isNew) log.error({ provider: name }, 'what a provider told of MED does not fit its charge');
  }

  /** The same, unless another process has just booked it: that is why it does not fit. */
  async function putAsideUnlessKnown(
    charge: Transaction,
    { kind, reportId, amount }: Pick<MedReport, 'kind' | 'reportId' | 'amount'>,
    why: string,
    isDone: (report: MedReport) => boolean = () => true,
  ): Promise<void> {
    const reports = await findMedReports(db, charge);
    const isKnown = reports.some(
      (one) => one.kind === kind && one.provider === name && one.reportId === reportId && isDone(one),
    );
    if (isKnown) throw new KnownReport();
    await putAside(charge, reportId, kind === 'NOTICE' ? 'MED' : 'MED_RETURN', amount, why);
  }

  async function end(
    dispute: Dispute,
    outcome: 'RESOLVED' | 'REJECTED',
    alongside?: Alongside,
  ): Promise<void> {
    const ended = await disputes.resolveByProvider(dispute, outcome, undefined, alongside);
    if (ended.kind !== 'resolved') throw new Moved('a dispute moved on');
  }

  /** Before less than it held, or more, is booked as lost. */
  async function giveBack(dispute: Dispute): Promise<void> {
    await end(dispute, 'RESOLVED');
    failPoint('med.given-back');
  }

  const reportOf = (charge: Transaction, kind: MedReport['kind'], reportId: string, amount: number) => ({
    sellerId: charge.sellerId,
    provider: name,
    kind,
    reportId,
    transactionId: charge.id,
    amount,
  });

  const disputeOfAny = async ([first]: readonly MedReport[]): Promise<Dispute | undefined> =>
    first === undefined ? undefined : disputeOf(first);

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
    failPoint('med.opened');
    // Where somebody else has ended it, the deadline did.
    await disputes.resolveByProvider(opened.dispute, 'REJECTED');
    return true;
  }

  async function open(charge: Transaction, notice: Notice, taken: readonly MedReport[]): Promise<void> {
    const asked = centsOf(notice.amount);
    const booked = await disputeOfAny(taken);
    if (booked !== undefined) {
      // The money was faster than its notice.
      await keeping(reportOf(charge, 'NOTICE', notice.id, asked))(db, booked);
      return;
    }
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
    if (opened.kind !== 'opened') {
      await putAsideUnlessKnown(charge, report, `a request, and the charge is ${charge.status}`);
    }
  }

  async function accept(
    charge: Transaction,
    notice: Notice,
    known: MedReport | undefined,
    taken: readonly MedReport[],
  ): Promise<void> {
    const report = reportOf(charge, 'NOTICE', notice.id, centsOf(notice.amount));
    const told = notice.refundedAmount === undefined ? undefined : centsOf(notice.refundedAmount);
    const dispute = known === undefined ? undefined : await disputeOf(known);
    const alongside = known === undefined ? keeping(report, 'ACCEPTED') : ending(known, 'ACCEPTED');
    const booked = await disputeOfAny(taken);
    if (booked !== undefined) {
      // What was taken is booked already, with the notice or without it.
      const sum = taken.reduce((cents, one) => cents + one.amount, 0);
      await alongside(db, booked);
      if (told !== undefined && told !== sum) {
        await putAside(charge, notice.id, 'MED', told, `accepted, and ${sum} cents have been taken`);
      }
      return;
    }
    const wanted = { amount: Math.min(told ?? report.amount, leftOf(charge)), reference: notice.id };
    if (dispute !== undefined) {
      wanted.amount = Math.min(told ?? dispute.amount, dispute.amount);
      if (dispute.resolvedAt === null && wanted.amount === dispute.amount) {
        await end(dispute, 'REJECTED', alongside);
        return;
      }
      if (dispute.status === 'REJECTED') {
        // By its deadline, before its outcome was told.
        await alongside(db, dispute);
        if (wanted.amount === dispute.amount) return;
        const why = `accepted in part, and ${dispute.amount} cents are lost: settle it by hand`;
        await putAside(charge, notice.id, 'MED', wanted.amount, why);
        return;
      }
      // Only a part is lost, or the operator had decided otherwise: all of it is given back, then what is gone is booked.
      if (dispute.resolvedAt === null) await giveBack(dispute);
      wanted.reference = `${notice.id}/lost`;
    }
    const lost = await lose(charge, { ...wanted, reason: `MED: ${notice.reason}` }, alongside);
    if (lost) return;
    const why = `accepted, and the charge is ${charge.status}`;
    await putAsideUnlessKnown(charge, report, why, ({ outcome }) => outcome !== null);
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
      await end(dispute, 'RESOLVED', ending(known, 'DENIED'));
      return;
    }
    await ending(known, 'DENIED')(db, dispute);
    if (dispute.status === 'REJECTED') {
      const why = 'denied, and the dispute is lost: settle it by hand';
      await putAside(charge, notice.id, 'MED', dispute.amount, why);
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
    const taken = reports.filter(({ kind, provider }) => kind === 'RETURN' && provider === name);
    if (outcome === 'ACCEPTED') await accept(charge, notice, known, taken);
    else if (outcome === 'DENIED') await deny(charge, notice, known);
    else if (known === undefined) await open(charge, notice, taken);
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
      await end(open, 'REJECTED', keeping(report));
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
    if (open !== undefined) await giveBack(open);
    const lost = await lose(
      charge,
      { amount, reason: `MED: ${devolucao.natureza ?? ''}`, reference: reportId },
      keeping(report),
    );
    if (!lost) await putAsideUnlessKnown(charge, report, `taken, and the charge is ${charge.status}`);
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
      await settled(async () => takeNotice((await transactions.find(charge)) ?? charge, notice));
    },

    async returned(charge, endToEndId, devolucao) {
      const now = await transactions.find(charge);
      if (now === undefined || !(await isPaidBy(now, endToEndId))) {
        const why = `taken of a payment that paid no charge: ${endToEndId}`;
        const reportId = devolucao.rtrId ?? devolucao.id;
        await putAside(charge, reportId, 'MED_RETURN', centsOf(devolucao.valor), why);
        return;
      }
      await settled(async () => takeReturn((await transactions.find(charge)) ?? charge, devolucao));
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
async function settled(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof KnownReport) return undefined;
      if (!(error instanceof Moved) || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
