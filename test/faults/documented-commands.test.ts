import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';

import {
  makePostgresFolder,
  newestVersion,
  postgresProgram,
  startDebianPostgres,
  type DebianPostgres,
} from '#test/support/debian-postgres.ts';
import { freePort } from '#test/support/free-port.ts';

/**
 * The commands of the operations docs, extracted from the Markdown and run in the order in which an
 * operator runs them, on PostgreSQL with the roles of the docs. Replaced are addresses, the folders
 * outside the project, and passwords and times of examples.
 */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = [
  'operations',
  'database-roles',
  'backups',
  'key-rotation',
  'distributed-postgresql',
  'runbook',
];

/** Blocks that are not run, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'for port in 8081 8082; do': 'restarts services; rolling-restart.test.ts restarts processes under load',
  'ENCRYPTION_KEY=OLD ENCRYPTION_KEY_COMMAND': 'key-management-service.test.ts moves to another source',
  '#!/bin/bash': 'the program of a key management service, which the operator provides',
  'SELECT citus_set_coordinator_host': 'needs the extension Citus; distributed.test.ts',
  'export DATABASE_URL=postgresql://owner@coordinator': 'needs the extension Citus; distributed.test.ts',
  'systemctl stop vereda && cp': 'backup.test.ts copies the embedded database',
  "journalctl -u 'vereda-*'": 'reads the journal of systemd',
};

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = (
  await Promise.all(
    PAGES.map(async (page) => {
      const text = await readFile(join(ROOT, `docs/${page}.md`), 'utf8');
      return Array.from(
        text.matchAll(/^( *)```(sh|bash|sql|ini)\n(.*?)^ *```$/gms),
        ([, indent = '', language = '', body = '']) => ({
          page,
          language,
          text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
        }),
      );
    }),
  )
).flat();

const used = new Set<Block>();

/** The block of a page that contains a text. */
function blockWith(page: string, part: string): string {
  const found = blocks.find((block) => block.page === page && block.text.includes(part));
  if (found === undefined) throw new Error(`docs/${page}.md has no block with ${part}`);
  used.add(found);
  return found.text;
}

let folder: string;
let port: string;
let bin: string;
let server: DebianPostgres;
const [OLD_KEY, NEW_KEY] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];

/** The state of the database, after the base backup, that a restore goes back to. */
let moment = '';

const localized = (text: string): string =>
  text
    .replaceAll(/\/etc\/vereda/g, `${folder}/etc/vereda`)
    .replaceAll(/(?<![\w/-])\/(backup|archive)\b/g, `${folder}/$1`)
    .replaceAll('/var/lib/postgresql/15/main', `${folder}/restored`)
    // The server of this test runs as another user, unless root runs it.
    .replaceAll('chown -R postgres:', `chown -R --reference=${folder}/data`)
    .replaceAll('2026-11-20 14:31:00+00', moment.replace('Z', '+00'))
    .replaceAll('vereda-2026-11-20.dump', 'vereda-$(date +%F).dump')
    .replaceAll('…', 'secret');

/** Runs a block as written in bash, which ends at the first command that fails. */
async function sh(text: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', localized(text)],
    {
      cwd: ROOT,
      env: {
        PATH: `${folder}/bin:${bin}:${process.env['PATH']}`,
        HOME: folder,
        PGHOST: '127.0.0.1',
        PGPORT: port,
        PGUSER: 'gateway',
        PGDATABASE: 'postgres',
        ...environment,
      },
    },
  ).catch((error: unknown) => {
    throw new Error(`this block failed:\n${text}`, { cause: error });
  });
  return stdout;
}

const asAdministrator = (text: string, database = 'postgres'): Promise<string> =>
  sh(`psql --set=ON_ERROR_STOP=1 --quiet --no-psqlrc <<'SQL'\n${text}\nSQL`, { PGDATABASE: database });

