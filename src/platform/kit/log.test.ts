import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createClient, goodCharge, type Client } from '#test/support/client.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { run, untilHealthy, type Run } from '#test/support/process.ts';

type Line = Readonly<Record<string, unknown>>;

/** The lines that a logger of this level writes when the script runs in a separate process. */
function logged(script: string, level = 'trace'): readonly Line[] {
  const child = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createLogger } from './src/platform/kit/log.ts';
       const log = createLogger('${level}'); ${script}`,
    ],
    { cwd: new URL('../../..', import.meta.url), encoding: 'utf8' },
  );
  expect(child.stderr).toBe('');
  return child.stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
}

const S = 'SECRET-VALUE';

const SECRET_MEMBERS = [
  'password',
  'passwordHash',
  'secret',
  'authorization',
  'x-api-key',
  'apiKey',
  'key',
  'token',
  'accessToken',
  'refreshToken',
  'cookie',
  'document',
  'email',
  'phone',
  'name',
  'holderName',
  'holderDocument',
  'number',
  'cvv',
  'pixKey',
  'body',
  'headers',
  'payload',
  'connectionString',
  'databaseUrl',
];

describe('a log line', () => {
  it('is JSON with level and time, without host details', () => {
    const [line] = logged(`log.info({ port: 8080 }, 'started')`);
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      port: 8080,
      msg: 'started',
    });
  });

  it('is written only from the configured level upward', () => {
    const script = `log.debug('a'); log.info('b'); log.warn('c'); log.error('d')`;
    expect(logged(script, 'warn').map((line) => line['msg'])).toEqual(['c', 'd']);
    expect(logged(script, 'silent')).toEqual([]);
  });

  it('never contains a secret or personal field, down to two levels', () => {
    const lines = logged(`
      for (const name of ${JSON.stringify(SECRET_MEMBERS)}) {
        log.info({ [name]: '${S}' }, name + ' at the top');
        log.info({ user: { [name]: '${S}' } }, name + ' one below');
        log.info({ request: { user: { [name]: '${S}' } } }, name + ' two below');
        log.info({ list: [{ [name]: '${S}' }] }, name + ' in a list');
        log.info({ [name]: { deeper: '${S}' } }, name + ' as an object');
        log.child({ [name]: '${S}' }).info(name + ' in a child');
      }`);
    expect(lines).toHaveLength(SECRET_MEMBERS.length * 6);
    const shown = lines.filter((line) => JSON.stringify(line).includes(S)).map((line) => line['msg']);
    expect(shown).toEqual([]);
  });

  it('of an error contains its message and stack, but no other properties', () => {
    const [line] = logged(`
      const error = Object.assign(new TypeError('cannot read'), {
        code: 'EX', detail: '${S}', config: '${S}',
      });
      error.cause = new Error('${S}');
      log.error({ err: error }, 'failed')`);
    expect(line?.['err']).toMatchObject({ type: 'TypeError', code: 'EX', message: 'cannot read' });
    expect(JSON.stringify(line)).toContain('at ');
    expect(JSON.stringify(line)).not.toContain(S);
  });

  it.each(['22P02', '22021', '23505', '23514'])(
    'of a database error %s does not quote the rejected value',
    (code) => {
      const [line] = logged(`
        const error = Object.assign(new Error('invalid input syntax for type uuid: "${S}"'), {
          code: '${code}', detail: 'Key (email)=(${S}) already exists.',
          where: 'unnamed portal parameter $1 = ${S}',
        });
        log.error({ err: error }, 'failed')`);
      expect(line?.['err']).toMatchObject({ code });
      expect(JSON.stringify(line)).not.toContain(S);
      expect(JSON.stringify(line)).toContain('at ');
    },
  );

  it('of a value that is not an error contains nothing of it', () => {
    const [line] = logged(`log.error({ err: { message: '${S}', password: '${S}' } }, 'failed')`);
    expect(line?.['msg']).toBe('failed');
    expect(JSON.stringify(line)).not.toContain(S);
  });
});

describe('the log of a gateway with valid and malicious requests, at the most verbose level', () => {
  /** All values that must not be logged, by name. */
  const secrets = {
    customerName: 'Zuleica Quaresma',
    email: 'zuleica.quaresma@example.com',
    phone: '11976543210',
    document: '39053344705',
    wrongDocument: '39053344706',
    wrongPassword: 'the wrong password of somebody',
    ownerEmail: 'owner.of.the.shop@example.com',
    ownerPassword: 'the right password of the owner',
    ownerName: 'Epaminondas Tupinamba',
    sellerDocument: '34028316000103',
    metadata: 'metadata-of-the-seller',
    addressToken: 'token-in-an-address',
    queryValue: 'value-in-a-query',
    brokenBody: 'text-in-a-broken-body',
    jwtSecret: 'a secret of forty characters for tests!!',
    encryptionKey: '8f1d2c3b4a596877665544332211000f8f1d2c3b4a596877665544332211000f',
    metricsToken: 'the-token-for-metrics',
  };
  /** Values that are known only after the gateway has created them. */
  const made: Record<string, string> = {};

  let database: TestDatabase;
  let dataDir: string;
  let program: Run;
  let lines: readonly string[];

  beforeAll(async () => {
    database = await cloneDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-log-'));
    const port = await freePort();
    program = run(['start'], {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      MODE: 'sandbox',
      LOG_LEVEL: 'trace',
      JWT_SECRET: secrets.jwtSecret,
      ENCRYPTION_KEY: secrets.encryptionKey,
      METRICS_TOKEN: secrets.metricsToken,
    });
    await untilHealthy(program, port);
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
    made['demo key'] = demo.apiKey;
    made['demo password'] = demo.seller.password;
    made['admin password'] = demo.admin.password;
    await use(createClient(demo.baseUrl, demo.apiKey), demo.admin);
    program.signal('SIGTERM');
    const { stdout, stderr } = await program.exit();
    lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.startsWith('{'));
  });
  afterAll(async () => {
    if (program.isAlive()) program.signal('SIGKILL');
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function use(client: Client, admin: unknown): Promise<void> {
    const signIn = (email: string, password: string) =>
      client.post('/login', { email, password }, { credential: 'none' });
    const operator = await client.post('/login', admin, { credential: 'none' });
    const token = String(operator.body.accessToken);
    const seller = {
      name: 'Loja',
      documentType: 'CNPJ',
      document: secrets.sellerDocument,
      ownerName: secrets.ownerName,
      ownerEmail: secrets.ownerEmail,
      ownerPassword: secrets.ownerPassword,
    };
    const { id } = (await client.post('/admin/sellers', seller, { token })).body.data;
    await client.post('/admin/sellers', seller, { token });
    made['API key'] = (
      await client.post(`/admin/sellers/${id}/api-keys`, { name: 'a' }, { token })
    ).body.data.key;
    const apiKey = made['API key'] ?? '';

    const signedIn = await signIn(secrets.ownerEmail, secrets.ownerPassword);
    made['access token'] = signedIn.body.accessToken;
    made['refresh token'] = signedIn.body.refreshToken;
    await signIn(secrets.ownerEmail, secrets.wrongPassword);
    await client.get('/transactions', { token: `${made['access token']}x` });
    await client.get('/transactions', { apiKey: `${apiKey}x` });
    const refreshed = await client.post(
      '/auth/refresh',
      { refreshToken: made['refresh token'] },
      { credential: 'none' },
    );
    made['second access token'] = refreshed.body.token;
    made['second refresh token'] = refreshed.body.refreshToken;
    await client.post('/auth/refresh', { refreshToken: made['refresh token'] }, { credential: 'none' });

    const webhook = await client.post(
      '/webhooks',
      { url: `https://127.0.0.1:9443/hook?token=${secrets.addressToken}`, eventType: 'ALL' },
      { apiKey },
    );
    made['webhook secret'] = String(webhook.body.data.secret).slice('whsec_'.length);
    made['postback secret'] = String(
      (await client.get('/webhooks/postback-secret', { apiKey })).body.data.secret,
    ).slice('whsec_'.length);

    const charge = {
      customer: {
        name: secrets.customerName,
        email: secrets.email,
        phone: secrets.phone,
        documentType: 'CPF',
        document: secrets.document,
      },
      metadata: { note: secrets.metadata },
      postbackUrl: `https://localhost:9443/hook?token=${secrets.addressToken}`,
    };
    const created = await client.charge(charge, { apiKey });
    expect(created.status).toBe(201);
    await client.post(`/sandbox/transactions/${created.body.data.id}/pay`, undefined, { apiKey });
    await client.get(`/transactions/${created.body.data.id}?who=${secrets.queryValue}`, { apiKey });
    await client.get(`/transactions?metadataKey=note&metadataValue=${secrets.queryValue}`, { apiKey });
    await client.get(`/nowhere/${secrets.queryValue}?document=${secrets.document}`, { apiKey });
    await client.get(`/transactions/${secrets.queryValue}%E0%A4%A`, { apiKey });

    await client.charge(
      { ...charge, customer: { ...charge.customer, document: `${secrets.document}9` } },
      { apiKey },
    );
    const post = (body: unknown) =>
      client.post('/transactions', body, { apiKey, idempotencyKey: randomUUID() });
    await post(`{"note":"${secrets.brokenBody}`);
    await post(JSON.stringify({ ...goodCharge(charge), description: `${secrets.brokenBody}\0` }));
    await client.get(`/transactions?metadataKey=a&metadataValue=${secrets.queryValue}%00`, { apiKey });

    // The database's errors quote the row.
    await database.query(
      `ALTER TABLE transaction_customers
       ADD CONSTRAINT no_such_payer CHECK (document <> '${secrets.wrongDocument}')`,
    );
    const refused = await client.charge(
      { ...charge, customer: { ...charge.customer, document: secrets.wrongDocument } },
      { apiKey },
    );
    expect(refused.status).toBe(500);
    await database.query('ALTER TABLE webhooks RENAME TO webhooks_lost');
    expect((await client.get('/webhooks', { apiKey })).status).toBe(500);
    await database.query('ALTER TABLE webhooks_lost RENAME TO webhooks');
    // The deliveries of the payment have failed, because no server is listening there.
    await vi.waitFor(
      async () => {
        const attempts = await database.query('SELECT 1 FROM delivery_attempts');
        expect(attempts.length).toBeGreaterThanOrEqual(2);
      },
      { timeout: 20_000, interval: 50 },
    );
  }

  it('contains the requests, which the next test relies on', () => {
    const answered = lines
      .map((line) => JSON.parse(line))
      .filter((line: Line) => line['msg'] === 'request completed')
      .map((line: Line) => `${String(line['method'])} ${String(line['route'])} ${String(line['status'])}`);
    expect(answered).toEqual(
      expect.arrayContaining([
        'POST /v1/login 200',
        'POST /v1/login 401',
        'POST /v1/auth/refresh 401',
        'POST /v1/transactions 201',
        'POST /v1/transactions 400',
        'POST /v1/transactions 500',
        'GET /v1/webhooks 500',
        'POST /v1/sandbox/transactions/:id/pay 200',
      ]),
    );
    const failed = lines.filter((line) => line.includes('"request failed"'));
    expect(failed.length).toBeGreaterThanOrEqual(2);
    expect(failed.some((line) => line.includes('"code":"23514"'))).toBe(true);
    expect(failed.every((line) => line.includes('"reqId":'))).toBe(true);
  });

  it('contains no secret or personal data', () => {
    expect(Object.values(made).every((secret) => secret.length > 10)).toBe(true);
    const text = lines.join('\n');
    const all: Readonly<Record<string, string>> = { ...secrets, ...made };
    const found = Object.entries(all).filter(
      ([, secret]) =>
        text.includes(secret) ||
        text.includes(encodeURIComponent(secret)) ||
        text.includes(Buffer.from(secret).toString('base64').slice(0, -4)),
    );
    expect(found.map(([what]) => what)).toEqual([]);
    expect(text).not.toMatch(/sk_(test|live)_|whsec_|argon2|eyJ[\w-]+\.eyJ/);
    expect(text).not.toMatch(/postgres(ql)?:\/\//);
  });
});
