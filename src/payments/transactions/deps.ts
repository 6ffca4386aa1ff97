import type { Clock } from '#platform/kit/clock.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { dedicatedConnection } from '#platform/database/dedicated-connection.ts';
import {
  createGroupCommit,
  type GroupCommit,
  type GroupCommitFactory,
} from '#platform/database/group-commit.ts';
import { ISOLATED_LOCK_TIMEOUT_MS } from '#platform/database/isolation.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Terms } from './decisions.ts';
import { findTransactions } from './store.ts';
import { applyChanges, type ApplyOutcome, type ChangeRecord } from './store-change.ts';
import { createTransactions, type Creation } from './store-create.ts';
import { findUnfilteredPages, type SummaryPage, type UnfilteredPage } from './store-lists.ts';
import type { Transaction, TransactionKey } from './transaction.ts';

interface CommonDeps {
  readonly clock: Clock;
  /** Proves the entries that changes book. */
  readonly secrets: SecretBox;
  /** The seller's terms that decisions depend on. Throws if there is no such seller. */
  readonly termsOf: (sellerId: string) => Promise<Terms>;
  /**
   * Called after a commit that inserted deliveries, so that the worker sends them without waiting
   * for its next poll.
   */
  readonly notifyWorker: () => void;
}

export interface TransactionsServiceOptions extends CommonDeps {
  readonly database: Database;
  readonly groupCommit?: GroupCommitFactory;
}

export interface TransactionDeps extends CommonDeps {
  readonly db: Db;
  readonly creations: GroupCommit<Creation, boolean>;
  readonly changes: GroupCommit<ChangeRecord, ApplyOutcome>;
  readonly reads: GroupCommit<TransactionKey, Transaction | null>;
  readonly pages: GroupCommit<UnfilteredPage, SummaryPage>;
}

const ISOLATED = { lockTimeoutMs: ISOLATED_LOCK_TIMEOUT_MS };

/** Sets up one group commit, on a connection of its own, for each statement of the hot path. */
export function openTransactionDeps({
  database,
  groupCommit = createGroupCommit,
  ...common
}: TransactionsServiceOptions): TransactionDeps {
  const { db, queryDeadline } = database;
  const createQuery = dedicatedConnection(database, 'create');
  const changeQuery = dedicatedConnection(database, 'change');
  const isolatedCreateQuery = dedicatedConnection(database, 'create isolated', ISOLATED);
  const isolatedChangeQuery = dedicatedConnection(database, 'change isolated', ISOLATED);
  const readQuery = dedicatedConnection(database, 'read', { readOnly: true });
  const pageQuery = dedicatedConnection(database, 'page', { readOnly: true });
  return {
    ...common,
    db,
    creations: groupCommit<Creation, boolean>('creations', {
      queryDeadline,
      run: (creations) => createTransactions(createQuery, creations),
      isolation: {
        groupOf: ({ transaction }) => transaction.sellerId,
        run: (creations) => createTransactions(isolatedCreateQuery, creations),
      },
    }),
    changes: groupCommit<ChangeRecord, ApplyOutcome>('changes', {
      queryDeadline,
      run: (records) => applyChanges(changeQuery, records),
      isolation: {
        groupOf: ({ before }) => before.sellerId,
        run: (records) => applyChanges(isolatedChangeQuery, records),
      },
    }),
    reads: groupCommit<TransactionKey, Transaction | null>('reads', {
      queryDeadline,
      run: (keys) => findTransactions(readQuery, keys),
    }),
    pages: groupCommit<UnfilteredPage, SummaryPage>('pages', {
      queryDeadline,
      maxItems: 64,
      run: (requests) => findUnfilteredPages(pageQuery, requests),
    }),
  };
}
