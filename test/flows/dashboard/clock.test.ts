import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { visitDashboard } from '#test/support/browser-session.ts';

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
    const { page, complaints, context } = await visitDashboard(browser, root, '/', gateway.demo.seller);
    const answered = page.waitForResponse((response) => response.url().includes('interval=month'));
    await page.getByText('1 ano', { exact: true }).click();
    const answer = await answered;
    expect(answer.status()).toBe(200);
    const month = new Intl.DateTimeFormat('pt-BR', {
      timeZone: 'America/Sao_Paulo',
      month: '2-digit',
      year: 'numeric',
    }).format(new Date());
    await page.getByRole('figure').getByText(month).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('advances the sandbox clock only after the operator confirms (C14)', async () => {
    const at = async () => Date.parse((await gateway.charge()).body.data.createdAt);
    const { page, complaints, context } = await visitDashboard(
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
    await context.close();
  });
});
