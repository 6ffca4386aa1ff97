import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ConfigError, readConfig } from '#app/config.ts';
import { findRunningEmbeddedUrl } from '#platform/database/embedded.ts';
import { createClient } from '#test/support/client.ts';
import { cloneDatabase } from '#test/support/database.ts';
import {
  makePlace,
  sleep,
  untilHealthy,
  type Place,
  type Program,
  type Settings,
} from '#test/support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const firstWord = (line: string): string => line.replace(/ .*/, '');
const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** The line with which a command on the embedded database begins. */
const targetOf = ({ dataDir }: Place, url = ''): string =>
  `mode sandbox, host ${new URL(url).host}, database postgres (embedded in ${dataDir})\n`;

describe('the first start', () => {
  let place: Place;
  let program: Program;
  beforeAll(async () => {
    place = await makePlace();
    program = await place.start();
  });
  afterAll(() => place.remove());

  it('prints the URLs and credentials', async () => {
    const text = program.stdout();
    const { baseUrl, apiKey, seller, admin } = program.demo;
    expect(baseUrl).toBe(`http://127.0.0.1:${place.port}/v1`);
    for (const shown of [baseUrl, apiKey, seller.email, seller.password, admin.email, admin.password]) {
      expect(text).toContain(shown);
    }
    for (const page of ['/dashboard/', '/docs']) {
      const address = `http://127.0.0.1:${place.port}${page}`;
      expect(text).toContain(address);
      const response = await fetch(address);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    }
    expect(program.stderr()).toBe('');
  });

  it('prints four lines that work when pasted', async () => {
    const lines = linesOf(program.stdout()).filter((line) => line.startsWith('curl'));
    expect(lines).toHaveLength(4);
    const responses = [];
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('bash', ['-c', line]);
      responses.push(JSON.parse(stdout));
    }
    const [webhook, charge, paid, wallet] = responses;
    expect(webhook.data.secret).toMatch(/^whsec_/);
    expect(charge.data).toMatchObject({ amount: 1500, netAmount: 1485, status: 'PENDING' });
    expect(paid.data).toMatchObject({ id: charge.data.id, status: 'PAID' });
    expect(wallet.data).toMatchObject({ availableBalance: 1485, blockedBalance: 0, totalBalance: 1485 });
  });

  it('stores the credentials in demo.json, readable by the owner only', async () => {
    const { mode } = await stat(join(place.dataDir, 'demo.json'));
    expect(mode & 0o777).toBe(0o600);
    const text = expect.any(String);
    expect(program.demo).toEqual({
      baseUrl: program.baseUrl,
      apiKey: expect.stringMatching(/^sk_test_/),
      seller: { id: text, email: text, password: text },
      admin: { email: text, password: text },
    });
    for (const { email, password } of [program.demo.seller, program.demo.admin]) {
      const signedIn = await program.client.post('/login', { email, password }, { credential: 'none' });
      expect(signedIn.status).toBe(200);
    }
  });

  it('rejects a second start in the same directory', async () => {
    const exit = await place.run(['start'], { PORT: String(place.port + 1) }).exit();
    expect(exit.code).toBe(1);
    expect(linesOf(exit.stderr)).toHaveLength(1);
    expect(exit.stderr).toContain(`${place.dataDir}/postgres is in use by a running gateway`);
    expect((await program.client.get('/health')).status).toBe(200);
  });

  it('allows a migration and a ledger check while it runs', async () => {
    const migrated = await place.run(['migrate']).exit();
    expect(migrated).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' });
    expect(migrated.stderr).toBe(
      targetOf(place, await findRunningEmbeddedUrl(join(place.dataDir, 'postgres'))),
    );

    const audited = await place.run(['ledger-check']).exit();
    expect(audited.code).toBe(0);
    expect(JSON.parse(audited.stdout)).toMatchObject({ balanced: true, discrepancies: [] });

    const client = new pg.Client({
      connectionString: (await findRunningEmbeddedUrl(join(place.dataDir, 'postgres'))) ?? '',
    });
    await client.connect();
    try {
      const byOne = `WHERE seller_id = '${program.demo.seller.id}' AND origin = 'PIX'`;
      await client.query(`UPDATE wallets SET available = available + 1 ${byOne}`);
      const corrupt = await place.run(['ledger-check']).exit();
      expect(corrupt.code).toBe(1);
      expect(JSON.parse(corrupt.stdout)).toMatchObject({
        balanced: false,
        discrepancies: [{ kind: 'BALANCE', sellerId: program.demo.seller.id }],
      });
      await client.query(`UPDATE wallets SET available = available - 1 ${byOne}`);
      // A check whose process was killed is waited for until it counts as interrupted.
      const [killed] = (
        await client.query<{ id: string }>(
          `INSERT INTO ledger_checks (id, kind, holder, started_at, seen_at, total_rows, checked)
           VALUES (gen_random_uuid(), 'FULL', gen_random_uuid(), now(), now() + interval '5 seconds', 10,
             '{"rows": 4, "discrepancies": []}') RETURNING id`,
        )
      ).rows;
      const waiting = await place.run(['ledger-check']).exit(60_000);
      expect(waiting).toMatchObject({ code: 0 });
      expect(waiting.stderr).toContain(`ledger check ${killed?.id}: 40 %\n`);
    } finally {
      await client.end();
    }
    expect((await program.client.get('/health')).status).toBe(200);
  });

  it('stops cleanly on SIGINT, and the next start keeps data, credentials and sessions', async () => {
    const { demo } = program;
    const signedIn = await program.client.post('/login', demo.admin, { credential: 'none' });
    const asked = Date.now();
    program.signal('SIGINT');
    // A terminal and npm may each send one.
    await sleep(20);
    program.signal('SIGINT');
    const exit = await program.exit(10_000);
    expect(Date.now() - asked).toBeLessThan(5_000);
    expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(exit.stdout).not.toContain('"level"');
    expect(await place.postgres()).toBeUndefined();

    program = await place.start();
    expect(program.demo).toEqual(demo);
    expect(program.stdout()).toContain(demo.apiKey);
    const wallet = await program.client.get('/seller-wallet/gestao');
    expect(wallet.body.data.availableBalance).toBe(1485);
    const check = await program.client.get('/admin/ledger/check', { token: signedIn.body.accessToken });
    expect(check.body.data.balanced).toBe(true);
    await program.end();
  });
});

