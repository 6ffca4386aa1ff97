import type { Db } from '#platform/database/connect.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import {
  countOperatorTransactions,
  findOperatorSummaries,
  findStatusHistory,
  iterateChunks,
  type OperatorFilter,
} from './store-operator.ts';
import type { TransactionKey } from './transaction.ts';

export type OperatorTransactions = ReturnType<typeof createOperatorTransactions>;

interface OperatorTransactionsDeps {
  readonly db: Db;
  readonly exports: Db;
}

/** The operator's view of the transactions of all sellers. */
export const createOperatorTransactions = (deps: OperatorTransactionsDeps) =>
  bindDeps(deps, { list, listAll, findStatusHistory: findHistory });

function list({ db }: OperatorTransactionsDeps, filter: OperatorFilter, page: Page) {
  return countedPage(findOperatorSummaries(db, filter, page), countOperatorTransactions(db, filter));
}

/** Iterates over all transactions that match, newest first. */
const listAll = ({ exports }: OperatorTransactionsDeps, filter: OperatorFilter) =>
  iterateChunks(exports, filter);

const findHistory = ({ db }: OperatorTransactionsDeps, key: TransactionKey) => findStatusHistory(db, key);
