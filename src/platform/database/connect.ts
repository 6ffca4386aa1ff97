import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';

import { serverUrls, isWritable } from './server-urls.ts';
import { DatabaseUnavailableError, toConnectionError } from './errors.ts';
import { QueryDeadline } from './query-deadline.ts';
import { createDeadlinePool } from './pool.ts';
import type { DB } from './types.gen.ts';
import { isUnavailable, HealthMonitor, type Availability } from './health-monitor.ts';

/** The builder for reads, filters and ordinary writes. Its types are generated from the migrated schema. */
export type Db = Kysely<DB>;

/** The handle of an open transaction. Functions that must run inside one take it instead of `Db`. */
export type DatabaseTransaction = Transaction<DB>;

const INT8 = 20;

/** Money and counts are bigint columns; a value that JavaScript cannot hold exactly must not pass as a number. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint from the database is not a safe integer');
  return value;
}

const parsers = new Map<number, (text: string) => unknown>([[INT8, parseInt8]]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    parsers.get(id) ??
    (format === 'binary' ? pg.types.getTypeParser(id, 'binary') : pg.types.getTypeParser(id)),
};

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /**
   * The same for what rightly takes long: reports over everything, and what the worker does in the background. Callers of
   * this one wait as long as the server lets a statement run.
   */
  readonly background: Db;
  /** What the last look has found. */
  readonly availability: Availability;
  /** How long callers wait; undefined where they may wait for ever. */
  readonly queryDeadline: QueryDeadline | undefined;
  /** A connection of one's own, for a lane with named prepared statements. Ends with `close`. */
  connectDedicated(name: string): Promise<pg.Client>;
  /** Told of every answer on a lane, with the name of the lanes where something was written. */
  recordResponse(writer: string | undefined): void;
  /** Told that the server could not write what lanes of this name asked, though there was nothing wrong with it. */
  recordWriteFailure(name: string): void;
  /** Whether it can serve now. Takes no longer than a second or so, whatever has become of it. */
  probe(): Promise<Health>;
  close(): Promise<void>;
}

/** `slow`: it answers, and what is to be written does not come to its end. `failing`: what is to be written fails, as on a full disk. */
export type Health = Availability | 'slow' | 'failing';

/** A failure says so long that more of them are to come. */
const WRITE_FAILURE_WINDOW_MS = 5_000;

export interface DatabaseOptions {
  /** May name several servers, of which one takes writes. */
  readonly url: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
  /**
   * For those who answer callers: nobody waits long, and while the server is away everybody is told at once. Without it, as
   * commands want it, everything waits.
   */
  readonly monitor?: { readonly onChange: (availability: Availability, error: Error | undefined) => void };
}

/** Callers are answered within two seconds; what comes before and after the database's part fits into the rest. */
const QUERY_DEADLINE_MS = 1_500;
/** Connections that do not end by themselves when the database is let go. */
const CLOSE_TIMEOUT_MS = 1_000;

