import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { addAxe, expectSpoken, layoutProblems } from '#test/support/browser-session.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { TIMEOUT } from '#test/support/dashboard.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { keyboardOf } from '#test/support/keyboard.ts';

/** What a page may transfer until it is complete. */
const MAX_BYTES = 100_000;

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

interface Visited {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Script errors, violations of the policy, and requests to other origins. */
  readonly problems: string[];
}

async function newLink(changes: object = {}): Promise<string> {
  const link = { title: 'Caneca azul', amount: 9_990, maxInstallments: 3, ...changes };
  const created = await gateway.post('/payment-links', link, { idempotencyKey: randomUUID() });
  return String(created.body.data.code);
}

async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visited> {
  const context = await browser.newContext({
    locale: 'pt-BR',
    viewport: { width: 320, height: 640 },
    bypassCSP: true,
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    const isOffline = message.text().includes('ERR_INTERNET_DISCONNECTED');
    if (message.type() === 'error' && !isOffline) problems.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(?:data|blob):/.test(url) && new URL(url).origin !== root) problems.push(url);
  });
  await page.goto(root + path);
  return { context, page, problems };
}

async function fillPayer(page: Page): Promise<void> {
  await page.getByLabel('Nome completo').fill('Ana Souza');
  await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
  await page.getByLabel('E-mail').fill('ana@example.com');
  await page.getByLabel('Celular com DDD').pressSequentially('11987654321');
}

