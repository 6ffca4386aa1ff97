import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { expectSelectionExported, TIMEOUT, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;
let browser: Browser;
let root: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  root = gateway.baseUrl.replace(/\/v1$/, '');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

const CUSTOMER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
};

/** A payment of a link by its payer. Returns the id of the transaction. */
async function payByPix(code: string, name: string): Promise<string> {
  const created = await gateway.post(
    `/public/payment-links/${code}/payments`,
    { method: 'PIX', customer: { ...CUSTOMER, name } },
    { credential: 'none', idempotencyKey: randomUUID() },
  );
  expect(created.status).toBe(201);
  return String((await gateway.get('/transactions?take=1')).body.data[0].id);
}

describe('payment links in the dashboard', () => {
  it('are created in three fields, shared, paid, deactivated and edited', TIMEOUT, async () => {
    const phone = {
      viewport: { width: 360, height: 740 },
      permissions: ['clipboard-read', 'clipboard-write'],
    };
    const { page, complaints, leave } = await visit(browser, gateway, '/', { context: phone });
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('heading', { name: 'Receba pagamentos sem site nem maquininha' }).waitFor();
    await page.getByRole('link', { name: 'Novo link' }).first().click();
    await page.getByRole('button', { name: 'Criar link' }).click();
    await page.getByText('Informe o que você está vendendo.').waitFor();
    const title = page.getByLabel('O que você está vendendo');
    // The wrong field has the focus. iOS would zoom into it if its text were smaller than 16 px.
    const focused = `[document.activeElement.labels?.[0].innerText,
      getComputedStyle(document.activeElement).fontSize]`;
    await expect.poll(() => page.evaluate(focused)).toEqual(['O que você está vendendo', '16px']);
    await expect.poll(() => title.getAttribute('aria-invalid')).toBe('true');
    await title.fill('Caneca azul');
    await page.getByLabel('Valor', { exact: true }).fill('4990');
    await page.getByRole('button', { name: 'Criar link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Caneca azul' }).waitFor();

    const [link] = (await gateway.get('/payment-links')).body.data;
    expect(link).toMatchObject({ title: 'Caneca azul', amount: 4990, status: 'ACTIVE', maxInstallments: 12 });
    // The next step has the focus.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Copiar link');
    await page.keyboard.press('Enter');
    await page.getByText('Link copiado').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link.url);
    const message = await page.getByRole('link', { name: 'WhatsApp' }).getAttribute('href');
    expect(decodeURIComponent(message ?? '')).toMatch(/^https:\/\/wa\.me\/\?text=Caneca azul, R\$\s49,90\n/);
    expect(decodeURIComponent(message ?? '')).toContain(link.url);
    const mail = await page.getByRole('link', { name: 'E-mail' }).getAttribute('href');
    expect(mail).toMatch(/^mailto:\?subject=Caneca%20azul&body=/);

    // A payment appears while the screen is open.
    await page.getByText('Ninguém pagou ainda').waitFor();
    const paid = await payByPix(link.code, 'Bruno Lima');
    await payByPix(link.code, 'Carla Dias');
    await gateway.post(`/sandbox/transactions/${paid}/pay`, {});
    await page.getByRole('row', { name: /Bruno Lima/ }).waitFor();
    await page
      .getByText(/R\$\s49,90/)
      .first()
      .waitFor();
    expect(await page.getByText('Carla Dias').count()).toBe(0);
    await page.getByText('Não pagaram').click();
    await page.getByRole('row', { name: /Carla Dias/ }).waitFor();
    const funnel = page.getByRole('heading', { name: 'Do link ao pagamento' }).locator('..');
    for (const step of [/^Cobranças criadas2$/, /^Pagas1$/, /^Reembolsadas0$/])
      await funnel.locator('div').filter({ hasText: step }).first().waitFor();
    const created = funnel.getByRole('link', { name: 'Cobranças criadas' });
    const charges = `/dashboard/charges?paymentLinkId=${link.id}`;
    expect(await created.getAttribute('href')).toBe(charges);

    await page.getByRole('button', { name: 'Desativar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Desativar' }).click();
    await page.getByText('Este link não está recebendo pagamentos.').waitFor();
    expect(await (await fetch(link.url)).text()).toContain('Este link não está ativo');
    await page.getByRole('button', { name: 'Reativar' }).click();
    await page.getByText('Este link não está recebendo pagamentos.').waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Editar' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('O que você está vendendo');
    await name.fill('');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await name.fill('Caneca verde');
    expect(await name.getAttribute('aria-invalid')).not.toBe('true');
    await dialog.getByLabel('Limite de pagamentos').fill('1');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Caneca verde' }).waitFor();
    await page.getByText('Concluído').waitFor();

    const other = { title: 'Caneca azul de cerâmica', amount: null, minAmount: 2_000, maxAmount: 1_234_500 };
    const { id } = (await gateway.post('/payment-links', other, { idempotencyKey: randomUUID() })).body.data;
    await gateway.patch(`/payment-links/${id}`, { status: 'INACTIVE' });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('link', { name: 'Links de pagamento' }).first().click();
    await page.getByText('Desativado').locator('visible=true').waitFor();
    const cut = `[...document.querySelectorAll('table')]
      .map(({ parentElement: box }) => box.scrollWidth - box.clientWidth)`;
    await expect.poll(() => page.evaluate(cut)).toEqual([0]);
    await page.getByText('Caneca verde').click();
    await page.setViewportSize({ width: 360, height: 740 });

    await page.getByRole('link', { name: 'QR Code para imprimir' }).click();
    const picture = page.getByRole('img', { name: 'QR Code da página de pagamento' });
    await picture.waitFor();
    const isLoaded = () => page.evaluate(`document.querySelector('.poster').naturalWidth > 0`);
    await expect.poll(isLoaded).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('take the options of the seller, and show a refusal at its field', TIMEOUT, async () => {
    const { page, leave } = await visit(browser, gateway, '/links/new');
    await page.getByLabel('O que você está vendendo').fill('Doação');
    await page.getByRole('switch', { name: 'O pagador informa o valor' }).click();
    await page.getByRole('button', { name: 'Mais opções' }).click();
    await page.getByLabel('Valor mínimo').fill('2000');
    await page.getByLabel('Valor máximo').fill('1000');
    await page.getByRole('checkbox', { name: 'Boleto' }).uncheck();
    await page.getByRole('button', { name: 'Criar link' }).click();
    await page.getByText('O valor máximo não pode ser menor que o mínimo.').waitFor();
    await page.getByLabel('Valor máximo').fill('500000');
    await page.getByLabel('URL de retorno').fill('http://shop.example.com');
    await page.getByRole('button', { name: 'Criar link' }).click();
    await page.getByText(/https/).nth(1).waitFor();
    expect(await page.getByLabel('URL de retorno').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('URL de retorno').fill('https://shop.example.com/thanks');
    await page.getByRole('button', { name: 'Criar link' }).click();
    await page.getByText(/De R\$\s20,00 a R\$\s5\.000,00/).waitFor();
    const [link] = (await gateway.get('/payment-links')).body.data;
    expect(link).toMatchObject({
      title: 'Doação',
      amount: null,
      minAmount: 2e3,
      maxAmount: 5e5,
      methods: ['PIX', 'CREDIT_CARD'],
      successUrl: 'https://shop.example.com/thanks',
    });
    await leave();
  });

  it('are read only for people who may not create them, and found by Ctrl K', TIMEOUT, async () => {
    const viewer = { email: `${randomUUID()}@example.com`, password: 'a long enough password' };
    const owner = await gateway.post('/login', gateway.demo.seller, { credential: 'none' });
    await gateway.post(
      '/users',
      { ...viewer, name: 'Vera', role: 'VIEWER' },
      { token: String(owner.body.accessToken) },
    );
    const { page, leave } = await visit(browser, gateway, '/links', { user: viewer });
    await page.getByRole('row', { name: /Doação/ }).click();
    await page.getByRole('button', { name: 'Copiar link', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Editar|Desativar/ }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Nome, valor, ID ou tela').fill('cliente');
    await page.getByRole('option', { name: 'Clientes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Clientes' }).waitFor();
    expect(await page.getByRole('button', { name: 'Novo cliente' }).count()).toBe(0);
    await leave();
  });
});

describe('customers in the dashboard', () => {
  it('are created, found, charged with a saved card, noted, edited and deleted', TIMEOUT, async () => {
    const { page, complaints, leave } = await visit(browser, gateway, '/customers');
    await page.getByRole('heading', { name: 'Cadastre o primeiro cliente' }).waitFor();
    const fill = async (name: string) => {
      await page.getByRole('button', { name: 'Novo cliente' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Nome completo').fill(name);
      await dialog.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
      await dialog.getByLabel('E-mail').fill('ana@example.com');
      await dialog.getByLabel('Celular com DDD').fill('(11) 98765-4321');
      await dialog.getByRole('button', { name: 'Salvar' }).click();
    };
    await fill('Ana Souza');
    await page.getByRole('heading', { level: 1, name: 'Ana Souza' }).waitFor();
    const [{ id }] = (await gateway.get('/customers')).body.data;

    // The same document belongs to the first customer.
    await page.getByRole('link', { name: '← Clientes' }).click();
    await page.getByRole('checkbox', { name: 'Selecionar Ana Souza' }).click();
    await expectSelectionExported(page, await gateway.get('/customers?export=true&locale=pt-BR'));
    await fill('Ana de Souza');
    await page.getByText('Já existe um cliente com este CPF ou CNPJ.').waitFor();
    await page.getByRole('link', { name: 'Abrir o cadastro existente' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ana Souza' }).waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);

    await page.getByLabel('Anotações').fill('Prefere Pix.');
    await page.getByRole('button', { name: 'Salvar anotações' }).click();
    await page.getByText('Anotações salvas').waitFor();
    await page.getByRole('button', { name: 'Editar' }).click();
    await page.getByRole('dialog').getByLabel('Nome completo').fill('Ana Lima');
    await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ana Lima' }).waitFor();
    expect((await gateway.get(`/customers/${id}`)).body.data).toMatchObject({
      name: 'Ana Lima',
      notes: 'Prefere Pix.',
      document: '***.982.247-**',
      address: null,
    });

    const card = { number: '4111111111111111', holderName: 'ANA', expirationMonth: 12, expirationYear: 2049 };
    await gateway.post('/card-tokens', { ...card, customerId: id });
    await page.reload();
    await page.getByRole('button', { name: 'Excluir cartão Visa •••• 1111' }).waitFor();
    await page.getByRole('link', { name: 'Cobrar' }).click();
    await page.getByLabel('Valor').fill('12345');
    await page.getByLabel('Descrição').fill('Pedido 1042');
    await page.getByText('Cartão', { exact: true }).click();
    expect(await page.getByLabel('Cliente cadastrado', { exact: true }).first().inputValue()).toContain(
      'Ana Lima',
    );
    expect(await page.getByLabel('Nome completo').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Cartão a cobrar' }).click();
    await page.getByRole('option', { name: 'Visa •••• 1111' }).click();
    await page.getByRole('button', { name: 'Cobrar no cartão' }).click();
    await page.getByRole('heading', { name: /R\$\s123,45 confirmado/ }).waitFor();

    await page.goto(`${root}/dashboard/customers`);
    // A click while the rows are replaced by those of the search would be lost.
    const found = page.waitForResponse((response) => response.url().includes('/customers/lookup'));
    await page.getByLabel('Buscar cliente').fill('lima');
    await found;
    expect(page.url()).not.toContain('lima');
    await page.getByRole('row', { name: /Ana Lima/ }).click();
    await page.getByRole('row', { name: /Pedido 1042/ }).waitFor();
    await page.getByRole('button', { name: 'Excluir cartão Visa •••• 1111' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir', exact: true }).click();
    await page.getByText('Nenhum cartão salvo.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Excluir', exact: true }).click();
    await page.getByRole('dialog').getByText('São mantidas').waitFor();
    await page.getByRole('button', { name: 'Excluir cliente' }).click();
    await page.getByText('Cliente excluído').waitFor();
    expect((await gateway.get(`/customers/${id}`)).status).toBe(404);
    expect((await gateway.get(`/transactions?customerId=${id}`)).body.count).toBe(1);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('are chosen for a new charge by a search', TIMEOUT, async () => {
    const other = { ...CUSTOMER, name: 'João da Conceição', document: '11144477735' };
    const { id } = (await gateway.post('/customers', other)).body.data;
    const { page, leave } = await visit(browser, gateway, '/charges/new');
    await page.getByLabel('Valor').fill('5000');
    await page.getByLabel('Descrição').fill('Bolo');
    await page.getByRole('combobox', { name: 'Cliente cadastrado' }).fill('conceicao');
    await page.getByRole('option', { name: /João da Conceição/ }).click();
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();
    expect((await gateway.get(`/transactions?customerId=${id}`)).body.count).toBe(1);
    await leave();
  });
});

describe('the settings of the payment page', () => {
  it('list the sites that embed it, and show the code to paste', TIMEOUT, async () => {
    const { page, leave } = await visit(browser, gateway, '/settings');
    const sites = page.getByLabel('Sites que podem incorporar');
    await sites.fill('ftp://shop.example.com');
    const save = page.getByRole('button', { name: 'Salvar', exact: true });
    await save.click();
    await page.getByText(/^ftp:\/\/shop\.example\.com: /).waitFor();
    await sites.fill('https://shop.example.com/products\nhttps://www.example.com');
    await save.click();
    await page.getByText('Preferências salvas').waitFor();
    expect((await gateway.get('/sellers/me/settings')).body.data.embedOrigins).toEqual([
      'https://shop.example.com',
      'https://www.example.com',
    ]);
    await page.getByText('<vereda-checkout code=').waitFor();
    await leave();
  });
});