async function writeSettings(database: string, key: string): Promise<void> {
  const url = (role: string) => `postgresql://${role}:secret@127.0.0.1:${port}/${database}`;
  const example = await readFile(join(ROOT, 'deploy/vereda.env.example'), 'utf8');
  const filled = example
    .replace(/^DATABASE_URL=.*$/m, `DATABASE_URL='${url('gateway_app')}'`)
    .replace("'KEY'", `'${key}'`)
    .replace("'TOKEN'", `'${randomBytes(32).toString('hex')}'`)
    .replace("'SECRET'", `'${randomBytes(32).toString('hex')}'`)
    .replace("ADMIN_PASSWORD='PASSWORD'", `ADMIN_PASSWORD='${randomBytes(12).toString('hex')}'`)
    // Nothing listens there.
    .replace('https://pay.example.com', 'https://127.0.0.1:1');
  await writeFile(join(folder, 'etc/vereda.env'), filled);
  for (const role of ['owner', 'backup']) {
    const text = `DATABASE_URL='${url(`gateway_${role}`)}'\n`;
    await writeFile(join(folder, `etc/vereda-${role}.env`), text);
  }
}

/** `npm run` with the bundled program, and systemctl for the server of this test. */
async function writePrograms(): Promise<void> {
  const npm = `#!/bin/bash
[ "$1" = run ] || exit 0
shift; [ "$1" = -s ] && shift
name=$1; shift; [ "\${1-}" = -- ] && shift
line=$(grep -oP "\\"$name\\": \\"\\K[^\\"]+" package.json)
exec \${line/src\\/main.ts/${inject('program')}} "$@"`;
  const systemctl = `#!/bin/bash
[ "$*" = 'start postgresql' ]`;
  for (const [name, text] of Object.entries({ npm, systemctl })) {
    await writeFile(join(folder, 'bin', name), text);
    await chmod(join(folder, 'bin', name), 0o755);
  }
}

