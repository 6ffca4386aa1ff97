import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pagination.ts';
import {
  countOperatorTransactions,
  findStatusHistory,
  findOperatorSummaries,
  findExportChunk,
  type OperatorFilter,
  type OperatorTransactionSummary,
  type StatusChange,
} from './store-operator.ts';
import type { TransactionKey } from './transaction.ts';

export type OperatorTransactions = ReturnType<typeof createOperatorTransactions>;

/** Charges as the operator reads them: those of all sellers. */
export function createOperatorTransactions(db: Db) {
  return {
    async list(
      filter: OperatorFilter,
      page: Page,
    ): Promise<{ readonly summaries: readonly OperatorTransactionSummary[]; readonly count: number }> {
      const [found, count] = await Promise.all([
        findOperatorSummaries(db, filter, page),
        countOperatorTransactions(db, filter),
      ]);
      return { summaries: found, count };
    },

    /** Every charge that matches, newest first, read piece by piece as fast as they are taken. */
    async *all(filter: OperatorFilter): AsyncGenerator<OperatorTransactionSummary> {
      let after: string | undefined;
      do {
        const { summaries, next } = await findExportChunk(db, filter, after);
        yield* summaries;
        after = next;
      } while (after !== undefined);
    },

    /** Every status the charge has had, the first one first. */
    findStatusHistory: (key: TransactionKey): Promise<readonly StatusChange[]> => findStatusHistory(db, key),
  };
}
