import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { goodCharge } from '#test/support/client.ts';
import { newShop, TIMEOUT, visit } from '#test/support/dashboard.ts';
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

describe('a browser that users share', TIMEOUT, () => {
  it('shows a tab of the user before as the one who signed in in another tab', async () => {
    const charge = { ...goodCharge(), customer: { ...goodCharge().customer, name: 'Zuleica Quintão' } };
    expect((await gateway.post('/transactions', charge, { idempotencyKey: randomUUID() })).status).toBe(201);
    const shop = await newShop(gateway);
    const { page, context } = await visit(browser, gateway, '/charges');
    await page.getByText('Zuleica Quintão').filter({ visible: true }).first().waitFor();

    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Sua conta' }).click();
    await other.getByRole('menuitem', { name: 'Sair' }).click();
    await other.getByLabel('E-mail').fill(shop.owner.email);
    await other.getByLabel('Senha').fill(shop.owner.password);
    await other.getByRole('button', { name: 'Entrar', exact: true }).click();
    await other.getByText('Nenhuma cobrança').first().waitFor();

    await page.bringToFront();
    await page.getByText('Zuleica Quintão').first().waitFor({ state: 'hidden', timeout: 60_000 });
    await page.getByRole('button', { name: 'Sua conta' }).click();
    await page.getByText(shop.owner.email).waitFor();
    await context.close();
  });
});
