import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Db } from '#platform/database/connect.ts';
import type { FeeSchedule } from './schedule.ts';
import { viewFees } from './schema.ts';
import { findFees, findFeesBySeller, lockFees, saveFees } from './store.ts';

export { FeesSchema, feesRule, parseFees, viewFees } from './schema.ts';
export { DEFAULT_FEES, calculateFee, type FeeSchedule } from './schedule.ts';

/** The seller's plan as it is now. A charge keeps the fee it was created with, whatever the plan says later. */
export const getFees: (db: Db, sellerId: string) => Promise<FeeSchedule | undefined> = findFees;

/** The plans of several at once, by the seller. */
export const getFeesBySeller: (
  db: Db,
  sellerIds: readonly string[],
) => Promise<ReadonlyMap<string, FeeSchedule>> = findFeesBySeller;

export const setFees: (db: Db, sellerId: string, fees: FeeSchedule, now: Date) => Promise<void> = saveFees;

/** Replaces the plan and writes that down, both or neither. */
export async function replaceFees(
  db: Db,
  sellerId: string,
  fees: FeeSchedule,
  now: Date,
  author: AuditActor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockFees(trx, sellerId);
    await saveFees(trx, sellerId, fees, now);
    await recordAudit(trx, author, {
      action: 'fees.replaced',
      recordType: 'fees',
      recordId: sellerId,
      sellerId,
      before: before === undefined ? null : { ...viewFees(before) },
      after: { ...viewFees(fees) },
      at: now,
    });
  });
}
