import type { Db } from '#platform/database/connect.ts';
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

async function list(
  db: Db,
  filter: OperatorFilter,
  page: Page,
): Promise<{ readonly summaries: readonly OperatorTransactionSummary[]; readonly count: number }> {
  const [summaries, count] = await Promise.all([
    findOperatorSummaries(db, filter, page),
    countOperatorTransactions(db, filter),
  ]);
  return { summaries, count };
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
