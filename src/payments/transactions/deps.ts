import type { Clock } from '#platform/kit/clock.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { sellerConnection, type SellerConnection } from '#platform/database/dedicated-connection.ts';
import {
  createGroupCommit,
  type GroupCommit,
  type GroupCommitFactory,
  type GroupCommitOptions,
} from '#platform/database/group-commit.ts';
import { ISOLATED_LOCK_TIMEOUT_MS } from '#platform/database/isolation.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Terms } from './decisions.ts';
import type { RecordDeclines } from './risk-port.ts';
import { createDecidedTransactions, type DecidedCreation } from './store-decided.ts';
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
  /** Counts declined cards, for risk rules. */
  readonly recordDeclines: RecordDeclines;
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
  /** Creates transactions together with their first decisions. */
  readonly decided: GroupCommit<DecidedCreation, boolean>;
  readonly changes: GroupCommit<ChangeRecord, ApplyOutcome>;
  readonly reads: GroupCommit<TransactionKey, Transaction | null>;
  readonly pages: GroupCommit<UnfilteredPage, SummaryPage>;
}

const ofCreation = ({ transaction }: Creation) => transaction.sellerId;
const ofRead = ({ sellerId }: { readonly sellerId: string }) => sellerId;
const READ_ONLY = { readOnly: true };

/** Sets up one group commit, on a connection of its own, for each statement of the hot path. */
export function openTransactionDeps({
  database,
  groupCommit = createGroupCommit,
  ...common
}: TransactionsServiceOptions): TransactionDeps {
  const { db, queryDeadline } = database;
  const read = sellerConnection<TransactionKey>(database, { name: 'read', sellerOf: ofRead }, READ_ONLY);
  const page = sellerConnection<UnfilteredPage>(database, { name: 'page', sellerOf: ofRead }, READ_ONLY);
  const createDecided = createDecidedTransactions(common.recordDeclines);
  const openWrites = <Item extends object, Outcome>(name: string, writes: Writes<Item, Outcome>) =>
    groupCommit<Item, Outcome>(name, writesOf(database, writes));
  return {
    ...common,
    db,
    heavy: database.heavy,
    creations: openWrites<Creation, boolean>('creations', {
      connectionName: 'create',
      sellerOf: ofCreation,
      startsWithHalf: true,
      run: (connection, creations) => connection.run(creations, createTransactions),
    }),
    decided: openWrites<DecidedCreation, boolean>('decided creations', {
      connectionName: 'decide',
      sellerOf: ofCreation,
      run: (connection, creations) => connection.runInTransaction(creations, createDecided),
    }),
    changes: openWrites<ChangeRecord, ApplyOutcome>('changes', {
      connectionName: 'change',
      sellerOf: ({ before }) => before.sellerId,
      run: (connection, records) => connection.run(records, applyChanges),
    }),
    reads: groupCommit<TransactionKey, Transaction | null>('reads', {
      queryDeadline,
      nodeOf: read.nodeOf,
      run: (keys) => read.run(keys, findTransactions),
    }),
    pages: groupCommit<UnfilteredPage, SummaryPage>('pages', {
      queryDeadline,
      maxItems: 64,
      nodeOf: page.nodeOf,
      run: (requests) => page.run(requests, findUnfilteredPages),
    }),
  };
}

interface Writes<Item, Outcome> {
  readonly connectionName: string;
  readonly sellerOf: (item: Item) => string;
  readonly startsWithHalf?: boolean;
  readonly run: (connection: SellerConnection<Item>, items: readonly Item[]) => Promise<readonly Outcome[]>;
}

/** Writes of sellers whose rows are locked run on a connection of their own. */
function writesOf<Item, Outcome>(
  database: Database,
  { connectionName, sellerOf, startsWithHalf = false, run }: Writes<Item, Outcome>,
): GroupCommitOptions<Item, Outcome> {
  const common = sellerConnection<Item>(database, { name: connectionName, sellerOf });
  const isolated = sellerConnection<Item>(
    database,
    { name: `${connectionName} isolated`, sellerOf },
    { lockTimeoutMs: ISOLATED_LOCK_TIMEOUT_MS },
  );
  return {
    queryDeadline: database.queryDeadline,
    nodeOf: common.nodeOf,
    startsWithHalf,
    run: (items) => run(common, items),
    isolation: { groupOf: sellerOf, run: (items) => run(isolated, items) },
  };
}
