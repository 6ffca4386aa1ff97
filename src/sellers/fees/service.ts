import { audit } from '#audit/service.ts';
import type { Author } from '#platform/http/author.ts';
import type { Db } from '#platform/database/connect.ts';
import type { FeeSchedule } from './schedule.ts';
import { viewFees } from './schema.ts';
import { findFees, findFeesOfSellers, lockFees, saveFees } from './store.ts';

export { FeesSchema, feesRule, readFees, viewFees } from './schema.ts';
export { DEFAULT_FEES, feeOn, type FeeSchedule } from './schedule.ts';

/** The seller's plan as it is now. A charge keeps the fee it was created with, whatever the plan says later. */
export const feesOf: (db: Db, sellerId: string) => Promise<FeeSchedule | undefined> = findFees;

/** The plans of several at once, by the seller. */
export const feesOfSellers: (
  db: Db,
  sellerIds: readonly string[],
) => Promise<ReadonlyMap<string, FeeSchedule>> = findFeesOfSellers;

export const setFees: (db: Db, sellerId: string, fees: FeeSchedule, now: Date) => Promise<void> = saveFees;

/** Replaces the plan and writes that down, both or neither. */
export async function replaceFees(
  db: Db,
  sellerId: string,
  fees: FeeSchedule,
  now: Date,
  author: Author,
): Promise<void> {
  await db.transaction().execute(async (within) => {
    const before = await lockFees(within, sellerId);
    await saveFees(within, sellerId, fees, now);
    await audit(within, author, {
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
