import { randomUUID } from 'node:crypto';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { expectSelectionExported, TIMEOUT, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { go } from '#test/support/browser-session.ts';

const CARD = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2030,
  cvv: '123',
};

let gateway: TestGateway;
let browser: Browser;
let card: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  browser = await launchChromium();
  const paid = async (changes: Readonly<Record<string, unknown>>) => {
    const { id } = (await gateway.charge(changes)).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`, {});
    return String(id);
  };
  await paid({ amount: 50_000, description: 'Caneca azul', externalRef: 'order-77' });
  await paid({ method: 'BOLETO', amount: 20_000 });
  const made = await gateway.charge({ amount: 10_000, method: 'CREDIT_CARD', installments: 2, card: CARD });
  card = String(made.body.data.id);
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
});

/** The amount as screens show it, with any space after the symbol. */
const money = (cents: number, before = '') => {
  const text = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 }).format(cents / 100);
  return new RegExp(`${before}R\\$\\s${text.replaceAll('.', '\\.')}`);
};
const data = async (path: string) => (await gateway.get(path)).body.data;

const sum = (rows: readonly { readonly amount: number }[]) =>
  rows.reduce((all, { amount }) => all + amount, 0);

describe('the dashboard of money', TIMEOUT, () => {
  it('home shows sales with payers, and each figure links to a list with the same total', async () => {
    const { page, complaints, leave } = await visit(browser, gateway, '/');
    const today = page.getByRole('heading', { name: 'Cobranças pagas hoje' }).locator('..');
    await today.getByText('Ana Souza').first().waitFor();
    await today.getByText(/Caneca azul/).waitFor();
    const total = money(50_000 + 20_000 + 10_000);
    await today.getByText(total).waitFor();
    await today.getByRole('link', { name: 'Cobranças pagas hoje' }).click();
    await page.getByRole('heading', { level: 1, name: 'Extrato' }).waitFor();
    await page.getByText(total).first().waitFor();
    await page.getByText(money(80_000, 'Total: ')).waitFor();

    await go(page, '/');
    await page.getByRole('link', { name: 'Recebido' }).click();
    await page.getByRole('heading', { level: 1, name: 'Extrato' }).waitFor();
    await page.getByText(money(80_000, 'Recebido: ')).waitFor();
    await go(page, '/statement?cause=PAYMENT_FEE');
    await page.getByText(/Total: −R\$\s[\d,]+ \(saída\)$/).waitFor();
    await go(page, '/');
    const rates = page.getByRole('heading', { name: 'Cobranças pagas por forma de pagamento' }).locator('..');
    await rates.getByText('1 de 1 encerrada foi paga').first().waitFor();
    await rates.getByRole('link', { name: 'Boleto' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cobranças' }).waitFor();
    await page.getByText(money(20_000, '1 resultado · Total: ')).waitFor();

    const { upcoming, blocked } = await data('/seller-wallet/releases');
    const [boleto] = upcoming.filter(({ origin }: { origin: string }) => origin === 'BOLETO');
    await go(page, '/receivables');
    await page.getByText(money(blocked.retention)).first().waitFor();
    expect(sum(upcoming)).toBe(blocked.retention);
    await page.getByRole('table', { name: 'Dias com liberação' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Ana Souza' }).waitFor();
    await page.getByText(money(boleto.amount)).first().waitFor();
    await go(page, `/charges/${card}`);
    await page.getByRole('table', { name: 'Liberações' }).getByText('Parcela 2').waitFor();
    await page.getByText('Visa final 1111').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('charges are filtered by a preset of days, and found by order number', async () => {
    const { page, complaints, leave } = await visit(browser, gateway, '/charges');
    await page.getByLabel('Pagas em').click();
    await page.getByRole('button', { name: 'Mês anterior' }).waitFor();
    await page.getByRole('button', { name: 'Hoje' }).click();
    await page.waitForURL(/paidStartDate=\d{4}-\d{2}-\d{2}&paidEndDate=/);
    await page.getByText(money(80_000, 'Total: ')).waitFor();
    await page.getByLabel('Buscar cobrança').fill('order-77');
    await page.getByRole('table', { name: 'Cobranças' }).getByText('Caneca azul').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it('the statement shows no balance that could not be read', async () => {
    const { page, leave } = await visit(browser, gateway, '/charges');
    await page.route('**/v1/seller-wallet/gestao', (route) => route.fulfill({ status: 403, json: {} }));
    await go(page, '/statement');
    const balance = page.getByText(/^Disponível para saque: /);
    await expect.poll(() => balance.textContent()).toBe('Disponível para saque: …');
    await leave();
  });

  it('a search keeps the space that is typed after a word', async () => {
    const { page, leave } = await visit(browser, gateway, '/charges');
    for (const label of ['Buscar cobrança', 'Campo adicional']) {
      const box = page.getByLabel(label);
      await box.pressSequentially('ana ');
      // Longer than the pause after which the list is searched.
      await page.waitForTimeout(800);
      await box.pressSequentially('souza');
      expect(await box.inputValue()).toBe('ana souza');
      await box.fill('');
      await page.waitForTimeout(800);
    }
    await leave();
  });

  it('charges show whole names, and filters the whole calendar, at 320 px', async () => {
    const contact = { email: 'v@example.com', phone: '11987654321' };
    const document = { documentType: 'CPF', document: '52998224725' };
    await gateway.charge({ customer: { name: 'Vinícius Ferreira', ...contact, ...document } });
    const context = { viewport: { width: 320, height: 640 } };
    const { page, leave } = await visit(browser, gateway, '/charges', { context });
    await page.getByRole('table').getByText('Vinícius Ferreira').waitFor();
    const cut = `[...document.querySelectorAll('td p')]
      .filter(({ textContent }) => textContent === 'Vinícius Ferreira')
      .map((name) => [name.scrollWidth > name.clientWidth, name.scrollHeight > name.clientHeight + 1])`;
    expect(await page.evaluate(cut)).toEqual([[false, false]]);
    await page.getByRole('button', { name: 'Filtros' }).click();
    await page.getByLabel('Criadas em').click();
    const next = page.getByRole('button', { name: 'Próximo mês' });
    await next.waitFor();
    await expect.poll(async () => (await next.boundingBox())?.x).toBeLessThan(280);
    await page.getByRole('button', { name: 'Hoje' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('startDate')).toBe(true);
    await leave();
  });

  it('screens fit 320 px, with long words in their texts', async () => {
    const word = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2);
    const made = await gateway.charge({ description: word });
    const link = { title: word, amount: 1_000 };
    const { id } = (await gateway.post('/payment-links', link, { idempotencyKey: randomUUID() })).body.data;
    const context = { viewport: { width: 320, height: 640 } };
    const { page, leave } = await visit(browser, gateway, `/charges/${made.body.data.id}`, { context });
    const width = () => page.evaluate('document.documentElement.scrollWidth');
    for (const path of [`/charges/${made.body.data.id}`, `/links/${id}`]) {
      await go(page, path);
      await page.getByText(word).first().waitFor();
      await expect.poll(width).toBe(320);
    }
    await go(page, '/developers/webhooks');
    await page.getByRole('button', { name: 'Trocar segredo' }).waitFor();
    await expect.poll(width).toBe(320);
    // The name of an event breaks after an underscore.
    await go(page, '/developers/events');
    await page.getByText('SUBSCRIPTION_CARD_REQUIRED').locator('wbr').first().waitFor({ state: 'attached' });
    await go(page, '/developers/keys');
    await page.getByRole('cell', { name: /^demo ?Responsável/ }).waitFor();
    await go(page, '/statement');
    await page.getByRole('table').getByText('Tarifa de recebimento').first().waitFor();
    const cut = `(({ parentElement: box }) => box.scrollWidth - box.clientWidth)(
      document.querySelector('table'))`;
    await expect.poll(() => page.evaluate(cut)).toBe(0);
    await leave();
  });

  it('a boleto is due on the chosen day, and its screen shows the day alone', async () => {
    const { page, complaints, context } = await visit(browser, gateway, '/charges/new?method=BOLETO');
    await page.getByLabel('Valor').fill('5000');
    await page.getByLabel('Descrição').fill('Pedido 9');
    await page.getByLabel('Nome completo').fill('Ana Souza');
    await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
    await page.getByLabel('E-mail').fill('ana@example.com');
    await page.getByLabel('Celular com DDD').fill('(11) 98765-4321');
    await page.getByRole('button', { name: 'Vencimento' }).click();
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());
    await page.getByRole('button', { name: 'Próximo mês' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Gerar boleto' }).click();
    await page.getByText(/^Vencimento: \d{2}\/\d{2}\/\d{4}$/).waitFor();
    const [made] = await data('/transactions?method=BOLETO&take=1');
    const { boleto } = await data(`/transactions/${made.id}`);
    // Grouped as on paper, and copied without blanks.
    const line = /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/;
    expect(await page.getByLabel('Linha digitável', { exact: true }).innerText()).toMatch(line);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copiar Linha digitável' }).click();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await expect.poll(copied).toBe(boleto.digitableLine);
    expect(boleto.expirationDate).toMatch(/T02:59:59\.000Z$/);
    expect(boleto.expirationDate > today).toBe(true);
    expect(complaints).toEqual([]);
    // The next test moves the clock, after which a session may not withdraw.
    await context.close();
  });

  it('a withdrawal from all origins is requested once for each, and only failures are repeated', async () => {
    await gateway.advance(5 * 24 * 3_600);
    await expect
      .poll(async () => (await data('/seller-wallet/gestao')).byOrigin.BOLETO.availableBalance, {
        timeout: 10_000,
      })
      .toBeGreaterThan(0);
    const { availableBalance, byOrigin } = await data('/seller-wallet/gestao');
    const { page, leave } = await visit(browser, gateway, '/withdrawals/new');
    await page.getByRole('button', { name: 'Sacar tudo' }).click();
    await page.getByLabel('Chave Pix').fill('12.abc');
    await page.getByRole('button', { name: 'Revisar' }).click();
    await page.getByText(/Confira a chave Pix/).waitFor();
    await page.getByLabel('Chave Pix').fill('529.982.247-25');
    await page.getByText('Tipo de chave: CPF').waitFor();
    await page.getByRole('button', { name: 'Revisar' }).click();
    await page.getByRole('dialog', { name: 'Confirmar 2 saques' }).waitFor();
    let calls = 0;
    await page.route('**/v1/withdrawals', (route) => {
      calls += 1;
      return route.request().method() === 'POST' && calls === 2 ? route.abort() : route.continue();
    });
    await page.getByRole('button', { name: /Confirmar saque/ }).click();
    await page.getByText(/Já solicitado/).waitFor();
    await page.getByRole('button', { name: 'Tentar novamente' }).click();
    await page.getByText('2 saques solicitados', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Saques' }).waitFor();
    await page.getByRole('columnheader', { name: 'Tarifa' }).waitFor();
    await page.getByRole('button', { name: 'Colunas' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Tarifa' }).click();
    await page.getByRole('columnheader', { name: 'Tarifa' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page
      .getByRole('checkbox', { name: /^Selecionar / })
      .first()
      .click();
    await expectSelectionExported(page, await gateway.get('/withdrawals?export=true&locale=pt-BR'));
    const made = await data('/withdrawals');
    expect(
      made.map(({ amount }: { amount: number }) => amount).toSorted((a: number, b: number) => a - b),
    ).toEqual([byOrigin.BOLETO.availableBalance, byOrigin.PIX.availableBalance].toSorted((a, b) => a - b));
    expect(sum(made)).toBe(availableBalance);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('table').getByText('***.982.247-**').first().waitFor();
    // The status is below the amount, and a filter has the width of the screen.
    await page
      .getByRole('cell', { name: /^R\$\s[\d.,]+ ?Em análise$/ })
      .first()
      .waitFor();
    expect(await page.getByRole('columnheader', { name: 'Situação' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Filtros' }).click();
    const box = await page.getByLabel('Valor mínimo').boundingBox();
    expect(box?.width).toBeGreaterThan(300);
    await leave();
  });

  it('a partial refund asks for a reason and is shown as such', async () => {
    const { id } = (await gateway.charge({ amount: 3_000 })).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`, {});
    await gateway.post(`/transactions/${id}/refund`, { amount: 100 }, { idempotencyKey: randomUUID() });
    const { page, leave } = await visit(browser, gateway, `/charges/${id}`);
    await page.getByText('Reembolsada em parte').waitFor();
    await page.getByRole('button', { name: 'Reembolsar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Valor do reembolso').fill('500');
    await dialog.getByRole('button', { name: /Reembolsar R\$/ }).click();
    await dialog.getByText('Informe o motivo.').waitFor();
    await dialog.getByLabel('Motivo do reembolso').fill('Veio quebrada');
    await dialog.getByRole('button', { name: /Reembolsar R\$/ }).click();
    await page.getByText('Veio quebrada').waitFor();
    const receipt = await page.getByRole('link', { name: 'Abrir comprovante' }).getAttribute('href');
    const response = await fetch(new URL(receipt ?? '', gateway.baseUrl));
    expect(response.headers.get('content-type')).toBe('application/pdf');

    // A refund that waits for the bank is in the list that the home page links to.
    const customer = { ...SAMPLE_TRANSACTION.customer, email: 'ana@banco-lento.example' };
    const slow = (await gateway.charge({ amount: 3_000, customer })).body.data;
    await gateway.post(`/sandbox/transactions/${slow.id}/pay`, {});
    await gateway.post(`/transactions/${slow.id}/refund`, { amount: 700 }, { idempotencyKey: randomUUID() });
    await go(page, '/');
    await page.getByRole('link', { name: 'Saldo ainda não disponível' }).click();
    const { blocked } = await data('/seller-wallet/releases');
    await page.getByText(money(blocked.total)).first().waitFor();
    await page.getByRole('link', { name: 'Reembolsos em andamento' }).click();
    await page.getByText(money(blocked.refunds, '1 resultado · Total: ')).waitFor();
    await page.getByRole('row', { name: /Ana Souza/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reembolsar' }).click();
    await page.getByText(money(2_300, 'Restam ')).waitFor();
    await leave();
  });

  it('a dispute that could not be read is not reported as missing, and is read again', async () => {
    const { id } = (await gateway.charge()).body.data;
    for (const what of ['pay', 'dispute']) await gateway.post(`/sandbox/transactions/${id}/${what}`, {});
    const [dispute] = (await data(`/disputes?transactionId=${id}`)).data;
    const { page, leave } = await visit(browser, gateway, '/disputes');
    const path = `**/v1/disputes/${dispute.id}`;
    await page.route(path, (route) => route.abort());
    await go(page, `/disputes?open=${dispute.id}`);
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.getByText(/^Não foi possível conectar ao servidor/).waitFor();
    await page.unroute(path);
    await alert.getByRole('button', { name: 'Tentar novamente' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apresentar defesa' }).waitFor();
    expect(await alert.count()).toBe(0);
    // The list adds up to the figure on the home page.
    const { blocked } = await data('/seller-wallet/releases');
    await go(page, '/disputes?status=OPEN,UNDER_REVIEW');
    await page.getByText(money(blocked.disputes, 'Total: ')).waitFor();
    await leave();
  });

  it('the point of sale sells once over a connection that drops, and shows that it was paid', async () => {
    const context = { viewport: { width: 360, height: 740 } };
    const visited = await visit(browser, gateway, '/point-of-sale', { context });
    const { page } = visited;
    await page.getByLabel('Nome (ex.: Consumidor final)').fill('Consumidor final');
    await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
    await page.getByLabel('E-mail').fill('balcao@example.com');
    await page.getByLabel('Celular com DDD').fill('(11) 98765-4321');
    expect(
      await page.evaluate<number>(
        "Number.parseFloat(getComputedStyle(document.querySelector('input[type=email]')).fontSize)",
      ),
    ).toBeGreaterThanOrEqual(16);
    await page.getByRole('button', { name: 'Salvar' }).click();
    // A small amount says why the button is off.
    await page.getByRole('button', { name: '5', exact: true }).click();
    await page.getByText(/^O valor mínimo é /).waitFor();
    await page.getByRole('button', { name: 'Apagar' }).click();
    for (const key of ['1', '2', '5', '00'])
      await page.getByRole('button', { name: key, exact: true }).click();
    const keys = new Set<string>();
    // The response of the first request is lost after the gateway has created the charge.
    await page.route('**/v1/transactions', async (route) => {
      const key = route.request().headers()['idempotency-key'] ?? '';
      const isFirst = keys.size === 0;
      keys.add(key);
      if (!isFirst) return route.continue();
      await route.fetch();
      return route.abort();
    });
    const before = (await gateway.get('/transactions')).body.count;
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await page.getByRole('img', { name: /QR Code/ }).waitFor();
    expect([keys.size, (await gateway.get('/transactions')).body.count]).toEqual([1, before + 1]);
    // The code covers the page, and with it the notice above the page.
    const notice = page.locator('.whole-screen').getByText('Sem conexão com o servidor');
    await visited.context.setOffline(true);
    await notice.waitFor();
    await visited.context.setOffline(false);
    await notice.waitFor({ state: 'hidden' });
    await page.route('**/v1/events**', (route) => route.abort());
    const [made] = await data('/transactions?take=1');
    expect(made.amount).toBe(12_500);
    await gateway.post(`/sandbox/transactions/${made.id}/pay`, {});
    await page.getByRole('heading', { name: 'Pago' }).waitFor();
    await visited.leave();
  });
});
