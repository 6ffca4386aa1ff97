import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge } from '#test/support/client.ts';
import { freePort } from '#test/support/free-port.ts';
import { makePlace, type Place, type Program } from '#test/support/process.ts';

import {
  Vereda,
  VeredaApiError,
  VeredaConnectionError,
  VeredaSignatureError,
  VeredaTimeoutError,
  type Body,
} from '../../../packages/sdk/src/index.ts';

const run = promisify(execFile);
const SDK = fileURLToPath(new URL('../../../packages/sdk', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a valid body with changes
const charge = (changes = {}) => goodCharge(changes) as unknown as Body<'createTransaction'>;

let place: Place;
let program: Program;
let vereda: Vereda;

beforeAll(async () => {
  place = await makePlace();
  program = await place.start();
  vereda = new Vereda({ apiKey: program.demo.apiKey, baseUrl: program.baseUrl });
}, 60_000);
afterAll(async () => {
  await program.end();
  await place.remove();
}, 30_000);

describe('requests', () => {
  it('create returns data, and get finds the record, with and without /v1 in the URL', async () => {
    const created = await vereda.transactions.create(charge());
    for (const suffix of ['', '/', '/v1', '/v1/']) {
      const baseUrl = program.demo.baseUrl.replace(/\/v1$/, '') + suffix;
      const client = new Vereda({ apiKey: program.demo.apiKey, baseUrl });
      expect((await client.transactions.get(created.id)).id).toBe(created.id);
    }
  });

  it('errors have the code, status and violations of the response', async () => {
    const missing = await vereda.transactions
      .get('0198c1f2-7a10-4e6b-9c55-2b0000000000')
      .catch((e: unknown) => e);
    expect(VeredaApiError.isCode(missing, 'transaction_not_found')).toBe(true);
    expect(missing).toMatchObject({ status: 404, errors: [] });
    const invalid = vereda.transactions.create(charge({ amount: 1 }));
    await expect(invalid).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [expect.objectContaining({ path: 'amount' })],
    });
  });

  it('lists iterate each record once over pages', async () => {
    const created = new Set<string>();
    for (let i = 0; i < 5; i += 1) created.add((await vereda.transactions.create(charge())).id);
    const listed: string[] = [];
    for await (const { id } of vereda.transactions.list({ take: 2 })) listed.push(id);
    expect(new Set(listed).size).toBe(listed.length);
    expect([...created].every((id) => listed.includes(id))).toBe(true);
    const pages: number[] = [];
    for await (const page of vereda.transactions.list({ take: 2, skip: 1 }).pages())
      pages.push(page.data.length);
    expect(pages.reduce((sum, length) => sum + length, 0)).toBe(listed.length - 1);
    expect(await vereda.transactions.list({ take: 2 }).toArray(3)).toHaveLength(3);
  });

  it('a dispute list without a cursor ends after its last page', async () => {
    for (let i = 0; i < 3; i += 1) {
      const { id } = await vereda.transactions.create(charge());
      await vereda.sandbox.payTransaction(id);
      await vereda.sandbox.openDispute(id);
    }
    expect(await vereda.disputes.list({ take: 2 }).toArray()).toHaveLength(3);
  });

  it('a call during a kill and restart of the gateway charges once', { timeout: 60_000 }, async () => {
    const externalRef = `restart-${Date.now()}`;
    const client = new Vereda({ apiKey: program.demo.apiKey, baseUrl: program.baseUrl, maxRetries: 12 });
    // The first attempt is executed, but its response is lost and the gateway is killed.
    let attempts = 0;
    const losing = new Vereda({
      apiKey: program.demo.apiKey,
      baseUrl: program.baseUrl,
      maxRetries: 12,
      async fetch(...request) {
        attempts += 1;
        const response = await fetch(...request);
        if (attempts > 1) return response;
        await program.killAll();
        throw new TypeError('fetch failed');
      },
    });
    const pending = losing.transactions.create(charge({ externalRef }));
    await expect.poll(() => program.isAlive(), { timeout: 10_000 }).toBe(false);
    program = await place.start();
    const { id } = await pending;
    expect(attempts).toBeGreaterThan(1);
    const found = await client.transactions.list({ externalRef }).toArray();
    expect(found.map((transaction) => transaction.id)).toEqual([id]);
  });
});

