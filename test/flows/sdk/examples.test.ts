import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { makePlaceOnServer, type Place, type Program } from '#test/support/process.ts';

const WAIT = { timeout: 20_000, interval: 100 };
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ORDER_ID = /name="orderId" value="([0-9a-f-]{36})"/;

/** Shops that run. */
interface Started {
  /** What it has printed. */
  output(): string;
  stop(): Promise<void>;
}

const PAYER = { name: 'Ana Souza', email: 'ana@example.com', phone: '(11) 98765-4321' };

let place: Place;
let program: Program;
beforeAll(async () => {
  place = await makePlaceOnServer();
  program = await place.start();
}, 60_000);
afterAll(async () => {
  await program.end();
  await place.remove();
}, 30_000);

interface Shop {
  readonly url: string;
  readonly secret: string;
  readonly started: Started;
}

type StartShop = (settings: Readonly<Record<string, string>>) => Promise<Started>;

/** Starts a shop, and `vereda listen`, which forwards events to it. */
async function startShop(start: StartShop): Promise<Shop> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const folders = { XDG_CONFIG_HOME: place.dataDir, XDG_STATE_HOME: place.dataDir };
  const command = ['listen', '--forward-to', `${url}/webhooks`];
  const listener = place.runScript('packages/cli/src/main.ts', command, folders);
  await vi.waitFor(() => expect(listener.stdout()).toContain('Ready.'), WAIT);
  const secret = /whsec_\S+/.exec(listener.stdout())?.[0] ?? '';
  const started = await start({
    PORT: String(port),
    VEREDA_URL: program.baseUrl.replace(/\/v1$/, ''),
    VEREDA_API_KEY: program.demo.apiKey,
    VEREDA_WEBHOOK_SECRET: secret,
  });
  await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), WAIT);
  return { url, secret, started };
}

/** Installs and starts the shop as its README says, in a copy of the files that it needs. */
async function startExpress(settings: Readonly<Record<string, string>>): Promise<Started> {
  const copy = join(place.dataDir, 'clone');
  const folder = join(copy, 'examples/shop-express');
  const isCopied = (path: string) => !/\/(node_modules|dist|\.env|orders\.db)/.test(path.slice(ROOT.length));
  for (const name of ['examples/shop-express', 'packages/sdk', 'tsconfig.json']) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: isCopied });
  }
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd: folder });
  await npm('run', 'build', '--prefix', '../../packages/sdk');
  await npm('install', '--prefer-offline', '--no-audit');
  const database = join(folder, 'orders.db');
  const shop = place.runScript(join(folder, 'shop.ts'), [], { ...settings, ORDERS_FILE: database });
  return {
    output: () => shop.stdout(),
    async stop() {
      shop.signal('SIGTERM');
      await shop.exit();
    },
  };
}

async function startPhp(settings: Readonly<Record<string, string>>): Promise<Started> {
  const shop = spawn('php', ['-S', `127.0.0.1:${settings['PORT']}`, 'index.php'], {
    cwd: join(ROOT, 'examples/shop-php'),
    env: { ...process.env, ...settings, ORDERS_DIR: join(place.dataDir, 'orders') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  shop.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    output: () => output,
    async stop() {
      const ended = once(shop, 'close');
      shop.kill();
      await ended;
    },
  };
}

const SHOPS: readonly (readonly [string, StartShop])[] = [
  ['shop-express', startExpress],
  ['shop-php', startPhp],
];

async function post(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

/** Posts a body as the gateway posts events. */
async function deliver(shop: Shop, id: string, body: string, secret = shop.secret): Promise<number> {
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
  return (await fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body })).status;
}

describe.each(SHOPS)('%s', { timeout: 60_000 }, (_name, start) => {
  let shop: Shop;
  let orderId: string;
  let transactionId: string;

  beforeAll(async () => {
    shop = await startShop(start);
  }, 60_000);

  afterAll(() => shop.started.stop());

  const orderPage = () => textOf(`${shop.url}/orders/${orderId}`);

  it('names the wrong field of an order, and creates no transaction', async () => {
    orderId = ORDER_ID.exec(await textOf(shop.url))?.[1] ?? '';
    const refused = await post(`${shop.url}/checkout`, { ...PAYER, orderId, document: '123' });
    expect(refused.status).toBe(422);
    const page = await refused.text();
    expect(page).toContain('Confira o campo CPF.');
    expect(ORDER_ID.exec(page)?.[1]).toBe(orderId);
    expect((await post(`${shop.url}/checkout`, { ...PAYER, orderId: '../x' })).status).toBe(400);
    expect((await fetch(`${shop.url}/orders/nothing`)).status).toBe(404);
  });

  it('creates one transaction for a form that is sent twice, and shows its Pix code', async () => {
    const fields = { ...PAYER, orderId, document: '529.982.247-25' };
    for (let i = 0; i < 2; i += 1) {
      const created = await post(`${shop.url}/checkout`, fields);
      expect(created.status).toBe(303);
      expect(created.headers.get('location')).toMatch(`/orders/${orderId}`);
    }
    const found = await program.client.get(`/transactions?externalRef=${orderId}`);
    expect(found.body.data).toHaveLength(1);
    transactionId = found.body.data[0].id;
    const page = await orderPage();
    expect(page).toContain('Aguardando o pagamento');
    const { pix } = (await program.client.get(`/transactions/${transactionId}`)).body.data;
    expect(page).toContain(pix.qrcode);
  });

  it('refuses a forged event and a changed event', async () => {
    const data = { id: transactionId, externalRef: orderId, amount: 4990, status: 'PAID' };
    const body = JSON.stringify({ event: 'TRANSACTION_UPDATED', data });
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect(await deliver(shop, 'forged', body, other)).toBe(400);
    expect((await fetch(`${shop.url}/webhooks`, { method: 'POST', body })).status).toBe(400);
    const old = new Date(Date.now() - 600_000);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'old',
      'webhook-timestamp': String(Math.floor(old.getTime() / 1_000)),
      'webhook-signature': new Webhook(shop.secret).sign('old', old, body),
    };
    expect((await fetch(`${shop.url}/webhooks`, { method: 'POST', headers, body })).status).toBe(400);
    expect(await orderPage()).toContain('Aguardando o pagamento');
  });

  it('marks the order as paid once, by the signed event of the payment', async () => {
    await program.client.post(`/sandbox/transactions/${transactionId}/pay`);
    await expect.poll(orderPage, WAIT).toContain('Pagamento confirmado');
    const events = await program.client.get('/events?types=TRANSACTION_UPDATED&take=100');
    const event = events.body.data.find((one: { recordId: string }) => one.recordId === transactionId);
    for (let i = 0; i < 2; i += 1) {
      expect(await deliver(shop, event.id, event.payload)).toBe(204);
    }
    expect(shop.started.output().split(`Order ${orderId} is paid.`)).toHaveLength(2);
    expect(await orderPage()).toContain('Pagamento confirmado');
  });
});
