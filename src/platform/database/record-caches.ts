import type { Job } from '#platform/jobs/loop.ts';
import { RecordCache } from '#platform/kit/record-cache.ts';
import { CacheInvalidations, type CachedTable } from './cache-invalidations.ts';
import type { Database } from './connect.ts';
import { dedicatedConnection } from './dedicated-connection.ts';
import { createGroupCommit, type GroupCommitFactory } from './group-commit.ts';
import type { RunStatement } from './statements.ts';

/**
 * A change must take effect within a second; see `MAX_UNCONFIRMED_MS` for the time without polls.
 */
const POLL_INTERVAL_MS = 250;

export interface CacheOptions<Value> {
  /** In metrics. */
  readonly name: string;
  readonly tables: readonly CachedTable[];
  /** Returns the values that exist. */
  readonly load: (query: RunStatement, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  /** The ids of the records that a value consists of. */
  readonly idsOf: (value: Value) => readonly string[];
}

/**
 * The caches of what requests need of keys, users, sellers, settings, provider routes and risk
 * rules. Values are read in batches, by prepared statements. Without calls of `job`, as in
 * commands, values expire almost at once.
 */
export class RecordCaches {
  readonly #listeners: ((ids: ReadonlySet<string>) => void)[] = [];
  readonly #invalidations: CacheInvalidations;
  readonly #database: Database;
  readonly #groupCommit: GroupCommitFactory;
  readonly #query: RunStatement;

  constructor(database: Database, groupCommit: GroupCommitFactory = createGroupCommit) {
    this.#database = database;
    this.#groupCommit = groupCommit;
    this.#query = dedicatedConnection(database, 'cached records', { readOnly: true });
    this.#invalidations = new CacheInvalidations(database, (ids) => {
      for (const invalidate of this.#listeners) invalidate(ids);
    });
  }

  create<Value>({ name, tables, load, idsOf }: CacheOptions<Value>): RecordCache<string, Value> {
    const reads = this.#groupCommit<{ readonly key: string }, { readonly value: Value | undefined }>(name, {
      queryDeadline: this.#database.queryDeadline,
      run: async (items) => {
        const keys = items.map(({ key }) => key);
        const values = await load(this.#query, keys);
        return keys.map((key) => ({ value: values.get(key) }));
      },
    });
    const cache = new RecordCache<string, Value>({
      load: async (key) => (await reads.add({ key })).value,
      idsOf,
      isConfirmed: (readAt, now) => this.#invalidations.isConfirmed(readAt, now),
    });
    this.#invalidations.watch(tables);
    this.#listeners.push((ids) => cache.invalidate(ids));
    return cache;
  }

  /** Polls for changes. */
  job(): Job {
    return {
      name: 'cache-invalidations',
      intervalMs: POLL_INTERVAL_MS,
      run: async () => {
        await this.#invalidations.poll();
        return false;
      },
    };
  }
}
