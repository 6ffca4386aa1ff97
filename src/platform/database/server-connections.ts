import { Socket } from 'node:net';

import pg from 'pg';

import { toConnectionError } from './errors.ts';
import type { ObservedConnection } from './hung-connections.ts';
import { serverUrls } from './server-urls.ts';

declare module 'pg' {
  interface Client {
    /** The process id of the backend, once it is connected. */
    readonly processID: number;
    /** The query that waits for its response. */
    _getActiveQuery(): object | null;
  }
}

const INT8 = 20;

const STATEMENT_TIMEOUT_MS = 30_000;

/**
 * Money and counts are bigint columns. A value that a number cannot represent exactly is an error.
 */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint from the database is not a safe integer');
  return value;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === INT8
      ? parseInt8
      : format === 'binary'
        ? pg.types.getTypeParser(id, 'binary')
        : pg.types.getTypeParser(id),
};

const OPTIONS = [
  // Compiling an expression takes longer than the statements that use it.
  'jit=off',
  // On a distributed database: a connection of the coordinator would open several to a worker node for
  // a statement on several shards, which costs more than the statement.
  'citus.max_adaptive_executor_pool_size=1',
  // Otherwise the coordinator takes a lock on the shard for each statement that changes more than a
  // row. Other transactions that hold locks of rows deadlock with it. Each shard has one placement,
  // whose server locks the rows.
  'citus.all_modifications_commutative=on',
]
  .map((option) => `-c ${option}`)
  .join(' ');

const clientConfig = (applicationName: string): pg.ClientConfig => ({
  application_name: applicationName,
  types,
  options: OPTIONS,
  connectionTimeoutMillis: 5_000,
  // Statements take less than seconds. A longer one holds locks that other callers wait for.
  statement_timeout: STATEMENT_TIMEOUT_MS,
  // Callers wait for 1.5 seconds. A statement that ends before keeps its connection.
  lock_timeout: 1_000,
  // Its process is gone, and its locks would outlive an outage.
  idle_in_transaction_session_timeout: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
});

/** The check whether a server responds at all has this deadline for each step. */
const LOOKUP_TIMEOUT_MS = 1_000;

/**
 * Opens connections to the current one of the servers that a URL names, and tracks them, so that
 * all of them can be destroyed at once.
 */
export class ServerConnections {
  readonly #urls: readonly string[];
  readonly #onError: (error: Error) => void;
  readonly #clients = new Set<TrackedClient>();
  readonly #Client: ClientClass;
  #current = 0;

  /** @param onError called when an open connection fails outside a statement. */
  constructor(url: string, onError: (error: Error) => void) {
    this.#urls = serverUrls(url);
    this.#onError = onError;
    this.#Client = trackedClientClass(this.#clients, () => this.#urls[this.#current]);
  }

  /** @param statementTimeoutMs after which the server cancels a statement. */
  createPool(max: number, applicationName: string, statementTimeoutMs = STATEMENT_TIMEOUT_MS): pg.Pool {
    const config = { ...clientConfig(applicationName), statement_timeout: statementTimeoutMs };
    const pool = new pg.Pool({ ...config, max, Client: this.#Client });
    // Without listeners, a connection that fails would end the process. The pool listens to idle
    // connections only.
    pool.on('error', this.#onError);
    pool.on('connect', (client) => client.on('error', this.#onError));
    return pool;
  }

  /**
   * Opens a connection outside the pool. It sends a statement without waiting for the response to
   * the one before (pipelining). Throws DatabaseUnavailableError.
   */
  async open(applicationName: string): Promise<pg.Client> {
    const client = new this.#Client({ ...clientConfig(applicationName), pipeline: true });
    client.on('error', this.#onError);
    try {
      await client.connect();
      return client;
    } catch (error) {
      throw toConnectionError(error);
    }
  }

  /** All open connections. */
  get all(): Iterable<ObservedConnection> {
    return this.#clients;
  }

  /** Whether a statement waits for its response. */
  get isAwaited(): boolean {
    return this.#clients.values().some(({ statement }) => statement !== undefined);
  }

  /**
   * Reads on a new connection which backends execute a statement. One that waits for the network
   * has lost its client. Throws if the server does not respond.
   */
  async findExecuting(backendPids: readonly number[]): Promise<ReadonlySet<number>> {
    const client = new this.#Client({
      ...clientConfig('gateway connection check'),
      connectionTimeoutMillis: LOOKUP_TIMEOUT_MS,
      query_timeout: LOOKUP_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(EXECUTING, [backendPids]);
      return new Set(rows.map(({ pid }) => pid));
    } finally {
      client.destroy();
    }
  }

  /** Opens further connections to the next server. */
  useNextServer(): void {
    this.#current = (this.#current + 1) % this.#urls.length;
  }

  destroyAll(): void {
    for (const client of this.#clients) client.destroy();
  }
}

/**
 * A backend of Citus that waits for a worker node shows ClientRead, like one that waits for the
 * rest of a message.
 */
const EXECUTING = `
  SELECT pid FROM pg_stat_activity
  WHERE pid = ANY ($1::integer[]) AND state = 'active' AND (wait_event_type IS DISTINCT FROM 'Client'
    OR wait_event = 'ClientRead' AND EXISTS (SELECT FROM pg_extension WHERE extname = 'citus'))`;

type TrackedClient = pg.Client & ObservedConnection;

type ClientClass = new (config?: pg.ClientConfig) => TrackedClient;

/** The pool constructs its clients itself, so tracking them takes a class. */
function trackedClientClass(clients: Set<TrackedClient>, currentUrl: () => string | undefined): ClientClass {
  return class extends pg.Client implements ObservedConnection {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: currentUrl() });
      clients.add(this);
      this.once('end', () => clients.delete(this));
    }

    get backendPid(): number {
      return this.processID;
    }

    get statement(): object | undefined {
      return this._getActiveQuery() ?? undefined;
    }

    get bytesRead(): number {
      const { stream } = this.connection;
      return stream instanceof Socket ? stream.bytesRead : 0;
    }

    destroy(): void {
      this.connection.stream.destroy();
    }
  };
}
