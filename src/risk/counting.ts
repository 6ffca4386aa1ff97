import {
  createGroupCommit,
  type GroupCommit,
  type GroupCommitFactory,
} from '#platform/database/group-commit.ts';
import type { Database } from '#platform/database/connect.ts';
import { dedicatedConnection, sellerConnection } from '#platform/database/dedicated-connection.ts';
import type { RunStatement } from '#platform/database/statements.ts';
import {
  findCounted,
  findCountedOfAll,
  insertAndFindSignals,
  insertSignals,
  type Count,
  type CountedRow,
  type CountQuery,
  type IndexedRow,
  type NewSignals,
} from './store-signals.ts';

/** A charge that is counted, and what its rules count. */
export interface Attempt extends NewSignals {
  readonly queries: readonly CountQuery[];
}

/** The rows that the queries of an attempt count, newest first. */
export type CountedRows = readonly (readonly CountedRow[])[];

export type Counting = GroupCommit<Attempt, CountedRows>;

const LOCK_TIMEOUT_MS = 5_000;

interface Numbered {
  readonly attempt: Attempt;
  readonly number: number;
  readonly rows: readonly CountedRow[][];
}

/**
 * Adds charges and counts those before them. Concurrent charges share the statements. A number is
 * taken under the locks of its keys, which are held until it is committed, so that of two charges
 * of any processes the later one counts the earlier one, and never both each other.
 */
export function createCounting(
  database: Database,
  groupCommit: GroupCommitFactory = createGroupCommit,
): Counting {
  const connection = sellerConnection<Attempt>(
    database,
    { name: 'risk', sellerOf: ({ sellerId }) => sellerId },
    // A crash of the server may lose signals, but no decline: those commit with their transaction.
    // A lock is held for one statement only.
    { durable: false, lockTimeoutMs: LOCK_TIMEOUT_MS },
  );
  const everywhere = dedicatedConnection(database, 'risk of all sellers', { readOnly: true });
  return groupCommit<Attempt, CountedRows>('risk', {
    queryDeadline: database.queryDeadline,
    laneOf: connection.laneOf,
    run: async (attempts) => {
      const numbered = await connection.run(attempts, (query, part) =>
        insertAndCount(query, part, isDistributed(database)),
      );
      if (isDistributed(database)) for (const one of numbered) await countOfAll(everywhere, one);
      return numbered.map((one, index) => withBatch(one, numbered.slice(0, index)));
    },
  });
}

const isDistributed = ({ shards }: Database): boolean => shards.all.length > 0;

/** Counts what is on the server of the query: of a distributed database, only one seller's charges. */
async function insertAndCount(
  query: RunStatement,
  attempts: readonly Attempt[],
  ofSellersOnly: boolean,
): Promise<readonly Numbered[]> {
  const rows = attempts.map(({ queries }) => queries.map((): CountedRow[] => []));
  const reads = attempts.flatMap((attempt, at) =>
    attempt.queries.flatMap((read, index) =>
      ofSellersOnly && read.scope !== 'SELLER'
        ? []
        : [{ ...read, sellerId: attempt.sellerId, requestId: attempt.requestId, found: rows[at]?.[index] }],
    ),
  );
  const { number, found } = await insertAndFind(query, attempts, reads);
  for (const row of found) reads[row.index]?.found?.push(row);
  return attempts.map((attempt, at) => ({ attempt, number, rows: rows[at] ?? [] }));
}

async function insertAndFind(
  query: RunStatement,
  attempts: readonly Attempt[],
  counts: readonly Count[],
): Promise<{ readonly number: number; readonly found: readonly IndexedRow[] }> {
  if (counts.length === 0) return { number: await insertSignals(query, attempts), found: [] };
  const isExact = attempts.some(({ locks }) => locks.length > 0) || counts.some((it) => !it.declinesOnly);
  if (!isExact) return insertAndFindSignals(query, attempts, counts);
  // What must be exact is read once the locks are held, by a statement of its own.
  const number = await insertSignals(query, attempts);
  return { number, found: await findCounted(query, counts, number) };
}

async function countOfAll(query: RunStatement, { attempt, number, rows }: Numbered): Promise<void> {
  const { requestId } = attempt;
  for (const [index, read] of attempt.queries.entries())
    if (read.scope === 'ALL_SELLERS')
      rows[index]?.push(...(await findCountedOfAll(query, { ...read, requestId }, number)));
}

/** Adds the charges that came before in the same batch, whose number is the same. */
function withBatch({ attempt, rows }: Numbered, earlier: readonly Numbered[]): CountedRows {
  return attempt.queries.map(({ kind, key, scope, declinesOnly, limit }, index) => {
    const mates = earlier
      .map((mate) => mate.attempt)
      .filter(
        (mate) =>
          mate.requestId !== attempt.requestId &&
          (scope === 'ALL_SELLERS' || mate.sellerId === attempt.sellerId) &&
          (!declinesOnly || mate.declined === null) &&
          mate.signals[kind] === key,
      );
    return [...mates.toReversed(), ...(rows[index] ?? [])].slice(0, limit);
  });
}