describe('commands in a separate directory', () => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace();
  });
  afterAll(() => place.remove());

  it('start on a port in use fails with one line and stops the database', async () => {
    const foreign = createServer().listen(place.port, '127.0.0.1');
    try {
      const exit = await place.run(['start'], { LOG_LEVEL: 'silent' }).exit();
      expect(exit.code).toBe(1);
      expect(exit.stderr).toMatch(/^gateway: PORT \d+ on 127\.0\.0\.1 is in use by another program[^\n]*\n$/);
      expect(exit.stdout).toMatch(/^mode sandbox, host 127\.0\.0\.1:\d+, database postgres [^\n]*\n$/);
      expect(await place.postgres()).toBeUndefined();
    } finally {
      foreign.close();
    }
  });

  it('an unknown command prints the usage and exits with 2', async () => {
    const exit = await place.run(['serve']).exit();
    expect(exit).toMatchObject({ code: 2, stdout: '' });
    expect(exit.stderr).toMatch(/^Usage: npm run COMMAND \[-- OPTIONS\]\n/);
  });

  it.each([
    ['migrate'],
    ['ledger-check'],
    ['rotate-keys'],
    ['payer', 'export'],
    ['recover-admin', 'a@example.com'],
    ['restored', '--at', '2026-11-20T14:31:00Z'],
    ['cnab', 'ship', 'first.rem'],
  ])('%s in a new directory creates no database and exits with 1', async (...command) => {
    const fresh = await makePlace();
    try {
      expect(await fresh.run(command).exit()).toMatchObject({
        code: 1,
        stdout: '',
        stderr:
          `gateway: DATA_DIR ${fresh.dataDir} contains no embedded database: ` +
          'set DATABASE_URL, or run npm start first\n',
      });
      expect(await readdir(fresh.dataDir)).toEqual([]);
    } finally {
      await fresh.remove();
    }
  });

  it('migrate asks only for the settings that it uses', async () => {
    const database = await cloneDatabase();
    try {
      const settings = { MODE: 'production', DATABASE_URL: database.url, PORT: 'http', SMTP_URL: 'nowhere' };
      const exit = await place.run(['migrate'], settings).exit();
      expect(exit).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' });
      const { host, pathname } = new URL(database.url);
      expect(exit.stderr).toBe(`mode production, host ${host}, database ${pathname.slice(1)}\n`);
    } finally {
      await database.drop();
    }
  });
});

