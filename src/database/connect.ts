import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

import type { DB } from './types.gen.ts';

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
  /** A connection of one's own, for a lane with named prepared statements. Ends with `close`. */
  connectLane(name: string): Promise<pg.Client>;
  /** Whether the database answers within a second. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
}

export function clientConfig(url: string, applicationName: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    types,
    connectionTimeoutMillis: 5_000,
    // No statement of ours takes seconds; one that does holds locks that others wait for.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
  };
}

export function openDatabase(options: DatabaseOptions): Database {
  let closing = false;
  const onError = (error: Error): void => {
    // The pool does not wait for its connections to end, so the server may end them first.
    if (!closing) options.onError(error);
  };
  const pool = new pg.Pool({ ...clientConfig(options.url, 'gateway'), max: options.poolSize });
  // An idle connection that breaks must not end the process: the pool makes another when one is asked for.
  pool.on('error', onError);
  // The pool listens while a client is idle; one that is lent out and between two statements needs a listener of its own.
  pool.on('connect', (client) => client.on('error', onError));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const lanes = new Set<pg.Client>();
  return {
    db,
    pool,
    async connectLane(name) {
      const client = new pg.Client(clientConfig(options.url, `gateway ${name}`));
      client.on('error', onError);
      await client.connect();
      lanes.add(client);
      client.once('end', () => lanes.delete(client));
      return client;
    },
    async ping() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), 1_000);
      });
      const answered = pool.query('SELECT 1').then(
        () => true,
        () => false,
      );
      const alive = await Promise.race([answered, late]);
      clearTimeout(timer);
      return alive;
    },
    async close() {
      closing = true;
      await Promise.allSettled([...lanes].map((lane) => lane.end()));
      await db.destroy();
    },
  };
}
