import type { Clock } from '#platform/kit/clock.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { sellerConnection } from '#platform/database/dedicated-connection.ts';
import {
  createGroupCommit,
  type GroupCommit,
  type GroupCommitFactory,
} from '#platform/database/group-commit.ts';
import { ISOLATED_LOCK_TIMEOUT_MS } from '#platform/database/isolation.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Terms } from './decisions.ts';
import type { RecordDecline } from './risk-port.ts';
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
  /** Counts a declined card, for risk rules. */
  readonly recordDecline: RecordDecline;
}

export interface TransactionsServiceOptions extends CommonDeps {
  readonly database: Database;
  readonly groupCommit?: GroupCommitFactory;
}

export interface TransactionDeps extends CommonDeps {
  readonly db: Db;
  /** For reads of many rows. */
  readonly heavy: Db;
  readonly creations: GroupCommit<Creation, boolean>;
  readonly changes: GroupCommit<ChangeRecord, ApplyOutcome>;
  readonly reads: GroupCommit<TransactionKey, Transaction | null>;
  readonly pages: GroupCommit<UnfilteredPage, SummaryPage>;
}

const ofCreation = ({ transaction }: Creation) => transaction.sellerId;
const ofChange = ({ before }: ChangeRecord) => before.sellerId;
const ofRead = ({ sellerId }: { readonly sellerId: string }) => sellerId;
const READ_ONLY = { readOnly: true };
const ISOLATED = { lockTimeoutMs: ISOLATED_LOCK_TIMEOUT_MS };

/** Sets up one group commit, on a connection of its own, for each statement of the hot path. */
export function openTransactionDeps({
  database,
  groupCommit = createGroupCommit,
  ...common
}: TransactionsServiceOptions): TransactionDeps {
  const { db, queryDeadline } = database;
  const create = sellerConnection(database, { name: 'create', sellerOf: ofCreation });
  const change = sellerConnection(database, { name: 'change', sellerOf: ofChange });
  const isolatedCreate = sellerConnection(
    database,
    { name: 'create isolated', sellerOf: ofCreation },
    ISOLATED,
  );
  const isolatedChange = sellerConnection(
    database,
    { name: 'change isolated', sellerOf: ofChange },
    ISOLATED,
  );
  const read = sellerConnection<TransactionKey>(database, { name: 'read', sellerOf: ofRead }, READ_ONLY);
  const page = sellerConnection<UnfilteredPage>(database, { name: 'page', sellerOf: ofRead }, READ_ONLY);
  return {
    ...common,
    db,
    heavy: database.heavy,
    creations: groupCommit<Creation, boolean>('creations', {
      queryDeadline,
      laneOf: create.laneOf,
      run: (creations) => create.run(creations, createTransactions),
      isolation: {
        groupOf: ofCreation,
        run: (creations) => isolatedCreate.run(creations, createTransactions),
      },
    }),
    changes: groupCommit<ChangeRecord, ApplyOutcome>('changes', {
      queryDeadline,
      laneOf: change.laneOf,
      run: (records) => change.run(records, applyChanges),
      isolation: {
        groupOf: ofChange,
        run: (records) => isolatedChange.run(records, applyChanges),
      },
    }),
    reads: groupCommit<TransactionKey, Transaction | null>('reads', {
      queryDeadline,
      laneOf: read.laneOf,
      run: (keys) => read.run(keys, findTransactions),
    }),
    pages: groupCommit<UnfilteredPage, SummaryPage>('pages', {
      queryDeadline,
      maxItems: 64,
      laneOf: page.laneOf,
      run: (requests) => page.run(requests, findUnfilteredPages),
    }),
  };
}
