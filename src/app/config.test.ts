import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import {
  DATABASE_URL,
  ENCRYPTION_KEY,
  JWT_SECRET,
  linesOf,
  namedIn,
  SECRET,
  useConfig,
} from '#test/support/config.ts';
import { readConfig } from './config.ts';

const opened = useConfig();
const { sandbox, production } = opened;

describe('FAIL_POINT', () => {
  it('is accepted in the sandbox and rejected in production', () => {
    expect(sandbox().failPoint).toBeUndefined();
    expect(sandbox({ FAIL_POINT: 'payouts.called' }).failPoint).toEqual({
      point: 'payouts.called',
      occurrence: 1,
    });
    expect(sandbox({ FAIL_POINT: 'payouts.called:3' }).failPoint).toEqual({
      point: 'payouts.called',
      occurrence: 3,
    });
    for (const wrong of ['payouts', 'payouts.called:0', 'toString', 'payouts.called:x']) {
      expect(namedIn(linesOf(() => sandbox({ FAIL_POINT: wrong })))).toEqual(['FAIL_POINT']);
    }
    expect(linesOf(() => production({ FAIL_POINT: 'payouts.called' }))).toEqual([
      'FAIL_POINT is allowed in MODE=sandbox only',
    ]);
  });
});

describe('sandbox settings', () => {
  it('require nothing', () => {
    expect(sandbox()).toMatchObject({
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://127.0.0.1:8080',
      dataDir: opened.dataDir,
      databaseUrl: undefined,
      adminEmail: undefined,
      adminPassword: undefined,
      metricsToken: undefined,
      logLevel: 'info',
      verifyDocuments: false,
      alphanumericCnpj: true,
      webhookAllowPrivate: true,
      webhookLogDays: 90,
      drainSeconds: 0,
      metricsPort: undefined,
      tracing: undefined,
      ledgerCheckHours: 24,
    });
  });

  it('use .data as the data directory by default', () => {
    const config = readConfig({ JWT_SECRET, ENCRYPTION_KEY });
    expect(config.dataDir).toBe(resolve('.data'));
  });

  it('apply with the embedded database by default', () => {
    expect(sandbox().mode).toBe('sandbox');
    expect(production({ MODE: undefined }).mode).toBe('production');
    expect(sandbox({ DATABASE_URL, MODE: 'sandbox' })).toMatchObject({
      mode: 'sandbox',
      databaseUrl: DATABASE_URL,
    });
  });

  it('generate the secrets once, readable by their owner only', async () => {
    const first = sandbox();
    const second = sandbox();
    expect(first.jwtSecret.length).toBeGreaterThanOrEqual(32);
    expect(first.masterKey).toEqual({ setting: 'ENCRYPTION_KEY', keys: [expect.any(Buffer)] });
    expect(second.jwtSecret).toEqual(first.jwtSecret);
    expect(second.masterKey).toEqual(first.masterKey);
    expect((await stat(join(opened.dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
    const other = readConfig({ DATA_DIR: join(opened.dataDir, 'other') });
    expect(other.jwtSecret).not.toEqual(first.jwtSecret);
    expect(other.masterKey).not.toEqual(first.masterKey);
    expect((await stat(join(opened.dataDir, 'other'))).mode & 0o777).toBe(0o700);
  });

  it('use given secrets and store none', async () => {
    const config = sandbox({ JWT_SECRET, ENCRYPTION_KEY });
    expect(Buffer.from(config.jwtSecret).toString()).toBe(JWT_SECRET);
    expect(config.masterKey).toEqual({
      setting: 'ENCRYPTION_KEY',
      keys: [Buffer.from(ENCRYPTION_KEY, 'hex')],
    });
    expect(await readdir(opened.dataDir)).toEqual([]);
  });

  it('write nothing if startup fails for another reason', async () => {
    expect(linesOf(() => sandbox({ PORT: 'x' }))).toHaveLength(1);
    expect(await readdir(opened.dataDir)).toEqual([]);
  });

  it('survive a kill between the creation and the writing of the secrets file', async () => {
    await writeFile(join(opened.dataDir, 'secrets.json'), '');
    const config = sandbox();
    expect(config.masterKey).toMatchObject({ keys: [expect.any(Buffer)] });
    expect(sandbox().jwtSecret).toEqual(config.jwtSecret);
  });

  it('abort startup if the secrets file cannot be read, instead of replacing it', async () => {
    const file = join(opened.dataDir, 'secrets.json');
    for (const text of ['{"jwt":"', '{"jwt":1}', '[]', 'null']) {
      await writeFile(file, text);
      const lines = linesOf(() => sandbox());
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('secrets.json');
      expect(await readFile(file, 'utf8')).toBe(text);
    }
  });

  it('report in one line that the data directory is not writable', async () => {
    await writeFile(join(opened.dataDir, 'file'), '');
    for (const folder of [join(opened.dataDir, 'file'), join(opened.dataDir, 'file', 'below')]) {
      const lines = linesOf(() => readConfig({ DATA_DIR: folder }));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^DATA_DIR/);
    }
  });

  it('report in one line that the secrets file is a directory', async () => {
    await mkdir(join(opened.dataDir, 'secrets.json'));
    const lines = linesOf(() => sandbox());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('secrets.json');
  });
});

describe('production settings', () => {
  it('have secure defaults', () => {
    expect(production()).toMatchObject({
      mode: 'production',
      host: '0.0.0.0',
      port: 8080,
      databaseUrl: DATABASE_URL,
      logLevel: 'info',
      verifyDocuments: true,
      alphanumericCnpj: true,
      webhookAllowPrivate: false,
    });
  });

  it('require the secrets', async () => {
    const lines = linesOf(() => production({ JWT_SECRET: undefined, ENCRYPTION_KEY: undefined }));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^JWT_SECRET is required/);
    expect(lines[1]).toMatch(/^ENCRYPTION_KEY is required/);
    expect(await readdir(opened.dataDir)).toEqual([]);
  });

  it('require an HTTPS PUBLIC_URL', () => {
    expect(linesOf(() => production({ PUBLIC_URL: undefined }))).toEqual([
      expect.stringMatching(/^PUBLIC_URL is required/),
    ]);
    expect(linesOf(() => production({ PUBLIC_URL: 'http://pay.example.com' }))).toEqual([
      'PUBLIC_URL must start with https:// outside the sandbox',
    ]);
    expect(sandbox({ PUBLIC_URL: 'http://pay.example.com' }).publicUrl).toBe('http://pay.example.com');
  });

  it.each([
    ['JWT_SECRET', 'change-me-change-me-change-me-change-me'],
    ['JWT_SECRET', 'x'.repeat(40)],
    ['JWT_SECRET_PREVIOUS', 'x'.repeat(40)],
    ['ENCRYPTION_KEY', '0'.repeat(64)],
    ['ADMIN_PASSWORD', 'change me please'],
  ])('reject the placeholder secret %s=%s', (name, value) => {
    const admin = { ADMIN_EMAIL: 'ops@example.com', ADMIN_PASSWORD: 'a long enough password' };
    expect(linesOf(() => production({ ...admin, [name]: value }))).toEqual([
      `${name} must be a secret of your own outside the sandbox, not a placeholder`,
    ]);
    expect(sandbox({ ...admin, [name]: value }).mode).toBe('sandbox');
  });

  const ON_NETWORK = ['user:pw@db.example.com/g', 'user:pw@10.0.0.7/g?sslmode=disable'];
  const UNVERIFIED = [
    'db.example.com/g?sslmode=no-verify',
    'db.example.com/g?sslmode=require&uselibpqcompat=true',
  ];
  const HIDDEN = ['localhost,db.example.com/g', '127.0.0.1/g?host=db.example.com', '127.0.0.1.example.com/g'];
  const REPEATED = [
    'db.example.com/g?sslmode=verify-full&sslmode=disable',
    '127.0.0.1/g?host=localhost&host=db.example.com',
  ];
  it.each([...ON_NETWORK, ...UNVERIFIED, ...HIDDEN, ...REPEATED])(
    'reject a database on a network without TLS unless allowed: %s',
    (address) => {
      const url = `postgresql://${address}`;
      const lines = linesOf(() => production({ DATABASE_URL: url }));
      expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL must use TLS outside the sandbox/)]);
      expect(production({ DATABASE_URL: url, DATABASE_ALLOW_PLAINTEXT: 'true' }).databaseUrl).toBe(url);
      expect(sandbox({ DATABASE_URL: url, MODE: 'sandbox' }).databaseUrl).toBe(url);
    },
  );

  it('reject a database on PGHOST without TLS', () => {
    vi.stubEnv('PGHOST', 'db.example.com');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(linesOf(() => production({ DATABASE_URL: 'postgresql:///g' }))).toEqual([
      expect.stringMatching(/^DATABASE_URL must use TLS outside the sandbox/),
    ]);
    vi.stubEnv('PGHOST', '/run/postgresql');
    expect(production({ DATABASE_URL: 'postgresql:///g' }).databaseUrl).toBe('postgresql:///g');
  });

  it.each([
    'postgresql://localhost/g',
    'postgresql://user:pw@127.0.0.1:5433/g',
    'postgresql://[::1]/g',
    'postgresql:///g?host=/var/run/postgresql',
    'postgresql://%2Fvar%2Frun%2Fpostgresql/g',
    'postgresql://one.example.com,two.example.com/g?sslmode=verify-full',
  ])('accept a database on this machine or with TLS: %s', (url) => {
    expect(production({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('name the setting of a file of certificates that cannot be read', () => {
    const settings = { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' };
    expect(linesOf(() => production(settings))).toEqual([
      expect.stringMatching(/^NODE_EXTRA_CA_CERTS names \/nowhere\/ca.pem, which cannot be read \(ENOENT\)/),
    ]);
  });

  it('reject Redis on a network without TLS unless allowed', () => {
    const url = 'redis://:pw@cache.example.com:6379/0';
    expect(linesOf(() => production({ REDIS_URL: url }))).toEqual([
      expect.stringMatching(/^REDIS_URL must use TLS outside the sandbox/),
    ]);
    expect(production({ REDIS_URL: url, REDIS_ALLOW_PLAINTEXT: 'true' }).redisUrl).toBe(url);
    expect(sandbox({ REDIS_URL: url }).redisUrl).toBe(url);
    for (const safe of ['rediss://cache.example.com', 'redis://127.0.0.1:6379', 'redis://[::1]/1']) {
      expect(production({ REDIS_URL: safe }).redisUrl).toBe(safe);
    }
  });

  it.each(['PIX_PROVIDER', 'CARD_PROVIDER'])('reject the sandbox as %s', (name) => {
    expect(linesOf(() => production({ [name]: 'sandbox' }))).toEqual([
      `${name} must not be sandbox outside MODE=sandbox: it moves no money`,
    ]);
  });

  it('accept a previous secret for verifying tokens', () => {
    expect(production().jwtSecretPrevious).toBeUndefined();
    const previous = production({ JWT_SECRET_PREVIOUS: 'another secret of forty characters here!!' });
    expect(Buffer.from(previous.jwtSecretPrevious ?? []).toString()).toBe(
      'another secret of forty characters here!!',
    );
    expect(previous.jwtSecret).toEqual(production().jwtSecret);
  });

  it('accept several encryption keys, newest first, in hex or base64', () => {
    const keys = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
    const text = `${keys[0].toString('hex')}, ${keys[1].toString('base64')},${keys[2].toString('base64url')}`;
    expect(production({ ENCRYPTION_KEY: text }).masterKey).toMatchObject({ keys });
  });

  it('accept the master key from a file, in the same format', async () => {
    const file = join(opened.dataDir, 'master.key');
    const keys = [randomBytes(32), randomBytes(32)] as const;
    await writeFile(file, `${keys[0].toString('base64')},${keys[1].toString('hex')}\n`);
    const config = production({ ENCRYPTION_KEY: undefined, ENCRYPTION_KEY_FILE: file });
    expect(config.masterKey).toEqual({ setting: 'ENCRYPTION_KEY_FILE', keys });
    await writeFile(file, SECRET);
    const lines = linesOf(() => production({ ENCRYPTION_KEY: undefined, ENCRYPTION_KEY_FILE: file }));
    expect(lines).toEqual([expect.stringMatching(/^ENCRYPTION_KEY_FILE must contain 32 bytes/)]);
    const missing = { ENCRYPTION_KEY: undefined, ENCRYPTION_KEY_FILE: join(opened.dataDir, 'none') };
    expect(linesOf(() => production(missing))).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEY_FILE must name a file that can be read, got .* \(ENOENT\)$/),
    ]);
  });

  it('accept a key management command, and only one source of the master key', () => {
    const command = { ENCRYPTION_KEY_COMMAND: '/usr/local/bin/kms  --key vereda' };
    expect(production({ ENCRYPTION_KEY: undefined, ...command }).masterKey).toEqual({
      setting: 'ENCRYPTION_KEY_COMMAND',
      command: ['/usr/local/bin/kms', '--key', 'vereda'],
    });
    for (const read of [production, sandbox]) {
      expect(linesOf(() => read({ ENCRYPTION_KEY, ...command }))).toEqual([
        'ENCRYPTION_KEY: set only one of ENCRYPTION_KEY, ENCRYPTION_KEY_FILE or ENCRYPTION_KEY_COMMAND',
      ]);
    }
  });

  it('accept the first operator’s credentials', () => {
    const config = production({ ADMIN_EMAIL: 'Ops@Example.com', ADMIN_PASSWORD: 'a long enough password' });
    expect(config).toMatchObject({ adminEmail: 'ops@example.com', adminPassword: 'a long enough password' });
  });
});

describe('given settings', () => {
  it('override the defaults', () => {
    expect(
      production({
        HOST: '10.0.0.7',
        PORT: '65535',
        PUBLIC_URL: 'https://pay.example.com/',
        DATABASE_POOL: '200',
        METRICS_TOKEN: 'metrics',
        DRAIN_SECONDS: '30',
        METRICS_PORT: '9100',
        LEDGER_CHECK_HOURS: '0',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
        LOG_LEVEL: 'silent',
        VERIFY_DOCUMENTS: 'false',
        ALPHANUMERIC_CNPJ: 'false',
        WEBHOOK_ALLOW_PRIVATE: 'true',
      }),
    ).toMatchObject({
      host: '10.0.0.7',
      port: 65_535,
      publicUrl: 'https://pay.example.com',
      databasePool: 200,
      metricsToken: 'metrics',
      drainSeconds: 30,
      metricsPort: 9100,
      ledgerCheckHours: 0,
      tracing: {
        endpoint: 'http://collector:4318',
        serviceName: 'vereda',
        sampler: 'traceidratio',
        ratio: 0.25,
        exportIntervalMs: 1_000,
        exportTimeoutMs: 5_000,
      },
      logLevel: 'silent',
      verifyDocuments: false,
      alphanumericCnpj: false,
      webhookAllowPrivate: true,
    });
  });

  it.each([
    ['2', 'traceidratio', 'OTEL_TRACES_SAMPLER_ARG must be a ratio from 0 to 1, got "2"'],
    ['1', 'sometimes', 'OTEL_TRACES_SAMPLER must be one of always_on'],
  ])('are rejected for an invalid trace sampling ratio or sampler: %s of %s', (share, sampler, line) => {
    const lines = linesOf(() =>
      sandbox({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
        OTEL_TRACES_SAMPLER: sampler,
        OTEL_TRACES_SAMPLER_ARG: share,
      }),
    );
    expect(lines).toEqual([expect.stringContaining(line)]);
  });

  it('are rejected for an invalid trace endpoint, without quoting it', () => {
    const lines = linesOf(() => sandbox({ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://user:secret@host:4317' }));
    expect(lines).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://127.0.0.1:4318']);
  });

  it('are ignored if empty', () => {
    const names = ['HOST', 'PORT', 'PUBLIC_URL', 'DATABASE_URL', 'MODE', 'LOG_LEVEL', 'VERIFY_DOCUMENTS'];
    const empty = Object.fromEntries(names.map((name) => [name, '  ']));
    expect(sandbox(empty)).toEqual(sandbox());
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:9000'],
    ['0.0.0.0', 'http://localhost:9000'],
    ['::', 'http://localhost:9000'],
    ['::1', 'http://[::1]:9000'],
    ['pay.local', 'http://pay.local:9000'],
  ])('with HOST %s result in the public URL %s', (host, publicUrl) => {
    expect(sandbox({ HOST: host, PORT: '9000' }).publicUrl).toBe(publicUrl);
  });
});

describe('BOLETO_PROVIDER and PAYOUT_PROVIDER', () => {
  const cnab = {
    BOLETO_PROVIDER: 'cnab',
    BOLETO_BANK: '001',
    BOLETO_AGENCY: '1234-5',
    BOLETO_ACCOUNT: '123456-0',
    BOLETO_AGREEMENT: '1234567',
    BOLETO_WALLET: '17',
    BOLETO_WALLET_VARIATION: '019',
    CNAB_COMPANY_NAME: 'Vereda Pagamentos Ltda',
    CNAB_COMPANY_DOCUMENT: '11222333000181',
    CNAB_COMPANY_ADDRESS: 'Rua Direita 10; Centro; 01002-000; São Paulo; SP',
  };

  it('select the providers and the services that exchange files', () => {
    const selected = { boletoProvider: 'cnab', payoutProviders: [], cnab: { boletos: true, payouts: false } };
    expect(production(cnab)).toMatchObject(selected);
    expect(sandbox(cnab)).toMatchObject({ boletoProvider: 'cnab', payoutProviders: ['sandbox'] });
    const { BOLETO_PROVIDER: _provider, ...others } = cnab;
    const payouts = { ...others, PAYOUT_PROVIDER: 'cnab', CNAB_PAYMENT_AGREEMENT: '654321' };
    expect(production(payouts)).toMatchObject({
      boletoProvider: undefined,
      payoutProviders: ['cnab'],
      cnab: { boletos: false, payouts: true },
    });
  });

  it('default to the sandbox in MODE=sandbox and to none in production', () => {
    const defaults = { boletoProvider: 'sandbox', payoutProviders: ['sandbox'], cnab: undefined };
    expect(sandbox()).toMatchObject(defaults);
    expect(production()).toMatchObject({ boletoProvider: undefined, payoutProviders: [], cnab: undefined });
  });

  it('reject the sandbox in production and then do not require file settings', () => {
    const line = 'BOLETO_PROVIDER must be one of cnab, got "sandbox"';
    expect(linesOf(() => production({ ...cnab, BOLETO_PROVIDER: 'sandbox' }))).toEqual([line]);
    expect(linesOf(() => production({ BOLETO_PROVIDER: 'sandbox' }))).toEqual([line]);
  });
});
