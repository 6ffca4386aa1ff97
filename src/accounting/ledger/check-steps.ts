import type { ChainProblemText, DiscrepancyText } from './discrepancies.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onShardNumber, onShardOf } from '#platform/database/shards/each-shard.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { verifyChains, verifyChainSlice } from './chain.ts';
import type { ChainEntry } from './store-chain.ts';
import {
  allOf,
  among,
  between,
  countLedger,
  findCountDifferences,
  findRecordSlice,
  findSellerRowCounts,
  findTransactionDifferences,
  findUnpaidDifferences,
  findWithdrawalDifferences,
  prepareSnapshot,
  type RecordScope,
  type SellerRange,
  type SellerRowCount,
  type WithdrawalDifference,
} from './store-discrepancies.ts';
import {
  EMPTY_SUMS,
  findBalanceDifferences,
  findEntryCountDifferences,
  findEntryDifferences,
  findEntrySlice,
  sumsOfRange,
  sumsOfSeller,
  type AllSums,
  type EntryDifference,
  type EntrySums,
} from './store-entry-differences.ts';
import { MIN_ID } from '#platform/kit/ids.ts';

/**
 * The steps of a ledger check. Each reads a part in a snapshot of its own that is short enough not
 * to hold back vacuum. Nothing of a seller depends on another seller, so sellers with few rows are
 * checked together and one with many in slices:
 *
 * - A record is compared with its entries in one snapshot, whatever happens to others meanwhile.
 * - Entries are numbered without gaps under the lock of the wallet, so those of a balance are
 *   summed from slice to slice. The last slice compares the sums with the wallet, in its snapshot.
 * - The entries of a chain are verified in order, and its end is compared in the last snapshot.
 */

export interface Discrepancy {
  /** CHAIN is a discrepancy of the ledger chain, COUNT one of the stored transaction counts. */
  readonly kind: 'BALANCE' | 'ENTRY' | 'TRANSACTION' | 'WITHDRAWAL' | 'CHAIN' | 'COUNT';
  readonly sellerId: string;
  readonly message: DiscrepancyText;
}

export interface CheckDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
}

/** Where a check is. It contains JSON values only. */
export interface CheckCursor {
  /** The number of the shard, if the database is distributed. Defaults to the first. */
  readonly shard?: number;
  /** Sellers up to this id are checked. */
  readonly after: string;
  /** The next seller, which is checked in slices. */
  readonly seller?: SellerCursor;
}

/** Where the check of one seller is. */
export interface SellerCursor {
  readonly id: string;
  readonly part: 'records' | 'entries' | 'new entries' | 'chain' | 'counts';
  /** Records up to this id are checked. */
  readonly record: string;
  /** The entries that are checked. */
  readonly sums: readonly EntrySums[];
  /** The last verified entry of the chain. */
  readonly chain?: ChainEntry | undefined;
}

export const FIRST_CURSOR: CheckCursor = { after: MIN_ID };

/** The first slice of a seller, of all records and entries. */
const firstSlice = (id: string): SellerCursor => ({
  id,
  part: 'records',
  record: MIN_ID,
  sums: EMPTY_SUMS,
});

/** What steps have checked. */
export interface Checked {
  readonly sellers: number;
  readonly entries: number;
  /** Verified entries of the ledger chains. */
  readonly chainEntries: number;
  /** Entries and transactions. */
  readonly rows: number;
  readonly discrepancies: readonly Discrepancy[];
}

export const NOTHING_CHECKED: Checked = {
  sellers: 0,
  entries: 0,
  chainEntries: 0,
  rows: 0,
  discrepancies: [],
};

/** Rows of a step take about a third of a second. A seller with more is checked in slices. */
export const ROWS_PER_STEP = 25_000;
const MAX_DISCREPANCIES_PER_STEP = 1_000;
/** Each costs two index lookups, also if few fit into a step. */
const SELLERS_PER_STEP = 500;

export interface Step<Cursor> {
  readonly checked: Checked;
  /** Undefined if there is no more to check. */
  readonly next: Cursor | undefined;
}

/** One step, within its snapshot. */
interface StepContext {
  readonly trx: DatabaseTransaction;
  readonly secrets: SecretBox;
  readonly rowsPerStep: number;
  /** The sellers of the shard; undefined for all. */
  readonly hashes: SellerRange['hashes'];
}

/** Checks what comes next after a cursor. */
export function runStep(
  { db, secrets }: CheckDeps,
  cursor: CheckCursor,
  rowsPerStep: number,
): Promise<Step<CheckCursor>> {
  const { shard = 0, after, seller } = cursor;
  return onShardNumber(db, shard, async (handle, { isLast, hashes }) => {
    const { checked, next } = await inSnapshot(handle, async (trx) => {
      const context = { trx, secrets, rowsPerStep, hashes };
      if (seller === undefined) return checkNextSellers(context, after);
      const slice = await checkSlice(context, seller);
      const following = slice.next === undefined ? { after: seller.id } : { after, seller: slice.next };
      return { checked: slice.checked, next: following };
    });
    if (next !== undefined) return { checked, next: shard === 0 ? next : { ...next, shard } };
    return { checked, next: isLast ? undefined : { ...FIRST_CURSOR, shard: shard + 1 } };
  });
}

