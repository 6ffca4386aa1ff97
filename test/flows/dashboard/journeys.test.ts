import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { fillCharge, PATIENCE, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { go } from '#test/support/browser-session.ts';

let gateway: TestGateway;
let receiver: Receiver;
let browser: Browser;

beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await receiver.close();
});

/** A shop that has just been opened, and its owner. */
async function newShop() {
  const owner = { email: `${randomUUID()}@example.com`, password: 'a long enough password' };
  const token = await gateway.adminToken();
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja Nova',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Dona Nova',
      ownerEmail: owner.email,
      ownerPassword: owner.password,
    },
    { token },
  );
  expect(made.status).toBe(201);
  const id = String(made.body.data.id);
  await gateway.patch(
    `/admin/sellers/${id}`,
    { requestsPerMinute: 1_000_000, autoApproveUpTo: 0 },
    { token },
  );
  return { id, owner };
}

describe('through the screens', PATIENCE, () => {
  it("C8, C10, C12: the seller's first hour, from sign-in to a withdrawal that is paid and the log of what was reported", async () => {
    const { owner } = await newShop();
    const { page, complaints, context } = await visit(browser, gateway, '/', { user: owner });
    await page.getByRole('heading', { name: 'Crie sua primeira cobrança' }).waitFor();

    // A key for the shop's server.
    await page.getByRole('link', { name: 'Chaves de API' }).click();
    await page.getByRole('button', { name: 'Criar chave' }).first().click();
    await page.getByRole('dialog').getByLabel('Nome da chave').fill('servidor da loja');
    await page.getByRole('button', { name: 'Criar', exact: true }).click();
    const apiKey = await page.getByLabel('Copie e guarde a chave', { exact: true }).last().innerText();
    await page.getByRole('button', { name: 'Já salvei' }).click();
    expect((await gateway.get('/transactions', { apiKey })).body.count).toBe(0);

    // Where that server is reported.
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Adicionar webhook' }).first().click();
    await page.getByRole('dialog').getByLabel('URL (https)').fill(receiver.url);
    await page.getByRole('button', { name: 'Criar', exact: true }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Já salvei' }).click();

    // A charge that is paid while it is looked at.
    await page.getByRole('link', { name: 'Início' }).first().click();
    await page.getByRole('link', { name: 'Nova cobrança' }).first().click();
    await fillCharge(page);
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByRole('heading', { name: /R\$\s123,45 confirmado/ }).waitFor();

    // Its money is there, and is taken out.
    await page.getByRole('link', { name: 'Início' }).first().click();
    await page
      .getByText(/R\$\s122,23/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Sacar', exact: true }).click();
    await page.getByRole('button', { name: 'Sacar tudo' }).click();
    await page.getByLabel('Chave Pix').fill('529.982.247-25');
    await page.getByRole('button', { name: 'Revisar' }).click();
    await page.getByRole('button', { name: /Confirmar saque de R\$\s122,23/ }).click();
    await page.getByText('Em análise').first().waitFor();

    // The operator agrees, the bank pays, and the screen says both by itself.
    const [asked] = (await gateway.get('/withdrawals', { apiKey })).body.data;
    expect(asked).toMatchObject({ amount: 12_223, status: 'PENDING' });
    const token = await gateway.adminToken();
    const approved = await gateway.post(`/admin/withdrawals/${asked.id}/approve`, undefined, { token });
    expect(approved.status).toBe(200);
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByRole('button', { name: 'Simular pagamento' }).waitFor({ state: 'hidden' });
    expect((await gateway.get('/seller-wallet/gestao', { apiKey })).body.data.totalBalance).toBe(0);

    // What the shop's server was notified of it all.
    await page.getByRole('link', { name: 'Envios de webhook' }).click();
    const log = page.getByRole('table', { name: 'Envios de webhook' });
    await log.getByText('TRANSACTION_UPDATED').first().waitFor();
    await log.getByText('WITHDRAWAL_UPDATED').first().waitFor();
    await log.getByText('Entregue').first().waitFor();
    await log.locator('tbody tr').filter({ hasText: 'TRANSACTION_UPDATED' }).last().click();
    await page.getByRole('dialog').getByText('Resposta do seu servidor').first().waitFor();
    expect(receiver.received.some(({ body }) => body.event === 'TRANSACTION_UPDATED')).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    {
      language: 'Português',
      rotate: 'Gerar novo segredo dos postbacks',
      hint: /segredo antigo ainda assina por 24 horas/,
      saved: 'Já salvei',
    },
    {
      language: 'English',
      rotate: 'Rotate postback secret',
      hint: /old one still signs for 24 hours/,
      saved: "I've saved it",
    },
  ])('C12: the postback secret rotates and is shown once ($language)', async ({ language, ...texts }) => {
    const { owner } = await newShop();
    const { page, complaints, context } = await visit(browser, gateway, '/settings', { user: owner });
    await page.getByText(language).click();
    await go(page, '/developers/webhooks');
    await page.getByRole('button', { name: texts.rotate }).click();
    const confirm = page.getByRole('dialog');
    await confirm.getByText(/24/).waitFor();
    await confirm.getByRole('button', { name: texts.rotate }).click();
    await page.getByText(texts.hint).waitFor();
    const secret = await page.getByText(/^whsec_/).innerText();
    await page.getByRole('button', { name: texts.saved }).click();
    await page.getByText(/^whsec_/).waitFor({ state: 'hidden' });
    const signedIn = await gateway.post('/login', owner, { credential: 'none' });
    const current = await gateway.get('/webhooks/postback-secret', {
      token: String(signedIn.body.accessToken),
    });
    expect(current.body.data.secret).toBe(secret);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("C11: a dispute's life: opened, reported with its deadline, appealed, resolved, and the money back", async () => {
    const { owner } = await newShop();
    const { page, complaints, context } = await visit(browser, gateway, '/charges/new', { user: owner });
    await fillCharge(page);
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByRole('heading', { name: /confirmado/ }).waitFor();
    await page.getByRole('link', { name: 'Ver cobrança' }).click();
    await page.getByRole('button', { name: 'Simular disputa' }).click();
    await page.getByText('Em disputa', { exact: true }).first().waitFor();

    // The home page says how long there is, and that the money is held.
    await page.getByRole('link', { name: 'Início' }).first().click();
    await page.getByText(/faltam \d+ dias/).waitFor();
    await page.getByRole('link', { name: 'Em disputa' }).waitFor();
    await page.getByRole('link', { name: '1 disputa aguarda sua defesa' }).click();
    const row = page.getByRole('table', { name: 'Disputas' }).locator('tbody tr').first();
    await row.getByText('Aguardando sua defesa').waitFor();
    await row.click();
    const panel = page.getByRole('dialog');
    await panel.getByText(/Prazo de defesa/).waitFor();
    await panel.getByRole('button', { name: 'Apresentar defesa' }).click();
    await page.getByLabel('O que aconteceu').fill('Entregue em mãos no dia 3, com recibo assinado.');
    await page.getByRole('button', { name: 'Enviar defesa' }).click();
    await page.getByText('Defesa enviada').waitFor();
    await panel.getByText('Em análise').waitFor();
    await panel.getByText('Entregue em mãos').waitFor();

    const token = await gateway.adminToken();
    const [dispute] = (await gateway.get('/admin/disputes?status=UNDER_REVIEW', { token })).body.data.data;
    const resolved = await gateway.post(
      `/admin/disputes/${dispute.id}/resolve`,
      { outcome: 'RESOLVED' },
      { token },
    );
    expect(resolved.status).toBe(200);
    // Nobody reloads anything.
    await panel.getByText('Ganha').waitFor();
    await go(page, `/charges/${dispute.transactionId}`);
    await page.getByText('Paga', { exact: true }).first().waitFor();
    await page.getByText('Disputa ganha; valor devolvido ao saldo').waitFor();
    await page.getByRole('link', { name: 'Início' }).first().click();
    await page.getByText('Nenhum valor retido.').waitFor();
    await page
      .getByText(/R\$\s122,23/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('C8: a charge is found by what one remembers of it, above the list and by Ctrl K', async () => {
    const { owner } = await newShop();
    const { page, complaints, context } = await visit(browser, gateway, '/charges', { user: owner });
    await page.getByRole('link', { name: 'Nova cobrança' }).first().click();
    await fillCharge(page);
    await page.getByLabel('Nome completo').fill('Conceição Brandão');
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();

    await go(page, '/charges');
    const box = page.getByLabel('Buscar cobrança');
    await box.fill('conceicao');
    const rows = page.getByRole('table', { name: 'Cobranças' }).locator('tbody tr');
    await rows.getByText('Conceição Brandão').waitFor();
    // A name belongs into no address, and still survives that the page is loaded anew.
    expect(page.url()).not.toMatch(/conceicao/i);
    await page.reload();
    await rows.getByText('Conceição Brandão').waitFor();
    expect(await box.inputValue()).toBe('conceicao');
    await rows.first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Conceição Brandão').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await box.inputValue()).toBe('conceicao');
    await box.fill('ninguém assim');
    await page.getByText('Nenhuma cobrança encontrada para “ninguém assim”').waitFor();
    await page.getByRole('button', { name: 'Limpar busca' }).click();
    await page.getByRole('group', { name: 'Filtros salvos' }).waitFor();

    await go(page, '/settings');
    await page.getByRole('heading', { level: 1, name: 'Configurações' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Nome, e-mail, valor, ID ou tela').fill('123,45');
    await page.getByRole('button', { name: /Conceição Brandão/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /R\$\s123,45/ }).waitFor();
    // Screens by their names as before.
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Nome, e-mail, valor, ID ou tela').fill('tarif');
    await page.getByRole('button', { name: 'Tarifas' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tarifas' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
