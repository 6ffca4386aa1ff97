import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { assertDocumented } from '#test/support/openapi-conformance.ts';
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

describe('a response that does not match the OpenAPI document', () => {
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'x',
    'ratelimit-limit': '120',
    'ratelimit-remaining': '119',
    'ratelimit-reset': '60',
  });
  const read = { method: 'GET', path: '/transactions/00000000-0000-4000-8000-000000000000', headers };
  const check = ({ path, ...response }: typeof read & { readonly status: number; readonly text: string }) =>
    assertDocumented({ ...response, url: gateway.baseUrl + path });

  it('is detected by its status, body, error text or headers', async () => {
    await check({ ...read, ...error(404, 'Transaction not found') });
    await expect(check({ ...read, ...error(418, 'Transaction not found') })).rejects.toThrow('status');
    await expect(check({ ...read, ...error(404, 'Nobody is here') })).rejects.toThrow('message');
    await expect(check({ ...read, ...error(404, 'Transaction not found', { more: 1 }) })).rejects.toThrow(
      'additional properties',
    );
    const wrongCode = error(404, 'Transaction not found', { code: 'seller_not_found' });
    await expect(check({ ...read, ...wrongCode })).rejects.toThrow('code');
    await expect(check({ ...read, status: 200, text: '{"status":true}' })).rejects.toThrow("'data'");
    const silent = new Headers({ 'content-type': 'application/json' });
    await expect(check({ ...read, headers: silent, ...error(404, 'Transaction not found') })).rejects.toThrow(
      'x-request-id',
    );
    const page = new Headers({ ...Object.fromEntries(headers), 'content-type': 'text/html' });
    await expect(check({ ...read, headers: page, ...error(404, 'x') })).rejects.toThrow('text/html');
  });

  it('is not checked for an undocumented path', async () => {
    const unknown = { ...read, path: '/nowhere', ...error(404, 'Route not found') };
    await expect(check(unknown)).resolves.toBeUndefined();
  });
});

/** Executes the open operation and returns the status that the page shows. */
async function execute(page: Page, operation: string): Promise<string> {
  const block = page.locator(`#operations-${operation}`);
  await block.getByRole('button', { name: /^Execute/ }).click();
  const status = block.locator('.live-responses-table .response-col_status').last();
  await status.waitFor();
  return (await status.innerText()).trim();
}

/** Opens the tag of an operation, which is closed at first. */
async function openTag(page: Page, operation: string): Promise<void> {
  const [tag = ''] = operation.split('-');
  await page.locator(`#operations-tag-${tag}[data-is-open=false]`).click();
  await page.locator(`#operations-${operation}`).waitFor();
}

const key = (page: Page) =>
  page
    .locator('#operations-Transactions-createTransaction .curl')
    .innerText()
    .then((curl) => /idempotency-key: ([0-9a-f-]{36})/.exec(curl)?.[1]);

const SELLER_PAGE = { path: '/docs', operation: 'Transactions-createTransaction' };
const OPERATOR_PAGE = { path: '/docs/operator', operation: 'Sellers-listSellers' };

/** Timeout for a browser on a busy machine. */
const TIMEOUT = { timeout: 120_000 };
const SLOW = { timeout: 30_000 };

describe('/docs in a browser', TIMEOUT, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  interface Visit {
    readonly page: Page;
    /** Errors of the browser: script errors, and violations of the Content-Security-Policy. */
    readonly complaints: readonly string[];
    /** Requested URLs of other origins. */
    readonly elsewhere: readonly string[];
  }

  async function visit({ path, operation }: typeof SELLER_PAGE): Promise<Visit> {
    const page = await browser.newPage();
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
    await openTag(page, operation);
    return { page, complaints, elsewhere };
  }

  it('creates a Pix transaction with the demo key, keeps no key, and fits a phone', async () => {
    const { page, complaints, elsewhere } = await visit(SELLER_PAGE);
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

    // The next execution is another request, not a repeat.
    await block.getByRole('button', { name: /^Execute/ }).click();
    await expect.poll(async () => (await gateway.get('/transactions')).body.count, SLOW).toBe(2);
    await expect.poll(() => key(page), SLOW).not.toBe(first);
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);

    // The key is not persisted: there is no storage in which it could be.
    expect(
      await page.evaluate(`Promise.all([indexedDB.databases(), caches.keys()])
        .then((stores) =>
          JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, ...stores]))`),
    ).toBe('[{},{},"",[],[]]');

    // The open operation, with its responses, fits a phone screen.
    await page.setViewportSize({ width: 360, height: 740 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const wide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect({ colorScheme, fits: Number(wide) <= 0 }).toEqual({ colorScheme, fits: true });
    }
    expect(complaints).toEqual([]);
  });

  it('lists the sellers with an access token of an operator user', async () => {
    const { page, complaints, elsewhere } = await visit(OPERATOR_PAGE);
    await page.getByLabel(/Access token/).fill(await gateway.adminToken());
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.locator('#operations-Sellers-listSellers .opblock-summary-control').click();
    expect(await execute(page, 'Sellers-listSellers')).toMatch(/^200/);
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  });
});