describe('connections', () => {
  let server: Server;
  let url: string;
  let received: (string | undefined)[] = [];
  let respond = 503;

  beforeAll(async () => {
    server = createServer((request, response) => {
      received.push(String(request.headers['idempotency-key']));
      if (respond === 0) return;
      response.writeHead(respond).end('{}');
    });
    const port = await freePort();
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('attempts of a call have one idempotency key, and the next call another', async () => {
    respond = 503;
    received = [];
    const client = new Vereda({ apiKey: 'sk_test', baseUrl: url, maxRetries: 1 });
    await expect(client.transactions.create(charge())).rejects.toBeInstanceOf(VeredaConnectionError);
    await expect(client.transactions.create(charge())).rejects.toBeInstanceOf(VeredaConnectionError);
    expect(received).toHaveLength(4);
    expect(received[0]).toBe(received[1]);
    expect(received[2]).toBe(received[3]);
    expect(received[0]).not.toBe(received[2]);
  });

  it('does not repeat a POST without an idempotency key after 503', async () => {
    respond = 503;
    received = [];
    const client = new Vereda({ apiKey: 'sk_test', baseUrl: url });
    await expect(client.webhooks.test('id')).rejects.toBeInstanceOf(VeredaConnectionError);
    expect(received).toHaveLength(1);
  });

  it('times out, and throws the reason of an abort without a retry', async () => {
    respond = 0;
    received = [];
    const client = new Vereda({ apiKey: 'sk_test', baseUrl: url, timeoutMs: 50, maxRetries: 0 });
    await expect(client.wallet.get()).rejects.toBeInstanceOf(VeredaTimeoutError);
    const abort = new AbortController();
    const pending = client.wallet.get({ signal: abort.signal, timeoutMs: 10_000, maxRetries: 5 });
    abort.abort(new Error('left the page'));
    await expect(pending).rejects.toThrow('left the page');
    expect(received.length).toBeLessThanOrEqual(2);
  });
});

describe('webhooks.verify', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = JSON.stringify({ event: 'PING', data: { text: 'ação' } });
  const now = new Date();
  const headers = {
    'webhook-id': 'event',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('event', now, body),
  };

  it('accepts strings, bytes, and headers of Node and of fetch', () => {
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      for (const given of [headers, new Headers(headers)]) {
        expect(vereda.webhooks.verify(raw, given, secret).event).toBe('PING');
      }
    }
  });

  it('rejects another body, another secret, an old timestamp, and missing headers', () => {
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const old = { ...headers, 'webhook-timestamp': String(Math.floor(now.getTime() / 1000) - 600) };
    for (const [raw, given, key] of [
      [`${body} `, headers, secret],
      [body, headers, other],
      [body, old, secret],
      [body, {}, secret],
    ] as const) {
      expect(() => vereda.webhooks.verify(raw, given, key)).toThrow(VeredaSignatureError);
    }
  });
});

describe('npm pack', () => {
  it('installs in an empty project, compiles with --strict, and runs', { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vereda-sdk-'));
    try {
      const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: SDK });
      const archive = packed.stdout.trim().split('\n').at(-1) ?? '';
      await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
      await run('npm', ['install', '--prefer-offline', '--no-audit', `./${archive}`], { cwd: folder });
      await writeFile(join(folder, 'shop.ts'), SHOP);
      const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'];
      await run(join(ROOT, 'node_modules/.bin/tsc'), [...flags, '--types', '', 'shop.ts'], { cwd: folder });
      const ran = await run(process.execPath, ['shop.js', program.baseUrl, program.demo.apiKey], {
        cwd: folder,
      });
      expect(ran.stdout).toMatch(/^transaction_not_found\n$/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** A program of a seller. The line after `@ts-expect-error` must not compile. */
const SHOP = `
import { Vereda, VeredaApiError, type WebhookEvent } from '@vereda/sdk';

declare const process: { argv: string[] };
const vereda = new Vereda({ baseUrl: process.argv[2]!, apiKey: process.argv[3]! });

export function statusOf(event: WebhookEvent): string {
  return event.event === 'TRANSACTION_UPDATED' ? event.data.status : event.event;
}

// @ts-expect-error
export const wrong = () => vereda.transactions.create({ amount: '100' });

for await (const { id, amount } of vereda.transactions.list({ take: 1 })) {
  const text: string = id + amount.toFixed(2);
  if (text === '') throw new Error('unexpected');
}
try {
  await vereda.transactions.get('0198c1f2-7a10-4e6b-9c55-2b0000000000');
} catch (error) {
  if (error instanceof VeredaApiError) console.log(error.code);
}
`;
