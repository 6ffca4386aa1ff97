import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

/**
 * Baseline: transactions of five inserted rows on the same PostgreSQL server, without the gateway.
 */
export interface Baseline {
  readonly name: string;
  /** Transactions per second with this many clients. */
  run(clients: number, seconds: number): Promise<number>;
}

const DATABASE = 'bench_baseline';
const TABLES = [1, 2, 3, 4, 5].map((n) => `rows_${n}`);

/**
 * About 200 bytes per row, the average of what a transaction writes. The primary key increases with
 * time, which is the cheapest case for PostgreSQL: random keys would dirty a page for each row.
 */
const TABLE_COLUMNS = `
  id uuid PRIMARY KEY,
  seller_id uuid NOT NULL,
  name text NOT NULL,
  detail text NOT NULL,
  amount bigint NOT NULL,
  fee_amount bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL`;

/** The insert of one row, with `$1` or `:amount` for the amount. */
const insertRow = (table: string, amount: string): string =>
  `INSERT INTO ${table} VALUES (uuidv7(), '0192d0f0-7c1e-4e6b-8f5a-3b1c2d4e5f60', 'Ana Souza', ` +
  `'${'00020126580014br.gov.bcb.pix'.repeat(4)}', ${amount}, ${amount} / 100, now(), now())`;

/** The statements of one transaction, for the Node loop. */
export const TRANSACTION = TABLES.map((table) => insertRow(table, '$1::bigint'));

/**
 * The Node loop writes five rows per transaction through the gateway's driver. pgbench, if
 * installed, does the same from C with constants in its statements: about the maximum of this
 * server.
 */
export async function createBaselines(serverUrl: string): Promise<readonly Baseline[]> {
  await administer(serverUrl, `CREATE DATABASE ${DATABASE}`);
  const address = new URL(serverUrl);
  address.pathname = `/${DATABASE}`;
  for (const table of TABLES) await administer(address.href, `CREATE TABLE ${table} (${TABLE_COLUMNS})`);
  const program = await findPgbench();
  const loop: Baseline = {
    name: 'pg loop',
    run: (clients, seconds) => runLoop(address.href, clients, seconds),
  };
  if (program === undefined) return [loop];
  const bench = (clients: number, seconds: number) => runPgbench(program, address, clients, seconds);
  return [loop, { name: 'pgbench', run: bench }];
}

export const dropBaselines = (serverUrl: string): Promise<void> =>
  administer(serverUrl, `DROP DATABASE ${DATABASE}`);

/** Searches the PATH and Debian's directory. */
async function findPgbench(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch(() => []);
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...newestFirst.map((version) => join(debian, version, 'bin')),
  ];
  for (const folder of folders) {
    const program = join(folder, 'pgbench');
    const found = await access(program).then(
      () => true,
      () => false,
    );
    if (found) return program;
  }
  return undefined;
}

async function runPgbench(program: string, address: URL, clients: number, seconds: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-pgbench-'));
  try {
    const script = join(folder, 'five-rows.sql');
    const inserts = TABLES.map((table) => `${insertRow(table, ':amount')};`);
    const lines = ['\\set amount random(100, 1000000)', 'BEGIN;', ...inserts, 'COMMIT;', ''];
    await writeFile(script, lines.join('\n'));
    const { stdout } = await promisify(execFile)(
      program,
      [
        '--no-vacuum',
        '--protocol=prepared',
        `--client=${clients}`,
        '--jobs=2',
        `--time=${Math.ceil(seconds)}`,
        `--file=${script}`,
        `--host=${address.hostname}`,
        `--port=${address.port}`,
        `--username=${address.username}`,
        DATABASE,
      ],
      { env: { PATH: process.env['PATH'], PGPASSWORD: address.password } },
    );
    const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    const failed = /^number of failed transactions: (\d+)/m.exec(stdout)?.[1] ?? '0';
    if (rate === undefined || failed !== '0') throw new Error(`pgbench did not run as it should:\n${stdout}`);
    return Number(rate);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface LoopPlan {
  readonly url: string;
  readonly clients: number;
  readonly seconds: number;
}

async function runLoop(url: string, clients: number, seconds: number): Promise<number> {
  const child = fork(new URL('baseline-child.ts', import.meta.url));
  child.send({ url, clients, seconds } satisfies LoopPlan);
  const gone = once(child, 'exit').then(() => []);
  const [rate]: unknown[] = await Promise.race([once(child, 'message'), gone]);
  child.kill();
  if (typeof rate !== 'number') throw new Error('the loop of inserts ended without a figure');
  return rate;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
