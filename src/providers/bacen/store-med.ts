import type { Db } from '#platform/database/connect.ts';

export type MedKind = 'NOTICE' | 'RETURN';
export type MedOutcome = 'ACCEPTED' | 'DENIED';

export interface MedReport {
  readonly sellerId: string;
  readonly provider: string;
  readonly kind: MedKind;
  /** The provider's own id of it. */
  readonly reportId: string;
  readonly transactionId: string;
  readonly disputeId: string | null;
  /** Cents. */
  readonly amount: number;
  readonly outcome: MedOutcome | null;
}

/** All that was told of a charge; of these there are few. */
export async function findMedReports(
  db: Db,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
): Promise<readonly MedReport[]> {
  const rows = await db
    .selectFrom('med_reports')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('transaction_id', '=', id)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    sellerId: row.seller_id,
    provider: row.provider,
    kind: row.kind === 'RETURN' ? 'RETURN' : 'NOTICE',
    reportId: row.report_id,
    transactionId: row.transaction_id,
    disputeId: row.dispute_id,
    amount: row.amount,
    outcome: row.outcome === 'ACCEPTED' || row.outcome === 'DENIED' ? row.outcome : null,
  }));
}

/** Keeps what was told; false where its id is known. */
export async function insertMedReport(db: Db, report: MedReport, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('med_reports')
    .values({
      seller_id: report.sellerId,
      provider: report.provider,
      kind: report.kind,
      report_id: report.reportId,
      transaction_id: report.transactionId,
      dispute_id: report.disputeId,
      amount: report.amount,
      outcome: report.outcome,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('report_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Writes a notice's outcome; false where it has one. */
export async function endNotice(
  db: Db,
  notice: MedReport,
  {
    outcome,
    disputeId,
    now,
  }: { readonly outcome: MedOutcome; readonly disputeId: string; readonly now: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('med_reports')
    .set({ outcome, dispute_id: disputeId, updated_at: now })
    .where('seller_id', '=', notice.sellerId)
    .where('provider', '=', notice.provider)
    .where('kind', '=', 'NOTICE')
    .where('report_id', '=', notice.reportId)
    .where('outcome', 'is', null)
    .returning('report_id')
    .executeTakeFirst();
  return row !== undefined;
}
