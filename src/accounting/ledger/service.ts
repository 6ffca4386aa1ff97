import type { Db } from '#platform/database/connect.ts';
import { ORIGINS, type Origin } from './entries.ts';
import { findWallets, insertWallets } from './store.ts';

export { checkLedger, type Discrepancy, type LedgerCheck } from './check.ts';
export { createLedgerCheckJob, findLastLedgerCheck, type CompletedLedgerCheck } from './check-job.ts';
export { createDailyTotalsJob } from './daily-totals-job.ts';
export { extendChainWithCurrentKey, createLedgerChainJob } from './chain.ts';
export { findDailyTotals, findHourlyTotals, type OriginTotals } from './store-daily-totals.ts';
export { ORIGINS, type EntryCause, type LedgerAccount, type LedgerEntry, type Origin } from './entries.ts';
export { bookEntries, BOOKING_CTES, ENTRY_COLUMNS, toEntryRow, type Booking } from './booking.ts';
export { providerMovements, unbookedProviderEvents, type MovementWindow } from './store-reconciliation.ts';

/** Opens the wallet of a new seller, one row for each origin, in the transaction that makes the seller. */
export const createWallets: (db: Db, sellerId: string, walletId: string, now: Date) => Promise<void> =
  insertWallets;

export interface Balances {
  readonly availableBalance: number;
  readonly blockedBalance: number;
  readonly totalBalance: number;
}

export interface Wallet extends Balances {
  readonly id: string;
  readonly byOrigin: Readonly<Record<Origin, Balances>>;
  readonly updatedAt: Date;
}

/** The seller's balances in cents, in all and by origin. Blocked is what is retained, disputed or reserved. */
export async function getWallet(db: Db, sellerId: string): Promise<Wallet> {
  const rows = await findWallets(db, sellerId);
  const byOrigin = { PIX: balances(0, 0), BOLETO: balances(0, 0), CARD: balances(0, 0) };
  const [first] = rows;
  if (first === undefined) throw new Error('a seller without a wallet');
  let updatedAt = first.updatedAt;
  for (const row of rows) {
    byOrigin[row.origin] = balances(row.available, row.retained + row.disputed + row.reserved);
    if (row.updatedAt > updatedAt) updatedAt = row.updatedAt;
  }
  const sum = (pick: (part: Balances) => number) =>
    ORIGINS.reduce((total, origin) => total + pick(byOrigin[origin]), 0);
  return {
    id: first.walletId,
    ...balances(
      sum((part) => part.availableBalance),
      sum((part) => part.blockedBalance),
    ),
    byOrigin,
    updatedAt,
  };
}

/** The parts of the blocked balance, over all origins, in cents. */
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