export function clientConfig(url: string, applicationName: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    types,
    connectionTimeoutMillis: 5_000,
    // No statement of ours takes seconds; one that does holds locks that others wait for.
    statement_timeout: 30_000,
    // Whoever began it is gone, and its locks would outlive an outage.
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

export function openDatabase(options: DatabaseOptions): Database {
  const { onError, poolSize } = options;
  const addresses = serverUrls(options.url);
  const clients = new Set<pg.Client>();
  const dedicatedClients = new Set<pg.Client>();
  let current = 0;
  let closing = false;
  let responseCount = 0;
  /** When writing failed last, of those lanes where nothing has been written since. */
  const failures = new Map<string, number>();
  const countResponse = (): void => {
    responseCount += 1;
  };
  const reportError = (error: Error): void => {
    // The pool does not wait for its connections to end, so the server may end them first. Of a server that is away one hears once.
    if (!closing && currentAvailability() === 'ok') onError(error);
  };

  /** Every connection, so that all can be cut at once. */
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      const address = addresses[current] ?? options.url;
      super(typeof config === 'string' ? config : { ...config, connectionString: address });
      clients.add(this);
      this.once('end', () => clients.delete(this));
    }
  }
  const pool = new pg.Pool({ ...clientConfig(options.url, 'gateway'), max: poolSize, Client });
  // An idle connection that breaks must not end the process: the pool makes another when one is asked for.
  pool.on('error', reportError);
  // The pool listens while a client is idle; one that is lent out and between two statements needs a listener of its own.
  pool.on('connect', (client) => client.on('error', reportError));

  const open = async (name: string): Promise<pg.Client> => {
    const client = new Client(clientConfig(options.url, name));
    client.on('error', reportError);
    try {
      await client.connect();
      return client;
    } catch (error) {
      throw toConnectionError(error);
    }
  };
  const destroyAll = (): void => {
    for (const client of clients) client.connection.stream.destroy();
  };
  const monitor =
    options.monitor &&
    new HealthMonitor({
      async open() {
        const client = await open('gateway watch');
        return {
          isWritable: () => isWritable(client),
          destroy: () => client.connection.stream.destroy(),
        };
      },
      responseCount: () => responseCount,
      onUnavailable: () => {
        current = (current + 1) % addresses.length;
      },
      onChange(availability, error) {
        // Whoever waits for an answer gets none any more, and a server that takes no writes is not kept.
        if (isUnavailable(availability)) destroyAll();
        options.monitor?.onChange(availability, error);
      },
    });
  const currentAvailability = (): Availability => monitor?.availability ?? 'ok';
  monitor?.start();

  const findRefusal = (connecting: boolean): Error | undefined => {
    const availability = currentAvailability();
    // Where there is no connection left, asking for more of them only makes it worse.
    const refused = isUnavailable(availability) || (availability === 'full' && connecting);
    return refused ? new DatabaseUnavailableError(`the database is ${availability}`) : undefined;
  };
  const queryDeadline = monitor && new QueryDeadline(QUERY_DEADLINE_MS);
  const backgroundPool = createDeadlinePool(pool, {
    findRefusal,
    onResponse: countResponse,
    queryDeadline: undefined,
  });
  const requestPool = createDeadlinePool(pool, { findRefusal, onResponse: countResponse, queryDeadline });
  const background = new Kysely<DB>({ dialect: new PostgresDialect({ pool: backgroundPool }) });
  const db =
    queryDeadline === undefined
      ? background
      : new Kysely<DB>({ dialect: new PostgresDialect({ pool: requestPool }) });
  return {
    db,
    pool,
    background,
    get availability() {
      return currentAvailability();
    },
    queryDeadline,
    recordResponse(writer) {
      responseCount += 1;
      if (writer !== undefined && failures.size > 0) failures.delete(writer);
    },
    recordWriteFailure(name) {
      failures.set(name, performance.now());
    },
    async connectDedicated(name) {
      const unavailable = findRefusal(true);
      if (unavailable !== undefined) throw unavailable;
      const client = await open(`gateway ${name}`);
      dedicatedClients.add(client);
      client.once('end', () => dedicatedClients.delete(client));
      return client;
    },
    async probe() {
      if (monitor === undefined) return 'ok';
      const availability = await monitor.probe();
      if (availability !== 'ok') return availability;
      if (queryDeadline?.isStuck() === true) return 'slow';
      return performance.now() - Math.max(-Infinity, ...failures.values()) < WRITE_FAILURE_WINDOW_MS
        ? 'failing'
        : 'ok';
    },
    async close() {
      closing = true;
      queryDeadline?.stop();
      await monitor?.stop();
      const cut = setTimeout(destroyAll, CLOSE_TIMEOUT_MS);
      await Promise.allSettled([...dedicatedClients].map((lane) => lane.end()));
      await pool.end();
      clearTimeout(cut);
    },
  };
}
