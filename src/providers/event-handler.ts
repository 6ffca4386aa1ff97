import type { ReportResult, TransactionsService } from '#payments/transactions/service.ts';
import type { Happening } from '#payments/transactions/decisions.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';

/** What a provider tells of a charge. */
export interface ProviderReport {
  readonly provider: string;
  /** The provider's own id of the event: for a PIX payment its end-to-end id. The same id counts once. */
  readonly reportId: string;
  readonly sellerId: string;
  readonly transactionId: string;
  readonly happening: Happening;
  readonly occurredAt: Date;
  /** The charge, where it was read just now: it is decided on first and not read again. */
  readonly transaction?: Transaction;
}

export type ReportDoor = (report: ProviderReport) => Promise<ReportResult>;

/**
 * The one door for what providers report, whichever they are and however they tell it. A report is stored once by
 * the provider's own id, and money changes at most once.
 */
export function createReportDoor(transactions: TransactionsService): ReportDoor {
  return (report) =>
    transactions.report(
      { sellerId: report.sellerId, id: report.transactionId },
      report.happening,
      {
        provider: report.provider,
        reportId: report.reportId,
        kind: report.happening.kind,
        amount: report.happening.kind === 'PAYMENT' ? report.happening.amount : null,
        occurredAt: report.occurredAt,
      },
      report.transaction,
    );
}
