import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { cnabEnvironment, returnOf } from '#test/support/bank-files.ts';
import {
  makePostgresFolder,
  newestVersion,
  postgresProgram,
  startDebianPostgres,
  type DebianPostgres,
} from '#test/support/debian-postgres.ts';
import {
  cronCommand,
  readDocumentedBlocks,
  readUnit,
  type Block,
} from '#test/support/documented-commands.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';

/**
 * The commands of the docs, extracted from the Markdown and run in the order in which an operator
 * runs them: those of production on PostgreSQL with the roles of the docs, those of bank files and
 * of the sandbox on a gateway with a charge. Replaced are addresses, folders, passwords, times and
 * amounts of load of examples.
 */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Blocks that are not run, by their page and beginning, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'operations: for port in 8081 8082; do':
    'restarts services; rolling-restart.test.ts restarts processes under load',
  'key-rotation: ENCRYPTION_KEY=OLD ENCRYPTION_KEY_COMMAND':
    'key-management-service.test.ts moves to another source',
  'key-rotation: #!/bin/bash': 'the program of a key management service, which the operator provides',
  'distributed-postgresql: SELECT citus_set_coordinator_host':
    'needs the extension Citus; distributed.test.ts',
  'distributed-postgresql: export DATABASE_URL=postgresql://owner@coordinator':
    'needs the extension Citus; distributed.test.ts',
  'backups: systemctl stop vereda && cp': 'backup.test.ts copies the embedded database',
  "runbook: journalctl -u 'vereda-*'": 'reads the journal of systemd',
  'deployment: nginx -e stderr': 'rolling-restart.test.ts starts both programs with these arguments',
  'deployment: npm ci --omit=dev':
    'installs from the registry; deployment.test.ts starts the tree of production packages',
  'deployment: docker build': 'needs Docker; ci.yml runs it',
  'deployment: cat > .env <<END': 'needs Docker; ci.yml starts compose.yaml with such a file',
  'webhooks: npm run vereda -- listen': 'listen.test.ts runs the command',
};

const blocks = await readDocumentedBlocks();
const blockWith = blocks.find;

let folder: string;
/** The installation: a folder with links to this project. */
let installed: string;
let port: string;
let bin: string;
let server: DebianPostgres;
const [OLD_KEY, NEW_KEY] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];

/** The state of the database, after the base backup, that a restore goes back to. */
let moment = '';

const localized = (text: string): string =>
  text
    .replaceAll(/\/etc\/vereda/g, `${folder}/etc/vereda`)
    .replaceAll('/opt/vereda', installed)
    .replaceAll('install -d -o vereda', 'install -d')
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
      cwd: installed,
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

/** Runs a command as cron does. Returns what it prints, which cron mails. */
async function cron(command: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', localized(command)], {
    cwd: folder,
    // Debian's npm is in /usr/bin.
    env: { SHELL: '/bin/sh', PATH: `${folder}/bin:/usr/bin:/bin`, HOME: folder, LOGNAME: 'vereda' },
  });
  return stdout + stderr;
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
shift; case $1 in -s|--silent) shift;; esac
name=$1; shift; [ "\${1-}" = -- ] && shift
PATH=$PWD/node_modules/.bin:$PATH
line=$(grep -oP "\\"$name\\": \\"\\K[^\\"]+" package.json)
line=\${line#exec }; line=\${line/\\$npm_package_config_node_flags /}
exec \${line/src\\/main.ts/${inject('program')}} "$@"`;
  const systemctl = `#!/bin/bash
[ "$*" = 'start postgresql' ]`;
  const uuidgen = `#!/bin/sh
cat /proc/sys/kernel/random/uuid`;
  for (const [name, text] of Object.entries({ npm, systemctl, uuidgen })) {
    await writeProgram(join(folder, 'bin', name), text);
  }
}

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

beforeAll(async () => {
  folder = await makePostgresFolder(await mkdtemp(join(tmpdir(), 'gateway-docs-')));
  for (const name of ['etc', 'bin']) await mkdir(join(folder, name));
  installed = join(folder, 'opt/vereda');
  await mkdir(installed, { recursive: true });
  for (const name of await readdir(ROOT)) await symlink(join(ROOT, name), join(installed, name));
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

  it('runs doctor from cron, which mails its table only if a check has failed', async () => {
    const command = cronCommand(blockWith('operations', '30 6 * * *'), 'doctor');
    expect(await cron(command)).toBe('');
    const settings = join(folder, 'etc/vereda.env');
    await appendFile(settings, "JWT_SECRT='secret'\n");
    expect(await cron(command)).toMatch(/^FAILED {3}settings .*did you mean JWT_SECRET\?/m);
    await writeSettings('gateway', OLD_KEY);
  });

  it('accepts the settings of email', async () => {
    const settings = `set -a; . /etc/vereda.env\n${blockWith('email', 'SMTP_URL')}set +a\n`;
    expect(await sh(`${settings}npm run doctor`)).toMatch(/^OK {7}settings/m);
  });

  it('starts a process as the unit of systemd does', async () => {
    const unit = localized(blockWith('operations', 'ExecStart='));
    const instance = String(await freePort());
    await writeFile(join(folder, 'vereda-api@.service'), unit);
    const verify = 'if command -v systemd-analyze; then systemd-analyze verify --man=no "$UNIT" 2>&1; fi';
    const verified = await sh(verify, { UNIT: join(folder, `vereda-api@${instance}.service`) });
    expect(verified.replace(/^\/.*systemd-analyze\n/, '')).toBe('');
    const { words, cwd, environment } = await readUnit(unit, instance);
    const [program = '', ...args] = words;
    const child = spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
    const ended = once(child, 'exit');
    const health = () => fetch(`http://127.0.0.1:${instance}/v1/health`).catch(() => undefined);
    await vi.waitUntil(async () => (await health())?.status === 200, { timeout: 60_000, interval: 200 });
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
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
    const open = `psql -At --dbname=gateway_restored --command="
      SELECT has_database_privilege('public', 'gateway_restored', 'CONNECT')
        OR has_function_privilege('gateway_app', 'lo_create(oid)', 'EXECUTE')"`;
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
});

