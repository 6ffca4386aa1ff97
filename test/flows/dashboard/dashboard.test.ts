import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { fillCharge, TIMEOUT } from '#test/support/dashboard.ts';
import {
  expectSpoken,
  go,
  savesData,
  visitDashboard,
  type Credentials,
  type Visit,
} from '#test/support/browser-session.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const DIST = new URL('../../../dashboard/dist/', import.meta.url);

let gateway: TestGateway;
let root: string;

beforeAll(async () => {
  await stat(DIST).catch(() => {
    throw new Error('the dashboard is not built: npm run build:dashboard');
  });
  gateway = await startTestGateway();
  root = gateway.baseUrl.replace(/\/v1$/, '');
});
afterAll(async () => {
  await gateway.stop();
});

const countCharges = async () => Number((await gateway.get('/transactions')).body.count);

describe('the dashboard in a browser', TIMEOUT, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });

  const visit = async (
    path: string,
    options: Parameters<Browser['newContext']>[0] = {},
    user: Credentials = gateway.demo.seller,
    afterPassword?: (page: Page) => Promise<void>,
  ): Promise<Visit> => visitDashboard(browser, root, path, user, options, afterPassword);

  it('signs in, creates a Pix charge, and shows it paid without reloading, with the balance', async () => {
    const { page, complaints, elsewhere, context } = await visit('/charges/new');
    await fillCharge(page);
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();
    await page
      .getByRole('timer')
      .getByText(/Expira em \d\d:\d\d/)
      .waitFor();

    // Paid elsewhere, as by the payer's bank: the screen updates by itself.
    const { body } = await gateway.get('/transactions?take=1');
    const [made] = body.data;
    expect(made).toMatchObject({ amount: 12_345, method: 'PIX', status: 'PENDING' });
    await gateway.post(`/sandbox/transactions/${made.id}/pay`, {});
    await page.getByRole('heading', { name: /R\$\s123,45 confirmado/ }).waitFor();

    await page.getByRole('link', { name: 'Início' }).first().click();
    await page
      .getByText(/R\$\s122,23/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
    // No script can read a token, and the session survives a reload.
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...sessionStorage }, { ...localStorage }]) + document.cookie',
    );
    expect(kept).not.toMatch(/eyJ|[0-9a-f]{8}-[0-9a-f]{4}-4/);
    await page.reload();
    await page
      .getByText(/R\$\s122,23/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Sua conta' }).click();
    await page.getByRole('menuitem', { name: 'Sair' }).click();
    await page.getByLabel('Senha').waitFor();
    await page.reload();
    await page.getByLabel('Senha').waitFor();
    // Empty fields name their format.
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByText('Informe sua senha.').waitFor();
    await page.locator('input:focus[aria-invalid="true"]').and(page.getByLabel('E-mail')).waitFor();
    await page.getByLabel('E-mail').fill('ana@example.com');
    await page.getByText('Informe seu e-mail.').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('pays a charge by a button in the sandbox and shows the result', async () => {
    const { body } = await gateway.charge({ amount: 5_000 });
    const { page, complaints, leave } = await visit(`/charges/${String(body.data.id)}`);
    const spoken = page.getByRole('status');
    await spoken.filter({ hasText: 'Pendente' }).waitFor();
    await page.getByRole('button', { name: 'Simular pagamento' }).click();
    await page.getByText('Pagamento recebido').waitFor();
    await spoken.filter({ hasText: 'Paga' }).waitFor();
    await page.getByRole('button', { name: 'Reembolsar' }).click();
    const moving = `document.getAnimations().filter(({ effect }) => effect.getTiming().duration > 1).length`;
    expect(await page.evaluate(moving)).toBe(0);
    // A long request is announced.
    await page.route('**/refund', async (route) => {
      await spoken.filter({ hasText: 'Processando…' }).waitFor();
      await route.continue();
    });
    await page.getByLabel('Valor do reembolso').fill('2000');
    await page.getByLabel('Motivo do reembolso').fill('Veio quebrada');
    await page.getByRole('button', { name: /Reembolsar R\$\s20,00/ }).click();
    await page.getByText(/^Reembolso −R\$\s20,00/).waitFor();
    const read = await gateway.get(`/transactions/${String(body.data.id)}`);
    expect(read.body.data.refundedAmount).toBe(2_000);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('keeps the form when the session expires, and repeats the request after the password', async () => {
    const { page, leave } = await visit('/charges/new');
    await fillCharge(page);
    const before = (await gateway.get('/transactions')).body.count;
    await page.route('**/v1/auth/refresh', (route) =>
      route.fulfill({ status: 401, contentType: 'application/json', body: '{"message":"Unauthorized"}' }),
    );
    await page.route('**/v1/transactions', (route) => {
      const { authorization = '' } = route.request().headers();
      // The token of the first sign-in is no longer valid.
      if (tokens.size === 0) tokens.add(authorization);
      return tokens.has(authorization)
        ? route.fulfill({ status: 401, contentType: 'application/json', body: '{"message":"Unauthorized"}' })
        : route.continue();
    });
    const tokens = new Set<string>();
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await dialog.waitFor();
    // Tokens have a resolution of one second, so two of the same second are equal.
    await page.waitForTimeout(1_100);
    await dialog.getByLabel('Senha').fill(gateway.demo.seller.password);
    await dialog.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();
    expect((await gateway.get('/transactions')).body.count).toBe(before + 1);
    await leave();
  });

  it('keeps list filters in the URL, and makes rows navigable by keyboard', async () => {
    const { page, leave } = await visit(
      '/charges?status=PAID',
      {},
      gateway.demo.seller,
      async () => undefined,
    );
    // The sign-in had the focus.
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Cobranças');
    const rows = page.getByRole('table', { name: 'Cobranças' }).locator('tbody tr');
    await rows
      .first()
      .getByText(/^(?:Paga|Reembolsada em parte)$/)
      .filter({ visible: true })
      .waitFor();
    // The same element shows each count, so that a screen reader announces it.
    const count = await page.getByRole('status').filter({ hasText: 'resultado' }).elementHandle();
    const views = page.getByRole('group', { name: 'Filtros salvos' });
    await views.getByText('Com problemas').click();
    await page.waitForURL(/status=FAILED/);
    await expect.poll(() => count?.textContent()).toBe('Nenhum resultado');
    await views.getByText('Pendentes').click();
    await page.waitForURL(/status=PENDING/);
    await page.goBack();
    await page.goBack();
    await page.waitForURL(/status=PAID/);
    await rows
      .first()
      .getByText(/^(?:Paga|Reembolsada em parte)$/)
      .filter({ visible: true })
      .waitFor();
    // The list is scrolled.
    await page.setViewportSize({ width: 1280, height: 320 });
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Linha do tempo').waitFor();
    await page.waitForURL(/open=/);
    // Escape closes the one on top, and the focus returns to what opened it.
    await page.getByRole('button', { name: 'Reembolsar' }).click();
    await page.getByLabel('Valor do reembolso').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Valor do reembolso').waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Reembolsar');
    await page.waitForURL(/open=/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('?status=PAID');
    const isRowSeen = `(() => {
      const { top, bottom } = document.activeElement.getBoundingClientRect();
      return document.activeElement.tagName === 'TR' && top > 56 && bottom < innerHeight;
    })()`;
    await expect.poll(() => page.evaluate(isRowSeen)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 720 });
    // The toast comes before the screen.
    await page.getByRole('button', { name: 'Colunas' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Forma de pagamento' }).click();
    await page.getByRole('button', { name: 'Desfazer' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.skip').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Desfazer');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'Forma de pagamento' }).waitFor();
    // A page that opens is read from its heading, or begins in its first field.
    await page.getByRole('link', { name: 'Links de pagamento' }).first().click();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.getByRole('link', { name: 'Novo link' }).first().click();
    const label = () => page.evaluate('document.activeElement.labels?.[0].textContent');
    await expect.poll(label).toMatch(/^O que/);
    // Also by its address.
    await page.goto(`${root}/dashboard/subscriptions/new`);
    await expect.poll(label, { timeout: 10_000 }).toBe('Cliente');
    await leave();
  });

  it('closes the description of a status after a tap, and opens no keyboard by itself', async () => {
    const { id } = (await gateway.charge()).body.data;
    const phone = { hasTouch: true, viewport: { width: 390, height: 844 } };
    const { page, leave } = await visit(`/charges/${id}`, phone);
    const tooltip = page.getByRole('tooltip');
    const status = page.getByText('Pendente', { exact: true }).first();
    // A list that still loads moves it away.
    const shown = () => status.tap().then(() => tooltip.waitFor({ timeout: 2_000 }));
    await vi.waitFor(shown, { timeout: 15_000 });
    await tooltip.waitFor({ state: 'hidden', timeout: 10_000 });
    // In a list, the tap opens the row instead.
    await go(page, '/charges');
    const listed = page.getByRole('table').getByText('Pendente', { exact: true });
    await listed.filter({ visible: true }).first().tap();
    await page.getByRole('dialog').waitFor();
    expect(await tooltip.count()).toBe(0);
    // A focused field would open the keyboard.
    await go(page, '/charges/new');
    await page.getByRole('heading', { name: 'Nova cobrança' }).and(page.locator(':focus')).waitFor();
    await leave();
  });

  it('gives the date and time beside a relative one to screen readers, keyboards and fingers', async () => {
    const { id } = (await gateway.charge()).body.data;
    const { page, leave } = await visit('/charges', { hasTouch: true });
    const row = page.locator(`[data-row="${id}"]`);
    const exact = /\(\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}\)/;
    await row.and(page.getByRole('row', { name: exact })).waitFor();
    // The list has no room for it. The panel that the row opens shows it.
    expect((await row.locator('.exact:visible').first().boundingBox())?.width).toBe(1);
    await row.press('Enter');
    const time = page.getByRole('dialog').locator('time', { hasText: exact }).first();
    await time.waitFor();
    expect((await time.locator('.exact').boundingBox())?.width).toBeGreaterThan(80);
    const second = page.getByRole('tooltip').getByText(/\d{2}:\d{2}:\d{2}/);
    await vi.waitFor(() => time.tap().then(() => second.waitFor({ timeout: 2_000 })), { timeout: 15_000 });
    await leave();
  });

  it('offers a viewer no actions without permission', async () => {
    const viewer = { email: 'viewer@example.com', password: 'a long enough password', id: '' };
    await gateway.post(
      `/admin/sellers/${gateway.demo.seller.id}/users`,
      { name: 'Leitora', email: viewer.email, password: viewer.password, role: 'VIEWER' },
      { token: await gateway.adminToken() },
    );
    const { page, complaints, leave } = await visit('/', {}, viewer);
    await page.getByText('Disponível para saque').waitFor();
    expect(await page.getByRole('link', { name: 'Nova cobrança' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Sacar', exact: true }).count()).toBe(0);
    await go(page, '/developers/keys');
    await page.getByText('demo').waitFor();
    expect(await page.getByRole('button', { name: 'Criar chave' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('enables two-factor authentication with a code, and requires it at the next sign-in', async () => {
    const developer = { email: 'developer@example.com', password: 'a long enough password', id: '' };
    await gateway.post(
      `/admin/sellers/${gateway.demo.seller.id}/users`,
      { name: 'Dev', email: developer.email, password: developer.password, role: 'DEVELOPER' },
      { token: await gateway.adminToken() },
    );
    const { page, complaints, leave } = await visit('/settings', {}, developer);
    await page.getByRole('button', { name: 'Ativar', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Aplicativo autenticador' });
    await dialog.getByRole('button', { name: 'Continuar' }).click();
    await dialog.locator('input:focus[aria-invalid="true"]').waitFor();
    await dialog.getByLabel('Senha').fill(developer.password);
    await dialog.getByRole('button', { name: 'Continuar' }).click();
    await dialog.getByRole('img', { name: /autenticador/ }).waitFor();
    const seed = await dialog.getByLabel('Chave do autenticador', { exact: true }).innerText();
    const code = new TOTP({ secret: Secret.fromBase32(seed.trim()) }).generate();
    await expect.poll(() => page.evaluate('document.activeElement?.autocomplete')).toBe('one-time-code');
    await expectSpoken(page, [
      'dialog Aplicativo autenticador',
      'textbox Código, required',
      'button Confirmar',
    ]);
    await dialog.getByLabel('Código', { exact: true }).fill(code);
    await dialog.getByRole('button', { name: 'Confirmar' }).click();
    const codes = await page
      .getByRole('dialog')
      .getByLabel('códigos de recuperação', { exact: true })
      .innerText();
    const [recovery = ''] = codes.split('\n');
    await page.getByRole('button', { name: 'Já salvei' }).click();
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: 'Desativar' }))
      .waitFor();
    await leave();

    const again = await visit('/settings', {}, developer, async (anew) => {
      await anew.getByLabel('Código').fill(recovery);
      await anew.getByRole('button', { name: 'Confirmar' }).click();
    });
    await again.page.getByText(/Restam \d+ códigos de recuperação/).waitFor();
    expect([...complaints, ...again.complaints]).toEqual([]);
    await again.context.close();
  });

  it('switches to English with its number formats, and reports a lost connection', async () => {
    const { id } = (await gateway.charge({ amount: 3_000 })).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`, {});
    await gateway.post(`/transactions/${id}/refund`, { amount: 1_000 }, { idempotencyKey: randomUUID() });
    const { page, context } = await visit('/settings');
    await page.getByText('English').click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await go(page, '/fees');
    await page.getByText(/R\$0\.99 per transaction/).waitFor();
    await go(page, '/statement');
    await page.getByRole('table', { name: 'Statement' }).getByText('Payment received').first().waitFor();
    await context.setOffline(true);
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Refund', exact: true }).click();
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    await context.setOffline(false);
    await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'hidden' });
    const rows = page.getByRole('table', { name: 'Statement' });
    await rows.getByText('Payment received').first().waitFor({ state: 'hidden' });
    await rows.getByText('Refund', { exact: true }).first().waitFor();
    // The code of the next screen is loaded once the connection is back, without reloading the page.
    await page.evaluate('window.isSamePage = true');
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/'));
    await context.setOffline(true);
    await go(page, '/customers');
    await failed;
    await page.getByText('Loading', { exact: true }).waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    await go(page, '/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    // Only a 401 signs out.
    const refusal = { statusCode: 503, message: 'Busy', code: 'service_unavailable' };
    await page.route('**/v1/users/me', (route) => route.fulfill({ status: 503, json: refusal }), {
      times: 1,
    });
    await page.reload();
    await page.getByText(/Trying again…$/).waitFor();
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await context.close();
  });

  it('preloads all screens, except for a user who saves data', async () => {
    const { page, context } = await visit('/');
    const screens = () =>
      page.evaluate<number>(
        `performance.getEntriesByType('resource').filter(({ name }) => /assets\\/fees-page-/.test(name)).length`,
      );
    await setTimeout(4_000);
    expect(await screens()).toBe(0);
    await context.addInitScript(savesData(false));
    await page.reload();
    await expect.poll(screens, { timeout: 20_000 }).toBe(1);
    await context.close();
  });

  it('keeps what was typed over a connection that drops, and charges once', async () => {
    const { page, context } = await visit('/charges/new');
    const before = await countCharges();
    await fillCharge(page);
    const send = page.getByRole('button', { name: 'Gerar código Pix' });
    const lost = page.getByText('Sem conexão com o servidor. Tentando novamente…');
    const desktop = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 360, height: 640 });
    await context.setOffline(true);
    await send.click();
    // In view at the end of the form.
    await lost.waitFor();
    await page.getByRole('alert').first().waitFor();
    await send.scrollIntoViewIfNeeded();
    const box = await lost.boundingBox();
    const covering = `document.elementFromPoint(${box?.x} + 1, ${box?.y} + 1)?.textContent`;
    expect(await page.evaluate(covering)).toMatch(/^Sem conexão/);
    await page.setViewportSize(desktop);
    expect(await page.getByLabel('Nome completo').inputValue()).toBe('Ana Souza');
    await context.setOffline(false);
    await lost.waitFor({ state: 'hidden' });
    // The gateway gets the request, and the answer is lost.
    await page.route(
      '**/v1/transactions',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await send.click();
    await expect.poll(countCharges).toBe(before + 1);
    await send.and(page.locator(':enabled:not([data-loading])')).click();
    const shown = page.getByRole('heading', { name: 'Mostre o código ao pagador' });
    await shown.waitFor();
    expect(await countCharges()).toBe(before + 1);
    // The code has an address of its own, in the place of the form that was sent.
    await page.reload();
    await shown.waitFor();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();
    await page.getByRole('link', { name: 'Ver cobrança' }).click();
    await page.getByRole('button', { name: 'Cancelar cobrança' }).waitFor();
    await page.goBack();
    await shown.waitFor();
    await page.getByRole('button', { name: 'Criar outra' }).click();
    expect(await page.getByLabel('Nome completo').inputValue()).toBe('');
    await go(page, `/charges/new?created=${randomUUID()}`);
    await page.getByRole('alert').getByText('não encontrad').waitFor();
    await context.close();
  });

  it('respects reduced motion, and the notch and the home indicator of a phone', async () => {
    const { page, context } = await visit('/', {
      viewport: { width: 390, height: 844 },
      reducedMotion: 'no-preference',
    });
    const slow = `[...document.querySelectorAll('body *')].map((element) => getComputedStyle(element))
      .flatMap(({ transitionDuration, animationDuration }) => [transitionDuration, animationDuration])
      .filter((durations) => durations.split(', ').some((duration) => parseFloat(duration) > 0.001)).length`;
    await expect.poll(() => page.evaluate(slow)).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => page.evaluate(slow)).toBe(0);

    const session = await context.newCDPSession(page);
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } });
    const logo = page.getByRole('link', { name: 'Vereda, Início' });
    await expect.poll(async () => (await logo.boundingBox())?.y).toBeGreaterThanOrEqual(47);
    const bar = page.locator('footer a').first();
    const bottom = async () => {
      const box = await bar.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect.poll(bottom).toBeLessThanOrEqual(844 - 34);
    await context.close();
  });

  const openSignIn = async (locale: string) => {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    await page.goto(`${root}/dashboard/`);
    return { context, page, lang: () => page.evaluate('document.documentElement.lang') };
  };

  it('starts in the browser’s language, and keeps the chosen one', async () => {
    const german = await openSignIn('de-DE');
    await german.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await german.lang()).toBe('en');
    await german.page.getByText('Português').click();
    await german.page.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
    await german.page.reload();
    await german.page.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
    expect(await german.lang()).toBe('pt-BR');
    const portuguese = await openSignIn('pt-PT');
    await portuguese.page.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
    expect(await portuguese.lang()).toBe('pt-BR');
    await Promise.all([german.context.close(), portuguese.context.close()]);
  });
});