/** Checks the next slice of a seller. */
export function runSellerStep(
  { db, secrets }: CheckDeps,
  cursor: SellerCursor,
  rowsPerStep: number,
): Promise<Step<SellerCursor>> {
  return onShardOf(db, cursor.id, (handle) =>
    inSnapshot(handle, (trx) => checkSlice({ trx, secrets, rowsPerStep, hashes: undefined }, cursor)),
  );
}

const inSnapshot = <Result>(db: Db, run: (trx: DatabaseTransaction) => Promise<Result>): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await prepareSnapshot(trx);
      return run(trx);
    });

async function checkNextSellers(context: StepContext, after: string): Promise<Step<CheckCursor>> {
  const { trx, secrets, rowsPerStep, hashes } = context;
  const sellers = await findSellerRowCounts(trx, { after, hashes }, SELLERS_PER_STEP);
  const {
    range: planned,
    rows,
    next,
  } = planRange(sellers, {
    after,
    maxRows: rowsPerStep,
    isEnd: sellers.length < SELLERS_PER_STEP,
  });
  const range = { ...planned, hashes };
  const counts = await countLedger(trx, range);
  const sums = sumsOfRange(range);
  const chains = await verifyChains(trx, secrets, range, MAX_DISCREPANCIES_PER_STEP);
  const discrepancies = [
    ...(await findBalanceDiscrepancies(trx, sums)),
    ...(await findEntryDifferences(trx, range, MAX_DISCREPANCIES_PER_STEP)).map(ofEntry),
    ...(await findEntryCountDifferences(trx, sums, MAX_DISCREPANCIES_PER_STEP)).map(ofEntry),
    ...(await findRecordDiscrepancies(trx, allOf(range))),
    ...chains.problems.map(ofChain),
    ...(await findCountDiscrepancies(trx, range)),
  ];
  return { checked: { ...counts, chainEntries: chains.chainEntries, rows, discrepancies }, next };
}

interface RangePlan {
  readonly range: SellerRange;
  readonly rows: number;
  readonly next: CheckCursor | undefined;
}

/**
 * Decides which of the next sellers a step checks: those that have at most `maxRows` together. The
 * range ends before a seller with more, who is checked in slices. Ranges meet, so that rows of a
 * seller that does not exist are found too.
 */
export function planRange(
  sellers: readonly SellerRowCount[],
  { after, maxRows, isEnd }: { readonly after: string; readonly maxRows: number; readonly isEnd: boolean },
): RangePlan {
  let rows = 0;
  let last = after;
  for (const seller of sellers) {
    if (rows + seller.rows > maxRows) {
      return seller.rows > maxRows
        ? { range: { after, before: seller.id }, rows, next: { after: last, seller: firstSlice(seller.id) } }
        : { range: { after, upTo: last }, rows, next: { after: last } };
    }
    rows += seller.rows;
    last = seller.id;
  }
  return isEnd
    ? { range: { after }, rows, next: undefined }
    : { range: { after, upTo: last }, rows, next: { after: last } };
}

const CHECKS_OF_PARTS = {
  records: checkRecordSlice,
  entries: checkEntrySlice,
  'new entries': checkEntrySlice,
  chain: checkChainSlice,
  counts: checkCounts,
} as const;

const checkSlice = (context: StepContext, cursor: SellerCursor): Promise<Step<SellerCursor>> =>
  CHECKS_OF_PARTS[cursor.part](context, cursor);

async function checkRecordSlice(
  { trx, rowsPerStep }: StepContext,
  cursor: SellerCursor,
): Promise<Step<SellerCursor>> {
  const { id, record } = cursor;
  const { upTo, transactions } = await findRecordSlice(trx, id, record, Math.ceil(rowsPerStep / 4));
  const discrepancies = await findRecordDiscrepancies(trx, between(id, record, upTo));
  return {
    checked: { ...NOTHING_CHECKED, rows: transactions, discrepancies },
    next: upTo === undefined ? { ...cursor, part: 'entries' } : { ...cursor, record: upTo },
  };
}

