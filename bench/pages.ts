import { randomUUID } from 'node:crypto';

import type { BrowserContext, CDPSession } from 'playwright-core';

import { launchChromium } from '#test/support/chromium.ts';
import { median, ms, print } from './figures.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { dataOf, withServer, type Server } from './server.ts';

const SLOWER = 4;
const BYTES_PER_SECOND = 1_600_000 / 8;
const PAYER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
};

interface Screen {
  readonly name: string;
  readonly path: string;
  /** Selector of what the screen is opened for. */
  readonly content: string;
}

/** First paint of screens on a slow phone, on the first visit and on a later one. */
export async function benchPages(options: BenchOptions, _load: Load): Promise<void> {
  await withServer(options, async (server) => {
    const shop = await makeShop(server, options.smoke ? 1 : 20);
    const browser = await launchChromium();
    try {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'pt-BR' });
      await signIn(context, shop);
      print('first paint, first paint of content, and the content itself');
      const { rounds, smoke } = options;
      for (const screen of shop.screens) {
        const cold = await measure(context, shop.root, screen, { isCached: false, isSlow: !smoke, rounds });
        const warm = await measure(context, shop.root, screen, { isCached: true, isSlow: !smoke, rounds });
        print(`${screen.name}: ${cold}; cached: ${warm}`);
      }
    } finally {
      await browser.close();
    }
  });
}

async function makeShop(server: Server, charges: number) {
  const root = `http://127.0.0.1:${server.port}`;
  const email = `pages-${randomUUID()}@example.com`;
  const password = randomUUID();
  const seller = await server.operator('POST', '/admin/sellers', {
    name: 'Loja',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Dona da Loja',
    ownerEmail: email,
    ownerPassword: password,
  });
  const made = await server.operator('POST', `/admin/sellers/${String(dataOf(seller)['id'])}/api-keys`, {
    name: 'bench',
  });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': String(dataOf(made)['key']) };
    const response = await fetch(`${root}/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });
    return dataOf(await response.json());
  };
  const items = [{ title: 'Caneca', amount: 1_500, quantity: 1, tangible: true }];
  let charge = '';
  for (let count = 0; count < charges; count += 1) {
    const { id } = await post('/transactions', { amount: 1_500, method: 'PIX', customer: PAYER, items });
    charge = String(id);
  }
  const link = await post('/payment-links', { title: 'Caneca', amount: 1_500 });
  const screens: readonly Screen[] = [
    { name: 'list', path: '/dashboard/charges', content: '[data-row]' },
    { name: 'charge', path: `/dashboard/charges/${charge}`, content: 'img.qr' },
    { name: 'point of sale', path: '/dashboard/point-of-sale', content: 'main form' },
    { name: 'payment page', path: new URL(String(link['url'])).pathname, content: '#payment' },
  ];
  return { root, email, password, screens };
}

async function signIn(
  context: BrowserContext,
  { root, email, password }: { readonly root: string; readonly email: string; readonly password: string },
): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${root}/dashboard/`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha').fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByRole('button', { name: 'Sua conta' }).waitFor();
  await page.close();
}

interface Visit {
  readonly isCached: boolean;
  readonly isSlow: boolean;
  readonly rounds: number;
}

async function slowDown(session: CDPSession, { isCached, isSlow }: Visit): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: !isCached });
  if (!isSlow) return;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

const PAINTS = `performance.getEntriesByType('paint')
  .toSorted((a, b) => a.startTime - b.startTime).map(({ startTime }) => startTime)`;

async function measure(
  context: BrowserContext,
  root: string,
  { path, content }: Screen,
  visit: Visit,
): Promise<string> {
  const times: (readonly number[])[] = [];
  for (let round = 0; round < visit.rounds; round += 1) {
    const page = await context.newPage();
    await slowDown(await context.newCDPSession(page), visit);
    await page.goto(root + path, { waitUntil: 'commit' });
    await page.locator(content).first().waitFor();
    const [shownAt = 0, ...paints] = await page.evaluate<number[]>(`[performance.now(), ...${PAINTS}]`);
    times.push([...paints.slice(0, 1), ...paints.slice(-1), shownAt]);
    await page.close();
  }
  return [0, 1, 2].map((index) => ms(median(times.map((one) => one[index] ?? Number.NaN)))).join(', ');
}
