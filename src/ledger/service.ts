import type { Db } from '#database/connect.ts';
import { ORIGINS, type Origin } from './entries.ts';
import type { SecretBox } from '#secrets.ts';
import { checkSeals } from './seals.ts';
import {
  countLedger,
  findBalanceDifferences,
  findCountDifferences,
  findEntryDifferences,
  findTransactionDifferences,
  findWithdrawalDifferences,
} from './store-check.ts';
import { findWallets, insertWallets } from './store.ts';

export { createDaySummer } from './day-sums.ts';
export { createSealer } from './seals.ts';
export { findDaySums as daySums, findHourSums as hourSums, type OriginSums } from './store-days.ts';
export { ORIGINS, type EntryCause, type LedgerAccount, type LedgerEntry, type Origin } from './entries.ts';
export { book, BOOKING_PARTS, ENTRY_COLUMNS, toEntryRow, type Booking } from './booking.ts';
export { providerMovements, unbookedReports, type MovementWindow } from './store-reconciliation.ts';

/** Opens the wallet of a new seller, one row for each origin, in the transaction that makes the seller. */
export const openWallets: (db: Db, sellerId: string, walletId: string, now: Date) => Promise<void> =
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
export async function walletOf(db: Db, sellerId: string): Promise<Wallet> {
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
export async function blockedOf(
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

export interface LedgerCheck {
  readonly balanced: boolean;
  readonly sellers: number;
  readonly entries: number;
  /** Seals that were verified. */
  readonly seals: number;
  readonly discrepancies: readonly Discrepancy[];
}

export interface Discrepancy {
  readonly kind: 'BALANCE' | 'ENTRY' | 'TRANSACTION' | 'WITHDRAWAL' | 'SEAL' | 'COUNT';
  readonly sellerId: string;
  readonly message: string;
}

/** So many differences are named of each kind; one is enough to know that something is wrong. */
const NAMED_DIFFERENCES = 1_000;

/**
 * Recomputes every balance from its entries, every entry from its cause, the chain of seals, and the number of charges of each
 * status, all in one snapshot, so that payments that arrive meanwhile disturb nothing.
 */
export async function checkLedger(db: Db, secrets: SecretBox): Promise<LedgerCheck> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const counted = await countLedger(snapshot);
      const balances = await findBalanceDifferences(snapshot, NAMED_DIFFERENCES);
      const entries = await findEntryDifferences(snapshot, NAMED_DIFFERENCES);
      const transactions = await findTransactionDifferences(snapshot, NAMED_DIFFERENCES);
      const withdrawals = await findWithdrawalDifferences(snapshot, NAMED_DIFFERENCES);
      const { seals, problems } = await checkSeals(snapshot, secrets, NAMED_DIFFERENCES);
      const counts = await findCountDifferences(snapshot, NAMED_DIFFERENCES);
      const discrepancies: readonly Discrepancy[] = [
        ...balances.map((found) => ({
          kind: 'BALANCE' as const,
          sellerId: found.sellerId,
          message: `${found.account} balance of origin ${found.origin} is ${found.kept}, its entries sum to ${found.computed}`,
        })),
        ...entries.map(({ sellerId, entryId, problem }) => ({
          kind: 'ENTRY' as const,
          sellerId,
          message: `entry ${entryId ?? '(none)'} ${problem}`,
        })),
        ...transactions.map((found) => ({
          kind: 'TRANSACTION' as const,
          sellerId: found.sellerId,
          message: `transaction ${found.transactionId}: ${found.part} should be ${found.expected} and is ${found.booked}`,
        })),
        ...withdrawals.map((found) => ({
          kind: 'WITHDRAWAL' as const,
          sellerId: found.sellerId,
          message:
            `withdrawal ${found.withdrawalId} is ${found.status ?? 'unknown'}, its entries sum to ${found.reserved} reserved, ` +
            `${found.returned} returned, ${found.paid} paid and ${found.fee} fee`,
        })),
        ...problems.map((problem) => ({ kind: 'SEAL' as const, ...problem })),
        ...counts.map((found) => ({
          kind: 'COUNT' as const,
          sellerId: found.sellerId,
          message: `${found.method} charges that are ${found.status} are counted as ${found.kept}, there are ${found.computed}`,
        })),
      ];
      return { balanced: discrepancies.length === 0, ...counted, seals, discrepancies };
    });
}