/** The day in São Paulo, as sellers and providers count it. */
const day = saoPauloDate(new Date());

describe('an operator who follows the docs in the sandbox', () => {
  let gateway: TestGateway;
  let api: Readonly<Record<string, string>>;
  const environment = cnabEnvironment('237', {
    ...SHARED_SECRETS,
    MODE: 'sandbox',
    PAYOUT_PROVIDER: 'cnab',
  });
  beforeAll(async () => {
    gateway = await startTestGateway({ environment });
    api = {
      API: gateway.baseUrl,
      TOKEN: await gateway.adminToken(),
      API_KEY: gateway.demo.apiKey,
      DAY: day,
    };
    const settings = { ...environment, DATABASE_URL: gateway.database.url };
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
    await writeFile(join(folder, 'etc/vereda.env'), lines.join(''));
  });
  afterAll(() => gateway.stop());

  it('exchanges files with a bank from cron, and sends a file again that was not uploaded', async () => {
    const lines = blockWith('provider-cnab', '/etc/cron.d/vereda');
    for (const name of ['ship', 'import']) {
      await writeFile(join(installed, `${name}.sh`), blockWith('provider-cnab', `# ${name}.sh`));
    }
    await sh(blockWith('provider-cnab', 'chmod +x'));
    const made = await gateway.charge({ method: 'BOLETO' });
    const upload = join(installed, 'send-to-bank');
    await writeProgram(upload, '#!/bin/sh\nexit 1');
    const ship = () => cron(cronCommand(lines, 'ship.sh'));
    await expect(ship()).rejects.toMatchObject({ stdout: expect.stringMatching(/^file 1: 1 to register/) });
    await mkdir(join(folder, 'bank'));
    await writeProgram(upload, `#!/bin/sh\ncp "$1" ${folder}/bank/`);
    expect(await ship()).toMatch(/^(nothing to ship\n){3}/);
    const [file = '', ...more] = await readdir(join(folder, 'bank'));
    expect([file, ...more]).toEqual([expect.stringMatching(/^boletos-\d{14}\.rem$/)]);
    expect(await readdir(join(installed, 'out'))).toEqual(['sent']);

    const shipment = await readFile(join(folder, 'bank', file), 'latin1');
    const response = returnOf(shipment, [{ title: 0, movement: '06', paid: 1500, on: day }]);
    await writeFile(join(installed, 'in/one.ret'), response, 'latin1');
    expect(await cron(cronCommand(lines, 'import.sh'))).toContain('1 PAID APPLIED');
    expect(await readdir(join(installed, 'in/done'))).toEqual(['one.ret']);
    const paid = await gateway.get(`/transactions/${made.body.data.id}`);
    expect(paid.body.data.status).toBe('PAID');
  });

  it('tries reconciliation with the file of the simulated bank', async () => {
    const { body } = await gateway.charge();
    await gateway.post(`/sandbox/transactions/${body.data.id}/pay`);
    const seen = await sh(blockWith('reconciliation', 'settlement-file'), api);
    expect(seen).toContain('"MISSING_IN_FILE"');
  });

  it('exports and erases personal data, through the API and on the server', async () => {
    const [overApi = '', onServer = ''] = blockWith('personal-data', 'privacy/export').split('\n\n');
    const responses = await sh(overApi, api);
    expect(responses).toContain('Ana Souza');
    expect(responses).toContain('"erased":');
    await gateway.charge();
    const typed = onServer.replaceAll(/^npm .*?(?= >|$)/gm, "$& <<< '529.982.247-25'");
    await sh(`set -a; . /etc/vereda.env; set +a\n${typed}`);
    expect(await readFile(join(installed, 'ana.jsonl'), 'utf8')).toContain('52998224725');
  });

  it('creates a payment link and allows a page to embed it', async () => {
    for (const part of ['payment-links \\', 'embedOrigins']) {
      const block = blockWith('payment-links', part).replace('http://localhost:8080/v1', gateway.baseUrl);
      expect(JSON.parse(await sh(block, api))).toHaveProperty('data');
    }
  });

  it('measures an installation', async () => {
    const block = blockWith('sizing', 'npm run load')
      .replace('sk_test_…', gateway.demo.apiKey)
      .replace('https://sandbox.example.com', new URL(gateway.baseUrl).origin)
      .replaceAll(/(?<=--(?:creations|payments|reads) )\d+/g, '5')
      .replace('--seconds 300', '--seconds 2');
    expect(await sh(block)).toContain('per second');
  });
});

it('every other block is exempt for a reason', () => {
  const exempt = Object.keys(NOT_RUN);
  const isExempt = ({ page, text }: Block) => exempt.some((start) => `${page}: ${text}`.startsWith(start));
  expect(blocks.unused().filter((block) => !isExempt(block))).toEqual([]);
});