/** Checks the page in both color schemes, by axe and whether it fits. */
async function expectGood(page: Page, name: string): Promise<void> {
  await addAxe(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'light' ? 'all' : 'colors';
    expect.soft(await layoutProblems(page, { rules }), `${name}, ${colorScheme}`).toEqual([]);
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

/** The newest transaction of the seller. */
const newest = async () => String((await gateway.get('/transactions?take=1')).body.data[0].id);

describe('the payment page', () => {
  it('accepts a Pix payment at 320 px and shows without reloading that it was paid', TIMEOUT, async () => {
    const code = await newLink({ successUrl: 'https://shop.example/thanks' });
    const { context, page, problems } = await open(`/pay/${code}`);
    await expectGood(page, 'link');
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    expect(await page.getByLabel('Nome completo').getAttribute('aria-invalid')).toBe('true');
    await expectSpoken(page, [
      'textbox Nome completo, required, invalid: Informe o nome completo.',
      'textbox CPF ou CNPJ, required, invalid: Informe um CPF ou CNPJ válido.',
      'textbox E-mail, required, invalid: Informe um e-mail válido.',
      'textbox Celular com DDD, required, invalid: Informe o celular com DDD.',
      'radio Pix Confirmação na hora',
      'button Gerar código Pix',
    ]);
    const field = page.getByRole('textbox', { name: 'CPF ou CNPJ' });
    expect(await field.getAttribute('required')).toBe('');
    await field.pressSequentially('12abc34501de35');
    expect(await field.inputValue()).toBe('12.ABC.345/01DE-35');
    await fillPayer(page);
    expect(await page.getByLabel('Celular com DDD').inputValue()).toBe('(11) 98765-4321');
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await heading(page, 'Pague com Pix');
    expect(await page.locator('#pix').textContent()).toMatch(/^000201/);
    expect(await page.locator('#countdown').textContent()).toMatch(/^Expira em \d+ \S+$/);
    await page.getByRole('button', { name: 'Copiar código Pix' }).waitFor();
    const share = page.getByRole('region', { name: 'Compartilhar' });
    const message = await share.getByRole('link', { name: 'WhatsApp' }).getAttribute('href');
    expect(decodeURIComponent(message ?? '')).toBe(
      `https://wa.me/?text=Pagamento de R$ 99,90 para Loja Demonstração\n${page.url()}`,
    );
    await expectGood(page, 'Pix');
    await context.setOffline(true);
    await page.locator('#waiting', { hasText: 'Sem conexão' }).waitFor();
    await context.setOffline(false);
    await page.locator('#waiting', { hasText: 'Aguardando o pagamento' }).waitFor();
    await gateway.post(`/sandbox/transactions/${await newest()}/pay`, {});
    await heading(page, 'Pagamento confirmado');
    expect(await page.getByRole('status').textContent()).toContain('Pagamento confirmado');
    expect(await page.getByRole('link', { name: 'Voltar para a loja' }).getAttribute('href')).toBe(
      'https://shop.example/thanks',
    );
    await share.getByText('Envie o comprovante').waitFor();
    await share.getByRole('button', { name: 'Copiar link' }).waitFor();
    await expectGood(page, 'paid');
    expect(await context.cookies()).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('is paid by keyboard alone, and announces each step', TIMEOUT, async () => {
    const { context, page, problems } = await open(`/pay/${await newLink()}`);
    const keys = keyboardOf(page);
    const announced = page.getByRole('status');
    const region = await announced.elementHandle();
    await keys.tabTo('textbox', 'Nome completo');
    await keys.press('Enter');
    await keys.expectFocus('textbox', 'Nome completo');
    await expectSpoken(page, [
      'textbox Nome completo, required, invalid: Informe o nome completo.',
      'button Gerar código Pix',
    ]);
    for (const text of ['Ana Souza', '52998224725', 'ana@example.com', '11987654321']) {
      await keys.type(text);
      await keys.press('Tab');
    }
    await keys.expectFocus('button', 'Gerar código Pix');
    await keys.press('Enter');
    await keys.expectFocus('heading', 'Pague com Pix');
    await expectSpoken(page, ['heading Pague com Pix', 'image QR Code do Pix', 'button Copiar código Pix']);
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    const edge = `getComputedStyle(document.querySelector('.qr')).backgroundColor`;
    expect(await page.evaluate(edge)).toBe('rgb(255, 255, 255)');
    await keys.tabTo('button', 'Copiar código Pix');
    await keys.press('Enter');
    await announced.getByText(/copiado|selecionado/).waitFor();
    await gateway.post(`/sandbox/transactions/${await newest()}/pay`, {});
    await keys.expectFocus('heading', 'Pagamento confirmado');
    await announced.getByText(/^Pagamento confirmado/).waitFor();
    // Screen readers follow the region that they know.
    expect(await region?.evaluate((element) => element.isConnected)).toBe(true);
    await keys.tabTo('link', 'WhatsApp');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('creates a new Pix code in one tap after the old one has expired', TIMEOUT, async () => {
    const { context, page, problems } = await open(`/pay/${await newLink()}`);
    await fillPayer(page);
    await page.getByRole('button', { name: 'Gerar código Pix' }).click();
    await heading(page, 'Pague com Pix');
    const expired = await page.locator('#pix').textContent();
    await gateway.advance(2 * 24 * 3_600);
    await heading(page, 'O código Pix expirou');
    await expectGood(page, 'expired');
    await page.getByRole('button', { name: 'Gerar novo código Pix' }).click();
    await heading(page, 'Pague com Pix');
    expect(await page.locator('#pix').textContent()).not.toBe(expired);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('shows a declined card at its field and accepts another', TIMEOUT, async () => {
    const { context, page } = await open(`/pay/${await newLink()}`, {
      viewport: { width: 1280, height: 800 },
    });
    await page.getByText('Cartão de crédito').click();
    await fillPayer(page);
    const number = page.getByLabel('Número do cartão');
    await number.pressSequentially('4000000000009995');
    expect(await number.inputValue()).toBe('4000 0000 0000 9995');
    expect(await page.locator('#brand').textContent()).toBe('Visa');
    const expiry = page.getByLabel('Validade');
    await expiry.pressSequentially('1224');
    await page.getByRole('button', { name: 'Pagar R$ 99,90' }).click();
    await page.getByText('Este cartão está vencido.').waitFor();
    await expiry.fill('');
    await expiry.pressSequentially('1249');
    await page.getByLabel('Código de segurança').fill('123');
    await page.getByLabel('Nome impresso no cartão').fill('ANA SOUZA');
    expect(await page.getByLabel('Parcelas').locator('option').allTextContents()).toContain(
      '3x de R$ 33,30 (R$ 99,90)',
    );
    await page.getByLabel('Parcelas').selectOption('3');
    const pay = page.getByRole('button', { name: 'Pagar R$ 99,90' });
    await pay.click();
    await page.getByText('O cartão não tem saldo ou limite suficiente.').waitFor();
    await expectGood(page, 'declined');
    await number.fill('4111 1111 1111 1111');
    await page.getByLabel('Código de segurança').fill('123');
    await pay.click();
    await heading(page, 'Pagamento confirmado');
    const receipt = page.getByRole('region', { name: 'Comprovante' });
    expect(await receipt.innerText()).toMatch(/Cartão de crédito, 3x\s+Cartão\s+Visa •••• 1111/);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    await context.close();
  });

  it(
    'shows boletos, amounts entered by the payer, and links that cannot be paid, in English',
    TIMEOUT,
    async () => {
      const code = await newLink({ amount: null, minAmount: 2_000, methods: ['BOLETO'] });
      const { context, page } = await open(`/pay/${code}`, { locale: 'en-US' });
      await page.getByLabel('Amount').pressSequentially('1000');
      expect(await page.getByLabel('Amount').inputValue()).toBe('R$10.00');
      await page.getByLabel('Full name').fill('Ana Souza');
      await page.getByLabel('CPF or CNPJ').fill('52998224725');
      await page.getByLabel('Email').fill('ana@example.com');
      await page.getByLabel('Mobile number').fill('11987654321');
      await page.getByRole('button', { name: 'Generate boleto' }).click();
      await page.getByText('The minimum is R$20.00.').waitFor();
      await page.getByLabel('Amount').pressSequentially('0');
      await page.getByRole('button', { name: 'Generate boleto' }).click();
      await heading(page, 'Pay the boleto');
      await page.getByRole('button', { name: 'Copy boleto number' }).waitFor();
      await expectGood(page, 'boleto');
      const expired = await newLink({ expiresAt: '2020-01-01' });
      await page.goto(`${root}/pay/${expired}`);
      await heading(page, 'This link has expired');
      expect((await page.goto(`${root}/pay/AAAAAAAAAAAA`))?.status()).toBe(404);
      await heading(page, 'Link not found');
      await expectGood(page, 'not found');
      await context.close();
    },
  );

  it('transfers less than 100 kB and works with its Content-Security-Policy', TIMEOUT, async () => {
    const { context, page, problems } = await open('/docs/errors', { bypassCSP: false });
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(`${root}/pay/${await newLink()}`, { waitUntil: 'networkidle' });
    expect(await page.getByRole('button', { name: 'Gerar código Pix' }).isEnabled()).toBe(true);
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(MAX_BYTES);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe('embedding', () => {
  let shop: Server;
  let origin: string;

  beforeAll(async () => {
    shop = createServer((request, response) => {
      const code = new URL(request.url ?? '', 'http://shop').searchParams.get('code');
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>Loja</title><script src="${root}/checkout.js" defer></script>
         <vereda-checkout code="${code}"></vereda-checkout>
         <script>document.addEventListener('vereda:paid', ({ detail }) =>
           (document.title = detail.status))</script>`,
      );
    });
    const port = await freePort();
    await new Promise<void>((resolve) => shop.listen(port, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${port}`;
  });
  afterAll(() => new Promise((resolve) => shop.close(resolve)));

  it('works from a listed origin only, and reports the payment', TIMEOUT, async () => {
    const code = await newLink();
    const context = await browser.newContext({ locale: 'pt-BR' });
    const page = await context.newPage();
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.goto(`${origin}/?code=${code}`);
    await refused;
    await gateway.patch('/sellers/me/settings', { embedOrigins: [origin] });
    await page.reload();
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Nome completo').fill('Ana Souza');
    await frame.getByLabel('CPF ou CNPJ').fill('52998224725');
    await frame.getByLabel('E-mail').fill('ana@example.com');
    await frame.getByLabel('Celular com DDD').fill('11987654321');
    await frame.getByRole('button', { name: 'Gerar código Pix' }).click();
    await frame.getByRole('heading', { name: 'Pague com Pix' }).waitFor();
    const height = `document.querySelector('iframe').style.height`;
    await page.waitForFunction(`${height} !== '640px'`);
    const content = `document.body.offsetHeight`;
    expect(await page.evaluate(height)).toBe(`${String(await page.frames()[1]?.evaluate(content))}px`);
    const scrolled = 'document.documentElement.scrollHeight - innerHeight';
    await expect.poll(() => page.frames()[1]?.evaluate(scrolled)).toBe(0);
    await gateway.post(`/sandbox/transactions/${await newest()}/pay`, {});
    await page.waitForFunction(`document.title === 'PAID'`);
    await context.close();
  });
});

describe("the page of a subscription's payer", () => {
  const CUSTOMER = {
    name: 'Ana Souza',
    email: 'ana@example.com',
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
  };
  const subscribe = async (changes: object): Promise<string> => {
    // The clock of the gateway has moved.
    const link = await gateway.post('/payment-links', { title: 'x' }, { idempotencyKey: randomUUID() });
    const now = Date.parse(link.body.data.createdAt);
    const startDate = new Date(now - 3 * 3_600_000).toISOString().slice(0, 10);
    const body = { customer: CUSTOMER, amount: 4_990, interval: 'MONTHLY', startDate, ...changes };
    const created = await gateway.post('/subscriptions', body, { idempotencyKey: randomUUID() });
    return new URL(created.body.data.payerUrl).pathname;
  };

  it('changes the card and cancels at 320 px, by keyboard and in English', TIMEOUT, async () => {
    const card = { number: '4111111111111111', holderName: 'ANA', expirationMonth: 12, expirationYear: 2049 };
    const cardTokenId = (await gateway.post('/card-tokens', card)).body.data.token;
    const path = await subscribe({ method: 'CREDIT_CARD', cardTokenId, description: 'Plano mensal' });
    const { context, page, problems } = await open(path, { locale: 'en-US' });
    await heading(page, 'Plano mensal');
    await page.getByText('Visa •••• 1111').waitFor();
    await page.getByText('Change card').press('Enter');
    await expectGood(page, 'subscription');
    await page.getByRole('button', { name: 'Save card' }).click();
    expect(await page.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Card number').pressSequentially('5555555555554444');
    await page.getByLabel('Expiration date').pressSequentially('1249');
    await page.getByLabel('Security code').fill('123');
    await page.getByLabel('Name on card').fill('ANA SOUZA');
    await page.getByRole('button', { name: 'Save card' }).press('Enter');
    await page.getByText('MASTERCARD •••• 4444').waitFor();
    await page.getByRole('status').getByText('Card saved.').waitFor();
    await page.getByRole('button', { name: 'Cancel subscription' }).press('Enter');
    await expectGood(page, 'cancellation');
    await page.getByRole('button', { name: 'Go back' }).click();
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: 'Yes, cancel' }).click();
    await page.getByText('Canceled', { exact: true }).first().waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await expectGood(page, 'canceled');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('shows the code of an authorization and the address of an unpaid boleto', TIMEOUT, async () => {
    const automatic = await subscribe({ method: 'PIX_AUTOMATICO', startDate: '2090-01-31' });
    const { context, page, problems } = await open(automatic);
    await page.getByRole('img', { name: 'QR Code do Pix' }).waitFor();
    await expectGood(page, 'authorization');
    const boleto = await subscribe({ method: 'BOLETO' });
    await page.waitForTimeout(500);
    await page.goto(root + boleto);
    await page.getByRole('link', { name: /^Pagar R\$ 49,90, fatura de/ }).click();
    await heading(page, 'Pague o boleto');
    expect(problems).toEqual([]);
    await context.close();
  });
});
