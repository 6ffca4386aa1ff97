import type { Db } from '#platform/database/connect.ts';
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
const MAX_DISCREPANCIES_PER_KIND = 1_000;
/** What is looked at in one snapshot, unless a single seller has more: a second of work or so. */
const ROWS_PER_RANGE = 200_000;

export interface LedgerCheckOptions {
  /** How long one statement may take, where that is not what the connection says. */
  readonly statementTimeoutMs?: number;
  /** Called after each snapshot with the milliseconds it took: a moment for everybody else. */
  readonly pauseAfter?: (workedMs: number) => Promise<unknown>;
  /** Entries and charges of one snapshot. */
  readonly rowsPerRange?: number;
}

/** What does not fit, in the order of the sellers' ids. */
type DiscrepanciesByKind = { [Kind in Discrepancy['kind']]: Discrepancy[] };

/**
 * Recomputes every balance from its entries, every entry from its cause, the chain of seals, and the number of charges of each
 * status. Nothing of a seller depends on another, so it goes from some sellers to the next, all of theirs in one snapshot:
 * payments that arrive meanwhile disturb nothing, and no snapshot is kept so long that what is changed often piles up.
 */
export async function checkLedger(
  db: Db,
  secrets: SecretBox,
  { statementTimeoutMs, pauseAfter, rowsPerRange = ROWS_PER_RANGE }: LedgerCheckOptions = {},
): Promise<LedgerCheck> {
  const byKind: DiscrepanciesByKind = {
    BALANCE: [],
    ENTRY: [],
    TRANSACTION: [],
    WITHDRAWAL: [],
    SEAL: [],
    COUNT: [],
  };
  const counted = { sellers: 0, entries: 0, seals: 0 };
  for (const range of partitionSellers(await findSellerRowCounts(db), rowsPerRange)) {
    const began = performance.now();
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        await prepareSnapshot(snapshot, statementTimeoutMs);
        const { sellers, entries } = await countLedger(snapshot, range);
        counted.sellers += sellers;
        counted.entries += entries;
        counted.seals += await checkRange(snapshot, secrets, range, byKind);
      });
    await pauseAfter?.(performance.now() - began);
  }
  const discrepancies = Object.values(byKind).flat();
  return { balanced: discrepancies.length === 0, ...counted, discrepancies };
}

/** Adds what does not fit to what was found before; answers how many seals there were. */
async function checkRange(
  snapshot: Db,
  secrets: SecretBox,
  range: SellerRange,
  byKind: DiscrepanciesByKind,
): Promise<number> {
  const remaining = (kind: Discrepancy['kind']): number => MAX_DISCREPANCIES_PER_KIND - byKind[kind].length;
  const add = (kind: Discrepancy['kind'], sellerId: string, message: string): unknown =>
    byKind[kind].push({ kind, sellerId, message });
  for (const one of await findBalanceDifferences(snapshot, range, remaining('BALANCE'))) {
    const says = `${one.account} balance of origin ${one.origin} is ${one.stored}`;
    add('BALANCE', one.sellerId, `${says}, its entries sum to ${one.computed}`);
  }
  for (const one of await findEntryDifferences(snapshot, range, remaining('ENTRY'))) {
    add('ENTRY', one.sellerId, `entry ${one.entryId ?? '(none)'} ${one.problem}`);
  }
  for (const one of await findTransactionDifferences(snapshot, range, remaining('TRANSACTION'))) {
    const should = `${one.part} should be ${one.expected} and is ${one.booked}`;
    add('TRANSACTION', one.sellerId, `transaction ${one.transactionId}: ${should}`);
  }
  for (const one of await findWithdrawalDifferences(snapshot, range, remaining('WITHDRAWAL'))) {
    const sums = `${one.reserved} reserved, ${one.returned} returned, ${one.paid} paid and ${one.fee} fee`;
    const status = one.status ?? 'unknown';
    add(
      'WITHDRAWAL',
      one.sellerId,
      `withdrawal ${one.withdrawalId} is ${status}, its entries sum to ${sums}`,
    );
  }
  const { seals, problems } = await verifyChains(snapshot, secrets, range, remaining('SEAL'));
  for (const { sellerId, message } of problems) add('SEAL', sellerId, message);
  for (const one of await findCountDifferences(snapshot, range, remaining('COUNT'))) {
    const counts = `are counted as ${one.stored}, there are ${one.computed}`;
    add('COUNT', one.sellerId, `${one.method} charges that are ${one.status} ${counts}`);
  }
  return seals;
}
