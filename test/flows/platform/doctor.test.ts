import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { run, type Settings } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Has data keys, in the mode `sandbox`. */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
});
afterAll(() => gateway.stop());

const PRODUCTION: Settings = {
  MODE: 'production',
  PUBLIC_URL: 'https://pay.example',
  DATABASE_ALLOW_PLAINTEXT: 'true',
  JWT_SECRET: randomBytes(32).toString('hex'),
  ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  METRICS_TOKEN: randomBytes(32).toString('hex'),
};

interface Check {
  readonly status: string;
  readonly detail: string;
}

/** The rows, by name, after the command ended with this status. */
async function doctor(
  settings: Settings,
  code: number,
  errors = '',
): Promise<Readonly<Record<string, Check>>> {
  const exit = await run(['doctor', '--json'], settings).exit();
  expect(exit.stderr).toContain(errors);
  expect({ ...exit, stdout: '' }).toMatchObject({ code });
  const { ok, checks }: { ok: boolean; checks: (Check & { name: string })[] } = JSON.parse(exit.stdout);
  expect(ok).toBe(code === 0);
  return Object.fromEntries(checks.map(({ name, ...check }) => [name, check]));
}

it('fails for a wrong MODE and a wrong ENCRYPTION_KEY, with which no process starts', async () => {
  const sandbox = { ...SHARED_SECRETS, MODE: 'sandbox', DATABASE_URL: gateway.database.url };
  const right = await doctor(sandbox, 0);
  expect(right).toMatchObject({ mode: { status: 'OK' }, encryption: { status: 'OK' } });
  const wrong = await doctor({ ...PRODUCTION, DATABASE_URL: gateway.database.url }, 1);
  expect(wrong).toMatchObject({
    mode: { status: 'FAILED', detail: expect.stringContaining('created with MODE=sandbox') },
    encryption: { status: 'FAILED', detail: expect.stringContaining('does not fit this database') },
  });
});

it('reports databases that cannot be reached, and checks the rest', async () => {
  const servers = `127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`;
  const found = await doctor({ ...PRODUCTION, DATABASE_URL: `postgresql://pay@${servers}/pay` }, 1);
  expect(found['database']).toMatchObject({
    status: 'FAILED',
    detail: expect.stringContaining('ECONNREFUSED'),
  });
  expect(Object.keys(found)).toEqual('settings database disk certificates redis providers'.split(' '));
});

it('checks no role before the first migration', async () => {
  const { href } = Object.assign(new URL(gateway.database.ownerUrl), { pathname: '/doctor_empty' });
  const server = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await server.connect();
  try {
    await server.query('CREATE DATABASE doctor_empty');
    const found = await doctor({ ...PRODUCTION, DATABASE_URL: href }, 1);
    expect(found['schema']).toMatchObject({ status: 'FAILED' });
    expect(Object.keys(found)).not.toContain('role');
    expect(JSON.stringify(found)).not.toContain('does not exist');
  } finally {
    await server.query('DROP DATABASE IF EXISTS doctor_empty');
    await server.end();
  }
});

it('reports wrong settings, also those without which no database can be opened', async () => {
  const misspelled = { ...PRODUCTION, DATABSE_URL: gateway.database.url };
  expect(await doctor(misspelled, 1)).toEqual({
    settings: { status: 'FAILED', detail: expect.stringContaining('did you mean DATABASE_URL?') },
  });
  const none = await doctor({ MODE: 'production' }, 1, 'gateway: DATABASE_URL is required');
  for (const name of ['DATABASE_URL', 'PUBLIC_URL', 'JWT_SECRET', 'ENCRYPTION_KEY']) {
    expect(none['settings']?.detail).toContain(`${name} is required outside the sandbox`);
  }
  const short = { ...PRODUCTION, DATABASE_URL: gateway.database.url, JWT_SECRET: 'short' };
  const found = await doctor(short, 1);
  expect(found['settings']?.detail).toContain('JWT_SECRET');
  expect(found['database']).toMatchObject({ status: 'OK' });
});
