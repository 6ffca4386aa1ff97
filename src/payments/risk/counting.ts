import {
  createGroupCommit,
  type GroupCommit,
  type GroupCommitFactory,
} from '#platform/database/group-commit.ts';
import type { Database } from '#platform/database/connect.ts';
import { dedicatedConnection, sellerConnection } from '#platform/database/dedicated-connection.ts';
import type { RunStatement } from '#platform/database/statements.ts';
import {
  findCountedOfAll,
  insertAndCount,
  type Attempt,
  type CountQuery,
  type CountedRow,
  type CountedRows,
} from './store-signals.ts';

export type Counting = GroupCommit<Attempt, CountedRows>;

const LOCK_TIMEOUT_MS = 5_000;

interface Numbered {
  readonly attempt: Attempt;
  readonly number: number;
  readonly rows: CountedRows;
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
    nodeOf: connection.nodeOf,
    run: async (attempts) => {
      const isDistributed = database.shards.all.length > 0;
      let numbered = await connection.run(attempts, async (query, part) => {
        const counted = await insertAndCount(query, isDistributed ? part.map(ofOneSeller) : part);
        return part.map((attempt, at) => ({ attempt, number: counted.number, rows: counted.rows[at] ?? [] }));
      });
      if (isDistributed) numbered = await Promise.all(numbered.map((one) => withAllSellers(everywhere, one)));
      return withBatch(numbered);
    },
  });
}

const isOfSeller = ({ scope }: CountQuery): boolean => scope === 'SELLER';

/**
 * Without the counts over all sellers, which one server of a distributed database cannot compute.
 */
const ofOneSeller = (attempt: Attempt): Attempt => ({
  ...attempt,
  queries: attempt.queries.filter(isOfSeller),
});

/** Adds the charges of all sellers to what one server of a distributed database has counted. */
async function withAllSellers(query: RunStatement, { attempt, number, rows }: Numbered): Promise<Numbered> {
  const ofSeller = rows.values();
  const all: (readonly CountedRow[])[] = [];
  for (const read of attempt.queries)
    all.push(
      isOfSeller(read) ? (ofSeller.next().value ?? []) : await findCountedOfAll(query, attempt, read, number),
    );
  return { attempt, number, rows: all };
}

/** Adds the charges that came before in the same batch, whose number is the same. */
function withBatch(numbered: readonly Numbered[]): readonly CountedRows[] {
  const earlier = new Map<string, Attempt[]>();
  return numbered.map(({ attempt, rows }) => {
    const counted = attempt.queries.map((query, index) => {
      const batched =
        earlier.get(attempt.signals[query.kind] ?? '')?.filter(isCountedBy(attempt, query)) ?? [];
      return [...batched.toReversed(), ...(rows[index] ?? [])].slice(0, query.limit);
    });
    for (const value of Object.values(attempt.signals)) {
      const sharing = earlier.get(value) ?? [];
      earlier.set(value, sharing);
      sharing.push(attempt);
    }
    return counted;
  });
}

const isCountedBy =
  ({ sellerId, requestId }: Attempt, { scope, declinesOnly }: CountQuery) =>
  (mate: Attempt): boolean =>
    mate.requestId !== requestId &&
    (scope === 'ALL_SELLERS' || mate.sellerId === sellerId) &&
    (!declinesOnly || mate.declined === null);
