import type { Db } from '#database/connect.ts';
import type { FeeSchedule } from './schedule.ts';
import { findFees, saveFees } from './store.ts';

export { FeesSchema, feesRule, readFees, viewFees } from './schema.ts';
export { DEFAULT_FEES, feeOn, type FeeSchedule } from './schedule.ts';

/** The seller's plan as it is now. A charge keeps the fee it was created with, whatever the plan says later. */
export const feesOf: (db: Db, sellerId: string) => Promise<FeeSchedule | undefined> = findFees;

export const setFees: (db: Db, sellerId: string, fees: FeeSchedule, now: Date) => Promise<void> = saveFees;
