import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Webhook } from 'standardwebhooks';
import { ProxyAgent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { asGlobal, goodCharge } from '#test/support/client.ts';
import { freePort } from '#test/support/free-port.ts';
import { findNode20 } from '#test/support/node-20.ts';
import { makePlaceOnServer, type Place, type Program } from '#test/support/process.ts';

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
const BIN = join(ROOT, 'node_modules/.bin');

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a valid body with changes
const charge = (changes = {}) => goodCharge(changes) as unknown as Body<'createTransaction'>;

let place: Place;
let program: Program;
let vereda: Vereda;

beforeAll(async () => {
  place = await makePlaceOnServer();
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

  it.each([
    [{ apiKey: undefined, baseUrl: 'http://127.0.0.1:8080' }, 'apiKey is required'],
    [{ apiKey: '', baseUrl: 'http://127.0.0.1:8080' }, 'apiKey is required'],
    [{ apiKey: 'sk_test_1', baseUrl: undefined }, 'baseUrl is required'],
    [{ apiKey: 'sk_test_1', baseUrl: '127.0.0.1:8080' }, 'baseUrl must be a URL that begins with http://'],
    [{ apiKey: 'sk_test_1', baseUrl: 'localhost:8080' }, 'baseUrl must be a URL that begins with http://'],
  ])('the constructor names the option that is wrong: %o', (options, message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a program without types
    const create = () => new Vereda(options as ConstructorParameters<typeof Vereda>[0]);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
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

  it('files are attached to a dispute and downloaded, and lists exported as CSV', async () => {
    const { id, externalRef } = await vereda.transactions.create(charge({ externalRef: 'csv-1' }));
    await vereda.sandbox.payTransaction(id);
    await vereda.sandbox.openDispute(id);
    const [dispute] = await vereda.disputes.list().toArray(1);
    if (dispute === undefined) throw new Error('no dispute');
    const bytes = Buffer.from('%PDF-1.7\n%%EOF\n');
    const file = new File([bytes], 'recibo é.pdf', { type: 'application/pdf' });
    const attached = await vereda.disputes.attach(dispute.id, file);
    expect(attached).toMatchObject({ contentType: 'application/pdf', size: bytes.length });
    const [listed] = await vereda.disputes.attachments(dispute.id).toArray();
    expect(listed).toEqual(attached);
    expect(Buffer.from(await vereda.disputes.downloadAttachment(dispute.id, attached.id))).toEqual(bytes);
    const missing = vereda.disputes.downloadAttachment(dispute.id, id);
    await expect(missing).rejects.toBeInstanceOf(VeredaApiError);
    const text = new File(['text'], 'a.txt', { type: 'text/plain' });
    await expect(vereda.disputes.attach(dispute.id, text)).rejects.toMatchObject({ status: 400 });
    const csv = await vereda.transactions.list({ externalRef: 'csv-1' }).csv();
    expect(csv.trim().split('\n')).toHaveLength(2);
    expect(csv).toContain(String(externalRef));
    const wrong = vereda.transactions.list({ startDate: 'yesterday' }).csv();
    await expect(wrong).rejects.toMatchObject({ code: 'validation_failed' });
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

/** Of signed-in users or of payers. An API key cannot call them, or needs none. */
const NOT_FOR_KEYS = ['Health', 'Authentication', 'Account', 'Team', 'Applications'];

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
}

describe('the client', () => {
  it('has every operation of the reference that takes an API key', async () => {
    const source = await readFile(join(SDK, 'src/index.ts'), 'utf8');
    const response = await fetch(program.baseUrl.replace(/\/v1$/, '/openapi.json'));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an OpenAPI document
    const document = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
    const missing: string[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { operationId, tags } of Object.values(methods)) {
        if (tags.some((tag) => NOT_FOR_KEYS.includes(tag)) || path.startsWith('/v1/public/')) continue;
        const isCalled = operationId.startsWith('download')
          ? source.includes(`api.download('${path.replace('/v1', '')}')`)
          : source.includes(`<'${operationId}'>`);
        if (!isCalled) missing.push(operationId);
      }
    }
    expect(missing).toEqual([]);
  });

  it("reads and changes the seller's settings, and summarizes subscriptions", async () => {
    expect(await vereda.settings.update({ displayName: 'Loja Aurora' })).toMatchObject({
      displayName: 'Loja Aurora',
    });
    expect((await vereda.settings.get()).displayName).toBe('Loja Aurora');
    expect((await vereda.subscriptions.summary({ months: 2 })).months).toHaveLength(2);
  });

  it('retries an invoice by its number', async () => {
    const card = { number: '4000000000009995', holderName: 'ANA SOUZA' };
    const saved = { ...card, expirationMonth: 12, expirationYear: 2099 };
    const { id: cardTokenId } = await vereda.cardTokens.create(saved);
    const { id } = await vereda.subscriptions.create({
      amount: 4_990,
      method: 'CREDIT_CARD',
      interval: 'MONTHLY',
      startDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' }),
      cardTokenId,
      customer: charge().customer ?? null,
    });
    const declined = async () => {
      const [invoice] = await vereda.subscriptions.invoices(id).toArray(1);
      return invoice?.attempts.filter(({ status }) => status === 'FAILED').length;
    };
    await expect.poll(declined, { timeout: 20_000 }).toBe(1);
    expect(await vereda.subscriptions.retryInvoice(id, 1)).toMatchObject({ number: 1 });
    await expect.poll(declined, { timeout: 20_000 }).toBe(2);
    const missing = vereda.subscriptions.retryInvoice(id, 9);
    await expect(missing).rejects.toMatchObject({ code: 'invoice_not_found' });
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

describe('a proxy', () => {
  it('carries requests if the client has its fetch', async () => {
    const tunneled: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }: IncomingMessage, client: Socket) => {
      tunneled.push(url);
      const [host, port] = (url ?? '').split(':');
      const upstream = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
    });
    const port = await freePort();
    await new Promise<void>((resolve) => {
      proxy.listen(port, '127.0.0.1', resolve);
    });
    const dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${port}`, proxyTunnel: true });
    try {
      const client = new Vereda({
        apiKey: program.demo.apiKey,
        baseUrl: program.baseUrl,
        fetch: (url, init) => fetch(url, { ...init, dispatcher: asGlobal(dispatcher) }),
      });
      expect((await client.wallet.get()).totalBalance).toBeTypeOf('number');
      expect(tunneled).toEqual([new URL(program.baseUrl).host]);
    } finally {
      await dispatcher.close();
      proxy.close();
    }
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

  it('describes the format of a missing secret', () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a setting that is not set
    for (const missing of ['', undefined as unknown as string]) {
      const verify = () => vereda.webhooks.verify(body, headers, missing);
      expect(verify).toThrow(new TypeError('secret is required: the signing secret of the webhook, whsec_…'));
    }
  });

  it('reports a malformed secret', () => {
    for (const wrong of [`${secret}\n`, 'whsec_', 'not a secret']) {
      const verify = () => vereda.webhooks.verify(body, headers, wrong);
      expect(verify).toThrow(new TypeError('secret is malformed: copy the whole signing secret, whsec_…'));
    }
  });
});

describe('the package', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vereda-sdk-'));
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: SDK });
    const archive = packed.stdout.trim().split('\n').at(-1) ?? '';
    await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
    await run('npm', ['install', '--prefer-offline', '--no-audit', `./${archive}`], { cwd: folder });
    await writeFile(join(folder, 'shop.ts'), SHOP);
    const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'];
    await run(join(ROOT, 'node_modules/.bin/tsc'), [...flags, '--types', '', 'shop.ts'], { cwd: folder });
  }, 120_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('has declarations for every target of TypeScript', async () => {
    const declared = await readFile(join(folder, 'node_modules/@vereda/sdk/dist/list.d.ts'), 'utf8');
    expect(declared).not.toContain('#private');
  });

  it('compiles the sample for proxies with --strict', async () => {
    for (const name of ['undici', '@types', 'undici-types']) {
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
    await writeFile(join(folder, 'proxy.ts'), await readProxySample());
    const flags = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const compiled = await run(tsc, [...flags, '--types', 'node', 'proxy.ts'], { cwd: folder }).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(compiled.stdout).toBe('');
  }, 30_000);

  it.for([
    ['Node', async () => [process.execPath]],
    ['Node 20', async () => [(await findNode20()) ?? '']],
    ['Deno', async () => [join(BIN, 'deno'), 'run', '--allow-all']],
    ['Bun', async () => [join(BIN, 'bun')]],
  ] as const)(
    'is installed in an empty project, compiled with --strict, and runs on %s',
    async ([name, of], { skip }) => {
      const [command, ...args] = await of();
      if (command === undefined || command === '') return skip(`${name} is not installed`);
      const ran = await run(command, [...args, 'shop.js', program.baseUrl, program.demo.apiKey], {
        cwd: folder,
      });
      expect(ran.stdout.trim().split('\n')).toEqual([
        'created once',
        'transaction_not_found',
        'PING',
        'forged',
        'timeout',
      ]);
    },
  );
});

/** The sample for proxies in the README, as a program. */
async function readProxySample(): Promise<string> {
  const readme = await readFile(join(SDK, 'README.md'), 'utf8');
  const sample = /^```ts\n([^`]*ProxyAgent[^]*?)^```/m.exec(readme)?.[1] ?? 'no sample';
  const imported = "import { Vereda } from '@vereda/sdk';\n";
  return `${imported}declare const apiKey: string, baseUrl: string;\n${sample}`;
}

/** A program of a seller. The line after `@ts-expect-error` must not compile. */
const SHOP = `
import { Vereda, VeredaApiError, VeredaSignatureError, VeredaTimeoutError } from '@vereda/sdk';
import type { WebhookEvent } from '@vereda/sdk';

declare const process: { argv: string[] };
const vereda = new Vereda({ baseUrl: process.argv[2]!, apiKey: process.argv[3]! });

export function statusOf(event: WebhookEvent): string {
  return event.event === 'TRANSACTION_UPDATED' ? event.data.status : event.event;
}

// @ts-expect-error
export const wrong = () => vereda.transactions.create({ amount: '100' });

let created = 0;
// Loses the response of the first attempt.
const losing = new Vereda({
  baseUrl: process.argv[2]!,
  apiKey: process.argv[3]!,
  async fetch(...request) {
    const response = await fetch(...request);
    created += 1;
    if (created === 1) throw new TypeError('fetch failed');
    return response;
  },
});
const externalRef = crypto.randomUUID();
const { id } = await losing.transactions.create({
  amount: 1_000,
  method: 'PIX',
  externalRef,
  customer: {
    name: 'Ana Souza',
    email: 'ana@example.com',
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
  },
  items: [{ title: 'Mug', amount: 1_000, quantity: 1, tangible: true }],
  metadata: { orderId: 'x7', sizes: [1, 2], gift: { wrapped: true } },
});
for await (const found of vereda.transactions.list({ externalRef, take: 1 })) {
  const method: 'PIX' | 'BOLETO' | 'CREDIT_CARD' = found.method;
  // @ts-expect-error
  if (method !== 'PIX' || found.status === 'PAYED') continue;
  const text: string = found.id + found.amount.toFixed(2);
  if (text === id + '1000.00' && created === 2) console.log('created once');
}
try {
  await vereda.transactions.get('0198c1f2-7a10-4e6b-9c55-2b0000000000');
} catch (error) {
  if (error instanceof VeredaApiError) console.log(error.code);
}
const keyText = '0123456789abcdef0123456789abcdef';
const secret = 'whsec_' + btoa(keyText);
const body = JSON.stringify({ event: 'PING', data: { id: 'x', sentAt: '2026-01-01T00:00:00.000Z' } });
const seconds = String(Math.floor(Date.now() / 1_000));
const bytesOf = (text: string) => new TextEncoder().encode(text);
const hmac = { name: 'HMAC', hash: 'SHA-256' };
const key = await crypto.subtle.importKey('raw', bytesOf(keyText), hmac, false, ['sign']);
const signature = await crypto.subtle.sign('HMAC', key, bytesOf('event.' + seconds + '.' + body));
const headers = new Headers({
  'webhook-id': 'event',
  'webhook-timestamp': seconds,
  'webhook-signature': 'v1,' + btoa(String.fromCharCode(...new Uint8Array(signature))),
});
console.log(vereda.webhooks.verify(body, headers, secret).event);
try {
  vereda.webhooks.verify(body + ' ', headers, secret);
} catch (error) {
  if (error instanceof VeredaSignatureError) console.log('forged');
}
try {
  await vereda.events.list({ after: 'now', wait: 20 }, { timeoutMs: 100, maxRetries: 0 });
} catch (error) {
  if (error instanceof VeredaTimeoutError) console.log('timeout');
}
`;
