import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CUSTOMER, subscriptionsOf } from '#test/flows/subscriptions/setup.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { TIMEOUT, visit } from '#test/support/dashboard.ts';
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

describe('subscriptions in the dashboard', () => {
  it('are created, authorized by a code, paused, resumed and canceled on a phone', TIMEOUT, async () => {
    await gateway.post('/customers', CUSTOMER);
    const phone = { viewport: { width: 360, height: 740 } };
    const { page, complaints, leave } = await visit(browser, gateway, '/subscriptions', { context: phone });
    await page.getByRole('heading', { name: 'Receba em intervalos regulares' }).waitFor();
    await page.getByRole('link', { name: 'Nova assinatura' }).first().click();
    await page.getByRole('button', { name: 'Criar assinatura' }).click();
    for (const missing of ['Escolha o cliente.', 'Escolha o dia da primeira cobrança.'])
      await page.getByText(missing).waitFor();
    await page.getByRole('combobox', { name: 'Cliente' }).click();
    await page.getByRole('option', { name: /Ana Souza/ }).click();
    await page.getByLabel('O que está sendo cobrado').fill('Plano mensal');
    await page.getByLabel('Valor de cada ciclo').fill('4990');
    await page.getByLabel('Primeira cobrança').click();
    await page.getByRole('button', { name: 'Próximo mês' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^15 / }).click();
    await page.getByRole('button', { name: 'Criar assinatura' }).click();
    await page.getByRole('heading', { level: 1, name: 'Plano mensal' }).waitFor();
    const [made] = (await gateway.get('/subscriptions')).body.data;
    expect(made).toMatchObject({ amount: 4990, method: 'PIX_AUTOMATICO', status: 'PENDING' });

    await page.getByRole('img', { name: 'QR Code da autorização' }).waitFor();
    await page.getByText('Aguardando o pagador').waitFor();
    await gateway.post(`/sandbox/subscriptions/${made.id}/authorize`);
    // It appears while the screen is open.
    await page.getByText('O pagador autorizou as cobranças no banco.').waitFor();

    const act = async (name: string, done: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await page.getByText(done).waitFor();
    };
    await act('Pausar', 'Assinatura pausada');
    await act('Retomar', 'Assinatura retomada');
    await act('Cancelar assinatura', 'Assinatura cancelada');
    expect((await gateway.get(`/subscriptions/${made.id}`)).body.data.status).toBe('CANCELLED');
    await page.getByRole('link', { name: '← Assinaturas' }).click();
    await page.getByRole('row', { name: /Plano mensal.*Cancelada/ }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('show what other sessions change, without a reload', TIMEOUT, async () => {
    const { createCard } = subscriptionsOf(gateway, {});
    const { id } = await createCard({ description: 'Yoga' });
    const { page, complaints, leave } = await visit(browser, gateway, '/subscriptions');
    await page.getByRole('row', { name: /Yoga/ }).waitFor();
    await page.getByRole('button', { name: 'Colunas' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Forma de pagamento' }).click();
    await page.getByRole('columnheader', { name: 'Forma de pagamento' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await gateway.post(`/subscriptions/${id}/cancel`);
    await page.getByRole('row', { name: /Yoga.*Cancelada/ }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('show why a cycle failed, and charge it again after a new card', TIMEOUT, async () => {
    const { createCard, newToken, until, untilStatuses } = subscriptionsOf(gateway, {});
    const { id } = await createCard({
      cardTokenId: await newToken('4000000000000069'),
      description: 'Academia',
    });
    await until(id, { status: 'PAST_DUE' });
    const { page, complaints, leave } = await visit(browser, gateway, `/subscriptions/${id}`);
    await page.getByText(/Cartão vencido/).waitFor();
    await page.getByText('Não paga', { exact: true }).waitFor();
    await gateway.patch(`/subscriptions/${id}`, { cardTokenId: await newToken() });
    await page.getByRole('button', { name: 'Cobrar de novo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cobrar de novo' }).click();
    await page.getByText('Nova tentativa iniciada').waitFor();
    await untilStatuses(id, ['PAID']);
    await page.getByText('Paga', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Abrir cobrança' }).click();
    await page.getByRole('link', { name: 'Abrir assinatura' }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('take another amount and card, and show the page of the customer', TIMEOUT, async () => {
    const { create, newToken } = subscriptionsOf(gateway, {});
    const customer = { ...CUSTOMER, document: '11144477735', email: 'bia@example.com', name: 'Bia Lima' };
    const customerId = (await gateway.post('/customers', customer)).body.data.id;
    const tokens = [await newToken(undefined, customerId), await newToken('5555555555554444', customerId)];
    const { id, payerUrl } = await create({
      customer: undefined,
      customerId,
      method: 'CREDIT_CARD',
      cardTokenId: tokens[0],
      description: 'Pilates',
    });
    const { page, complaints, leave } = await visit(browser, gateway, `/subscriptions/${id}`);
    const shown = page.getByRole('link', { name: 'Abrir página' });
    expect(await shown.getAttribute('href')).toBe(payerUrl);
    await page.getByRole('button', { name: 'Editar' }).click();
    await page.getByLabel('Valor de cada ciclo').fill('5990');
    await page.getByRole('combobox', { name: 'Cartão salvo' }).click();
    await page.getByRole('option', { name: /4444/ }).click();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Assinatura salva').waitFor();
    expect((await gateway.get(`/subscriptions/${id}`)).body.data).toMatchObject({
      amount: 5990,
      cardTokenId: tokens[1],
      description: 'Pilates',
    });
    const { monthlyRevenue } = (await gateway.get('/subscriptions/summary')).body.data;
    const revenue = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 }).format(monthlyRevenue / 100);
    await page.getByRole('link', { name: '← Assinaturas' }).click();
    await page.getByText('Receita recorrente mensal').waitFor();
    await page
      .getByText(new RegExp(`R\\$\\s${revenue}`))
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});