/** Of new entries, the records are compared too. */
async function checkEntrySlice(
  { trx, rowsPerStep }: StepContext,
  cursor: SellerCursor,
): Promise<Step<SellerCursor>> {
  const { id, part } = cursor;
  const isNew = part === 'new entries';
  const slice = await findEntrySlice(trx, id, cursor.sums, { limit: rowsPerStep, withRecords: isNew });
  const isLast = slice.sums.every(({ entries }, n) => entries - (cursor.sums[n]?.entries ?? 0) < rowsPerStep);
  const sums = sumsOfSeller(id, slice.sums);
  const discrepancies = [
    ...(isLast ? await findBalanceDiscrepancies(trx, sums) : []),
    ...slice.differences.map(ofEntry),
    ...(isLast ? (await findEntryCountDifferences(trx, sums, MAX_DISCREPANCIES_PER_STEP)).map(ofEntry) : []),
    ...(isNew ? await findRecordDiscrepancies(trx, among(id, slice.recordIds)) : []),
  ];
  return {
    checked: { ...NOTHING_CHECKED, entries: slice.entries, rows: slice.entries, discrepancies },
    next: { ...cursor, sums: slice.sums, ...(isLast && { part: 'chain' as const }) },
  };
}

async function checkChainSlice(
  { trx, secrets }: StepContext,
  cursor: SellerCursor,
): Promise<Step<SellerCursor>> {
  const slice = await verifyChainSlice(trx, secrets, cursor.id, cursor.chain);
  const chainEntries = (slice.end?.number ?? 0) - (cursor.chain?.number ?? 0);
  return {
    checked: { ...NOTHING_CHECKED, chainEntries, discrepancies: slice.problems.map(ofChain) },
    next: { ...cursor, chain: slice.end, ...(slice.isLast && { part: 'counts' as const }) },
  };
}

async function checkCounts({ trx }: StepContext, { id }: SellerCursor): Promise<Step<SellerCursor>> {
  const discrepancies = await findCountDiscrepancies(trx, { only: id });
  return { checked: { ...NOTHING_CHECKED, sellers: 1, discrepancies }, next: undefined };
}

async function findBalanceDiscrepancies(
  trx: DatabaseTransaction,
  sums: AllSums,
): Promise<readonly Discrepancy[]> {
  const rows = await findBalanceDifferences(trx, sums, MAX_DISCREPANCIES_PER_STEP);
  return rows.map(({ sellerId, account, origin, stored, computed }) => ({
    kind: 'BALANCE',
    sellerId,
    message: `${account} balance of origin ${origin} is ${stored}, its entries sum to ${computed}`,
  }));
}

const ofEntry = ({ sellerId, entryId, problem }: EntryDifference): Discrepancy => ({
  kind: 'ENTRY',
  sellerId,
  message: `entry ${entryId ?? '(none)'} ${problem}`,
});

const ofChain = (problem: {
  readonly sellerId: string;
  readonly message: ChainProblemText;
}): Discrepancy => ({
  kind: 'CHAIN',
  ...problem,
});

/** Compares transactions and withdrawals with their entries. */
async function findRecordDiscrepancies(
  trx: DatabaseTransaction,
  scope: RecordScope,
): Promise<readonly Discrepancy[]> {
  const transactions = await findTransactionDifferences(trx, scope, MAX_DISCREPANCIES_PER_STEP);
  const withdrawals = await findWithdrawalDifferences(trx, scope, MAX_DISCREPANCIES_PER_STEP);
  return [
    ...transactions.map(({ sellerId, transactionId, part, expected, booked }): Discrepancy => ({
      kind: 'TRANSACTION',
      sellerId,
      message: `transaction ${transactionId}: ${part} should be ${expected} and is ${booked}`,
    })),
    ...withdrawals.map(({ sellerId, withdrawalId, status, ...sums }): Discrepancy => ({
      kind: 'WITHDRAWAL',
      sellerId,
      message: `withdrawal ${withdrawalId} is ${status ?? 'unknown'}, its entries sum to ${formatSums(sums)}`,
    })),
  ];
}

const formatSums = ({
  reserved,
  returned,
  paid,
  fee,
}: Pick<WithdrawalDifference, 'reserved' | 'returned' | 'paid' | 'fee'>): string =>
  `${reserved} reserved, ${returned} returned, ${paid} paid and ${fee} fee`;

async function findCountDiscrepancies(
  trx: DatabaseTransaction,
  range: SellerRange,
): Promise<readonly Discrepancy[]> {
  const rows = await findCountDifferences(trx, range, MAX_DISCREPANCIES_PER_STEP);
  const unpaid = await findUnpaidDifferences(trx, range, MAX_DISCREPANCIES_PER_STEP);
  return [
    ...rows.map(({ sellerId, method, status, stored, computed }): Discrepancy => ({
      kind: 'COUNT',
      sellerId,
      message: `${method} charges that are ${status} are counted as ${stored}, there are ${computed}`,
    })),
    ...unpaid.map(({ sellerId, method, day, stored, computed }): Discrepancy => ({
      kind: 'COUNT',
      sellerId,
      message: `${method} charges of ${day} without payment are counted as ${stored}, there are ${computed}`,
    })),
  ];
}
