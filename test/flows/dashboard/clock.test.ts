import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { go, visitDashboard } from '#test/support/browser-session.ts';

const DAY_MS = 86_400_000;

let gateway: TestGateway;
let root: string;
let browser: Browser;

beforeAll(async () => {
  gateway = await startTestGateway();
  root = gateway.baseUrl.replace(/\/v1$/, '');
  browser = await launchChromium();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

describe('the clock in the dashboard', { timeout: 120_000 }, () => {
  it('shows a year of a seller by month', async () => {
    const { body } = await gateway.charge();
    await gateway.post(`/sandbox/transactions/${body.data.id}/pay`);
    const { page, complaints, leave } = await visitDashboard(browser, root, '/', gateway.demo.seller);
    const answered = page.waitForResponse((response) => response.url().includes('interval=month'));
    await page.getByText('1 ano', { exact: true }).click();
    const response = await answered;
    expect(response.status()).toBe(200);
    const month = new Intl.DateTimeFormat('pt-BR', {
      timeZone: 'America/Sao_Paulo',
      month: '2-digit',
      year: 'numeric',
    }).format(new Date());
    await page.getByRole('figure').getByText(month).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('advances the sandbox clock only after the operator confirms', async () => {
    const at = async () => Date.parse((await gateway.charge()).body.data.createdAt);
    const { page, complaints, leave } = await visitDashboard(
      browser,
      root,
      '/operator/system',
      gateway.demo.admin,
    );
    const before = await at();
    await page.getByRole('button', { name: 'Adiantar 1 dia' }).click();
    const dialog = page.getByRole('dialog', { name: 'Adiantar o relógio?' });
    await dialog.getByRole('button', { name: 'Cancelar' }).click();
    expect((await at()) - before).toBeLessThan(DAY_MS / 2);
    await page.getByRole('button', { name: 'Adiantar 1 dia' }).click();
    await dialog.getByRole('button', { name: 'Adiantar 1 dia' }).click();
    // A session of an operator ends after twelve hours.
    const expired = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await expired.getByLabel('Senha').fill(gateway.demo.admin.password);
    await expired.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByText('Relógio adiantado').waitFor();
    expect((await at()) - before).toBeGreaterThanOrEqual(DAY_MS);
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
    await leave();
  });

  it('shows live workers and days without a settlement file after it moved', async () => {
    const { body } = await gateway.charge();
    await gateway.post(`/sandbox/transactions/${body.data.id}/pay`);
    await gateway.advance(2 * 86_400);
    const { page, leave } = await visitDashboard(browser, root, '/operator/system', gateway.demo.admin);
    await page.getByText('Operacional', { exact: true }).first().waitFor();
    expect(await page.getByText('Sem resposta', { exact: true }).count()).toBe(0);
    await go(page, '/operator');
    const missing = page.getByText(/dias? sem arquivo, não conferidos?/);
    const onHome = await missing.innerText();
    // The linked page shows the same.
    await page.getByRole('link', { name: /^Dias com divergência/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Conciliação' }).waitFor();
    expect(await missing.innerText()).toBe(onHome);
    await leave();
  });
});

describe('the screens of a seller', { timeout: 120_000 }, () => {
  it('explain that the webhook of an unpaid charge is called later', async () => {
    const { body } = await gateway.charge();
    const { page, leave } = await visitDashboard(
      browser,
      root,
      `/charges/${body.data.id}`,
      gateway.demo.seller,
    );
    await page.getByText('adicione um webhook').waitFor();
    const hook = { url: 'https://shop.example/hook', eventType: 'ALL' };
    expect((await gateway.post('/webhooks', hook)).status).toBe(201);
    await page.reload();
    await page.getByText('Seu sistema será notificado quando a situação da cobrança mudar.').waitFor();
    expect(await page.getByText('adicione um webhook').count()).toBe(0);
    await leave();
  });

  it('show the nearest deadline of more disputes than one page has', async () => {
    for (let n = 0; n < 2; n += 1) {
      const { id } = (await gateway.charge()).body.data;
      await gateway.post(`/sandbox/transactions/${id}/pay`);
      expect((await gateway.post(`/sandbox/transactions/${id}/dispute`)).status).toBe(200);
      if (n === 0) await gateway.advance(86_400);
    }
    const [newest, oldest] = (await gateway.get('/disputes?status=OPEN')).body.data.data;
    expect(Date.parse(oldest.appealUntil)).toBeLessThan(Date.parse(newest.appealUntil));
    const { body } = await gateway.get('/disputes?status=OPEN&sort=appealUntil&take=1');
    expect(body.data).toMatchObject({ count: 2, data: [{ id: oldest.id }] });
  });

  it('lead from the retained balance to sales by boleto and card alone', async () => {
    const { body } = await gateway.charge({ method: 'BOLETO' });
    expect((await gateway.post(`/sandbox/transactions/${body.data.id}/pay`)).status).toBe(200);
    const { page, leave } = await visitDashboard(browser, root, '/', gateway.demo.seller);
    await page.getByRole('link', { name: 'A liberar (boleto e cartão)' }).click();
    await page.waitForURL(/\/receivables/);
    await page.getByText('Boleto').first().waitFor();
    const { data } = (await gateway.get('/seller-wallet/releases')).body;
    expect(data.upcoming.length).toBeGreaterThan(0);
    expect(data.upcoming.every(({ origin }: { origin: string }) => origin !== 'PIX')).toBe(true);
    await leave();
  });
});
