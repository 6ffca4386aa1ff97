import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type pg from 'pg';

import { DatabaseUnavailableError } from './errors.ts';
import { HungConnectionMonitor } from './hung-connections.ts';
import type { Db } from './handles.ts';
import { HealthMonitor, isUnavailable, type Availability } from './health-monitor.ts';
import { createDeadlinePool, type PoolOptions } from './pool.ts';
import { QueryDeadline } from './query-deadline.ts';
import { ResponseTracker } from './response-tracker.ts';
import { ServerConnections } from './server-connections.ts';
import { isWritable } from './server-urls.ts';
import { openShards, type PoolArguments } from './shards/open-shards.ts';
import type { Shards } from './shards/shards.ts';
import type { DB } from './types.gen.ts';

export type { Db, DatabaseTransaction } from './handles.ts';

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** The same database without the query deadline, for reports and background jobs. */
  readonly background: Db;
  /**
   * The same database on a few connections of its own, with a longer deadline, for reads of many
   * rows: other callers never wait for them.
   */
  readonly heavy: Db;
  /** Where the rows of sellers are, if Citus distributes the database. */
  readonly shards: Shards;
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
type Health = Availability | 'slow' | 'failing';

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
 * Requests get their response within two seconds. The rest is for the work before and after the
 * database's.
 */
const QUERY_DEADLINE_MS = 1_500;
const HEAVY_DEADLINE_MS = 15_000;
/** Two heavy reads of each of two callers, and one step of an export. */
const HEAVY_POOL: PoolArguments = [5, 'gateway heavy reads', HEAVY_DEADLINE_MS];
/** After this time, `close` destroys the connections that have not ended. */
const CLOSE_TIMEOUT_MS = 1_000;

export function openDatabase(options: DatabaseOptions): Database {
  let closing = false;
  const connections = new ServerConnections(options.url, (error) => {
    // During a close the server may end connections first. The monitor reports an unavailable
    // server once.
    if (!closing && currentAvailability() === 'ok') options.onError(error);
  });
  const requestPool: PoolArguments = [options.poolSize, 'gateway'];
  const pool = connections.createPool(...requestPool);
  const responses = new ResponseTracker();
  const monitor = options.monitor && createMonitor({ connections, pool, responses }, options.monitor);
  const queryDeadline = monitor && new QueryDeadline(QUERY_DEADLINE_MS);
  const currentAvailability = (): Availability => monitor?.availability ?? 'ok';
  const findRefusal = (connecting: boolean) => refusalFor(currentAvailability(), connecting);
  const poolOptions = { findRefusal, onResponse: () => responses.record(), queryDeadline };
  const db = toDb(createDeadlinePool(pool, poolOptions));
  const unlimited = { ...poolOptions, queryDeadline: undefined };
  const background = queryDeadline === undefined ? db : toDb(createDeadlinePool(pool, unlimited));
  const heavy = monitor && openHeavyReads(connections, poolOptions);
  const onError = (error: Error) => (closing ? undefined : options.onError(error));
  const shards = openShards({ url: options.url, onError }, pool, [
    { db, queryDeadline, nodePool: requestPool },
    { db: background, queryDeadline: undefined, nodePool: requestPool },
    ...(heavy === undefined ? [] : [{ ...heavy, nodePool: HEAVY_POOL }]),
  ]);
  const dedicated = new Set<pg.Client>();
  const servers = () => [connections, ...Array.from(shards.shards.nodes, (node) => node.connections)];
  const hung = watchHungConnections(servers, options.monitor?.onHung);
  monitor?.start();
  return {
    db,
    pool,
    background,
    heavy: heavy?.db ?? background,
    shards: shards.shards,
    get availability() {
      return currentAvailability();
    },
    queryDeadline,
    responses,
    get hungConnections() {
      return hung.count();
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
      hung.stop();
      await monitor?.stop();
      const timer = setTimeout(() => connections.destroyAll(), CLOSE_TIMEOUT_MS);
      await Promise.allSettled([...[...dedicated].map((client) => client.end()), heavy?.close()]);
      await Promise.all([pool.end(), shards.close()]);
      clearTimeout(timer);
    },
  };
}

/** Closes connections whose statement gets no response, and counts them. */
function watchHungConnections(
  servers: () => Iterable<ServerConnections>,
  onHung: MonitorOptions['onHung'],
): { readonly count: () => number; readonly stop: () => void } {
  let count = 0;
  const monitor = new HungConnectionMonitor({
    servers,
    onHung(backendPid, ms) {
      count += 1;
      onHung?.(backendPid, ms);
    },
  });
  monitor.start();
  return { count: () => count, stop: () => monitor.stop() };
}

function openHeavyReads(
  connections: ServerConnections,
  options: Omit<PoolOptions, 'queryDeadline'>,
): { readonly db: Db; readonly queryDeadline: QueryDeadline; readonly close: () => Promise<void> } {
  const pool = connections.createPool(...HEAVY_POOL);
  const queryDeadline = new QueryDeadline(HEAVY_DEADLINE_MS);
  return {
    db: toDb(createDeadlinePool(pool, { ...options, queryDeadline })),
    queryDeadline,
    close() {
      queryDeadline.stop();
      return pool.end();
    },
  };
}

const toDb = (pool: PostgresPool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });

interface Monitored {
  readonly connections: ServerConnections;
  readonly pool: pg.Pool;
  readonly responses: ResponseTracker;
}

function createMonitor(
  { connections, pool, responses }: Monitored,
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
    isAwaited: () => pool.waitingCount > 0 || connections.isAwaited,
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
