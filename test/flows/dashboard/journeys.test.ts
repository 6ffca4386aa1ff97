import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { fillCharge, newShop, TIMEOUT, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { expectSpoken, go } from '#test/support/browser-session.ts';
import { tokenIn } from '#test/support/mail-server.ts';

const SOON = { timeout: 20_000 };

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

/** The token of the newest mail to an address that has one. */
const tokenTo = (email: string, subject: RegExp) =>
  vi.waitFor(async () => {
    const path = `/sandbox/mails?to=${encodeURIComponent(email)}`;
    const { body } = await gateway.get(path, { token: await gateway.adminToken() });
    const found = body.data.find((mail: { readonly subject: string }) => subject.test(mail.subject));
    if (found === undefined) throw new Error('there is no such mail yet');
    return tokenIn(String(found.text));
  }, SOON);

describe('user journeys', TIMEOUT, () => {
  it('takes a new seller from sign-in to a paid withdrawal and the delivery log', async () => {
    const { owner } = await newShop(gateway);
    const { page, complaints, leave } = await visit(browser, gateway, '/', { user: owner });
    await page.getByRole('heading', { name: 'Crie sua primeira cobrança' }).waitFor();
    // Above the balance, which has nothing yet.
    const top = async (text: string) => (await page.getByText(text).first().boundingBox())?.y ?? NaN;
    expect(await top('Crie sua primeira cobrança')).toBeLessThan(await top('Disponível para saque'));

    // An API key for the seller's server.
    await page.getByRole('link', { name: 'Chaves de API' }).click();
    await page.getByRole('button', { name: 'Criar chave' }).first().click();
    await page.getByRole('dialog').getByLabel('Nome da chave').fill('servidor da loja');
    await page.getByRole('button', { name: 'Criar', exact: true }).click();
    const apiKey = await page.getByLabel('chave de API', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Já salvei' }).click();
    expect((await gateway.get('/transactions', { apiKey })).body.count).toBe(0);

    // The webhook of that server.
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Adicionar webhook' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL (https)').fill(receiver.url);
    await dialog.getByLabel('Descrição').fill('Servidor de pedidos');
    await dialog.getByRole('button', { name: 'Adicionar webhook' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Já salvei' }).click();
    await page.getByText('Servidor de pedidos').waitFor();

    // A charge is paid while its screen is open.
    await page.getByRole('link', { name: 'Início' }).first().click();
    await page.getByRole('link', { name: 'Nova cobrança' }).first().click();
    await fillCharge(page);
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByRole('heading', { name: /R\$\s123,45 confirmado/ }).waitFor();

    // Its amount is in the balance, and is withdrawn.
    await page.getByRole('link', { name: 'Início' }).first().click();
    await page
      .getByText(/R\$\s122,23/)
      .first()
      .waitFor();
    // The chart is no stop of Tab.
    await page
      .getByRole('figure', { name: /^Valor recebido/ })
      .locator('svg')
      .first()
      .waitFor();
    expect(await page.locator('figure [tabindex="0"]').count()).toBe(0);
    await page.getByRole('link', { name: 'Sacar', exact: true }).click();
    await page.getByRole('button', { name: 'Sacar tudo' }).click();
    await page.getByLabel('Chave Pix').fill('529.982.247-25');
    await page.getByRole('button', { name: 'Revisar' }).click();
    await page.getByRole('button', { name: /Confirmar saque de R\$\s122,23/ }).click();
    await page.getByText('Em análise').first().waitFor();

    // The operator approves it, the bank pays, and the screen shows both without a reload.
    const [asked] = (await gateway.get('/withdrawals', { apiKey })).body.data;
    expect(asked).toMatchObject({ amount: 12_223, status: 'PENDING' });
    const token = await gateway.adminToken();
    const approved = await gateway.post(`/admin/withdrawals/${asked.id}/approve`, undefined, { token });
    expect(approved.status).toBe(200);
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByRole('button', { name: 'Simular pagamento' }).waitFor({ state: 'hidden' });
    expect((await gateway.get('/seller-wallet/gestao', { apiKey })).body.data.totalBalance).toBe(0);

    // The events that the seller's server received.
    await page.getByRole('link', { name: 'Envios de webhook' }).click();
    const log = page.getByRole('table', { name: 'Envios de webhook' });
    await log.getByText('TRANSACTION_UPDATED').first().waitFor();
    await log.getByText('WITHDRAWAL_UPDATED').first().waitFor();
    await log.getByText('Entregue').first().waitFor();
    await log.locator('tbody tr').filter({ hasText: 'TRANSACTION_UPDATED' }).last().click();
    await page.getByRole('dialog').getByText('Resposta do seu servidor').first().waitFor();
    await page.keyboard.press('Escape');
    // Each result links to as many deliveries as its bar counts.
    const { count } = (await gateway.get('/webhooks/deliveries?status=DELIVERED', { apiKey })).body;
    const results = page.getByRole('heading', { name: 'Envios por resultado' }).locator('..');
    await results.getByText(String(count), { exact: true }).waitFor();
    await results.getByRole('link', { name: 'Entregue' }).click();
    await page.waitForURL(/status=DELIVERED/);
    await page.getByText(`${count} resultados`).waitFor();

    // A dispute holds more than is left, and the balance says that it is negative.
    const [charge] = (await gateway.get('/transactions', { apiKey })).body.data;
    await gateway.post(`/sandbox/transactions/${charge.id}/dispute`, {}, { apiKey });
    await go(page, '/');
    await page
      .getByText(/^−R\$\s[\d,]+ \(negativo\)$/)
      .first()
      .waitFor();
    expect(receiver.received.some(({ body }) => body.event === 'TRANSACTION_UPDATED')).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('rotates the postback secret and shows it once, in both languages', async () => {
    const { owner } = await newShop(gateway);
    const { page, complaints, leave } = await visit(browser, gateway, '/settings', { user: owner });
    const signedIn = await gateway.post('/login', owner, { credential: 'none' });
    const token = String(signedIn.body.accessToken);
    for (const [language, rotate, action, hint, saved] of [
      [
        'Português',
        'Trocar segredo das URLs de notificação',
        'Trocar segredo',
        /segredo anterior continua valendo por 24 horas/,
        'Já salvei',
      ],
      [
        'English',
        'Rotate postback secret',
        'Rotate secret',
        /previous secret keeps signing them for 24 hours/,
        "I've saved it",
      ],
    ] as const) {
      await go(page, '/settings');
      await page.getByText(language).click();
      await go(page, '/developers/webhooks');
      await page.getByRole('button', { name: rotate }).click();
      const confirm = page.getByRole('dialog');
      await confirm.getByText(/24/).waitFor();
      await confirm.getByRole('button', { name: action }).click();
      await page.getByText(hint).waitFor();
      const secret = await page.getByText(/^whsec_/).innerText();
      await page.getByRole('button', { name: saved }).click();
      await page.getByText(/^whsec_/).waitFor({ state: 'hidden' });
      const current = await gateway.get('/webhooks/postback-secret', { token });
      expect(current.body.data.secret).toBe(secret);
    }
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows a dispute with its deadline, appeals it, and releases its amount when it is won', async () => {
    const { owner } = await newShop(gateway);
    const { page, complaints, leave } = await visit(browser, gateway, '/charges/new', { user: owner });
    await fillCharge(page);
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByRole('heading', { name: /confirmado/ }).waitFor();
    await page.getByRole('link', { name: 'Ver cobrança' }).click();
    await page.getByRole('button', { name: 'Simular disputa' }).click();
    await page.getByText('Em disputa', { exact: true }).first().waitFor();

    // The bell shows it until it is read.
    await page.getByRole('button', { name: /^Avisos: [1-9]/ }).click();
    const bell = page.getByRole('dialog', { name: 'Avisos' });
    await bell.getByRole('link', { name: 'Disputa aberta' }).waitFor();
    await bell.getByText(/R\$\s123,45 · .*envie a defesa até \d/).waitFor();
    await bell.getByRole('button', { name: 'Marcar todos como lidos' }).click();
    await bell.getByText('Não lido').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Avisos: 0 não lidos' }).waitFor();

    // The home page shows the deadline, and that the amount is blocked.
    await page.getByRole('link', { name: 'Início' }).first().click();
    await page.getByText(/faltam mais de \d+ dias/).waitFor();
    await page.getByRole('link', { name: 'Bloqueado por disputas' }).waitFor();
    await page.getByRole('link', { name: '1 disputa aguarda sua defesa' }).click();
    const row = page.getByRole('table', { name: 'Disputas' }).locator('tbody tr').first();
    await row.getByText('Aguardando sua defesa').first().waitFor();
    await row.getByText('Ana Souza').waitFor();
    await row.click();
    const panel = page.getByRole('dialog');
    await panel.getByText(/Prazo de defesa/).waitFor();
    await panel.getByRole('button', { name: 'Apresentar defesa' }).click();
    await page.getByRole('button', { name: 'Enviar defesa' }).click();
    await page.locator('textarea:focus[aria-invalid="true"]').waitFor();
    await page.getByLabel('O que aconteceu').fill('Entregue em mãos no dia 3, com recibo assinado.');
    await page.getByRole('button', { name: 'Enviar defesa' }).click();
    await page.getByText('Defesa enviada').waitFor();
    await panel.getByText('Em análise', { exact: true }).waitFor();
    await panel.getByText('Entregue em mãos').waitFor();

    const token = await gateway.adminToken();
    const [dispute] = (await gateway.get('/admin/disputes?status=UNDER_REVIEW', { token })).body.data.data;
    const resolved = await gateway.post(
      `/admin/disputes/${dispute.id}/resolve`,
      { outcome: 'RESOLVED' },
      { token },
    );
    expect(resolved.status).toBe(200);
    // The page is not reloaded.
    await panel.getByText('Ganha').waitFor();
    await go(page, `/charges/${dispute.transactionId}`);
    await page.getByText('Paga', { exact: true }).first().waitFor();
    await page.getByText('Disputa ganha; valor desbloqueado').waitFor();
    await page.getByRole('link', { name: 'Início' }).first().click();
    await page.getByText('Todo o saldo está disponível.').waitFor();
    await page
      .getByText(/R\$\s122,23/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('finds a charge by partial data, above the list and with Ctrl K', async () => {
    const { owner } = await newShop(gateway);
    const { page, complaints, leave } = await visit(browser, gateway, '/charges', { user: owner });
    await page.getByRole('link', { name: 'Nova cobrança' }).first().click();
    await fillCharge(page);
    await page.getByLabel('Nome completo').fill('Conceição Brandão');
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();

    await go(page, '/charges');
    const box = page.getByLabel('Buscar cobrança');
    await box.fill('conceicao');
    // The list shows the name too. Its filters are hidden once the results of the search are shown.
    await page.getByRole('group', { name: 'Filtros salvos' }).waitFor({ state: 'hidden' });
    const rows = page.getByRole('table', { name: 'Cobranças' }).locator('tbody tr');
    await rows.getByText('Conceição Brandão').waitFor();
    // The name is not part of the URL, and the search still survives a reload.
    expect(page.url()).not.toMatch(/conceicao/i);
    await page.reload();
    await rows.getByText('Conceição Brandão').waitFor();
    expect(await box.inputValue()).toBe('conceicao');
    // A phone shows when and for what, too.
    const desktop = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 360, height: 740 });
    await rows.getByText('Caneca azul').filter({ visible: true }).waitFor();
    await rows
      .getByText(/^agora|^há /)
      .filter({ visible: true })
      .waitFor();
    await page.setViewportSize(desktop);
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
    await page.getByPlaceholder('Nome, valor, ID ou tela').fill('123,45');
    await page.getByRole('option', { name: /Conceição Brandão/ }).waitFor();
    await page.getByRole('status').getByText('1 resultado', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    const selected = page.getByRole('option', { name: /Conceição Brandão/, selected: true });
    const id = await selected.getAttribute('id');
    await page.locator(`[role="combobox"]:focus[aria-activedescendant="${id}"]`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /R\$\s123,45/ }).waitFor();
    // Screens are still found by their names.
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Nome, valor, ID ou tela').fill('tarif');
    await page.getByRole('option', { name: 'Tarifas' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tarifas' }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('lets an invited person choose a password, lose it, and choose another', async () => {
    const { owner } = await newShop(gateway);
    const { page, complaints, leave } = await visit(browser, gateway, '/team', { user: owner });
    const email = `${randomUUID()}@example.com`;
    await page.getByText('Nenhum convite pendente.').waitFor();
    await page.getByRole('button', { name: 'Convidar pessoa' }).click();
    const invited = page.getByRole('dialog').getByLabel('E-mail');
    await invited.fill(owner.email);
    await page.getByRole('button', { name: 'Enviar convite' }).click();
    await page.locator('input:focus[aria-invalid="true"]').and(invited).waitFor();
    await page.getByText('Este e-mail já está em uso. Informe outro.').waitFor();
    complaints.pop();
    await invited.fill(email);
    await page.getByRole('button', { name: 'Enviar convite' }).click();
    await page.getByText(`Convite enviado para ${email}`).waitFor();
    await page.getByText(/Somente leitura · expira em 7 dias/).waitFor();
    const first = await tokenTo(email, /convidou você/);
    await page.getByRole('button', { name: `Reenviar: ${email}` }).click();
    await page.getByText(/O link anterior não vale mais/).waitFor();
    await expect.poll(() => tokenTo(email, /convidou você/), SOON).not.toBe(first);

    // The old link shows what to do; the new one signs in, with a password that is hard to guess.
    const root = gateway.baseUrl.replace(/\/v1$/, '');
    const guest = await browser.newContext({ locale: 'pt-BR', reducedMotion: 'reduce' });
    const other = await guest.newPage();
    const accept = async (token: string, ...passwords: readonly string[]) => {
      await other.goto(`${root}/dashboard/invitation?token=${token}`);
      await other.getByLabel('Nome completo').fill('Bia Lima');
      expect(other.url()).toBe(`${root}/dashboard/invitation`);
      const fields = ['textbox Nome completo, required', 'textbox Senha, required'];
      await expectSpoken(other, [...fields, 'button Aceitar e entrar']);
      for (const password of passwords) {
        await other.getByLabel('Senha').fill(password);
        await other.getByRole('button', { name: 'Aceitar e entrar' }).click();
        if (password !== passwords.at(-1)) await other.getByText('Esta senha é fácil de adivinhar').waitFor();
      }
    };
    await accept(first, 'six words that nobody guesses');
    await other.getByText(/peça um novo a quem convidou você/).waitFor();
    await accept(await tokenTo(email, /convidou você/), 'password1234', 'six words that nobody guesses');
    await other.getByRole('heading', { level: 1, name: 'Início' }).waitFor();

    await page.reload();
    const role = page.getByRole('combobox', { name: 'Perfil de acesso: Bia Lima' });
    await role.click();
    await page.getByRole('option', { name: 'Desenvolvedor' }).click();
    await page.getByText('Perfil de acesso alterado').waitFor();
    // One with fewer permissions is confirmed: the user may know API keys.
    await role.click();
    await page.getByRole('option', { name: 'Somente leitura' }).click();
    const keys = page.getByRole('checkbox', { name: /permissões que o novo perfil não tem/ });
    await expect.poll(() => keys.isChecked(), SOON).toBe(true);
    await page.getByRole('button', { name: 'Alterar perfil' }).click();
    await expect.poll(() => role.inputValue(), SOON).toBe('Somente leitura');
    await page.getByText('Nenhum convite pendente.').waitFor();

    // A lost password.
    await other.getByRole('button', { name: 'Sua conta' }).click();
    await other.getByRole('menuitem', { name: 'Sair' }).click();
    await other.getByLabel('E-mail').fill(email);
    await other.getByRole('link', { name: 'Esqueceu a senha?' }).click();
    expect(await other.getByLabel('E-mail').inputValue()).toBe(email);
    await expectSpoken(other, ['textbox E-mail, required', 'button Enviar link']);
    await other.getByRole('button', { name: 'Enviar link' }).click();
    await other.getByText('Confira o seu e-mail').waitFor();
    const reset = `${root}/dashboard/reset-password?token=${await tokenTo(email, /Redefina/)}`;
    for (const [password, text] of [
      ['short', 'Use pelo menos 10 caracteres.'],
      ['another six words nobody guesses', 'Senha alterada'],
    ] as const) {
      await other.goto(reset);
      await expectSpoken(other, ['textbox Nova senha, required', 'button Salvar nova senha']);
      await other.getByLabel('Nova senha').fill(password);
      await other.getByRole('button', { name: 'Salvar nova senha' }).click();
      await other.getByText(text).waitFor();
    }
    await other.goto(reset);
    await other.getByLabel('Nova senha').fill('another six words nobody guesses');
    await other.getByRole('button', { name: 'Salvar nova senha' }).click();
    await other.getByRole('link', { name: 'Pedir novo link' }).waitFor();
    await guest.close();
    expect(complaints).toEqual([]);
    await leave();
  });
});
