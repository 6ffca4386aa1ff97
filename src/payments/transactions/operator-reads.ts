import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pages.ts';
import {
  countOwned,
  findHistory,
  findOwnedSummaries,
  findWindow,
  type OperatorFilter,
  type OwnedSummary,
  type Step,
} from './store-operator.ts';
import type { TransactionKey } from './store.ts';

export type OperatorTransactions = ReturnType<typeof createOperatorTransactions>;

/** Charges as the operator reads them: those of all sellers. */
export function createOperatorTransactions(db: Db) {
  return {
    async list(
      filter: OperatorFilter,
      page: Page,
    ): Promise<{ readonly found: readonly OwnedSummary[]; readonly count: number }> {
      const [found, count] = await Promise.all([
        findOwnedSummaries(db, filter, page),
        countOwned(db, filter),
      ]);
      return { found, count };
    },

    /** Every charge that matches, newest first, read piece by piece as fast as they are taken. */
    async *all(filter: OperatorFilter): AsyncGenerator<OwnedSummary> {
      let after: string | undefined;
      do {
        const { found, next } = await findWindow(db, filter, after);
        yield* found;
        after = next;
      } while (after !== undefined);
    },

    /** Every status the charge has had, the first one first. */
    historyOf: (key: TransactionKey): Promise<readonly Step[]> => findHistory(db, key),
  };
}
