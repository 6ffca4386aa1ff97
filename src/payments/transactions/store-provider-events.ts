import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { ReportRecord } from './store-change.ts';
import type { TransactionKey } from './store.ts';

/** Why a report changed nothing; all but REJECTED are money that goes back to the payer. */
export type UnappliedOutcome = 'LATE' | 'DUPLICATE' | 'WRONG_AMOUNT' | 'REJECTED';

/** Keeps a report that changed nothing, so that it is not lost and an operator sees it; false where its id is known. */
export async function insertUnappliedReport(
  db: Db,
  key: TransactionKey,
  report: ReportRecord,
  outcome: UnappliedOutcome,
  detail: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('provider_reports')
    .values({
      seller_id: key.sellerId,
      id: newId(now.getTime()),
      provider: report.provider,
      report_id: report.reportId,
      kind: report.kind,
      record_id: key.id,
      amount: report.amount,
      occurred_at: report.occurredAt,
      received_at: now,
      outcome,
      detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface KnownReport {
  readonly outcome: string;
  readonly kind: string;
  readonly recordId: string;
  readonly amount: number | null;
}

export async function findReport(
  db: Db,
  sellerId: string,
  { provider, reportId }: ReportRecord,
): Promise<KnownReport | undefined> {
  const row = await db
    .selectFrom('provider_reports')
    .select(['outcome', 'kind', 'record_id', 'amount'])
    .where('seller_id', '=', sellerId)
    .where('provider', '=', provider)
    .where('report_id', '=', reportId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { outcome: row.outcome, kind: row.kind, recordId: row.record_id, amount: row.amount };
}

/** Keeps a report that fits no record, as it came; false where it is known, which stays as it was. */
export async function insertUnmatchedReport(
  db: Db,
  claimed: TransactionKey,
  report: ReportRecord,
  detail: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('unmatched_reports')
    .values({
      provider: report.provider,
      report_id: report.reportId,
      kind: report.kind,
      claimed_seller: claimed.sellerId,
      claimed_record: claimed.id,
      id: newId(now.getTime()),
      amount: report.amount,
      occurred_at: report.occurredAt,
      received_at: now,
      detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