describe('invalid settings', () => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace();
  });
  afterAll(() => place.remove());

  /** The errors of the program, after it has exited with 1. */
  const complaints = async (settings: Settings): Promise<readonly string[]> => {
    const exit = await place.run(['start'], settings).exit();
    expect(exit.code).toBe(1);
    expect(exit.stdout).toMatch(/^(?:mode sandbox, host [^\n]*\n)?$/);
    expect(await readdir(place.dataDir)).not.toContain('postgres');
    return linesOf(exit.stderr).map((line) => {
      // Outside the sandbox each line is JSON.
      if (line.startsWith('{')) return String(JSON.parse(line).msg);
      expect(line).toMatch(/^gateway: /);
      return line.replace(/^gateway: /, '');
    });
  };

  /** The same texts without a process for each. */
  const refusal = (settings: Settings): readonly string[] => {
    try {
      readConfig({ DATA_DIR: place.dataDir, ...settings });
    } catch (error) {
      if (error instanceof ConfigError) return error.lines;
    }
    throw new Error('the settings were accepted');
  };

  const plain: readonly (readonly [string, string, string])[] = [
    ['PORT', 'http', '"http"'],
    ['MODE', 'staging', '"staging"'],
    ['PUBLIC_URL', 'ftp://pay.example.com', 'https://'],
    ['DATABASE_POOL', '1', '"1"'],
    ['LOG_LEVEL', 'loud', '"loud"'],
    ['VERIFY_DOCUMENTS', 'yes', '"yes"'],
    ['ALPHANUMERIC_CNPJ', '1', '"1"'],
    ['WEBHOOK_ALLOW_PRIVATE', 'no', '"no"'],
    ['ADMIN_EMAIL', 'nobody', '"nobody"'],
  ];
  const secret: readonly (readonly [string, string])[] = [
    ['DATABASE_URL', 'mysql://root:hunter2-secret@db/pay'],
    ['JWT_SECRET', 'hunter2-secret'],
    ['ENCRYPTION_KEY', 'hunter2-secret'],
    ['ADMIN_PASSWORD', 'hunter2'],
    ['PUBLIC_URL', 'https://root:hunter2-secret@pay.example.com'],
  ];

  it.each([...plain, ['PORT', '65536', '"65536"'], ['PORT', '-1', '"-1"']] as const)(
    '%s=%s print one line that names the setting',
    (name, value, hint) => {
      expect(refusal({ [name]: value })).toEqual([
        expect.stringMatching(new RegExp(`^${name} must .*${hint}`)),
      ]);
    },
  );

  it.each(secret)('%s prints one line that names it and contains no secret', (name, value) => {
    const lines = refusal({ MODE: 'sandbox', [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name} must `))]);
    expect(lines[0]).not.toContain('hunter2');
  });

  it('abort startup, all reported at once, with nothing started', async () => {
    const lines = await complaints(Object.fromEntries(plain));
    expect(new Set(lines.map(firstWord))).toEqual(new Set(plain.map(([name]) => name)));
    expect(lines).toHaveLength(plain.length);
  });

  it('are reported without secrets', async () => {
    const lines = await complaints({ MODE: 'production', ...Object.fromEntries(secret) });
    expect(new Set(lines.map(firstWord))).toEqual(new Set(secret.map(([name]) => name)));
    expect(lines.join()).not.toContain('hunter2');
  });

  it('include an easily guessed ADMIN_PASSWORD in production', async () => {
    const settings = {
      MODE: 'production',
      PUBLIC_URL: 'https://pay.example.com',
      DATABASE_URL: 'postgresql://gateway@127.0.0.1:1/pay',
      JWT_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ADMIN_EMAIL: 'operator@example.com',
    };
    expect(await complaints({ ...settings, ADMIN_PASSWORD: 'administrador' })).toEqual([
      expect.stringContaining('ADMIN_PASSWORD must not be a common or easily guessed password'),
    ]);
    expect(refusal({ ...settings, ADMIN_PASSWORD: 'password' })).toEqual([
      expect.stringContaining('ADMIN_PASSWORD must have 12 to 200 characters'),
    ]);
  });

  it('include missing secrets in production', () => {
    const lines = refusal({ MODE: 'production' });
    expect(lines).toHaveLength(4);
    expect(new Set(lines.map(firstWord))).toEqual(
      new Set(['DATABASE_URL', 'PUBLIC_URL', 'JWT_SECRET', 'ENCRYPTION_KEY']),
    );
  });

  it('include a misspelled name outside the sandbox, and in the sandbox warn of it', async () => {
    const production = { MODE: 'production', DATABSE_URL: 'postgresql://gateway@127.0.0.1:1/pay' };
    expect(refusal(production)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^DATABASE_URL is required/),
        'DATABSE_URL is not a setting; did you mean DATABASE_URL?',
      ]),
    );
    const { warnings } = readConfig({ DATA_DIR: place.dataDir, METRIC_TOKEN: 'secret', HOME: '/root' });
    expect(warnings).toEqual(['METRIC_TOKEN is not a setting; did you mean METRICS_TOKEN?']);
  });

  it('include an unreachable database, reported in one line without its password', async () => {
    const address = 'postgresql://gateway:hunter2@127.0.0.1:1/pay';
    const lines = await complaints({ MODE: 'sandbox', DATABASE_URL: address });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ECONNREFUSED.*DATABASE_URL/);
    expect(lines[0]).not.toContain('hunter2');
  });
});

it('keeps the MODE of the first start in the database', async () => {
  const database = await cloneDatabase();
  const place = await makePlace();
  try {
    const settings = {
      DATABASE_URL: database.url,
      PUBLIC_URL: 'https://pay.example.com',
      JWT_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ADMIN_EMAIL: 'operator@example.com',
      ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    };
    const sandbox = place.run(['start'], { ...settings, MODE: 'sandbox' });
    await untilHealthy(sandbox, place.port);
    sandbox.signal('SIGTERM');
    expect((await sandbox.exit(10_000)).code).toBe(0);
    const wrong = { ...settings, MODE: 'production' };
    for (const command of ['start', 'api', 'worker', 'ledger-check', 'rotate-keys']) {
      const { code, stderr } = await place.run([command], wrong).exit(20_000);
      expect({ command, code }).toEqual({ command, code: 1 });
      const lines = linesOf(stderr).filter((line) => !line.startsWith('mode production, host '));
      expect(lines).toEqual([
        expect.stringContaining(
          'the database was created with MODE=sandbox and cannot be used with MODE=production',
        ),
      ]);
    }
  } finally {
    await place.remove();
    await database.drop();
  }
});

it('prints no secrets and creates no demo data in production', async () => {
  const database = await cloneDatabase();
  const place = await makePlace();
  try {
    const secrets = {
      JWT_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    };
    const started = place.run(['start'], {
      MODE: 'production',
      PUBLIC_URL: 'https://pay.example.com',
      DATABASE_URL: database.url,
      ADMIN_EMAIL: 'operator@example.com',
      LOG_LEVEL: 'trace',
      ...secrets,
    });
    await untilHealthy(started, place.port);
    const client = createClient(`http://127.0.0.1:${place.port}/v1`, '');
    const credentials = { email: 'operator@example.com', password: secrets.ADMIN_PASSWORD };
    const signedIn = await client.post('/login', credentials, { credential: 'none' });
    expect(signedIn.status).toBe(200);
    const token = String(signedIn.body.accessToken);
    expect((await client.post('/sandbox/clock', { advanceSeconds: 1 }, { token })).status).toBe(404);
    started.signal('SIGTERM');
    const { code, stdout, stderr } = await started.exit(10_000);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const password = decodeURIComponent(new URL(database.url).password);
    // A test cluster has no password.
    const secret = [...Object.values(secrets), token, ...(password === '' ? [] : [password])];
    for (const value of secret) expect(stdout).not.toContain(value);
    const [first] = linesOf(stdout);
    expect(JSON.parse(first ?? '').msg).toMatch(/^mode production, host .*, database /);
    // Each line is JSON, the one that says that the gateway has started too.
    expect(linesOf(stdout).map((line) => JSON.parse(line).msg)).toContain('Vereda is running (production)');
    expect(await readdir(place.dataDir)).toEqual([]);
  } finally {
    await place.remove();
    await database.drop();
  }
});
