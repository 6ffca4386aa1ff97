import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { addAxe, expectNoLayoutProblems, go, visitDashboard } from '#test/support/browser-session.ts';
import { PASSWORD } from '#test/support/applications.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { tokenIn } from '#test/support/mail-server.ts';

/** Timeouts for a browser and a worker on a busy machine. */
const TIMEOUT = { timeout: 180_000 };
const SOON = { timeout: 20_000 };
const PHONE = { viewport: { width: 360, height: 740 }, bypassCSP: true };

let gateway: TestGateway;
let root: string;
let browser: Browser;
let admin: { readonly token: string };

beforeAll(async () => {
  gateway = await startTestGateway({
    environment: { ...SHARED_SECRETS, SIGNUP: 'open', SIGNUP_CONFIRM_EMAIL: 'true' },
  });
  root = gateway.baseUrl.replace(/\/v1$/, '');
  browser = await launchChromium();
  admin = { token: await gateway.adminToken() };
}, 60_000);
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

const asOperator = (path: string, options: Parameters<Browser['newContext']>[0]) =>
  visitDashboard(browser, root, path, gateway.demo.admin, options);

/** An amount as the Portuguese screens show it. */
const money = (cents: number): string =>
  new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(cents / 100);

/** Checks the current screen on a desk and on a phone. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  await addAxe(page);
  await expectNoLayoutProblems(page, name);
}

describe('the revenue of the gateway', TIMEOUT, () => {
  it('is shown with costs that were just set, by day, method and seller, and exported', async () => {
    for (const amount of [10_000, 25_000]) {
      const { id } = (await gateway.charge({ amount })).body.data;
      expect((await gateway.post(`/sandbox/transactions/${id}/pay`, {})).status).toBe(200);
    }
    const { page, complaints, leave } = await asOperator('/operator/revenue', {
      viewport: { width: 1280, height: 800 },
      bypassCSP: true,
    });
    const table = page.getByRole('table', { name: 'Receita', exact: true });
    await table.waitFor();

    await page
      .getByRole('button', { name: /^Editar.*Pix/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Fixo', { exact: true }).fill('35');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await dialog.waitFor({ state: 'detached' });

    const day = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    const period = `startDate=${day}&endDate=${day}`;
    const report = async () => (await gateway.get(`/admin/reports/revenue?${period}`, admin)).body.data;
    const { id } = (await gateway.charge({ amount: 5_000 })).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`, {});
    await expect.poll(async () => (await report()).total.providerCosts, SOON).toBe(35);
    await page.reload();
    await table.waitFor();
    const { total } = await report();
    expect(total).toMatchObject({ volume: 40_000, margin: total.feesEarned - 35 });
    const sums = table.getByRole('row', { name: /^Total/ });
    for (const cents of [total.volume, total.feesEarned, total.providerCosts, total.margin])
      await sums.getByText(money(cents), { exact: true }).first().waitFor();
    await page.getByText(`: ${money(total.margin)} de margem.`).waitFor();
    // As if as many days before had earned twice as much.
    const before = '**/v1/admin/reports/revenue?*groupBy=method*';
    await page.route(before, async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      const json = { status: true, data: { ...data, total: { ...data.total, margin: 2 * total.margin } } };
      await route.fulfill({ response, json });
    });
    await page.reload();
    await page.getByText(/ de margem, 50% abaixo dos 30 dias anteriores\.$/).waitFor();
    await page.unroute(before);
    await expectAccessible(page, 'revenue by day');

    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [group, row] of [
      ['Forma de pagamento', /^Pix/],
      ['Loja', /Demo|Loja/],
    ] as const) {
      await page.getByRole('combobox', { name: 'Agrupar por' }).click();
      await page.getByRole('option', { name: group }).click();
      await table.getByRole('row', { name: row }).first().waitFor();
    }
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /CSV/ }).click();
    expect((await download).suggestedFilename()).toBe('receita.csv');
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('an application', TIMEOUT, () => {
  it('is made on a phone, questioned, answered and approved', async () => {
    const email = `${randomUUID()}@example.com`;
    const file = join(tmpdir(), `${randomUUID()}.pdf`);
    await writeFile(file, '%PDF-1.7\n');
    const context = await browser.newContext({ locale: 'pt-BR', reducedMotion: 'reduce', ...PHONE });
    const page = await context.newPage();
    await signUp(page, email);
    await complete(page, file);

    const operator = await asOperator('/operator/applications', { ...PHONE });
    await operator.page.getByText('Canecas da Ana').first().click();
    await operator.page.getByText('Em análise').first().waitFor();
    await expectAccessible(operator.page, 'the review of an application');
    await operator.page.getByRole('button', { name: 'Fazer pergunta' }).click();
    const ask = operator.page.getByRole('dialog').getByRole('button', { name: 'Fazer pergunta' });
    const question = operator.page.getByLabel('Pergunta', { exact: true });
    const isInvalid = () => question.getAttribute('aria-invalid');
    await ask.click();
    await expect.poll(isInvalid, SOON).toBe('true');
    expect(operator.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await question.fill('Qual é o site da loja?');
    expect(await isInvalid()).not.toBe('true');
    await ask.click();
    await operator.page.getByText('Aguardando resposta').first().waitFor();

    const refused: string[] = [];
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
    await page.reload();
    await page.getByText('Qual é o site da loja?').waitFor();
    expect(refused).toEqual([]);
    await page.getByLabel('Sua resposta').fill('canecas.example');
    await page.getByRole('button', { name: 'Salvar e enviar para análise' }).click();
    await page.getByText('Em análise').first().waitFor();

    await operator.page.reload();
    await operator.page.getByText('canecas.example').waitFor();
    await operator.page.getByLabel('Mensagem (opcional)').fill('Bem-vinda!');
    await operator.page.getByRole('button', { name: 'Aprovar', exact: true }).click();
    await operator.page.getByText('Aprovado', { exact: true }).first().waitFor();
    expect(operator.complaints).toEqual([]);
    await operator.leave();

    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor();
    await context.close();
  });
});

/** Signs up, opens the mailed link, and signs in. */
async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(`${root}/dashboard/signup`);
  await page.getByText('Pessoa física').click();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.locator('input:focus[aria-invalid="true"]').waitFor();
  expect(await page.getByText('Preencha este campo.').count()).toBe(2);
  await page.getByLabel('Nome completo').fill('Canecas da Ana');
  await page.getByLabel('CPF').fill('529.982.247-25');
  await expectAccessible(page, 'the first step of the sign-up');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByLabel('Nome completo').fill('Ana Souza');
  await page.getByLabel('E-mail').fill('ana');
  await page.locator('input[type=password]').first().fill(PASSWORD);
  await page.getByRole('button', { name: 'Abrir conta' }).click();
  await page.getByText('Informe um e-mail válido.').waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Abrir conta' }).click();
  await page.getByText(`Enviamos um link para ${email}`).waitFor();

  const mails = () => gateway.get(`/sandbox/mails?to=${encodeURIComponent(email)}`, admin);
  await expect.poll(async () => (await mails()).body.data.length, SOON).toBe(1);
  const [mail] = (await mails()).body.data;
  await page.goto(`${root}/dashboard/signup/confirm?token=${tokenIn(mail.text)}`);
  await page.getByRole('button', { name: 'Confirmar e-mail' }).click();
  await page.getByRole('link', { name: 'Entrar' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha').fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

/** Completes the application after the list of what is missing, and submits it. */
async function complete(page: Page, file: string): Promise<void> {
  await page.getByText('O que falta para enviar').waitFor();
  await expectAccessible(page, 'an application');
  for (const [label, value] of [
    ['Atividade', 'Canecas artesanais, pela internet'],
    ['Vendas previstas por mês', '500000'],
    ['CEP', '50010-000'],
    ['Rua', 'Rua da Aurora'],
    ['Número', '10'],
    ['Cidade', 'Recife'],
    ['Estado (UF)', 'PE'],
    ['Banco (3 dígitos)', '341'],
    ['Agência, sem dígito', '1234'],
    ['Conta com dígito', '56789-0'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Enviar', exact: true }).click();
  await page.getByText('Nenhum documento enviado.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Salvar e enviar para análise' }).click();
  await page.getByText('Recebemos o seu cadastro.').waitFor();
}

describe('a MED claim', TIMEOUT, () => {
  it('is simulated on the charge, advanced on the dispute, and takes the amount back', async () => {
    const { id } = (await gateway.charge({ amount: 8_000 })).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`, {});
    const { page, complaints, leave } = await visitDashboard(
      browser,
      root,
      `/charges/${id}`,
      gateway.demo.seller,
      PHONE,
    );
    await page.getByRole('button', { name: 'Simular solicitação de devolução (MED)' }).click();
    const disputes = async () => (await gateway.get('/disputes')).body.data.data;
    await expect.poll(async () => (await disputes()).length, SOON).toBe(1);
    const [dispute] = await disputes();
    await go(page, `/disputes?open=${dispute.id}`);
    const panel = page.getByRole('dialog');
    await panel.getByText('Solicitação de devolução (MED)').waitFor();
    await expectAccessible(page, 'a dispute with a MED claim');
    const next = panel.getByRole('button', { name: 'Simular próxima etapa do MED' });
    for (const status of ['Rastreada', 'Aguardando análise', 'Analisada', 'Em devolução', 'Concluída']) {
      await next.click();
      await panel.getByText(status, { exact: true }).first().waitFor();
    }
    await next.waitFor({ state: 'detached' });
    expect((await disputes())[0]).toMatchObject({ status: 'REJECTED', med: { status: 'COMPLETED' } });
    expect((await gateway.get(`/transactions/${id}`)).body.data.status).toBe('REFUNDED');
    expect(complaints).toEqual([]);
    await leave();
  });
});
