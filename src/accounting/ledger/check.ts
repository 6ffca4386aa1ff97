import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { verifyChains } from './chain.ts';
import {
  countLedger,
  findBalanceDifferences,
  findCountDifferences,
  findEntryDifferences,
  findSellerRowCounts,
  findTransactionDifferences,
  findWithdrawalDifferences,
  prepareSnapshot,
  partitionSellers,
  type SellerRange,
} from './store-discrepancies.ts';

/** The result of a ledger check, as the API and the command line return it. */
export interface LedgerCheck {
  readonly balanced: boolean;
  readonly sellers: number;
  readonly entries: number;
  /** Verified entries of the ledger chains. */
  readonly chainEntries: number;
  readonly discrepancies: readonly Discrepancy[];
}

export interface Discrepancy {
  /** CHAIN is a discrepancy of the ledger chain, COUNT one of the stored transaction counts. */
  readonly kind: 'BALANCE' | 'ENTRY' | 'TRANSACTION' | 'WITHDRAWAL' | 'CHAIN' | 'COUNT';
  readonly sellerId: string;
  readonly message: string;
}

const MAX_DISCREPANCIES_PER_KIND = 1_000;
/** Limits one snapshot to about a second of work, unless a single seller has more rows. */
const ROWS_PER_RANGE = 200_000;

export interface LedgerCheckOptions {
  /** The timeout of one statement. Defaults to that of the connection. */
  readonly statementTimeoutMs?: number;
  /**
   * Called after each snapshot with its duration, so that a background check can leave capacity to
   * others.
   */
  readonly pauseAfter?: (workedMs: number) => Promise<unknown>;
  /** Entries and transactions of one snapshot. */
  readonly rowsPerRange?: number;
}

/** The check of one range of sellers, within its snapshot. */
interface RangeCheck {
  readonly trx: DatabaseTransaction;
  readonly secrets: SecretBox;
  readonly range: SellerRange;
  readonly found: DiscrepanciesByKind;
}

/** Discrepancies ordered by seller id. */
type DiscrepanciesByKind = { readonly [Kind in Discrepancy['kind']]: Discrepancy[] };

/**
 * Recomputes every balance from its entries, every entry from its cause, the ledger chains, and the
 * stored transaction counts. Nothing of a seller depends on another seller, so the check goes from
 * one range of sellers to the next and reads each in a snapshot of its own: concurrent bookings do
 * not disturb it, and no snapshot stays open long enough to hold back vacuum.
 */
export async function checkLedger(
  db: Db,
  secrets: SecretBox,
  { statementTimeoutMs, pauseAfter, rowsPerRange = ROWS_PER_RANGE }: LedgerCheckOptions = {},
): Promise<LedgerCheck> {
  const found = { BALANCE: [], ENTRY: [], TRANSACTION: [], WITHDRAWAL: [], CHAIN: [], COUNT: [] };
  const checked = { sellers: 0, entries: 0, chainEntries: 0 };
  for (const range of partitionSellers(await findSellerRowCounts(db), rowsPerRange)) {
    const startedMs = performance.now();
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await prepareSnapshot(trx, statementTimeoutMs);
        const { sellers, entries } = await countLedger(trx, range);
        checked.sellers += sellers;
        checked.entries += entries;
        checked.chainEntries += await checkRange({ trx, secrets, range, found });
      });
    await pauseAfter?.(performance.now() - startedMs);
  }
  const discrepancies = Object.values<Discrepancy[]>(found).flat();
  return { balanced: discrepancies.length === 0, ...checked, discrepancies };
}

/**
 * Adds the discrepancies of a range to `found` and returns the number of verified chain entries.
 */
async function checkRange({ trx, secrets, range, found }: RangeCheck): Promise<number> {
  const remaining = (kind: Discrepancy['kind']): number => MAX_DISCREPANCIES_PER_KIND - found[kind].length;
  const add = (kind: Discrepancy['kind'], sellerId: string, message: string): unknown =>
    found[kind].push({ kind, sellerId, message });
  for (const row of await findBalanceDifferences(trx, range, remaining('BALANCE'))) {
    const stored = `${row.account} balance of origin ${row.origin} is ${row.stored}`;
    add('BALANCE', row.sellerId, `${stored}, its entries sum to ${row.computed}`);
  }
  for (const row of await findEntryDifferences(trx, range, remaining('ENTRY'))) {
    add('ENTRY', row.sellerId, `entry ${row.entryId ?? '(none)'} ${row.problem}`);
  }
  for (const row of await findTransactionDifferences(trx, range, remaining('TRANSACTION'))) {
    const difference = `${row.part} should be ${row.expected} and is ${row.booked}`;
    add('TRANSACTION', row.sellerId, `transaction ${row.transactionId}: ${difference}`);
  }
  for (const row of await findWithdrawalDifferences(trx, range, remaining('WITHDRAWAL'))) {
    const sums = `${row.reserved} reserved, ${row.returned} returned, ${row.paid} paid and ${row.fee} fee`;
    const withdrawal = `withdrawal ${row.withdrawalId} is ${row.status ?? 'unknown'}`;
    add('WITHDRAWAL', row.sellerId, `${withdrawal}, its entries sum to ${sums}`);
  }
  const chains = await verifyChains(trx, secrets, range, remaining('CHAIN'));
  for (const { sellerId, message } of chains.problems) add('CHAIN', sellerId, message);
  for (const row of await findCountDifferences(trx, range, remaining('COUNT'))) {
    const counts = `are counted as ${row.stored}, there are ${row.computed}`;
    add('COUNT', row.sellerId, `${row.method} charges that are ${row.status} ${counts}`);
  }
  return chains.chainEntries;
}
