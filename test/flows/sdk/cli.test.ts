import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { makePlace, type Exit, type Place, type Program } from '#test/support/process.ts';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../../../packages/cli', import.meta.url));

/** Does not exist: deliveries to it fail. */
const HOOK = 'https://shop.example/hook';

let place: Place;
let program: Program;

beforeAll(async () => {
  place = await makePlace();
  program = await place.start();
  const webhook = { url: HOOK, eventType: 'ALL' };
  await program.client.post('/webhooks', webhook);
}, 60_000);
afterAll(async () => {
  await program.end();
  await place.remove();
}, 30_000);

const folders = () => ({
  XDG_CONFIG_HOME: join(place.dataDir, 'config'),
  XDG_STATE_HOME: join(place.dataDir, 'state'),
});

const vereda = (args: readonly string[], settings: Record<string, string> = {}): Promise<Exit> =>
  place.runScript('packages/cli/src/main.ts', args, { ...folders(), ...settings }).exit();

// oxlint-disable-next-line typescript/no-explicit-any -- JSON
async function json(...args: string[]): Promise<any> {
  const exit = await vereda([...args, '--json']);
  expect(exit).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(exit.stdout);
}

describe('records', () => {
  it('creates, reads and lists charges', async () => {
    const created = await json('transactions', 'create', '--amount', '1500', '--external-ref', 'order-1');
    expect(created).toMatchObject({ amount: 1500, method: 'PIX', externalRef: 'order-1' });
    expect(await json('transactions', 'get', created.id)).toMatchObject({ id: created.id });
    const listed = await json(
      'transactions',
      'list',
      '--filter',
      'externalRef=order-1',
      '--status',
      'pending',
    );
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([created.id]);
    const table = await vereda(['transactions', 'list', '--limit', '1']);
    expect(table.stdout.split('\n')).toHaveLength(3);
    expect(table.stdout).toMatch(/^ID +STATUS +METHOD/);
  });

  it('repeats a creation with the same idempotency key once', async () => {
    const key = '6f1c1a7e-3f0e-4b7a-9b51-0d6a5c1f2e34';
    const body = JSON.stringify({ title: 'Caneca', amount: 4990 });
    const file = join(place.dataDir, 'link.json');
    await writeFile(file, body);
    const first = await json('payment-links', 'create', '--data', body, '--idempotency-key', key);
    const second = await json('payment-links', 'create', '-d', `@${file}`, '--idempotency-key', key);
    expect(second.id).toBe(first.id);
    expect(await json('payment-links', 'list')).toHaveLength(1);
  });

  it('opens a dispute, withdraws, and advances the clock', async () => {
    const paid = await json('trigger', 'transaction.paid', '--amount', '9000');
    const dispute = await json('disputes', 'create', '--transaction', paid.id);
    expect(dispute).toMatchObject({ status: 'OPEN', transactionId: paid.id });
    await json('trigger', 'TRANSACTION_UPDATED', '--amount', '9000');
    const data = {
      ...{ beneficiaryName: 'Ana Souza', beneficiaryDocumentType: 'CPF' },
      beneficiaryDocumentNumber: '52998224725',
    };
    const withdrawal = await json(
      ...['withdrawals', 'create', '--amount', '2000', '--pix-key', 'ana@example.com', '--pix-key-type'],
      ...['EMAIL', '--data', JSON.stringify(data)],
    );
    expect(withdrawal).toMatchObject({ amount: 2000, method: 'PIX' });
    expect((await json('clock', 'advance', '1h')).offsetSeconds).toBe(3600);
  });

  it('shows deliveries and their attempts', async () => {
    const { id } = await json('trigger', 'transaction.paid');
    await expect.poll(async () => (await json('logs', '--record', id)).length).toBe(1);
    const [delivery] = await json('logs', '--record', id);
    expect(await json('logs', delivery.id)).toMatchObject({ event: 'TRANSACTION_UPDATED', url: HOOK });
    expect((await json('trigger', 'ping'))[0]).toMatchObject({ deliveryId: expect.any(String) });
  });
});

it('trigger simulates every event that it lists', { timeout: 60_000 }, async () => {
  const names: string[] = await json('trigger');
  expect(names.length).toBeGreaterThan(30);
  const open = [...names];
  const run = async () => {
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const exit = await vereda(['trigger', name, '--json']);
      expect({ name, code: exit.code, stderr: exit.stderr }).toEqual({ name, code: 0, stderr: '' });
    }
  };
  await Promise.all([run(), run(), run()]);
});

describe('login and errors', () => {
  it('login verifies and saves the key for other commands, readable by the user only', async () => {
    const config = join(place.dataDir, 'login');
    const settings = { XDG_CONFIG_HOME: config, DATA_DIR: '', VEREDA_URL: program.baseUrl };
    const login = (key: string) =>
      place.runScript('packages/cli/src/main.ts', ['login'], settings, `${key}\n`).exit();
    expect((await login('sk_test_wrong')).code).toBe(1);
    expect(await login(program.demo.apiKey)).toMatchObject({ code: 0 });
    expect((await stat(join(config, 'vereda/config.json'))).mode & 0o777).toBe(0o600);
    const shown = await vereda(['config', '--json'], { XDG_CONFIG_HOME: config, DATA_DIR: '' });
    expect(JSON.parse(shown.stdout)).toMatchObject({ source: join(config, 'vereda/config.json') });
    expect(shown.stdout).not.toContain(program.demo.apiKey);
  });

  it('exits with different codes for a refusal, invalid usage and an unreachable gateway', async () => {
    const missing = await vereda([
      ...['transactions', 'get', '0198c1f2-7a10-4e6b-9c55-2b0000000000', '--json'],
    ]);
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stderr)).toMatchObject({ code: 'transaction_not_found', status: 404 });
    expect((await vereda(['trigger', 'nothing'])).code).toBe(2);
    expect((await vereda(['transactions', 'create', '--amount', 'x'])).code).toBe(2);
    expect((await vereda(['nothing'])).code).toBe(2);
    expect((await vereda(['--help'])).code).toBe(0);
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const unreachable = await vereda(['transactions', 'list', '--url', nowhere]);
    expect(unreachable).toMatchObject({ code: 3, stdout: '' });
  });
});

it('npm pack: installs in an empty project and runs with npx', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vereda-cli-'));
  try {
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: CLI });
    const archive = packed.stdout.trim().split('\n').at(-1) ?? '';
    await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true }');
    await run('npm', ['install', '--prefer-offline', '--no-audit', `./${archive}`], { cwd: folder });
    const env = { ...process.env, VEREDA_API_KEY: program.demo.apiKey, VEREDA_URL: program.baseUrl };
    const ran = await run('npx', ['vereda', 'trigger', 'transaction.paid', '--json'], { cwd: folder, env });
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'PAID' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
