import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

import { addressesOf, takesWrites } from './addresses.ts';
import { DatabaseAwayError, notConnected } from './errors.ts';
import { Patience } from './query-deadline.ts';
import { impatientPool } from './pool.ts';
import type { DB } from './types.gen.ts';
import { isAway, Watch, type Reach } from './health-monitor.ts';

/** The builder for reads, filters and ordinary writes. Its types are generated from the migrated schema. */
export type Db = Kysely<DB>;

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
  readonly patient: Db;
  /** What the last look has found. */
  readonly reach: Reach;
  /** How long callers wait; undefined where they may wait for ever. */
  readonly patience: Patience | undefined;
  /** A connection of one's own, for a lane with named prepared statements. Ends with `close`. */
  connectLane(name: string): Promise<pg.Client>;
  /** Told of every answer on a lane, with the name of the lanes where something was written. */
  heard(wrote: string | undefined): void;
  /** Told that the server could not write what lanes of this name asked, though there was nothing wrong with it. */
  failed(name: string): void;
  /** Whether it can serve now. Takes no longer than a second or so, whatever has become of it. */
  look(): Promise<Health>;
  close(): Promise<void>;
}

/** `slow`: it answers, and what is to be written does not come to its end. `failing`: what is to be written fails, as on a full disk. */
export type Health = Reach | 'slow' | 'failing';

/** A failure says so long that more of them are to come. */
const FAILING_MS = 5_000;

export interface DatabaseOptions {
  /** May name several servers, of which one takes writes. */
  readonly url: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
  /**
   * For those who answer callers: nobody waits long, and while the server is away everybody is told at once. Without it, as
   * commands want it, everything waits.
   */
  readonly watch?: { readonly onChange: (reach: Reach, error: Error | undefined) => void };
}

/** Callers are answered within two seconds; what comes before and after the database's part fits into the rest. */
const PATIENCE_MS = 1_500;
/** Connections that do not end by themselves when the database is let go. */
const END_PATIENCE_MS = 1_000;

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
  const addresses = addressesOf(options.url);
  const clients = new Set<pg.Client>();
  const lanes = new Set<pg.Client>();
  let current = 0;
  let closing = false;
  let answers = 0;
  /** When writing failed last, of those lanes where nothing has been written since. */
  const failures = new Map<string, number>();
  const heard = (): void => {
    answers += 1;
  };
  const complain = (error: Error): void => {
    // The pool does not wait for its connections to end, so the server may end them first. Of a server that is away one hears once.
    if (!closing && reach() === 'ok') onError(error);
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
  pool.on('error', complain);
  // The pool listens while a client is idle; one that is lent out and between two statements needs a listener of its own.
  pool.on('connect', (client) => client.on('error', complain));

  const open = async (name: string): Promise<pg.Client> => {
    const client = new Client(clientConfig(options.url, name));
    client.on('error', complain);
    try {
      await client.connect();
      return client;
    } catch (error) {
      throw notConnected(error);
    }
  };
  const cutAll = (): void => {
    for (const client of clients) client.connection.stream.destroy();
  };
  const watch =
    options.watch &&
    new Watch({
      async open() {
        const client = await open('gateway watch');
        return {
          ask: () => takesWrites(client),
          destroy: () => client.connection.stream.destroy(),
        };
      },
      answers: () => answers,
      onMissed: () => {
        current = (current + 1) % addresses.length;
      },
      onChange(found, error) {
        // Whoever waits for an answer gets none any more, and a server that takes no writes is not kept.
        if (isAway(found)) cutAll();
        options.watch?.onChange(found, error);
      },
    });
  const reach = (): Reach => watch?.reach ?? 'ok';
  watch?.start();

  const refusal = (connecting: boolean): Error | undefined => {
    const found = reach();
    // Where there is no connection left, asking for more of them only makes it worse.
    const refused = isAway(found) || (found === 'full' && connecting);
    return refused ? new DatabaseAwayError(`the database is ${found}`) : undefined;
  };
  const patience = watch && new Patience(PATIENCE_MS);
  const patientPool = impatientPool(pool, { refusal, heard, patience: undefined });
  const callersPool = impatientPool(pool, { refusal, heard, patience });
  const patient = new Kysely<DB>({ dialect: new PostgresDialect({ pool: patientPool }) });
  const db =
    patience === undefined
      ? patient
      : new Kysely<DB>({ dialect: new PostgresDialect({ pool: callersPool }) });
  return {
    db,
    pool,
    patient,
    get reach() {
      return reach();
    },
    patience,
    heard(wrote) {
      answers += 1;
      if (wrote !== undefined && failures.size > 0) failures.delete(wrote);
    },
    failed(name) {
      failures.set(name, performance.now());
    },
    async connectLane(name) {
      const away = refusal(true);
      if (away !== undefined) throw away;
      const lane = await open(`gateway ${name}`);
      lanes.add(lane);
      lane.once('end', () => lanes.delete(lane));
      return lane;
    },
    async look() {
      if (watch === undefined) return 'ok';
      const found = await watch.look();
      if (found !== 'ok') return found;
      if (patience?.isStuck() === true) return 'slow';
      return performance.now() - Math.max(-Infinity, ...failures.values()) < FAILING_MS ? 'failing' : 'ok';
    },
    async close() {
      closing = true;
      patience?.stop();
      await watch?.stop();
      const cut = setTimeout(cutAll, END_PATIENCE_MS);
      await Promise.allSettled([...lanes].map((lane) => lane.end()));
      await pool.end();
      clearTimeout(cut);
    },
  };
}
