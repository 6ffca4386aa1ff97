import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import type { Client } from '#test/support/client.ts';
import {
  makePostgresFolder,
  postgresProgram,
  startDebianPostgres,
  type DebianPostgres,
} from '#test/support/debian-postgres.ts';
import { makePlace, sleep, type Place, type Program } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
let archive: string;
let server: DebianPostgres;
let place: Place;
let program: Program;
beforeAll(async () => {
  // Readable for the server's user, which differs from the tests' user if that is root.
  folder = await makePostgresFolder(await mkdtemp(join(tmpdir(), 'gateway-backup-')));
  archive = await makePostgresFolder(join(folder, 'archive'));
  const data = join(folder, 'data');
  await postgresProgram('initdb', [
    '-D',
    data,
    '-U',
    'gateway',
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
  ]);
  const kept = `${archive}/%f`;
  server = await startDebianPostgres(data, {
    archive_mode: 'on',
    // As in docs/backups.md.
    archive_command: `test ! -f ${kept} && cp %p ${kept}.part && mv ${kept}.part ${kept}`,
  });
  place = await makePlace({ DATABASE_URL: server.url, MODE: 'sandbox' });
  program = await place.start();
  await raiseRates(program);
});
afterAll(async () => {
  await place.remove();
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

async function raiseRates({ client, demo }: Program): Promise<void> {
  const signedIn = await client.post('/login', demo.admin, { credential: 'none' });
  const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
  const token = String(signedIn.body.accessToken);
  const raised = await client.patch(`/admin/sellers/${demo.seller.id}`, rates, { token });
  expect(raised.status).toBe(200);
}

/** Ids of charges with an acknowledged payment, while clients are running. */
class Payments {
  readonly ids: string[] = [];
  #over = false;
  readonly #callers: Promise<unknown>;

  constructor(client: Client) {
    this.#callers = Promise.all(Array.from({ length: 4 }, () => this.#call(client)));
  }

  async #call(client: Client): Promise<void> {
    while (!this.#over) {
      const { body } = await client.charge();
      const paid = await client.post(`/sandbox/transactions/${body.data.id}/pay`);
      if (paid.status !== 200) throw new Error(`a payment was answered ${paid.text}`);
      this.ids.push(body.data.id);
    }
  }

  async until(count: number): Promise<readonly string[]> {
    const wanted = this.ids.length + count;
    await vi.waitFor(() => expect(this.ids.length).toBeGreaterThan(wanted), { timeout: 60_000 });
    return [...this.ids];
  }

  async stop(): Promise<void> {
    this.#over = true;
    await this.#callers;
  }
}

async function paidIn(url: string): Promise<ReadonlySet<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(`SELECT id FROM transactions WHERE status = 'PAID'`);
    return new Set(rows.map(({ id }) => id));
  } finally {
    await client.end();
  }
}

const missing = (wanted: readonly string[], found: ReadonlySet<string>): readonly string[] =>
  wanted.filter((id) => !found.has(id));

/** `npm run ledger:check` on another database, with the secrets of this one by default. */
const ledgerCheck = (url: string, settings: Readonly<Record<string, string>> = {}) =>
  place.run(['ledger-check'], { DATABASE_URL: url, ...settings }).exit(60_000);

it('pg_dump under load contains every earlier acknowledged write, and the ledger balances', async () => {
  const payments = new Payments(program.client);
  const before = await payments.until(40);
  const dump = join(folder, 'gateway.dump');
  await postgresProgram('pg_dump', ['--format=custom', `--file=${dump}`, `--dbname=${server.url}`]);
  await payments.until(10);
  await payments.stop();
  const restored = server.url.replace(/postgres$/, 'restored');
  await postgresProgram('createdb', [`--maintenance-db=${server.url}`, 'restored']);
  await postgresProgram('pg_restore', [
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    `--dbname=${restored}`,
    dump,
  ]);

  expect(missing(before, await paidIn(restored))).toEqual([]);
  // A check that ran at the time of the dump is waited for, with its progress.
  expect(await ledgerCheck(restored)).toMatchObject({ code: 0 });
  // Without its encryption key a backup is incomplete.
  const other = await ledgerCheck(restored, { ENCRYPTION_KEY: 'ab'.repeat(32) });
  expect(other.code).toBe(1);
  // It also serves requests.
  const extra = { DATABASE_URL: restored };
  await program.end();
  const again = await place.start(extra);
  expect((await again.client.charge()).status).toBe(201);
  await again.end();
  program = await place.start();
});

it('a base backup and the WAL archive restore a point in time, and the ledger balances', async () => {
  const payments = new Payments(program.client);
  await payments.until(20);
  const base = join(folder, 'base');
  await postgresProgram('pg_basebackup', [
    `--dbname=${server.url}`,
    `--pgdata=${base}`,
    '--checkpoint=fast',
    '--no-sync',
  ]);
  const before = await payments.until(40);
  const moment = new Date();
  await sleep(200);
  const after = (await payments.until(20)).slice(-5);
  await payments.stop();
  await program.end();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
  await vi.waitFor(
    async () => {
      const { rows: reported } = await client.query<{ last: string }>(
        'SELECT last_archived_wal AS last FROM pg_stat_archiver',
      );
      expect((reported[0]?.last ?? '') >= (rows[0]?.file ?? '?')).toBe(true);
    },
    { timeout: 30_000, interval: 100 },
  );
  await client.end();
  await server.kill();

  await writeFile(join(base, 'recovery.signal'), '');
  server = await startDebianPostgres(base, {
    restore_command: `cp ${archive}/%f %p`,
    // The command does not accept Z as a time zone.
    recovery_target_time: moment.toISOString().replace('Z', '+00'),
    recovery_target_action: 'promote',
  });
  const found = await paidIn(server.url);
  expect(missing(before, found)).toEqual([]);
  expect(missing(after, found)).toEqual(after);
  expect(await ledgerCheck(server.url)).toMatchObject({ code: 0 });
});

it('a copy of the data directory of a stopped gateway is a backup of the embedded database', async () => {
  const own = await makePlace();
  const copy = await mkdtemp(join(tmpdir(), 'gateway-backup-'));
  try {
    const first = await own.start();
    await raiseRates(first);
    const payments = new Payments(first.client);
    const before = await payments.until(20);
    await payments.stop();
    await first.end();
    await promisify(execFile)('cp', ['-a', `${own.dataDir}/.`, copy]);
    await rm(own.dataDir, { recursive: true });
    const settings = { DATA_DIR: copy };
    const checked = await own.run(['ledger-check'], settings).exit(60_000);
    expect(checked).toMatchObject({ code: 0 });
    expect(JSON.parse(checked.stdout)).toMatchObject({ balanced: true });
    expect(JSON.parse(checked.stdout).entries).toBeGreaterThanOrEqual(2 * before.length);
  } finally {
    await own.remove();
    await rm(copy, { recursive: true, force: true });
  }
});
