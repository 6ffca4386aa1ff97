import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import type pg from 'pg';

import { DatabaseUnavailableError } from './errors.ts';
import { HungConnectionMonitor } from './hung-connections.ts';
import { HealthMonitor, isUnavailable, type Availability } from './health-monitor.ts';
import { createDeadlinePool } from './pool.ts';
import { QueryDeadline } from './query-deadline.ts';
import { ResponseTracker } from './responses.ts';
import { ServerConnections } from './server-connections.ts';
import { isWritable } from './server-urls.ts';
import type { DB } from './types.gen.ts';

/** Kysely's query builder, with the row types generated from the migrated schema. */
export type Db = Kysely<DB>;

/**
 * The handle of an open transaction. Functions that must run inside one take it instead of `Db`.
 */
export type DatabaseTransaction = Transaction<DB>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** The same database without the query deadline, for reports and background jobs. */
  readonly background: Db;
  /** The result of the last health check. */
  readonly availability: Availability;
  /** Undefined if callers wait without a limit. */
  readonly queryDeadline: QueryDeadline | undefined;
  readonly responses: ResponseTracker;
  /** How many connections were closed because their statement got no response. */
  readonly hungConnections: number;
  /** Opens a connection outside the pool. `close` ends it. Throws DatabaseUnavailableError. */
  connectDedicated(name: string): Promise<pg.Client>;
  /** Checks the health now. Takes at most about a second. */
  probe(): Promise<Health>;
  close(): Promise<void>;
}

/**
 * `slow`: the server responds, but writes do not finish. `failing`: writes fail, as on a full disk.
 */
export type Health = Availability | 'slow' | 'failing';

export interface DatabaseOptions {
  /** May name several servers, of which one accepts writes. */
  readonly url: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
  /**
   * For processes that serve requests: limits how long callers wait, and rejects them at once while
   * the server is unavailable. Without it, as in commands, callers wait.
   */
  readonly monitor?: MonitorOptions;
}

interface MonitorOptions {
  readonly onChange: (availability: Availability, error: Error | undefined) => void;
  /** Called for each connection whose statement the server is not executing. */
  readonly onHung?: (backendPid: number, ms: number) => void;
}

/**
 * Requests are answered within two seconds. The rest is for the work before and after the
 * database's.
 */
const QUERY_DEADLINE_MS = 1_500;
/** After this time, `close` destroys the connections that have not ended. */
const CLOSE_TIMEOUT_MS = 1_000;

export function openDatabase(options: DatabaseOptions): Database {
  let closing = false;
  const connections = new ServerConnections(options.url, (error) => {
    // During a close the server may end connections first. The monitor reports an unavailable
    // server once.
    if (!closing && currentAvailability() === 'ok') options.onError(error);
  });
  const pool = connections.createPool(options.poolSize);
  const responses = new ResponseTracker();
  const monitor = options.monitor && createMonitor(connections, responses, options.monitor);
  const queryDeadline = monitor && new QueryDeadline(QUERY_DEADLINE_MS);
  const currentAvailability = (): Availability => monitor?.availability ?? 'ok';
  const findRefusal = (connecting: boolean) => refusalFor(currentAvailability(), connecting);
  const onResponse = () => responses.record();
  const background = toDb(createDeadlinePool(pool, { findRefusal, onResponse, queryDeadline: undefined }));
  const dedicated = new Set<pg.Client>();
  let hungConnections = 0;
  const hungMonitor = new HungConnectionMonitor({
    connections: () => connections.all,
    findExecuting: (backendPids) => connections.findExecuting(backendPids),
    onHung(backendPid, ms) {
      hungConnections += 1;
      options.monitor?.onHung?.(backendPid, ms);
    },
  });
  monitor?.start();
  hungMonitor.start();
  return {
    db:
      queryDeadline === undefined
        ? background
        : toDb(createDeadlinePool(pool, { findRefusal, onResponse, queryDeadline })),
    pool,
    background,
    get availability() {
      return currentAvailability();
    },
    queryDeadline,
    responses,
    get hungConnections() {
      return hungConnections;
    },
    async connectDedicated(name) {
      const refusal = findRefusal(true);
      if (refusal !== undefined) throw refusal;
      const client = await connections.open(`gateway ${name}`);
      dedicated.add(client);
      client.once('end', () => dedicated.delete(client));
      return client;
    },
    async probe() {
      if (monitor === undefined) return 'ok';
      const availability = await monitor.probe();
      if (availability !== 'ok') return availability;
      if (queryDeadline?.isStuck() === true) return 'slow';
      return responses.isWriteFailing() ? 'failing' : 'ok';
    },
    async close() {
      closing = true;
      queryDeadline?.stop();
      hungMonitor.stop();
      await monitor?.stop();
      const timer = setTimeout(() => connections.destroyAll(), CLOSE_TIMEOUT_MS);
      await Promise.allSettled([...dedicated].map((client) => client.end()));
      await pool.end();
      clearTimeout(timer);
    },
  };
}

const toDb = (pool: PostgresPool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });

function createMonitor(
  connections: ServerConnections,
  responses: ResponseTracker,
  { onChange }: MonitorOptions,
): HealthMonitor {
  return new HealthMonitor({
    async open() {
      const client = await connections.open('gateway health');
      return {
        isWritable: () => isWritable(client),
        destroy: () => client.connection.stream.destroy(),
      };
    },
    responseCount: () => responses.count,
    onUnavailable: () => connections.useNextServer(),
    onChange(availability, error) {
      // Callers would wait for responses that do not come, and a server that rejects writes is of
      // no use.
      if (isUnavailable(availability)) connections.destroyAll();
      onChange(availability, error);
    },
  });
}

/** Returns why callers are rejected now; undefined if they are not. */
function refusalFor(availability: Availability, connecting: boolean): Error | undefined {
  // A server without free connections still serves those that are open.
  const refused = isUnavailable(availability) || (availability === 'full' && connecting);
  return refused ? new DatabaseUnavailableError(`the database is ${availability}`) : undefined;
}
