import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import type { Credentials } from '#test/support/browser-session.ts';
import { fillCharge, TIMEOUT, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;
let browser: Browser;

beforeAll(async () => {
  gateway = await startTestGateway();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

/** A seller with the default limits, its owner, and the API key of its integration. */
async function newSeller() {
  const user = { email: `${randomUUID()}@example.com`, password: 'a long enough password' };
  const admin = { token: await gateway.adminToken() };
  const seller = {
    name: 'Loja Apressada',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Dona Ana',
    ownerEmail: user.email,
    ownerPassword: user.password,
  };
  const { id } = (await gateway.post('/admin/sellers', seller, admin)).body.data;
  const { key } = (await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'shop' }, admin)).body.data;
  return { user, apiKey: String(key) };
}

describe('the dashboard', TIMEOUT, () => {
  let refused: Credentials;

  beforeAll(async () => {
    refused = (await newSeller()).user;
  });

  it('works when the integration has used up the seller’s limit', async () => {
    const { user, apiKey } = await newSeller();
    const integration = await Promise.all(
      Array.from({ length: 130 }, () => gateway.get('/transactions', { apiKey })),
    );
    expect(integration.filter(({ status }) => status === 429)).toHaveLength(10);

    const { page, leave, complaints } = await visit(browser, gateway, '/', { user });
    await page.reload();
    await page.getByRole('button', { name: 'Sua conta' }).waitFor();
    await page.getByRole('link', { name: 'Nova cobrança' }).first().click();
    await fillCharge(page);
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();

    expect((await gateway.get('/transactions', { apiKey })).status).toBe(429);
    expect(complaints).toEqual([]);
    await leave();
  });

  it.each(['/v1/auth/refresh', '/v1/users/me', '/v1/transactions?*'])(
    'shows a 429 of %s, keeps the session and repeats the request after Retry-After',
    async (path) => {
      const { page, leave } = await visit(browser, gateway, '/charges', { user: refused });
      let [refusedAt, repeatedAfterMs] = [0, 0];
      await page.route(`**${path}`, async (route) => {
        if (refusedAt === 0) {
          refusedAt = Date.now();
          const body = { statusCode: 429, message: 'Rate limit exceeded', code: 'rate_limited' };
          await route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: body });
          return;
        }
        repeatedAfterMs ||= Date.now() - refusedAt;
        await route.fallback();
      });
      await page.reload();
      await page.getByText('Muitas ações em pouco tempo.').waitFor();
      expect(await page.getByLabel('Senha').count()).toBe(0);
      await page.getByText('Muitas ações em pouco tempo.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Sua conta' }).waitFor();
      await page.getByRole('heading', { name: 'Cobranças', exact: true }).waitFor();
      await expect.poll(() => repeatedAfterMs).toBeGreaterThanOrEqual(1_900);
      await leave();
    },
  );
});
