import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { newId } from '#platform/kit/ids.ts';
import { orderReturn } from '#payouts/reversals/service.ts';
import type { Happening } from './decisions.ts';
import type { HappenResult, ReportResult } from './service.ts';
import type { ReportRecord } from './store-change.ts';
import {
  findReport,
  insertUnappliedReport,
  insertUnmatchedReport,
  type KnownReport,
  type UnappliedOutcome,
} from './store-provider-events.ts';
import type { TransactionKey } from './store.ts';
import type { Transaction } from './transaction.ts';

interface ReportingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly find: (key: TransactionKey) => Promise<Transaction | undefined>;
  readonly happen: (
    key: TransactionKey,
    happening: Happening,
    actor: 'PROVIDER',
    report: ReportRecord,
    known?: Transaction,
  ) => Promise<HappenResult>;
}

type Unapplied = Exclude<HappenResult, { readonly kind: 'applied' | 'unknown' }>;

/**
 * Takes providers' reports: applied at most once, kept where they could not be applied, and money that is not the
 * seller's ordered back in the transaction that keeps its report. An id that is known decides nothing anew.
 */
export function createReporting({ db, clock, find, happen }: ReportingDeps) {
  async function keep(
    transaction: Transaction,
    report: ReportRecord,
    result: Unapplied,
  ): Promise<ReportResult> {
    const now = clock.now();
    const outcome = outcomeOf(result, report);
    const detail = outcome === 'LATE' ? TO_BE_RETURNED : describe(result);
    const kept = await db
      .transaction()
      .execute((within) => keepUnapplied(within, transaction, report, { outcome, detail, now }));
    if (kept) {
      failPoint('reports.kept');
      return result;
    }
    const known = await findReport(db, transaction.sellerId, report);
    if (known === undefined) throw new Error('a report is known and not to be found');
    return repeated(transaction, report, result, known);
  }

  /** The report was told before. What it did then stands; told of something else, it is a matter for the operator. */
  async function repeated(
    transaction: Transaction,
    report: ReportRecord,
    result: Unapplied,
    known: KnownReport,
  ): Promise<ReportResult> {
    const same =
      known.recordId === transaction.id && known.kind === report.kind && known.amount === report.amount;
    if (!same) {
      const detail = `told before as ${known.kind} of ${known.recordId}`;
      await insertUnmatchedReport(db, transaction, report, detail, clock.now());
      return result;
    }
    if (known.outcome === 'APPLIED') return { kind: 'repeated', transaction };
    return known.outcome === 'LATE' ? { kind: 'late', transaction } : result;
  }

  async function report(
    key: TransactionKey,
    happening: Happening,
    told: ReportRecord,
    read?: Transaction,
  ): Promise<ReportResult> {
    const result = await happen(key, happening, 'PROVIDER', told, read);
    if (result.kind === 'applied') return result;
    const transaction = result.kind === 'unknown' ? undefined : await find(key);
    if (result.kind === 'unknown' || transaction === undefined) {
      await insertUnmatchedReport(db, key, told, 'no such record', clock.now());
      return { kind: 'unknown' };
    }
    const known = await findReport(db, key.sellerId, told);
    if (known !== undefined) return repeated(transaction, told, result, known);
    return keep(transaction, told, result);
  }

  return {
    report,

    /**
     * Money that came for a charge which has ended or was paid before: its report is kept and it goes back, in the caller's
     * transaction, which holds the charge.
     */
    async returnWithin(within: Db, transaction: Transaction, told: ReportRecord): Promise<void> {
      const ended = transaction.status === 'FAILED' || transaction.status === 'REFUSED';
      const outcome = ended ? 'LATE' : 'DUPLICATE';
      const detail = ended ? TO_BE_RETURNED : `${transaction.status} to PAID`;
      await keepUnapplied(within, transaction, told, { outcome, detail, now: clock.now() });
    },

    /** Keeps for the operator what a provider told that fits nothing we know; false where it was told before. */
    keepUnmatched: (claimed: TransactionKey, told: ReportRecord, detail: string): Promise<boolean> =>
      insertUnmatchedReport(db, claimed, told, detail, clock.now()),
  };
}

const TO_BE_RETURNED = 'to be returned to the payer';

/** Keeps a report that changed nothing and orders its money back, in one transaction; false where the report is known. */
async function keepUnapplied(
  within: Db,
  { sellerId, id: transactionId, method }: Transaction,
  report: ReportRecord,
  { outcome, detail, now }: { outcome: UnappliedOutcome; detail: string; now: Date },
): Promise<boolean> {
  const key = { sellerId, id: transactionId };
  const isNew = await insertUnappliedReport(within, key, report, outcome, detail, now);
  const { provider, reportId, amount } = report;
  if (isNew && outcome !== 'REJECTED' && amount !== null && amount > 0) {
    const money = { transactionId, method, provider, reportId, amount, reason: outcome, createdAt: now };
    await orderReturn(within, { sellerId, id: newId(now.getTime()), ...money });
  }
  return isNew;
}

/** A payment is money, whatever the charge says to it. */
function outcomeOf(result: Unapplied, report: ReportRecord): UnappliedOutcome {
  if (result.kind === 'late') return 'LATE';
  const isMoney = report.kind === 'PAYMENT' && report.amount !== null && report.amount > 0;
  if (!isMoney) return 'REJECTED';
  if (result.kind === 'wrong-amount') return 'WRONG_AMOUNT';
  // Of a charge that is not ended, nothing but an earlier payment keeps the right amount away.
  return result.kind === 'impossible' ? 'DUPLICATE' : 'REJECTED';
}

function describe(result: Unapplied): string {
  return result.kind === 'impossible' ? `${result.from} to ${result.to}` : result.kind;
}
