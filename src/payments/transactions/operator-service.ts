import type { Db } from '#platform/database/connect.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import {
  countOperatorTransactions,
  findExportChunk,
  findOperatorSummaries,
  findStatusHistory,
  type OperatorFilter,
  type OperatorTransactionSummary,
} from './store-operator.ts';

export type OperatorTransactions = ReturnType<typeof createOperatorTransactions>;

/** The operator's view of the transactions of all sellers. */
export const createOperatorTransactions = (db: Db) => bindDeps(db, { list, listAll, findStatusHistory });

function list(db: Db, filter: OperatorFilter, page: Page) {
  return countedPage(findOperatorSummaries(db, filter, page), countOperatorTransactions(db, filter));
}

/**
 * Iterates over all transactions that match, newest first. The next chunk is read when the consumer
 * needs it.
 */
async function* listAll(db: Db, filter: OperatorFilter): AsyncGenerator<OperatorTransactionSummary> {
  let after: string | undefined;
  do {
    const { summaries, next } = await findExportChunk(db, filter, after);
    yield* summaries;
    after = next;
  } while (after !== undefined);
}
