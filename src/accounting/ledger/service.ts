import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { ORIGINS, type Origin } from './entries.ts';
import { findWallets, insertWallets, lockWallets } from './store.ts';
import { findCheckSummary, type LedgerCheckSummary } from './store-check-runs.ts';
import { findDailyTotals, findHourlyTotals, type DaySpan, type OriginTotals } from './store-daily-totals.ts';

export { createLedgerCheckJob } from './check-job.ts';
export { createDailyTotalsJob } from './daily-totals-job.ts';
export { extendChainWithCurrentKey, createLedgerChainJob, isReservationProven } from './chain.ts';
export { ORIGINS, type EntryCause, type LedgerAccount, type LedgerEntry, type Origin } from './entries.ts';
export { bookEntries, BOOKING_CTES, ENTRY_COLUMNS, type Booking } from './booking.ts';
export {
  findLatestFullCheck,
  runFullCheck,
  startFullCheck,
  type FullCheck,
  type FullCheckDeps,
} from './full-check.ts';
export { checkHeads, createHeadExportJob, parseHeads } from './heads.ts';
export {
  createMovementTotalsJob,
  findMovementPeriod,
  findMovementTotals,
  type FindChargeCosts,
  type MovementPeriod,
} from './movement-totals.ts';
export { findRevenue } from './revenue.ts';
export {
  REVENUE_GROUPS,
  type ChargeCosts,
  type CostRate,
  type GroupedRevenue,
  type RevenueGroup,
} from './store-revenue.ts';
export { findTotalsCursor as findMovementCursor } from './store-movement-totals.ts';
export { proveEntries, type ProvenEntry } from './proofs.ts';
export { countHeldSellers } from './store-chain.ts';
export type { LedgerCheckSummary } from './store-check-runs.ts';
export type { MovementTotals } from './store-movement-totals.ts';
export { countPaymentsByCreation, type OriginTotals, type PaymentCount } from './store-daily-totals.ts';

/**
 * Creates the wallet of a new seller, one row for each origin, in the transaction that creates the
 * seller.
 */
export const createWallets: (
  trx: DatabaseTransaction,
  sellerId: string,
  walletId: string,
  now: Date,
) => Promise<void> = insertWallets;

/** Returns when the whole ledger was last checked, and what was found since. */
export const getLedgerCheckSummary: (db: Db) => Promise<LedgerCheckSummary> = findCheckSummary;

/**
 * Locks the wallets of a seller until the end of the transaction, in the order of bookings. Returns
 * the sum of the available balances in cents.
 */
export const lockAvailableBalance: (trx: DatabaseTransaction, sellerId: string) => Promise<number> =
  lockWallets;

type GetTotals = (
  trx: DatabaseTransaction,
  sellerId: string,
  span: DaySpan,
) => Promise<readonly OriginTotals[]>;

/** Returns the totals of each São Paulo day and origin with entries. */
export const getDailyTotals: GetTotals = findDailyTotals;

/** Returns the totals of each hour and origin with entries. */
export const getHourlyTotals: GetTotals = findHourlyTotals;

interface Balances {
  readonly availableBalance: number;
  readonly blockedBalance: number;
  readonly totalBalance: number;
}

export interface Wallet extends Balances {
  readonly id: string;
  readonly byOrigin: Readonly<Record<Origin, Balances>>;
  readonly updatedAt: Date;
}

/**
 * Returns the seller's balances in cents, in total and by origin. Blocked is retained, disputed and
 * reserved.
 */
export async function getWallet(db: Db, sellerId: string): Promise<Wallet> {
  const rows = await findWallets(db, sellerId);
  const byOrigin = { PIX: balances(0, 0), BOLETO: balances(0, 0), CARD: balances(0, 0) };
  const [first] = rows;
  if (first === undefined) throw new Error(`seller ${sellerId} has no wallet`);
  for (const row of rows) {
    byOrigin[row.origin] = balances(row.available, row.retained + row.disputed + row.reserved);
  }
  const sum = (balance: 'availableBalance' | 'blockedBalance') =>
    ORIGINS.reduce((total, origin) => total + byOrigin[origin][balance], 0);
  return {
    id: first.walletId,
    ...balances(sum('availableBalance'), sum('blockedBalance')),
    byOrigin,
    updatedAt: new Date(Math.max(...rows.map((row) => row.updatedAt.getTime()))),
  };
}

/** Returns the parts of the blocked balance over all origins, in cents. */
export async function getBlockedBalances(
  db: Db,
  sellerId: string,
): Promise<{ readonly retained: number; readonly disputed: number; readonly reserved: number }> {
  const rows = await findWallets(db, sellerId);
  const sum = (part: 'retained' | 'disputed' | 'reserved') =>
    rows.reduce((total, row) => total + row[part], 0);
  return { retained: sum('retained'), disputed: sum('disputed'), reserved: sum('reserved') };
}

function balances(available: number, blocked: number): Balances {
  return { availableBalance: available, blockedBalance: blocked, totalBalance: available + blocked };
}
