import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { addDocument, DETAILS, newApplicant } from '#test/support/applications.ts';
import { seedBackOffice, type Office } from '#test/support/back-office.ts';
import { go, visitDashboard } from '#test/support/browser-session.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { TIMEOUT } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { screenLoaded, SOON } from './operator-screens.ts';

let gateway: TestGateway;
let browser: Browser;
let root: string;
let office: Office;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: { ...SHARED_SECRETS, SIGNUP: 'open' } });
  root = gateway.baseUrl.replace(/\/v1$/, '');
  browser = await launchChromium();
  office = await seedBackOffice(gateway);
}, 60_000);
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

const visit = (path: string) => visitDashboard(browser, root, path, gateway.demo.admin);
const card = (page: Page, name: string) =>
  page.getByRole('main').locator('.tile', { has: page.getByRole('link', { name }) });

describe('the pending work of operators', TIMEOUT, () => {
  it('is counted on the home page and in the navigation, and a request is rejected with a reason', async () => {
    const { disputed, seller } = office;
    const token = await gateway.adminToken();
    const found = await gateway.get(`/admin/disputes?transactionId=${disputed}`, { token });
    const appeal = { disputeId: found.body.data.data[0].id, appealReason: 'Entregue' };
    await gateway.post('/disputes/appeal', appeal, { apiKey: seller.apiKey });
    const applicant = await newApplicant(gateway);
    await gateway.patch('/application', DETAILS, applicant.as);
    await addDocument(gateway, applicant, 'IDENTITY');
    expect((await gateway.post('/application/submit', {}, applicant.as)).status).toBe(200);
    const person = { password: 'a long enough password', role: 'ADMIN' };
    for (const name of ['Segunda', 'Terceira'])
      await gateway.post(
        '/admin/users',
        { ...person, name, email: `${name.toLowerCase()}@example.com` },
        { token },
      );

    const { page, complaints, leave } = await visit('/operator');
    await card(page, 'Cadastros a analisar').getByText('1', { exact: true }).waitFor();
    await card(page, 'Disputas a decidir').getByText('1', { exact: true }).waitFor();
    // Three withdrawals, one application, one dispute and one pending approval.
    await page.getByText(/^6 decisões aguardam você, com R\$\s[\d.]+,\d\d em saques a aprovar\./).waitFor();
    const menu = page.getByRole('navigation').first();
    await menu.getByRole('link', { name: /^Disputas\s*1$/ }).waitFor();
    await menu.getByRole('link', { name: /^Cadastros\s*1$/ }).waitFor();
    await menu.getByRole('link', { name: /^Regras de aprovação\s*1$/ }).waitFor();

    await card(page, 'Aprovações pendentes').getByText('1', { exact: true }).waitFor();
    await card(page, 'Aprovações pendentes').getByRole('link').click();
    await screenLoaded(page, 'Regras de aprovação');
    await page.getByText('Você fez a solicitação. Outra pessoa precisa aprovar.').waitFor();
    const ask = page.getByRole('main').getByRole('button', { name: 'Recusar solicitação' });
    const dialog = page.getByRole('dialog', { name: 'Recusar solicitação' });
    const reason = dialog.getByLabel('Motivo');
    const reject = dialog.getByRole('button', { name: 'Recusar solicitação' });
    await ask.click();
    await reject.click();
    await dialog.getByText('Informe o motivo.').waitFor();
    await reason.fill('Pessoa desconhecida');
    await dialog.getByRole('button', { name: 'Cancelar' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ask.click();
    expect(await reason.inputValue()).toBe('');
    await reason.fill('Não faz parte da equipe');
    await reject.click();
    await page.getByText('Nenhuma aprovação pendente.').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('has one current item in the navigation', async () => {
    const { page, leave } = await visit('/operator/risk-reviews');
    await screenLoaded(page, 'Análise de risco');
    const current = page.locator('nav [aria-current=page]');
    await expect.poll(() => current.allTextContents(), SOON).toEqual(['Análise de risco']);
    await leave();
  });
});

describe('what a decision depends on', TIMEOUT, () => {
  it('is beside it', async () => {
    const token = await gateway.adminToken();
    const found = await gateway.get(`/admin/disputes?transactionId=${office.disputed}`, { token });
    const { page, complaints, leave } = await visit(`/operator/disputes?open=${found.body.data.data[0].id}`);
    const panel = page.getByRole('dialog');
    await panel.getByRole('heading', { name: 'Sobre a loja' }).waitFor();
    await panel.getByText('Nenhuma outra disputa.').waitFor();

    await go(page, '/operator/reversals');
    const reversals = page.getByRole('table', { name: 'Devoluções' }).locator('tbody tr');
    await reversals.filter({ hasText: 'Pago após o encerramento' }).press('Enter');
    await panel.getByRole('heading', { name: 'Sobre a loja' }).waitFor();
    await panel.getByText('Nenhuma outra devolução.').waitFor();

    await go(page, '/operator/provider-events');
    const events = page.getByRole('table', { name: 'Eventos de provedores' }).locator('tbody tr');
    await events.filter({ hasText: 'Atrasado' }).press('Enter');
    await panel.getByRole('link', { name: 'Detalhes' }).waitFor();
    await panel.getByRole('link', { name: 'Loja', exact: true }).waitFor();

    await go(page, `/operator/withdrawals?open=${office.waiting[0]}`);
    await page.getByText('Titular do destino').waitFor();

    const { id } = await newApplicant(gateway);
    await newApplicant(gateway);
    await go(page, `/operator/applications/${id}`);
    await page.getByText('Lojas com o mesmo documento').waitFor();
    await page.getByRole('link', { name: 'Canecas' }).first().waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('more people and notifications than fit on a page', TIMEOUT, () => {
  it('have pages, and every person a name', async () => {
    const [admin] = await gateway.database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
      gateway.demo.admin.email,
    ]);
    // The administrator is older than these, and the older part of the notifications is below the first.
    await gateway.database.query(
      `INSERT INTO users SELECT (jsonb_populate_record(u, jsonb_build_object(
         'id', 'f' || lpad(to_hex(n), 7, '0') || substr(u.id::text, 9), 'name', 'Pessoa ' || n,
         'email', 'pessoa' || n || '@example.com'))).*
       FROM users u, generate_series(1, 100) n WHERE u.id = $1`,
      [admin?.id],
    );
    await gateway.database.query(
      `INSERT INTO notifications (id, user_id, kind, params, created_at)
       SELECT ('0' || lpad(to_hex(n), 7, '0') || substr(id::text, 9))::uuid, id, 'new-device',
         '{"browser": "Firefox"}', now() FROM users, generate_series(1, 31) n WHERE id = $1`,
      [admin?.id],
    );
    const { page, complaints, leave } = await visit('/operator/team');
    await screenLoaded(page, 'Equipe');
    const rows = page.getByRole('table', { name: 'Equipe' }).locator('tbody tr');
    await expect.poll(() => rows.count(), SOON).toBe(50);
    await page.getByRole('button', { name: 'Próxima página' }).click();
    await page.getByRole('button', { name: 'Próxima página' }).click();
    await rows.filter({ hasText: gateway.demo.admin.email }).waitFor();
    await page.getByRole('button', { name: /^Avisos: / }).click();
    const bell = page.getByRole('dialog', { name: 'Avisos' });
    const notices = bell.locator('.notification');
    await expect.poll(() => notices.count(), SOON).toBe(30);
    await bell.getByRole('button', { name: 'Mostrar anteriores' }).click();
    await expect.poll(() => notices.count(), SOON).toBeGreaterThan(30);
    await page.keyboard.press('Escape');
    await go(page, '/operator/audit');
    await screenLoaded(page, 'Auditoria');
    await page.getByRole('combobox', { name: 'Quem' }).click();
    await page.getByRole('option', { name: 'Admin', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('more withdrawals than fit on a page', TIMEOUT, () => {
  it('are listed oldest first, with the total of all', async () => {
    const waiting = await gateway.database.query<{ id: string; amount: number }>(
      `SELECT id, amount::integer FROM withdrawals WHERE status = 'PENDING'`,
    );
    // Their ids say that they are older.
    await gateway.database.query(
      `INSERT INTO withdrawals SELECT (jsonb_populate_record(w, jsonb_build_object(
         'id', lpad(to_hex(n), 8, '0') || substr(w.id::text, 9), 'amount', n))).*
       FROM withdrawals w, generate_series(1, 600) n WHERE w.id = $1`,
      [waiting[0]?.id],
    );
    const count = waiting.length + 600;
    const total = waiting.reduce((sum, { amount }) => sum + amount, 0) + 180_300;
    const { page, leave } = await visit('/operator/withdrawals');
    await screenLoaded(page, 'Saques');
    await page.getByText(`${count} resultados`).waitFor();
    const reais = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 }).format(total / 100);
    const shown = new RegExp(`R\\$\\s${reais.replaceAll('.', '\\.')}$`);
    await page
      .getByText(/^Total:/)
      .getByText(shown)
      .waitFor();
    const rows = page.getByRole('table', { name: 'Saques', exact: true }).locator('tbody tr');
    await expect.poll(() => rows.count(), SOON).toBe(100);
    expect(await rows.first().textContent()).toMatch(/R\$\s0,01$/);
    await page.getByRole('button', { name: 'Próxima página' }).click();
    await expect.poll(() => rows.first().textContent(), SOON).toMatch(/R\$\s1,01$/);
    await go(page, '/operator');
    await card(page, 'Saques a aprovar').getByText(shown).waitFor();
    await leave();
  });
});

describe('the return files of banks', TIMEOUT, () => {
  it('have pages of their own', async () => {
    await gateway.database.query(`
      INSERT INTO cnab_returns (id, bank_code, sha256, bytes, number, taken_at, completed_at)
      SELECT gen_random_uuid(), '341', sha256(n::text::bytea), 240, n, now(), now()
      FROM generate_series(1, 21) n`);
    const { page, complaints, leave } = await visit('/operator/cnab');
    await screenLoaded(page, 'Arquivos CNAB');
    const rows = page.getByRole('table', { name: 'Retornos' }).locator('tbody tr');
    await expect.poll(() => rows.count(), SOON).toBe(20);
    await page.getByRole('button', { name: 'Próxima página' }).click();
    await expect.poll(() => rows.count(), SOON).toBe(1);
    await page.getByText('Nenhuma remessa ainda.').waitFor();
    await rows.first().click();
    await page.getByRole('dialog').getByText('Nenhuma linha requer atenção.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count(), SOON).toBe(0);
    expect(await rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Primeira página' }).click();
    await expect.poll(() => rows.count(), SOON).toBe(20);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('have lines that wait for a decision, with the record that they are about', async () => {
    const made = await gateway.charge({});
    const { id, sellerId } = (
      await gateway.get(`/admin/transactions/${made.body.data.id}`, { token: await gateway.adminToken() })
    ).body.data;
    await gateway.database.query(
      `INSERT INTO cnab_return_lines (return_id, number, kind, code, record, amount, tariff, outcome, counted,
         seller_id, record_id)
       SELECT r.id, line.*, $1::uuid, $2::uuid FROM (SELECT id FROM cnab_returns ORDER BY id LIMIT 1) r,
         (VALUES (3, 'PAID', '06', '00000001', 25990, 0, 'REPEATED', false),
           (4, 'REJECTED', '03', '00000002', 0, 0, 'APPLIED', false)) line`,
      [sellerId, id],
    );
    const { page, complaints, leave } = await visit('/operator');
    await card(page, 'Linhas de retorno a revisar').getByText('2', { exact: true }).waitFor();
    await page
      .getByRole('navigation')
      .first()
      .getByRole('link', { name: /^Linhas de retorno\s*2$/ })
      .click();
    await screenLoaded(page, 'Linhas de retorno');
    await page.getByRole('main').getByRole('link', { name: 'Detalhes' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Registro rejeitado' }).waitFor();
    // A rejection has nothing to accept.
    expect(await page.getByRole('button', { name: 'Aceitar A' }).count()).toBe(0);
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Descartar a linha 4?' });
    await dialog.getByLabel('Observação').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Boleto refeito');
    await dialog.getByRole('button', { name: 'Descartar' }).click();
    const rows = page.getByRole('table', { name: 'Linhas de retorno' }).locator('tbody tr');
    await expect.poll(() => rows.count(), SOON).toBe(1);
    await page.getByRole('link', { name: 'Detalhes' }).click();
    await page.waitForURL(new RegExp(`transactions\\?open=${id}`));
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('a value of a risk list', TIMEOUT, () => {
  it('is refused at its field, and kept for another list', async () => {
    const { page, leave } = await visit('/operator/risk?tab=lists&list=blocked-documents');
    const value = page.getByLabel('Item');
    await value.fill('203.0.113.7');
    await page.getByRole('button', { name: 'Adicionar' }).click();
    await page.locator('input:focus[aria-invalid="true"]').waitFor();
    await page.getByText('Confira o CPF ou o CNPJ.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Lista' }).click();
    await page.getByRole('option', { name: 'Endereços IP bloqueados' }).click();
    await page.getByText('Confira o CPF ou o CNPJ.').waitFor({ state: 'detached' });
    expect(await value.inputValue()).toBe('203.0.113.7');
    await page.getByRole('button', { name: 'Adicionar' }).click();
    await page.getByRole('button', { name: /^Excluir 203/ }).waitFor();
    await leave();
  });
});
