import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { goodCharge } from '#test/support/client.ts';
import { TIMEOUT, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { addAxe, expectNoLayoutProblems, go, layoutProblems } from '#test/support/browser-session.ts';

/** The rights of payers to their data, which an operator fulfills in the dashboard. */

const PAYER = {
  name: 'Zuleica Wanderléia Quintão',
  email: 'zuleica.q@exemplo.com.br',
  phone: '11971234567',
  documentType: 'CPF',
  document: '39053344705',
} as const;
const TYPED = '390.533.447-05';
/** One more than one page holds. */
const PIX_CHARGES = 51;
const SUPPORT = { email: 'suporte@example.com', password: 'a long password' };

let gateway: TestGateway;
let browser: Browser;
let admin: { readonly token: string };
let pix: string;
let boleto: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  browser = await launchChromium();
  admin = { token: await gateway.adminToken() };
  const charge = async (changes = {}) => {
    const body = { ...goodCharge(), customer: PAYER, ...changes };
    const made = await gateway.post('/transactions', body, { idempotencyKey: randomUUID() });
    expect(made.status).toBe(201);
    return String(made.body.data.id);
  };
  for (let made = 0; made < PIX_CHARGES; made += 1) pix = await charge();
  boleto = await charge({ method: 'BOLETO' });
  await gateway.post('/customers', PAYER);
  await gateway.post('/admin/users', { ...SUPPORT, name: 'Bia Suporte', role: 'SUPPORT' }, admin);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

const open = async (user = gateway.demo.admin, path = '/operator/privacy') =>
  // The page's Content-Security-Policy blocks scripts that are not the gateway's, such as the
  // checker.
  visit(browser, gateway, path, { user, context: { bypassCSP: true } });

/** The retained data of the payer, as the API returns it. */
async function held(): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let after: string | undefined; ;) {
    const asked = { document: PAYER.document, ...(after === undefined ? {} : { after }) };
    const { data } = (await gateway.post('/admin/privacy/export', asked, admin)).body;
    lines.push(...[...data.customers, ...data.charges].map((one: unknown) => JSON.stringify(one)));
    if (data.next === null) return lines;
    after = data.next;
  }
}

/** Checks the current screen in both color schemes and at both widths. */
const expectGood = (page: Page, what: string) => expectNoLayoutProblems(page, what, { widths: [360, 1280] });

/** Everything of the screen that the browser may store or send. */
const traces = (page: Page) =>
  page.evaluate<string>(
    `JSON.stringify([location.href, document.title, history.state, { ...localStorage }, { ...sessionStorage },
      performance.getEntries().map(({ name }) => name)])`,
  );

const field = (page: Page) => page.getByLabel('CPF, CNPJ ou e-mail do pagador');
const waitForText = (page: Page, text: string | RegExp) => page.getByText(text, { exact: true }).waitFor();

