import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import { runStatementIn } from '#platform/database/statements.ts';
import { countShownBy, paginate, type ListCount, type Page } from '#platform/http/pagination.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { searchHashes } from '#payments/search/service.ts';
import type { EventSnapshot } from '#webhooks/delivery.ts';
import type { TransactionDeps } from './deps.ts';
import { postbackTarget, transactionUpdated } from './events.ts';
import { parseSearch } from './lookup.ts';
import { isUnfiltered, referencesOf, type TransactionFilter } from './store-filters.ts';
import { iterateListed } from './store-operator.ts';
import { countTransactions, findSummaries, type SummaryPage } from './store-lists.ts';
import type { ListedTransaction } from './summary.ts';
import {
  lookUp,
  lookUpOfAll,
  type FoundOfSeller,
  type FoundTransaction,
  type LookupQuery,
} from './store-lookup.ts';
import { findTransactionKeyById, findTransactions, findVersions } from './store.ts';
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

/** The versions of transactions, which show those that have changed. */
export const versionsOf = ({ db }: TransactionDeps, keys: readonly TransactionKey[]) =>
  findVersions(db, keys);

/** Lists a seller's transactions, newest first; one more than a page if there is a next page. */
export async function list(
  { db, heavy, pages }: TransactionDeps,
  sellerId: string,
  filter: TransactionFilter,
  page: Page,
): Promise<SummaryPage> {
  if (page.skip === 0 && isUnfiltered(filter))
    return pages.add({ sellerId, take: page.take, after: page.after });
  if (filter.metadataKey !== undefined) return listByMetadata(heavy, sellerId, filter, page);
  const [summaries, count] = await Promise.all([
    onShardOf(db, sellerId, (shard) => findSummaries(shard, sellerId, filter, page)),
    onShardOf(db, sellerId, (shard) => countTransactions(shard, sellerId, filter)),
  ]);
  return { summaries, count };
}

/**
 * Counts only if the page does not show how many there are: both search all, and may be expensive.
 */
async function listByMetadata(
  db: Db,
  sellerId: string,
  filter: TransactionFilter,
  page: Page,
): Promise<SummaryPage> {
  const summaries = await onShardOf(db, sellerId, (shard) => findSummaries(shard, sellerId, filter, page));
  const count =
    countShownBy(page, summaries.length) ??
    (await onShardOf(db, sellerId, (shard) => countTransactions(shard, sellerId, filter)));
  return { summaries, count };
}

/**
 * Iterates over all transactions that match, newest first. The next page is read when the consumer
 * needs it.
 */
export function listAll(
  { heavy }: TransactionDeps,
  sellerId: string,
  filter: TransactionFilter,
): AsyncGenerator<ListedTransaction> {
  return filter.metadataKey === undefined && referencesOf(filter).length === 0 && !filter.refunding
    ? iterateListed(heavy, { ...filter, sellerId })
    : paginate((page) => onShardOf(heavy, sellerId, (shard) => findSummaries(shard, sellerId, filter, page)));
}

/** Finds complete transactions by metadata, newest first. */
export async function search(
  deps: TransactionDeps,
  sellerId: string,
  filter: TransactionFilter,
  page: Page,
): Promise<{ readonly transactions: readonly Transaction[]; readonly count: ListCount }> {
  const { summaries, count } = await listByMetadata(deps.heavy, sellerId, filter, page);
  const keys = summaries.slice(0, page.take).map(({ id }) => ({ sellerId, id }));
  const transactions = await Promise.all(keys.map((key) => find(deps, key)));
  return { transactions: transactions.filter((found) => found !== undefined), count };
}

/**
 * Finds transactions by id, amount, document or text (see `parseSearch`). Returns undefined if the
 * query takes too long.
 */
export function lookUpText(
  { heavy, secrets }: TransactionDeps,
  sellerId: string,
  text: string,
): Promise<readonly FoundTransaction[] | undefined> {
  return lookUp(heavy, sellerId, toLookupQuery(secrets, text));
}

/** Finds transactions of all sellers in the same way. */
export const lookUpTextOfAll = (
  { heavy, secrets }: TransactionDeps,
  text: string,
): Promise<readonly FoundOfSeller[] | undefined> => lookUpOfAll(heavy, toLookupQuery(secrets, text));

function toLookupQuery(secrets: TransactionDeps['secrets'], text: string): LookupQuery {
  const query = parseSearch(text);
  const { document } = query;
  return { ...query, documentHashes: document === undefined ? [] : searchHashes(secrets, document) };
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
