import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { seedBackOffice, type Office } from '#test/support/back-office.ts';
import {
  addAxe,
  expectNoLayoutProblems,
  expectSpoken,
  go,
  visitDashboard,
  type Visit,
} from '#test/support/browser-session.ts';
import { newSeller, withdrawalThatIs } from '#test/support/withdrawals.ts';
import { confirm, screenLoaded, SCREENS, SOON } from './operator-screens.ts';

/** Timeout for a browser on a busy machine. */
const TIMEOUT = { timeout: 180_000 };

let gateway: TestGateway;
let root: string;
let browser: Browser;
let backOffice: Office;

beforeAll(async () => {
  gateway = await startTestGateway();
  root = gateway.baseUrl.replace(/\/v1$/, '');
  browser = await launchChromium();
  backOffice = await seedBackOffice(gateway);
}, 60_000);
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

const visit = async (
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
  user: { readonly email: string; readonly password: string } = gateway.demo.admin,
): Promise<Visit> => visitDashboard(browser, root, path, user, options);

describe('the back office in a browser', TIMEOUT, () => {
  it('sends no request to seller endpoints when an operator signs in', async () => {
    const context = await browser.newContext({ locale: 'pt-BR' });
    const page = await context.newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(`${root}/dashboard/`);
    await page.getByLabel('E-mail').fill(gateway.demo.admin.email);
    await page.getByLabel('Senha').fill(gateway.demo.admin.password);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await screenLoaded(page, 'Operação');
    const calls = requested.filter((path) => path.startsWith('/v1/'));
    expect(calls).toContain('/v1/admin/withdrawals');
    expect(calls.filter((path) => !/^\/v1\/(admin|auth|login|signup|users\/me)/.test(path))).toEqual([]);
    await context.close();
  });

  it('creates a seller, approves withdrawals by keyboard only, and shows the audit log', async () => {
    const { page, complaints, elsewhere, leave } = await visit('/operator');
    await screenLoaded(page, 'Operação');

    // Creates a seller; a rejected form keeps its values.
    await page.getByRole('link', { name: 'Lojas', exact: true }).first().click();
    await page.getByRole('link', { name: 'Cadastrar loja' }).click();
    await page.getByRole('button', { name: 'Cadastrar', exact: true }).click();
    await page.getByText('Informe um e-mail válido.').waitFor();
    await page.getByLabel('Nome da loja').fill('Padaria Sol');
    await page.getByLabel('CPF ou CNPJ').pressSequentially('112223330001');
    expect(await page.getByLabel('CPF ou CNPJ').inputValue()).toBe('11.222.333/0001');
    await page.getByLabel('Nome completo').fill('Bia Lima');
    await page.getByLabel('E-mail').fill('bia@padaria.example');
    await page.getByRole('button', { name: 'Cadastrar', exact: true }).click();
    await page
      .getByText('O CNPJ tem 14 caracteres: 12 letras ou dígitos e 2 dígitos verificadores.')
      .waitFor();
    await page.getByLabel('CPF ou CNPJ').fill('11.222.333/0001-81');
    await page.getByRole('button', { name: 'Cadastrar', exact: true }).click();
    await screenLoaded(page, 'Padaria Sol');
    const sellerId = /sellers\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';

    // Changes the fees; the simulation shows their effect before they are saved.
    await page.getByRole('tab', { name: 'Tarifas' }).click();
    await page.getByLabel('Recebimento por Pix', { exact: true }).fill('250');
    await page.getByText(/R\$\s97,50/).waitFor();
    await page.getByRole('button', { name: 'Salvar tarifas' }).click();
    await page.getByText('Tarifas salvas').waitFor();
    const token = await gateway.adminToken();
    const fees = await gateway.get(`/admin/sellers/${sellerId}/fees`, { token });
    expect(fees.body.data.pixIn).toEqual({ type: 'PERCENTAGE', value: 250 });

    // A key is shown once.
    await page.getByRole('tab', { name: 'Chaves de API' }).click();
    await page.getByRole('button', { name: 'Criar chave' }).click();
    await page.getByLabel('Nome da chave').fill('servidor');
    await page.getByRole('combobox', { name: 'Perfil de acesso' }).click();
    await page.getByRole('option', { name: 'Responsável' }).click();
    await page.getByRole('button', { name: 'Criar', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'Copie e guarde a chave' });
    const apiKey = (await shown.getByText(/^sk_test_/).textContent()) ?? '';
    await shown.getByRole('button', { name: 'Já salvei' }).click();

    // The seller is paid and requests withdrawals.
    const charged = await gateway.charge({ amount: 100_000 }, { apiKey });
    await gateway.post(`/sandbox/transactions/${charged.body.data.id}/pay`, undefined, { apiKey });
    const asked = await withdrawalThatIs(gateway, { id: sellerId, apiKey }, 'PENDING');

    // Decides by keyboard: the newest is the last of the queue, after two others.
    await go(page, '/operator/withdrawals');
    await screenLoaded(page, 'Saques');
    const rows = page.getByRole('table', { name: 'Saques', exact: true }).locator('tbody tr');
    // It appears without a reload.
    await expect.poll(() => rows.count(), SOON).toBe(backOffice.waiting.length + 1);
    await page.getByText('Sobre a loja').waitFor();
    for (let step = 0; step < backOffice.waiting.length; step += 1) await page.keyboard.press('ArrowDown');
    await page.waitForURL(new RegExp(`open=${asked}`));
    await page.getByText('Nenhum saque foi pago a esta loja até hoje.').waitFor();
    await page.keyboard.press('a');
    await confirm(page, /Aprovar saque/);
    await expect.poll(() => rows.count(), SOON).toBe(backOffice.waiting.length);
    const read = await gateway.get(`/admin/withdrawals/${asked}`, { token });
    expect(read.body.data.approvals).toHaveLength(1);

    // The next one is already shown, and is rejected with a reason.
    const [first, second, third] = backOffice.waiting;
    await page.waitForURL(new RegExp(`open=${third}`));
    await expect
      .poll(() => page.evaluate('document.activeElement?.getAttribute("data-row")'), SOON)
      .toBe(third);
    await page.keyboard.press('ArrowUp');
    await page.waitForURL(new RegExp(`open=${second}`));
    await page.keyboard.press('r');
    await page.getByLabel('Motivo').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Dados divergentes');
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.count(), SOON).toBe(backOffice.waiting.length - 1);
    const rejected = await gateway.get(`/admin/withdrawals/${second}`, { token });
    expect(rejected.body.data).toMatchObject({ status: 'REJECTED', rejectionReason: 'Dados divergentes' });
    // Another user decides a withdrawal: the list updates, and the open one stays open.
    await page.waitForURL(new RegExp(`open=${third}`));
    await gateway.post(`/admin/withdrawals/${first}/approve`, undefined, { token });
    await expect.poll(() => rows.count(), SOON).toBe(1);
    expect(page.url()).toContain(`open=${third}`);

    // A dispute is decided.
    await go(page, '/operator/disputes');
    await screenLoaded(page, 'Disputas');
    const decide = page.getByRole('button', { name: 'Decidir a favor da loja' });
    const opened = async (): Promise<boolean> => {
      // A row that is replaced between the focus and the key loses both.
      if (!(await decide.isVisible()))
        await page.getByRole('table', { name: 'Disputas' }).locator('tbody tr').first().press('Enter');
      return decide.isVisible();
    };
    await expect.poll(opened, { ...SOON, interval: 1_000 }).toBe(true);
    await decide.click();
    const sure = page.getByRole('dialog', { name: /Decidir a favor de .*\?/ });
    await sure.getByRole('button', { name: 'Decidir a favor da loja' }).click();
    await page.getByText('Disputa decidida').waitFor();
    const paid = await gateway.get(`/admin/transactions/${backOffice.disputed}`, { token });
    expect(paid.body.data.status).toBe('PAID');

    // The ledger balances, and everything was audited.
    await go(page, '/operator/ledger');
    await screenLoaded(page, 'Livro-razão');
    await page.getByRole('button', { name: 'Verificar agora' }).click();
    await page.getByText('Nenhuma divergência: todos os saldos conferem').waitFor();
    await go(page, '/operator/audit');
    await screenLoaded(page, 'Auditoria');
    const log = page.getByRole('table', { name: 'Auditoria' });
    for (const change of [
      'Loja cadastrada',
      'Tarifas alteradas',
      'Chave de API criada',
      'Saque aprovado',
      'Saque recusado',
      'Disputa decidida',
    ]) {
      await log.getByText(change).first().waitFor();
    }
    await log.getByText('Tarifas alteradas').first().click();
    const change = page.getByRole('dialog').getByRole('row', { name: /Recebimento por Pix · valor/ });
    expect(await change.getByRole('cell').allTextContents()).toEqual([
      'Recebimento por Pix · valor',
      '0,99%',
      '2,50%',
    ]);
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
    expect(elsewhere).toEqual([]);
    await leave();
  });

  it('requires two users for a large amount, and refuses the first one again', async () => {
    const token = await gateway.adminToken();
    const other = { email: 'outra@example.com', password: 'a long enough password' };
    await gateway.post('/admin/users', { ...other, name: 'Outra Pessoa', role: 'ADMIN' }, { token });
    await gateway.database.query('UPDATE users SET created_by = NULL WHERE email = $1', [other.email]);
    await gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: 0 }, { token });
    const id = await withdrawalThatIs(gateway, backOffice.seller, 'PENDING');
    const first = await visit(`/operator/withdrawals?open=${id}`);
    await first.page.getByText('Sobre a loja').waitFor();
    await first.page.keyboard.press('a');
    await first.page
      .getByText('Com este, os saques da loja em 24 horas ultrapassam o limite e exigem duas aprovações.')
      .waitFor();
    await confirm(first.page, /Aprovar saque/);
    await first.page.getByText('Primeira aprovação registrada. Falta a de outra pessoa.').waitFor();
    await first.page.locator(`[data-row="${id}"]`).click();
    await first.page.getByText('Você já aprovou este saque. Falta a aprovação de outra pessoa.').waitFor();
    expect(await first.page.getByRole('button', { name: 'Aprovar A' }).isDisabled()).toBe(true);
    await first.leave();

    const second = await visit(`/operator/withdrawals?open=${id}`, {}, other);
    await second.page.getByText('1 de 2 aprovações').first().waitFor();
    await second.page.keyboard.press('a');
    await confirm(second.page, /Aprovar saque/);
    await second.page.getByText(/Saque de R\$\s[\d.,]+ aprovado/).waitFor();
    const read = await gateway.get(`/admin/withdrawals/${id}`, { token });
    expect(read.body.data.approvals).toHaveLength(2);
    await gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: null }, { token });
    const key = { name: 'servidor', role: 'VIEWER' };
    await gateway.post(`/admin/sellers/${backOffice.seller.id}/api-keys`, key, { token });

    // Removing the limit waits for the other one, too.
    await go(second.page, '/operator/rules');
    await second.page.getByText('Alterar a regra de aprovação dupla').waitFor();
    await second.page.getByText('Aprovação dupla acima de: Desativada').waitFor();
    await second.page
      .getByText(/^Admin, /)
      .first()
      .waitFor();
    // A key that was approved is shown once, and can be copied.
    const request = second.page.getByText(/servidor/).locator('../..');
    await request.getByRole('button', { name: 'Aprovar solicitação' }).click();
    await second.page.getByRole('dialog').getByRole('button', { name: 'Aprovar solicitação' }).click();
    await second.page.getByRole('button', { name: 'Copiar chave de API' }).waitFor();
    await second.leave();
  });

  it('invites an operator user, whose email is in the mailbox; an ADMIN waits for a second one', async () => {
    const { page, complaints, leave } = await visit('/operator/team');
    const email = 'nova@example.com';
    const invite = async (address: string, role: string) => {
      await page.getByRole('button', { name: 'Convidar pessoa' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('E-mail').fill(address);
      await dialog.getByRole('combobox', { name: 'Perfil de acesso' }).click();
      await page.getByRole('option', { name: role }).click();
      await dialog.getByRole('button', { name: 'Enviar convite' }).click();
    };
    await invite(email, 'Suporte');
    await page.getByText(`Convite enviado para ${email}`).waitFor();
    await page.getByText(/Suporte · expira em 7 dias/).waitFor();
    // Created, or pending if there are two already.
    const second = {
      name: 'Davi',
      email: 'davi@example.com',
      password: 'six other words, and more',
      role: 'ADMIN',
    };
    await gateway.post('/admin/users', second, { token: await gateway.adminToken() });
    await invite('outra@example.com', 'Administrador');
    await page.getByText(/Um segundo administrador precisa aprovar/).waitFor();

    await go(page, '/operator/mailbox');
    const row = page.getByRole('table', { name: 'E-mails de teste' }).locator('tbody tr');
    await row.filter({ hasText: email }).click();
    const panel = page.getByRole('dialog', { name: 'E-mail' });
    await panel.frameLocator('iframe').getByRole('link', { name: 'Aceitar convite' }).waitFor();
    await panel.getByRole('tab', { name: 'Texto' }).click();
    await panel.getByText(/invitation\?token=/).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('rejects a file with the numbers of invalid lines, and shows differences of a valid one', async () => {
    const { page, leave } = await visit('/operator/reconciliation');
    await screenLoaded(page, 'Conciliação');
    const token = await gateway.adminToken();
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    const { text } = await gateway.call('GET', `/sandbox/settlement-file?day=${day}`, undefined, { token });
    const send = async (content: string) => {
      const buffer = Buffer.from(content);
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'banco.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: 'Importar', exact: true }).click();
    };
    await page.getByLabel('Dia', { exact: true }).click();
    const [year = '', month = '', date = ''] = day.split('-');
    // The calendar shows the month of yesterday.
    if (date === '01') await page.getByRole('button', { name: 'Próximo mês' }).click();
    const monthName = new Intl.DateTimeFormat('pt-BR', { month: 'long' }).format(new Date(+year, +month - 1));
    const monthAndYear = `${monthName} de ${year}`;
    const heading = monthAndYear.charAt(0).toUpperCase() + monthAndYear.slice(1);
    await page.getByRole('button', { name: heading, exact: true }).waitFor();
    const level = `document.querySelector('[class*="-calendarHeaderLevel"]')`;
    expect(await page.evaluate(`getComputedStyle(${level}).textTransform`)).toBe('none');
    await page.getByRole('button', { name: `${Number(date)} de ${monthAndYear}`, exact: true }).click();
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Importar', exact: true }) });
    const provider = form.getByLabel('Provedor');
    await provider.fill('Banco X');
    await send(text);
    await page.getByText('Use letras minúsculas, números e hifens.').waitFor();
    await provider.fill('sandbox');
    await send(text.replace(/,(\d+),/, ',muito,'));
    await page.getByText('Linha 2: o valor deve ser um número inteiro de centavos.').waitFor();
    await send(text.replaceAll(',1500,', ',1501,'));
    await page.getByText(/linhas importadas/).waitFor();
    await page.getByRole('cell', { name: /Valor divergente/ }).waitFor();
    await page.getByRole('link', { name: 'Cobrança', exact: true }).first().waitFor();
    const shown = await gateway.get(`/admin/reconciliation?day=${day}`, { token });
    const [{ differences }] = shown.body.data;
    await page.getByText(new RegExp(`: ${differences} divergências? em 1 dia\\.`)).waitFor();
    await page
      .getByText(/\+R\$\s0,01/)
      .first()
      .waitFor();
    const files = await gateway.get('/admin/reconciliation/files', { token });
    expect(files.body.count).toBe(1);
    await leave();
  });

  it('adds a rule, reviews its charges by keyboard, and lists a card and a document', async () => {
    const { page, complaints, leave } = await visit('/operator/risk');
    const token = await gateway.adminToken();
    await screenLoaded(page, 'Regras de risco');
    await page.getByRole('button', { name: 'Nova regra' }).click();
    const form = page.getByRole('dialog', { name: 'Nova regra' });
    await expectSpoken(page, ['dialog Nova regra', 'textbox Nome, required', 'button Salvar']);
    await form.getByLabel('Nome').fill('Cobranças altas');
    await form.getByLabel('Valor acima de').fill('9000000');
    await form.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('1. Teste de cartões: recusas com o mesmo cartão').waitFor();
    await page.getByText('4. Cobranças altas').waitFor();
    await page.getByText('acima de R$ 90.000,00').waitFor();
    await page.getByRole('button', { name: 'Mover Cobranças altas para cima' }).click();
    await page.getByText('3. Cobranças altas').waitFor();

    const { apiKey } = backOffice.seller;
    const card = {
      number: '4111111111111111',
      holderName: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: 2049,
      cvv: '123',
    };
    const held: string[] = [];
    for (const amount of [9_000_001, 9_000_002]) {
      const changes = { amount, method: 'CREDIT_CARD', installments: 1, card };
      held.push(String((await gateway.charge(changes, { apiKey })).body.data.id));
    }
    await go(page, '/operator/risk-reviews');
    await screenLoaded(page, 'Análise de risco');
    await page.getByText('Com o mesmo cartão (1)').waitFor();
    await page.getByRole('button', { name: 'Bloquear este cartão' }).click();
    await page.getByText('Item adicionado').waitFor();
    // Its button is gone, the panel has the focus.
    await page.locator('section:focus').waitFor();
    await page.keyboard.press('a');
    await expectSpoken(page, [
      'dialog Aprovar cobrança de R$ 90.000,01?',
      'button Aprovar',
      'button Cancelar',
    ]);
    await confirm(page, /Aprovar cobrança/);
    await page.waitForURL(new RegExp(`open=${held[1]}`));
    await page.getByText('R$ 90.000,02').first().waitFor();
    await page.keyboard.press('r');
    await confirm(page, /Recusar cobrança/);
    await page.getByText('Nenhuma cobrança em análise').waitFor();
    const statuses = held.map(async (id) => (await gateway.get(`/transactions/${id}`, { apiKey })).body.data);
    expect((await Promise.all(statuses)).map(({ status, riskStatus }) => [status, riskStatus])).toEqual([
      ['PAID', 'APPROVED'],
      ['FAILED', 'REFUSED'],
    ]);

    await go(page, '/operator/risk?tab=lists&list=blocked-documents');
    await page.getByLabel('Item').fill('529.982.247-25');
    await page.getByRole('button', { name: 'Adicionar' }).click();
    await page.getByText('***.982.247-**').waitFor();
    for (const kind of ['blocked-documents', 'blocked-cards']) {
      const response = await gateway.get(`/admin/risk-lists/${kind}`, { token });
      expect([response.status, response.body.count]).toEqual([200, 1]);
      const { data } = response.body;
      const value = encodeURIComponent(String(data[0].fingerprint));
      await gateway.delete(`/admin/risk-lists/${kind}?value=${value}`, { token });
    }
    expect(complaints).toEqual([]);
    await leave();
  });

  it('sets the fees of new sellers with a fixed part and a minimum', async () => {
    const { page, leave } = await visit('/operator/fees');
    const token = await gateway.adminToken();
    const before = (await gateway.get('/admin/default-fees', { token })).body.data;
    await screenLoaded(page, 'Tarifas padrão');
    await page.getByLabel('Parte fixa: Recebimento por Pix').fill('10');
    await page.getByLabel('Tarifa mínima: Recebimento por Pix').fill('50');
    await page.getByRole('button', { name: 'Salvar tarifas' }).click();
    await page.getByText('Tarifas salvas').waitFor();
    const { data } = (await gateway.get('/admin/default-fees', { token })).body;
    expect(data).toEqual({ ...before, pixIn: { ...before.pixIn, fixedPart: 10, minimum: 50 } });
    const { id } = await newSeller(gateway);
    const fees = (await gateway.get(`/admin/sellers/${id}/fees`, { token })).body.data;
    expect(fees.pixIn).toMatchObject({ fixedPart: 10, minimum: 50 });
    await gateway.call('PUT', '/admin/default-fees', before, { token });
    await leave();
  });

  it('pauses a provider with a reason, and resumes it', async () => {
    const { page, complaints, leave } = await visit('/operator/settings', { bypassCSP: true });
    await screenLoaded(page, 'Configurações do gateway');
    const boleto = page.getByRole('region', { name: 'Boleto' });
    await boleto.getByRole('button', { name: 'Pausar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pausar sandbox para Boleto?' });
    await dialog.getByLabel('Motivo').fill('Manutenção do banco');
    await dialog.getByRole('button', { name: 'Pausar' }).click();
    await boleto.getByText(/Pausado por Admin.*Manutenção do banco/).waitFor();
    await addAxe(page);
    await expectNoLayoutProblems(page, 'settings', { widths: [1280] });
    await boleto.getByRole('button', { name: 'Reativar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reativar' }).click();
    await boleto.getByText('Ativo').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows a SUPPORT user everything and offers no actions', async () => {
    const { page, complaints, leave } = await visit('/operator/withdrawals', {}, backOffice.support);
    await screenLoaded(page, 'Saques');
    await page.getByText('Sobre a loja').waitFor();
    for (const name of ['Aprovar A', 'Recusar R']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
    await page.keyboard.press('a');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await go(page, `/operator/sellers/${backOffice.seller.id}?tab=fees`);
    await page.getByLabel('Recebimento por Pix', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Salvar tarifas' }).count()).toBe(0);
    await go(page, '/operator/team');
    await screenLoaded(page, 'Equipe');
    expect(await page.getByRole('button', { name: 'Convidar pessoa' }).count()).toBe(0);
    // Operators do not have the sellers' screens.
    await go(page, '/charges');
    await screenLoaded(page, 'Operação');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows when the system health was read, and what could not be read', async () => {
    const { page, leave } = await visit('/operator/system');
    await screenLoaded(page, 'Saúde do sistema');
    const updated = page.getByText(/^Atualizado às [\d:]{8}\./);
    const first = await updated.textContent();
    await expect.poll(() => updated.textContent(), SOON).not.toBe(first);
    await page.route('**/v1/admin/system', (route) => route.abort());
    await page.getByText(/^A última atualização falhou\./).waitFor();
    await page.route('**/v1/admin/disputes?*', (route) => route.abort());
    const id = await withdrawalThatIs(gateway, backOffice.seller, 'PENDING');
    await go(page, `/operator/withdrawals?open=${id}`);
    await page.getByText('Sobre a loja').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Tentar novamente' }).waitFor();
    await leave();
  });

  it('shows every screen accessibly at 1280 and 360 pixels', async () => {
    const token = await gateway.adminToken();
    const disputes = await gateway.get(`/admin/disputes?transactionId=${backOffice.disputed}`, { token });
    const { page, complaints, leave } = await visit('/operator', {
      // The page's Content-Security-Policy blocks scripts that are not the gateway's, such as the
      // checker.
      bypassCSP: true,
    });
    await screenLoaded(page, 'Operação');
    await addAxe(page);
    // The frame of all screens, at each width in each theme.
    await expectNoLayoutProblems(page, 'frame', { part: 'html' });
    await expectNoLayoutProblems(page, 'frame', { part: 'html' });
    for (const [screen, title] of SCREENS) {
      const path = screen
        .replace('CHARGE', backOffice.disputed)
        .replace('DISPUTE', String(disputes.body.data.data[0].id))
        .replace('SELLER', backOffice.seller.id);
      await go(page, `/operator${path}`);
      const isPanel = screen.includes('open=');
      if (isPanel) await page.getByRole('dialog').getByText('Pagador').first().waitFor();
      else await screenLoaded(page, title);
      await expectNoLayoutProblems(page, screen, { part: isPanel ? '[data-portal]' : 'main' });
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    expect(complaints).toEqual([]);
    await leave();
  });
});