describe('the data of a payer in a browser', TIMEOUT, () => {
  it('is exported by keyboard only, with a cancellation in between', async () => {
    const expected = await held();
    expect(expected).toHaveLength(PIX_CHARGES + 2);
    const { page, complaints, elsewhere, leave } = await open();
    await page.getByRole('heading', { level: 1, name: 'Dados pessoais' }).waitFor();
    await addAxe(page);
    await field(page).focus();
    await page.keyboard.type('zuleica');
    await page.keyboard.press('Enter');
    await waitForText(page, 'Informe um CPF (11 dígitos), um CNPJ (14 caracteres) ou um e-mail.');
    await expectGood(page, 'a text that names nobody');

    // The second page is held until the export is canceled.
    const stopped = Promise.withResolvers<undefined>();
    let responses = 0;
    await page.route('**/v1/admin/privacy/export', async (route) => {
      responses += 1;
      if (responses === 2) await stopped.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+a');
    await page.keyboard.type(TYPED);
    await page.keyboard.press('Enter');
    await waitForText(page, '50 cobranças até agora.');
    expect(await page.getByRole('button', { name: 'Anonimizar dados' }).isDisabled()).toBe(true);
    await expectGood(page, 'a search under way');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Interromper' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    // Longer than a lost focus is left alone: the button keeps it meanwhile.
    await page.waitForTimeout(500);
    stopped.resolve(undefined);
    // It was the last page: there is nothing left to cancel.
    await waitForText(page, `${PIX_CHARGES + 1} cobranças deste pagador`);
    await waitForText(page, '1 cadastro deste pagador.');
    await expectGood(page, 'what was found');
    await page.keyboard.press('Tab');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toBe('dados-do-pagador.jsonl');
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toBe(expected.map((line) => `${line}\n`).join(''));

    // Canceled before the last page, it continues from there.
    responses = 0;
    await page.unroute('**/v1/admin/privacy/export');
    await page.route('**/v1/admin/privacy/export', async (route) => {
      await page.getByRole('button', { name: 'Interromper' }).click();
      await route.continue();
    });
    await field(page).focus();
    await page.keyboard.press('Enter');
    await waitForText(page, 'Interrompido.');
    await waitForText(page, '50 cobranças até agora.');
    await expectGood(page, 'an export that was stopped');
    await page.unroute('**/v1/admin/privacy/export');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForText(page, `${PIX_CHARGES + 1} cobranças deste pagador`);

    const kept = await traces(page);
    for (const part of [PAYER.document, TYPED, encodeURIComponent(TYPED), 'Zuleica', 'zuleica'])
      expect(kept).not.toContain(part);
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
    await leave();
  });

  it('is erased after confirmation and resumed after an error; retained records are listed', async () => {
    const { page, complaints, leave } = await open();
    await addAxe(page);
    await field(page).fill(TYPED);
    await page.getByRole('button', { name: 'Anonimizar dados' }).click();
    const question = page.getByRole('dialog', { name: `Anonimizar os dados de ${TYPED}?` });
    await question.getByText('Esta ação não pode ser desfeita.').waitFor();
    expect(await layoutProblems(page, { part: '[data-portal]' })).toEqual([]);
    await question.getByRole('button', { name: 'Cancelar' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await held()).toHaveLength(PIX_CHARGES + 2);

    // The request of the second page fails once.
    let responses = 0;
    await page.route('**/v1/admin/privacy/erase', async (route) => {
      responses += 1;
      if (responses === 2) await route.fulfill({ status: 503, json: { message: 'Service unavailable' } });
      else await route.continue();
    });
    await page.getByRole('button', { name: 'Anonimizar dados' }).click();
    await question.getByRole('button', { name: 'Anonimizar dados' }).click();
    await waitForText(
      page,
      'Interrompido por uma falha. Ao tentar novamente, o processo continua deste ponto.',
    );
    await waitForText(page, '50 cobranças anonimizadas até agora.');
    await expectGood(page, 'an erasure that failed');
    await page.getByRole('button', { name: 'Tentar novamente' }).click();
    await waitForText(page, `${PIX_CHARGES} cobranças anonimizadas`);
    await page.getByText(/^Uma das chamadas falhou/).waitFor();
    await waitForText(page, '1 cadastro excluído.');
    await expectGood(page, 'what was erased');

    const kept = page.getByRole('table', { name: '1 cobrança mantida por enquanto' });
    expect(await kept.getByRole('cell').allTextContents()).toEqual([
      `${boleto.slice(0, 8)}…${boleto.slice(-4)}`,
      'Pendente',
      'O boleto ainda pode ser pago',
    ]);
    await kept.getByRole('link').click();
    await page.getByRole('dialog', { name: 'Cobrança' }).getByText(PAYER.name).waitFor();
    await page.goBack();
    // Its result is still shown.
    await kept.waitFor();
    expect(await traces(page)).not.toContain(PAYER.document);

    await go(page, `/operator/transactions?open=${pix}`);
    const charge = page.getByRole('dialog', { name: 'Cobrança' });
    await charge.getByText('Apagado', { exact: true }).waitFor();
    await charge.getByText('apagado@apagado.invalid').waitFor();
    expect(await charge.getByText(PAYER.name).count()).toBe(0);

    // The email finds the boleto; an unknown payer has no data. Both are shown.
    await go(page, '/operator/privacy');
    await field(page).fill(` ${PAYER.email.toUpperCase()} `);
    await page.keyboard.press('Enter');
    await waitForText(page, '1 cobrança deste pagador');
    await field(page).fill('11.222.333/0001-81');
    await page.keyboard.press('Enter');
    await waitForText(page, 'Nenhum dado deste pagador');
    await expectGood(page, 'nothing found');
    expect(complaints.filter((text) => !text.includes('503'))).toEqual([]);
    await leave();
  });

  it('is shown in English if the user has chosen it', async () => {
    const { page, leave } = await open(undefined, '/settings');
    await page.getByText('English').click();
    await page.getByRole('link', { name: 'Ledger' }).waitFor();
    await page.getByRole('link', { name: 'Personal data' }).click();
    await page.getByLabel('CPF, CNPJ or email of the payer').fill(PAYER.document);
    await page.getByRole('button', { name: 'Erase data' }).click();
    const question = page.getByRole('dialog', { name: `Erase the data of ${PAYER.document}?` });
    await question.getByRole('button', { name: 'Erase data' }).click();
    await waitForText(page, 'No charges anonymized');
    const kept = page.getByRole('table', { name: '1 charge kept for now' });
    expect(await kept.getByRole('cell').last().textContent()).toBe('The boleto can still be paid');
    await leave();
  });

  it('is not available to SUPPORT', async () => {
    const { page, leave } = await open(SUPPORT);
    await waitForText(page, 'Você não tem permissão para esta ação. Fale com quem administra a conta.');
    expect(await field(page).count()).toBe(0);
    await page.getByRole('link', { name: 'Equipe' }).waitFor();
    expect(await page.getByRole('link', { name: 'Dados pessoais' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    const anywhere = page.getByRole('dialog');
    await anywhere.getByRole('option', { name: 'Equipe' }).waitFor();
    expect(await anywhere.getByRole('option', { name: 'Dados pessoais' }).count()).toBe(0);
    await leave();
  });
});
