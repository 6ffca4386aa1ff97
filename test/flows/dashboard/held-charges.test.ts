import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { goodCharge } from '#test/support/client.ts';
import { fillCharge, TIMEOUT, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SAMPLE_CARD } from '#test/support/sample-card.ts';

/** Charges of which a risk rule decides. */

const HELD = /^Retida por uma regra de risco\. /;

let gateway: TestGateway;
let browser: Browser;

beforeAll(async () => {
  gateway = await startTestGateway();
  browser = await launchChromium();
  const token = await gateway.adminToken();
  const addRule = async (action: string, when: object) => {
    const made = await gateway.post('/admin/risk-rules', { name: action, action, when }, { token });
    expect(made.status).toBe(201);
  };
  await addRule('REFUSE', { amountAbove: 20_000 });
  await addRule('REVIEW', { amountAbove: 10_000 });
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

describe('a charge that a risk rule holds', TIMEOUT, () => {
  it('has no code to show until a review approves it', async () => {
    const { page, complaints, leave } = await visit(browser, gateway, '/charges/new');
    await fillCharge(page);
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('heading', { name: 'Em análise de risco' }).waitFor();
    await page.getByText(HELD).waitFor();
    expect(await page.getByText(/^Aguardando o pagamento/).count()).toBe(0);
    const [made] = (await gateway.get('/transactions?take=1')).body.data;
    const token = await gateway.adminToken();
    await gateway.post(`/admin/transactions/${made.id}/review`, { decision: 'APPROVE' }, { token });
    await page.getByRole('heading', { name: 'Mostre o código ao pagador' }).waitFor();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('is not captured, nor called approved, while its card is in review', async () => {
    const card = { method: 'CREDIT_CARD', card: SAMPLE_CARD, installments: 1, amount: 15_000 };
    const body = { ...goodCharge(), ...card };
    const made = await gateway.post('/transactions', body, { idempotencyKey: randomUUID() });
    expect(made.body.data).toMatchObject({ status: 'AUTHORIZED', riskStatus: 'REVIEW' });
    const { page, leave } = await visit(browser, gateway, `/charges/new?created=${made.body.data.id}`);
    await page.getByRole('heading', { name: 'Em análise de risco' }).waitFor();
    await page.getByRole('link', { name: 'Ver cobrança' }).click();
    await page.getByText(HELD).waitFor();
    await page.getByRole('button', { name: 'Cancelar pré-autorização' }).waitFor();
    expect(await page.getByRole('button', { name: 'Capturar' }).count()).toBe(0);
    await leave();
  });

  it('says that it was refused, and why', async () => {
    const { page, leave } = await visit(browser, gateway, '/charges/new?method=CREDIT_CARD');
    await fillCharge(page);
    await page.getByLabel('Valor').fill('25000');
    await page.getByLabel('Número do cartão').fill('4111111111111111');
    await page.getByLabel('Nome impresso no cartão').fill('ANA SOUZA');
    await page.getByLabel('Validade').fill('1230');
    await page.getByLabel('CVV').fill('123');
    await page.getByRole('button', { name: 'Cobrar no cartão' }).click();
    await page.getByText('Pagamento recusado. Recusada por uma regra de risco.').waitFor();
    await page.getByRole('button', { name: 'Tentar novamente' }).click();
    expect(await page.getByLabel('Nome completo').inputValue()).toBe('Ana Souza');
    await leave();
  });
});
