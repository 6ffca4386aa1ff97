import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { runStatementIn } from '#platform/database/statements.ts';
import { paginate, type Page } from '#platform/http/pagination.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { EventSnapshot } from '#webhooks/delivery.ts';
import type { TransactionDeps } from './deps.ts';
import { postbackTarget, transactionUpdated } from './events.ts';
import { parseSearch } from './lookup.ts';
import {
  countTransactions,
  findSummaries,
  isUnfiltered,
  type SummaryPage,
  type TransactionFilter,
} from './store-lists.ts';
import type { TransactionSummary } from './summary.ts';
import { lookUp, type LookupResult } from './store-lookup.ts';
import { findTransactionKeyById, findTransactions } from './store.ts';
import type { Transaction, TransactionKey } from './transaction.ts';

export async function find(
  { reads }: Pick<TransactionDeps, 'reads'>,
  key: TransactionKey,
): Promise<Transaction | undefined> {
  if (!isUuid(key.id) || !isUuid(key.sellerId)) return undefined;
  return (await reads.add(key)) ?? undefined;
}

/** Reads a transaction in the caller's database transaction. */
export async function findInTransaction(
  trx: DatabaseTransaction,
  key: TransactionKey,
): Promise<Transaction | undefined> {
  const [found] = await findTransactions(runStatementIn(trx), [key]);
  return found ?? undefined;
}

/** Finds a transaction by its id alone, which is all that the payer's public addresses contain. */
export async function findById(deps: TransactionDeps, id: string): Promise<Transaction | undefined> {
  const key = isUuid(id) ? await findTransactionKeyById(deps.db, id) : undefined;
  return key === undefined ? undefined : find(deps, key);
}

/** Lists a seller's transactions, newest first; one more than a page if there is a next page. */
export async function list(
  { db, pages }: TransactionDeps,
  sellerId: string,
  filter: TransactionFilter,
  page: Page,
): Promise<SummaryPage> {
  if (page.skip === 0 && isUnfiltered(filter))
    return pages.add({ sellerId, take: page.take, after: page.after });
  const [summaries, count] = await Promise.all([
    findSummaries(db, sellerId, filter, page),
    countTransactions(db, sellerId, filter),
  ]);
  return { summaries, count };
}

/**
 * Iterates over all transactions that match, newest first. The next page is read when the consumer
 * needs it.
 */
export function listAll(
  { db }: TransactionDeps,
  sellerId: string,
  filter: TransactionFilter,
): AsyncGenerator<TransactionSummary> {
  return paginate((page) => findSummaries(db, sellerId, filter, page));
}

/** Finds complete transactions that match, newest first. */
export async function search(
  deps: TransactionDeps,
  sellerId: string,
  filter: TransactionFilter,
  page: Page,
): Promise<{ readonly transactions: readonly Transaction[]; readonly count: number }> {
  const [summaries, count] = await Promise.all([
    findSummaries(deps.db, sellerId, filter, page),
    countTransactions(deps.db, sellerId, filter),
  ]);
  const keys = summaries.slice(0, page.take).map(({ id }) => ({ sellerId, id }));
  const transactions = await Promise.all(keys.map((key) => find(deps, key)));
  return { transactions: transactions.filter((found) => found !== undefined), count };
}

/**
 * Finds transactions by id, amount or text (see `parseSearch`). Returns undefined if the query
 * takes too long.
 */
export function lookUpText(
  { db }: TransactionDeps,
  sellerId: string,
  text: string,
): Promise<LookupResult | undefined> {
  return lookUp(db, sellerId, parseSearch(text));
}

/**
 * The current states of transactions as webhook events. Returns undefined if one of them does not
 * exist.
 */
export async function snapshotsOf(
  deps: TransactionDeps,
  sellerId: string,
  ids: readonly string[],
): Promise<readonly EventSnapshot[] | undefined> {
  const transactions = await Promise.all(ids.map((id) => find(deps, { sellerId, id })));
  const snapshots = transactions.flatMap((transaction) =>
    transaction === undefined ? [] : [toSnapshot(transaction)],
  );
  return snapshots.length < ids.length ? undefined : snapshots;
}

const toSnapshot = (transaction: Transaction): EventSnapshot => ({
  recordId: transaction.id,
  ...transactionUpdated(transaction),
  postback: postbackTarget(transaction),
});
