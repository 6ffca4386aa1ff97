import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';

import { openDatabase, type Database } from '#platform/database/connect.ts';
import { runStatementIn } from '#platform/database/statements.ts';
import type { DB } from '#platform/database/types.gen.ts';
import type { Call } from './call.ts';

/** A statement as it was sent. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Explained {
  readonly text: string;
  readonly pages: number;
}

export const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'] as const;
export type PlanMode = (typeof PLAN_MODES)[number];

/** Runs calls in transactions that are rolled back, and explains the statements that they send. */
export class PlanExplainer {
  readonly #database: Database;
  readonly #kysely: Kysely<DB>;
  #sent: Sent[] = [];

  constructor(url: string) {
    this.#database = openDatabase({ url, poolSize: 1, onError: () => undefined });
    this.#kysely = new Kysely<DB>({
      dialect: new PostgresDialect({ pool: this.#database.pool }),
      log: ({ query: { sql: text, parameters: values } }) => {
        this.#sent.push({ text, values });
      },
    });
  }

  /** Runs a call and returns what it sent. */
  async record({ run, runOutside }: Call): Promise<readonly Sent[]> {
    this.#sent = [];
    await runOutside?.(this.#kysely);
    if (run !== undefined)
      await this.#rollBack(async (trx) => readFirst(await run(trx, runStatementIn(trx))));
    return this.#sent.filter(({ text }) => !/^(begin|start transaction|commit|rollback)\b/i.test(text));
  }

  /**
   * Returns how many pages each of these statements reads. Each is run by itself and rolled back,
   * except those that set up the transaction of the others.
   */
  async pagesOf(sent: readonly Sent[], mode: PlanMode): Promise<readonly Explained[]> {
    const client = await this.#database.pool.connect();
    try {
      await client.query(`BEGIN; SET LOCAL plan_cache_mode = ${mode}`);
      const explained: Explained[] = [];
      for (const { text, values } of sent) {
        if (isSetup(text)) await client.query(text, [...values]);
        else explained.push({ text, pages: await explain(client, { text, values }) });
      }
      return explained;
    } finally {
      await client.query('ROLLBACK; DEALLOCATE ALL');
      client.release();
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #rollBack(work: (trx: Transaction<DB>) => Promise<unknown>): Promise<void> {
    const trx = await this.#kysely.startTransaction().execute();
    try {
      await work(trx);
    } finally {
      await trx.rollback().execute();
    }
  }
}

/** Iterators send their statements when they are read. */
async function readFirst(result: unknown): Promise<void> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return;
  const iterator: AsyncIterator<unknown> = Object(result)[Symbol.asyncIterator]();
  await iterator.next();
}

const isSetup = (text: string): boolean => /^\s*(SELECT set_config\(|SET LOCAL )/i.test(text);

async function explain(client: pg.ClientBase, { text, values }: Sent): Promise<number> {
  await client.query(`SAVEPOINT explained; PREPARE explained AS ${text}`);
  const literals = values.map(literalOf).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT JSON)
      EXECUTE explained ${literals === '' ? '' : `(${literals})`}`,
  );
  await client.query('ROLLBACK TO SAVEPOINT explained; DEALLOCATE explained');
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('EXPLAIN returned no plan');
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

interface PlanNode {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
}

/** The driver's text form of a parameter, without a type, as the driver sends it. */
function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return pg.escapeLiteral(textOf(value));
}

function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const elementOf = (value: unknown): string =>
  value === null || value === undefined
    ? 'NULL'
    : `"${textOf(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
