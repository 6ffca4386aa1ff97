import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { mustBeDescribed } from '#test/support/openapi-conformance.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;
let root: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  root = gateway.baseUrl.replace(/\/v1$/, '');
});
afterAll(async () => {
  await gateway.stop();
});

const code = 'transaction_not_found';
const error = (statusCode: number, message: string, more: object = {}) => ({
  status: statusCode,
  text: JSON.stringify({ statusCode, message, error: 'x', code, requestId: 'x', ...more }),
});

describe('an answer that is not as the document describes it', () => {
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'x',
    'ratelimit-limit': '120',
    'ratelimit-remaining': '119',
    'ratelimit-reset': '60',
  });
  const read = { method: 'GET', path: '/transactions/00000000-0000-4000-8000-000000000000', headers };
  const reported = ({ path, ...answer }: typeof read & { readonly status: number; readonly text: string }) =>
    mustBeDescribed({ ...answer, url: gateway.baseUrl + path });

  it('is noticed by its status, its body, its words or its headers (C1)', async () => {
    await reported({ ...read, ...error(404, 'Transaction not found') });
    await expect(reported({ ...read, ...error(418, 'Transaction not found') })).rejects.toThrow('status');
    await expect(reported({ ...read, ...error(404, 'Nobody is here') })).rejects.toThrow('message');
    await expect(reported({ ...read, ...error(404, 'Transaction not found', { more: 1 }) })).rejects.toThrow(
      'additional properties',
    );
    const wrongCode = error(404, 'Transaction not found', { code: 'seller_not_found' });
    await expect(reported({ ...read, ...wrongCode })).rejects.toThrow('code');
    await expect(reported({ ...read, status: 200, text: '{"status":true}' })).rejects.toThrow("'data'");
    const silent = new Headers({ 'content-type': 'application/json' });
    await expect(
      reported({ ...read, headers: silent, ...error(404, 'Transaction not found') }),
    ).rejects.toThrow('x-request-id');
    const page = new Headers({ ...Object.fromEntries(headers), 'content-type': 'text/html' });
    await expect(reported({ ...read, headers: page, ...error(404, 'x') })).rejects.toThrow('text/html');
  });

  it('is not looked for where nothing is described (C1)', async () => {
    const unknown = { ...read, path: '/nowhere', ...error(404, 'Route not found') };
    await expect(reported(unknown)).resolves.toBeUndefined();
  });
});

/** Executes what is open and answers the status that the page shows. */
async function execute(page: Page, operation: string): Promise<string> {
  const block = page.locator(`#operations-${operation}`);
  await block.getByRole('button', { name: /^Execute/ }).click();
  const status = block.locator('.live-responses-table .response-col_status').last();
  await status.waitFor();
  return (await status.innerText()).trim();
}

const key = (page: Page) =>
  page
    .locator('#operations-Transactions-createTransaction .curl')
    .innerText()
    .then((curl) => /idempotency-key: ([0-9a-f-]{36})/.exec(curl)?.[1]);

const SELLER_PAGE = { path: '/docs', operation: 'Transactions-createTransaction' };
const OPERATOR_PAGE = { path: '/docs/operator', operation: 'Sellers-listSellers' };

/** A browser on a busy machine. */
const PATIENCE = { timeout: 120_000 };
const SLOW = { timeout: 30_000 };

describe('/docs in a browser', PATIENCE, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  interface Visit {
    readonly page: Page;
    /** What the browser complained of: errors of scripts, and what the Content-Security-Policy stopped. */
    readonly complaints: readonly string[];
    /** Addresses that were asked for and lie elsewhere. */
    readonly elsewhere: readonly string[];
  }

  async function visit(
    options: Parameters<Browser['newContext']>[0] = {},
    { path, operation }: { readonly path: string; readonly operation: string } = SELLER_PAGE,
  ): Promise<Visit> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    const elsewhere: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== root && url.protocol !== 'data:') elsewhere.push(url.href);
    });
    await page.goto(root + path);
    await page.locator(`#operations-${operation}`).waitFor();
    return { page, complaints, elsewhere };
  }

  it('a newcomer creates a PIX charge with the demo key, and nothing leaves the gateway (C1)', async () => {
    const { page, complaints, elsewhere } = await visit();
    await page
      .getByLabel(/API key/)
      .first()
      .fill(gateway.demo.apiKey);
    await page.getByRole('button', { name: 'Use it' }).click();
    const block = page.locator('#operations-Transactions-createTransaction');
    await block.locator('.opblock-summary-control').click();

    expect(await execute(page, 'Transactions-createTransaction')).toMatch(/^201/);
    const first = await key(page);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await block.locator('.live-responses-table').innerText()).toContain('pixQrCode');
    const { body } = await gateway.get('/transactions');
    expect(body.count).toBe(1);
    expect(body.data[0]).toMatchObject({ method: 'PIX', status: 'PENDING' });

    // The next try is another request, not a repeat.
    await block.getByRole('button', { name: /^Execute/ }).click();
    await expect.poll(async () => (await gateway.get('/transactions')).body.count, SLOW).toBe(2);
    await expect.poll(() => key(page), SLOW).not.toBe(first);

    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  it('an operator lists the sellers with an access token (C1)', async () => {
    const { page, complaints, elsewhere } = await visit({}, OPERATOR_PAGE);
    await page.getByLabel(/Access token/).fill(await gateway.adminToken());
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.locator('#operations-Sellers-listSellers .opblock-summary-control').click();
    expect(await execute(page, 'Sellers-listSellers')).toMatch(/^200/);
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  it('the key is kept nowhere (C1)', async () => {
    const { page } = await visit();
    await page
      .getByLabel(/API key/)
      .first()
      .fill(gateway.demo.apiKey);
    await page.getByRole('button', { name: 'Use it' }).click();
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).toBe('[{},{},""]');
    await page.reload();
    const block = page.locator('#operations-Wallet-getWallet');
    await block.locator('.opblock-summary-control').click();
    expect(await execute(page, 'Wallet-getWallet')).toMatch(/^401/);
  });

  it.each(['light', 'dark'] as const)('fits a telephone, %s (C1)', async (colorScheme) => {
    const { page, complaints } = await visit({ viewport: { width: 360, height: 740 }, colorScheme });
    await page.locator('#operations-Transactions-createTransaction .opblock-summary-control').click();
    await page.locator('#operations-Transactions-createTransaction .responses-wrapper').waitFor();
    const wide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    expect(wide).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });
});
