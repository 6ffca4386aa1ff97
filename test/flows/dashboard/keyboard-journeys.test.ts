import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { newShop, TIMEOUT, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { keyboardOf } from '#test/support/keyboard.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { addAxe, expectNoLayoutProblems, expectSpoken } from '#test/support/browser-session.ts';
import { newSeller, withdrawalThatIs } from '#test/support/withdrawals.ts';

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

describe('user journeys by keyboard', TIMEOUT, () => {
  it('lets a seller charge, refund, withdraw, share a link and subscribe by keyboard alone', async () => {
    const { owner } = await newShop(gateway);
    const context = await browser.newContext({ locale: 'pt-BR', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const keys = keyboardOf(page);
    await page.goto(`${gateway.baseUrl.replace(/\/v1$/, '')}/dashboard/charges/new`);
    await keys.expectFocus('textbox', 'E-mail');
    await expectSpoken(page, [
      'heading Entrar',
      'textbox E-mail, required',
      'textbox Senha, required',
      'button Entrar',
    ]);
    await keys.type(owner.email);
    await keys.press('Tab');
    await keys.type('not the password');
    await keys.press('Enter');
    await page.getByRole('alert').waitFor();
    await keys.press('ControlOrMeta+a');
    await keys.type(owner.password);
    await keys.press('Enter');

    // A refused form has the focus in its first wrong field.
    await keys.expectFocus('textbox', 'Valor');
    const back = page.getByRole('link', { name: '← Cobranças' });
    expect(await back.getAttribute('aria-current')).toBeNull();
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Valor');
    await keys.type('12345');
    await keys.press('Tab');
    await keys.type('Caneca azul');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Nome completo');
    await expectSpoken(page, [
      'textbox Nome completo, required, invalid: Informe o nome completo.',
      'textbox CPF ou CNPJ, required, invalid: Informe os 11 dígitos do CPF ou os 14 caracteres do CNPJ.',
      'textbox E-mail, required, invalid: Informe um e-mail válido.',
      'textbox Descrição para o pagador, required',
    ]);
    for (const text of ['Ana Souza', '52998224725', 'ana@example.com', '11987654321']) {
      await keys.type(text);
      await keys.press('Tab');
    }
    // The gateway refuses a field of a closed section, which opens.
    await keys.expectFocus('button', 'Mais opções');
    await keys.press('Enter');
    await keys.tabTo('textbox', 'URL de notificação');
    await keys.type('http://example.com/');
    await keys.press('Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Enter');
    await keys.expectFocus('button', 'Mais opções');
    await keys.tabTo('button', 'Gerar código Pix');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'URL de notificação');
    await keys.press('ControlOrMeta+a', 'Backspace', 'Enter');
    await keys.expectFocus('heading', 'Mostre o código ao pagador');
    await keys.tabTo('button', 'Simular pagamento');
    await keys.press('Enter');
    await keys.expectFocus('heading', /R\$\s123,45 confirmado/);

    await keys.tabTo('link', 'Ver cobrança');
    await keys.press('Enter');
    await keys.expectFocus('heading', /R\$\s123,45/);
    await keys.tabTo('button', 'Reembolsar');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Valor do reembolso');
    await keys.press('ControlOrMeta+a');
    await keys.type('12346');
    await keys.press('Enter');
    await page.getByText('O valor é maior que o disponível para reembolso.').waitFor();
    await keys.press('ControlOrMeta+a');
    await keys.type('2000');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Motivo do reembolso');
    await expectSpoken(page, [
      'dialog Reembolsar o pagador',
      'textbox Valor do reembolso, required',
      'textbox Motivo do reembolso, required, invalid: Informe o motivo. ' +
        'Fica registrado na linha do tempo da cobrança.',
      'button Reembolsar R$ 20,00',
      'button Cancelar',
    ]);
    await keys.type('Veio quebrada');
    await keys.press('Enter');
    await keys.expectFocus('button', 'Reembolsar');

    await keys.open('Saques', 'Saques');
    await keys.tabTo('link', 'Solicitar saque');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Valor');
    await keys.type('5000');
    // The bar at the bottom of a phone does not cover the field.
    await page.setViewportSize({ width: 390, height: 800 });
    await keys.tabTo('textbox', 'Chave Pix');
    await page.setViewportSize({ width: 1280, height: 720 });
    await keys.type('529.982.247-25');
    await keys.press('Enter');
    await keys.expectFocus('button', /^Confirmar saque/);
    await expectSpoken(page, [
      'dialog Confirmar saque',
      'button Confirmar saque de R$ 50,00',
      'button Voltar',
    ]);
    await keys.press('Escape');
    await keys.expectFocus('textbox', 'Chave Pix');
    await keys.press('Enter');
    await keys.expectFocus('button', /^Confirmar saque/);
    await keys.press('Enter');
    await keys.expectFocus('heading', /R\$\s50,00/);

    await keys.open('Links de pagamento', 'Links de pagamento');
    await keys.tabTo('link', 'Novo link');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'O que você está vendendo');
    await keys.type('Caneca azul');
    await keys.press('Tab');
    await keys.type('4990');
    await keys.press('Enter');
    await keys.expectFocus('button', 'Copiar link');

    await keys.open('Assinaturas', 'Assinaturas');
    await keys.tabTo('link', 'Nova assinatura');
    await keys.press('Enter');
    await keys.expectFocus('combobox', 'Cliente');
    expect(await page.getByRole('listbox').count()).toBe(0);
    await keys.tabTo('button', 'Novo cliente');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Nome completo');
    await keys.press('Enter');
    await page.getByText('Informe um e-mail válido.').waitFor();
    for (const text of ['Bia Reis', '52998224725', 'bia@example.com', '11987654321']) {
      await keys.type(text);
      await keys.press('Tab');
    }
    // The fields are no longer marked as wrong.
    expect(await page.getByRole('dialog').locator('[aria-invalid="true"]').count()).toBe(0);
    await keys.press('Shift+Tab', 'Enter');
    await keys.expectFocus('button', 'Novo cliente');
    await keys.press('Shift+Tab');
    await keys.expectFocus('combobox', 'Cliente');
    await keys.press('ArrowDown');
    await page.getByRole('option', { name: /Bia Reis/ }).waitFor();
    await keys.press('Escape');
    await keys.tabTo('textbox', 'O que está sendo cobrado');
    await keys.type('Plano mensal');
    await keys.press('Tab');
    await keys.type('4990');
    await keys.press('Enter');
    await keys.expectFocus('button', /^Primeira cobrança/);
    await keys.press('Enter');
    await keys.tabTo('button', 'Próximo mês');
    await keys.press('Enter', 'Shift+Tab', 'Shift+Tab');
    await keys.expectFocus('button', 'Mês anterior');
    await keys.press('Enter');
    // The first month has no month before it: the button is disabled.
    await keys.expectFocus('button', /^[A-Z]\S+ de \d{4}$/);
    await keys.tabTo('button', 'Próximo mês');
    await keys.press('Enter');
    await keys.tabTo('button', /^\d+ de \S+ de \d{4}$/);
    await keys.press('Enter');
    await keys.expectFocus('button', /^Primeira cobrança/);
    await keys.tabTo('button', 'Criar assinatura');
    await keys.press('Enter');
    await keys.expectFocus('heading', 'Plano mensal');

    await keys.tabTo('button', 'Sua conta');
    await keys.press('Enter');
    await keys.expectFocus('menuitem', 'Configurações');
    await keys.press('End');
    await keys.expectFocus('menuitem', 'Sair');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'E-mail');
    await context.close();
  });

  it('lets a seller use counter, customers, keys, webhooks, team and disputes by keyboard', async () => {
    const { owner } = await newShop(gateway);
    const token = String((await gateway.post('/login', owner, { credential: 'none' })).body.accessToken);
    const { page, complaints } = await visit(browser, gateway, '/', { user: owner });
    const keys = keyboardOf(page);
    await keys.press('Control+k');
    await page.getByRole('combobox', { name: 'Buscar' }).and(page.locator(':focus')).waitFor();
    await keys.type('Ponto');
    await page.getByRole('option', { name: 'Ponto de venda' }).waitFor();
    await keys.press('ArrowDown', 'Enter');
    await keys.expectFocus('textbox', /^Nome/);
    for (const text of ['Consumidor', '52998224725', 'loja@example.com', '11987654321']) {
      await keys.type(text);
      await keys.press('Tab');
    }
    await keys.press('Enter');
    await expectSpoken(page, ['heading Ponto de venda', 'status Valor', 'button 7', 'button Apagar']);
    await keys.tabTo('button', '7');
    await keys.press('Enter', 'Enter', 'Enter', 'Enter');
    await keys.tabTo('button', 'Gerar código Pix');
    await keys.press('Enter');
    await keys.expectFocus('heading', 'Mostre o código ao pagador');
    await expectSpoken(page, ['image QR Code da cobrança Pix de R$ 77,77', 'button Nova venda']);
    const { id } = (await gateway.get('/transactions?take=1', { token })).body.data[0];
    await gateway.post(`/sandbox/transactions/${id}/pay`, {}, { token });
    await keys.expectFocus('heading', 'Pago');
    await keys.tabTo('button', 'Nova venda');
    await keys.press('Enter');
    await keys.expectFocus('heading', 'Ponto de venda');

    await keys.open('Clientes', 'Clientes');
    await keys.tabTo('button', 'Novo cliente');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Nome completo');
    await expectSpoken(page, ['dialog Novo cliente', 'textbox E-mail, required', 'button Salvar']);
    for (const text of ['Bia Reis', '52998224725', 'bia@example.com', '11987654321']) {
      await keys.type(text);
      await keys.press('Tab');
    }
    await keys.press('Shift+Tab', 'Enter');
    await keys.expectFocus('heading', 'Bia Reis');

    await keys.open('Chaves de API', 'Chaves de API');
    await keys.tabTo('button', 'Criar chave');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Nome da chave');
    await expectSpoken(page, ['dialog Criar chave', 'textbox Nome da chave, required', 'button Criar']);
    await keys.type('servidor');
    await keys.press('Enter');
    await keys.tabTo('button', 'Já salvei');
    await expectSpoken(page, ['dialog Copie e guarde a chave', 'button Copiar chave de API']);
    await keys.press('Enter');
    // What opened the first of the two dialogs.
    await keys.expectFocus('button', 'Criar chave');

    await keys.open('Webhooks', 'Webhooks');
    await keys.tabTo('button', 'Adicionar webhook');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'URL (https)');
    await expectSpoken(page, ['dialog Adicionar webhook', 'textbox URL (https), required']);
    await keys.type(receiver.url);
    await keys.press('Enter');
    await keys.tabTo('button', 'Já salvei');
    await keys.press('Enter');
    await keys.expectFocus('button', 'Adicionar webhook');
    await keys.tabTo('button', 'Ações');
    await keys.press('Enter');
    await keys.expectFocus('menuitem', 'Enviar teste');
    await keys.press('Enter');
    await page
      .getByRole('status')
      .or(page.getByRole('alert'))
      .getByText(/^Teste enviado/)
      .waitFor();

    await keys.open('Equipe', 'Equipe');
    await keys.tabTo('button', 'Convidar pessoa');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'E-mail');
    await expectSpoken(page, ['dialog Convidar pessoa', 'textbox E-mail, required', 'button Enviar convite']);
    await keys.type('zoe@example.com');
    await keys.press('Enter');
    await keys.expectFocus('button', 'Convidar pessoa');
    await keys.tabTo('button', /^Cancelar convite/);
    await keys.press('Enter');
    await keys.tabTo('button', 'Cancelar convite');
    await keys.press('Enter');
    await keys.expectFocus('heading', 'Equipe');

    await gateway.post(`/sandbox/transactions/${id}/dispute`, {}, { token });
    await keys.open('Disputas', 'Disputas');
    await keys.tabTo('row', /Aguardando sua defesa/);
    await keys.press('Enter');
    await keys.tabTo('button', 'Apresentar defesa');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'O que aconteceu');
    await keys.tabTo('button', 'Enviar defesa');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'O que aconteceu');
    await expectSpoken(page, [
      'dialog Sua defesa',
      'textbox O que aconteceu, required, invalid: Conte o que aconteceu.',
      'button Enviar defesa',
    ]);
    await keys.type('Entregue em mãos');
    await keys.tabTo('button', 'Enviar defesa');
    await keys.press('Enter');
    // The button that opened the dialog is gone, the panel is not.
    await keys.expectFocus('button', 'Fechar');
    await expectSpoken(page, ['dialog Disputa']);
    await keys.press('Escape');
    await keys.expectFocus('row', /Em análise/);
    await keys.tabTo('button', 'Sua conta');
    await keys.press('Enter');
    await keys.expectFocus('menuitem', 'Configurações');
    await expectSpoken(page, ['menuitem Sair']);
    await keys.press('End', 'Enter');
    await keys.expectFocus('textbox', 'E-mail');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('lets an operator approve a withdrawal by keyboard alone', async () => {
    const seller = await newSeller(gateway, { balance: 10_000 });
    const asked = await withdrawalThatIs(gateway, seller, 'PENDING');
    const context = await browser.newContext({ locale: 'pt-BR', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const keys = keyboardOf(page);
    await page.goto(`${gateway.baseUrl.replace(/\/v1$/, '')}/dashboard/operator/withdrawals?open=${asked}`);
    await keys.expectFocus('textbox', 'E-mail');
    await keys.type(gateway.demo.admin.email);
    await keys.press('Tab');
    await keys.type(gateway.demo.admin.password);
    await keys.press('Enter');
    await keys.expectFocus('heading', 'Saques');
    await keys.tabTo('row', /R\$\s10,00/);
    await keys.press('Enter');
    await keys.expectFocus('region', 'Saque');
    await keys.tabTo('button', /^Aprovar/);
    await keys.press('Enter');
    await keys.expectFocus('button', 'Aprovar');
    await keys.press('Escape');
    await keys.expectFocus('row', /R\$\s10,00/);
    await keys.press('k');
    await expect.poll(() => page.url()).not.toContain(asked);
    await keys.press('j');
    await keys.expectFocus('row', /R\$\s10,00/);
    await page.waitForURL(new RegExp(`open=${asked}`));
    await keys.press('a');
    await keys.expectFocus('button', 'Aprovar');
    await expectSpoken(page, ['dialog Aprovar saque de R$ 10,00?', 'button Aprovar', 'button Cancelar']);
    await keys.press('Enter');
    await keys.expectFocus('row', /Loja/);
    const token = await gateway.adminToken();
    const read = await gateway.get(`/admin/withdrawals/${asked}`, { token });
    expect(read.body.data.approvals).toHaveLength(1);
    await context.close();
  });

  it('lists the shortcuts of the back office, and turns those of a single key off and on', async () => {
    await withdrawalThatIs(gateway, await newSeller(gateway, { balance: 10_000 }), 'PENDING');
    const { page, leave } = await visit(browser, gateway, '/operator/withdrawals', {
      user: gateway.demo.admin,
      context: { bypassCSP: true },
    });
    const keys = keyboardOf(page);
    await keys.expectFocus('heading', 'Saques');
    await addAxe(page);
    // The keys are loaded after the heading.
    await page.getByText('Sobre a loja').waitFor();
    await keys.press('/');
    await keys.expectFocus('combobox', 'Buscar ou ir para…');
    // In a field, they are characters.
    await keys.type('a/?');
    const search = page.getByRole('combobox', { name: 'Buscar ou ir para…' });
    expect(await search.inputValue()).toBe('a/?');
    await keys.press('Escape');
    await search.waitFor({ state: 'detached' });
    await keys.press('?');
    const shortcuts = page.getByRole('dialog', { name: 'Atalhos de teclado' });
    await shortcuts.getByText('Próximo item da lista').waitFor();
    await expectNoLayoutProblems(page, 'shortcuts', { part: '[data-portal]' });
    await page.setViewportSize({ width: 1280, height: 720 });
    const singleKeys = shortcuts.getByRole('switch', { name: 'Atalhos de uma tecla só' });
    await singleKeys.focus();
    await keys.press('Space', 'Escape');
    await shortcuts.waitFor({ state: 'detached' });
    await page.getByText('Todos os atalhos').waitFor({ state: 'detached' });
    const row = page.getByRole('table', { name: 'Saques' }).locator('tbody tr').first();
    await row.focus();
    await keys.press('a', '/', '?');
    await page.getByText('Sobre a loja').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Sua conta' }).click();
    await page.getByRole('menuitem', { name: 'Atalhos de teclado' }).click();
    await singleKeys.press('Space');
    await keys.press('Escape');
    await shortcuts.waitFor({ state: 'detached' });
    await row.focus();
    await keys.press('a');
    await keys.expectFocus('button', 'Aprovar');
    await leave();
  });
});