beforeAll(async () => {
  folder = await makePostgresFolder(await mkdtemp(join(tmpdir(), 'gateway-docs-')));
  for (const name of ['etc', 'bin']) await mkdir(join(folder, name));
  for (const name of ['backup', 'archive']) await makePostgresFolder(join(folder, name));
  bin = `/usr/lib/postgresql/${await newestVersion()}/bin`;
  port = String(await freePort());
  await writePrograms();
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
  await appendFile(join(data, 'postgresql.conf'), localized(blockWith('backups', 'archive_mode = on')));
  server = await startDebianPostgres(data, { port });
});
afterAll(async () => {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

const LOAD = 'set -a; . /etc/vereda.env; set +a\n';
const LOAD_OWNER = 'set -a; . /etc/vereda.env; . /etc/vereda-owner.env; set +a\n';

describe('an operator who follows the docs', () => {
  it('installs: settings, roles, schema and privileges', async () => {
    await sh(blockWith('operations', 'install -m 640'));
    await writeSettings('gateway', OLD_KEY);
    await asAdministrator(localized(blockWith('database-roles', 'CREATE ROLE gateway_owner')));
    const granted = await sh(blockWith('database-roles', '--grant-app'));
    expect(granted).toMatch(/Applied: .*\nGranted: gateway_app\nGranted: gateway_reports\n$/s);
    expect(await sh(blockWith('operations', 'npm ci && npm run migrate'))).toContain('up to date');
  });

  it('checks the installation with doctor', async () => {
    const table = await sh(blockWith('operations', 'set -a; . /etc/vereda.env; set +a\nnpm run doctor'));
    expect(table).toMatch(/^OK {7}role {10}gateway_app, which cannot change history$/m);
    expect(table).toMatch(/^WARNING {2}certificates/m);
    const both = await sh(LOAD + blockWith('operations', 'npm run -s doctor -- --json'));
    const { ok, checks }: { ok: boolean; checks: { name: string }[] } = JSON.parse(
      both.slice(both.indexOf('{')),
    );
    expect(ok).toBe(true);
    expect(checks.map(({ name }) => name)).toEqual(
      'settings database schema role mode encryption clock backups disk certificates redis providers'.split(
        ' ',
      ),
    );
  });

  it('rotates the data key, and the master key with both in the settings', async () => {
    await sh(`${LOAD}npm run ledger:check`);
    const rotated = JSON.parse(await sh(blockWith('key-rotation', 'npm run rotate-keys\n')));
    expect(rotated.retired).toHaveLength(1);
    await writeSettings('gateway', `${NEW_KEY},${OLD_KEY}`);
    const { rewrapped } = JSON.parse(await sh(blockWith('key-rotation', 'rotate-keys -- --master\n')));
    expect(rewrapped.length).toBeGreaterThan(0);
    await writeSettings('gateway', NEW_KEY);
  });

  it('backs up with the role for backups: a dump and a base backup', async () => {
    await sh(blockWith('backups', 'pg_dump'));
    await sh(blockWith('backups', 'pg_basebackup'));
    expect(await readdir(join(folder, 'backup'))).toHaveLength(2);
  });

  it('sees what waits in the database', async () => {
    const seen = await asAdministrator(blockWith('runbook', 'pg_blocking_pids'), 'gateway');
    expect(seen).toContain('blocked_by');
  });

  it('restores the dump into a database that PUBLIC cannot enter', async () => {
    await sh(blockWith('backups', 'createdb'));
    await writeSettings('gateway_restored', NEW_KEY);
    const checked = await sh(blockWith('backups', 'npm run migrate -- --grant-app'));
    expect(checked).toContain('"balanced": true');
    const open = `psql -At --dbname=gateway_restored --command="SELECT has_database_privilege('public', 'gateway_restored', 'CONNECT') OR has_function_privilege('gateway_app', 'lo_create(oid)', 'EXECUTE')"`;
    expect(await sh(open)).toBe('f\n');
    await writeSettings('gateway', NEW_KEY);
  });

  it('restores the base backup to a moment, pauses payouts, and resumes them', async () => {
    moment = new Date().toISOString();
    await asAdministrator('CREATE TABLE later (id integer)', 'gateway');
    const segment = (await sh('psql -Atc "SELECT pg_walfile_name(pg_current_wal_lsn())"')).trim();
    await asAdministrator('SELECT pg_switch_wal()', 'gateway');
    const archived = `psql -Atc "SELECT last_archived_wal >= '${segment}' FROM pg_stat_archiver"`;
    await vi.waitFor(async () => expect(await sh(archived)).toBe('t\n'), { timeout: 20_000 });
    await server.kill();
    const base = join(folder, 'restored');
    await promisify(execFile)('cp', ['-a', `${folder}/backup/base-${moment.slice(0, 10)}`, base]);
    await promisify(execFile)('chown', ['-R', '--reference', join(folder, 'data'), base]);
    const recovery = blockWith('backups', 'restore_command');
    await appendFile(join(base, 'postgresql.conf'), localized(recovery));
    const [start = '', check = ''] = blockWith('backups', 'recovery.signal').split(
      'systemctl start postgresql\n',
    );
    await sh(`${start}systemctl start postgresql`);
    server = await startDebianPostgres(base, { port });
    expect(await sh(check)).toContain('"balanced": true');
    expect(await sh(`psql -At --dbname=gateway -c "SELECT to_regclass('later') IS NULL"`)).toBe('t\n');

    const paused = await sh(LOAD_OWNER + blockWith('backups', 'restored -- --at'));
    expect(paused).toContain('Payouts and remittance files are paused.');
    // This installation exchanges no files.
    expect(paused).toContain('--last-file boletos=412 has no effect');
    // Nothing was paid out in this installation.
    const confirm = blockWith('backups', 'restored -- --confirm').replace(/ --sent \S+/, '');
    expect(await sh(LOAD_OWNER + confirm)).toContain('are resumed');
  });

  it('finds every other block exempt for a reason', () => {
    const left = blocks.filter(
      (block) =>
        block.language !== 'ini' &&
        !used.has(block) &&
        !Object.keys(NOT_RUN).some((first) => block.text.startsWith(first)),
    );
    expect(left).toEqual([]);
  });
});
