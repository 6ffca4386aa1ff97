import { randomUUID } from 'node:crypto';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { launchChromium } from '#test/support/chromium.ts';
import { TIMEOUT, visit } from '#test/support/dashboard.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import {
  addAxe,
  expectSpoken,
  expectNoLayoutProblems,
  go,
  layoutProblems,
} from '#test/support/browser-session.ts';

/** A seller with records of every kind, so that no screen is checked while it is empty. */
let gateway: TestGateway;
let receiver: Receiver;
let browser: Browser;
let paid: string;
let waiting: string;
let boleto: string;
let withdrawal: string;
let dispute: string;
let link: string;
let customer: string;
let subscription: string;

beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority });
  browser = await launchChromium();
  await gateway.post('/webhooks', { url: receiver.url, eventType: 'ALL' });
  const made = async (changes = {}) => String((await gateway.charge(changes)).body.data.id);
  const pay = (id: string) => gateway.post(`/sandbox/transactions/${id}/pay`, {});
  [paid, waiting, boleto] = [await made({ amount: 50_000 }), await made(), await made({ method: 'BOLETO' })];
  const disputed = await made({ amount: 7_000 });
  await pay(paid);
  await pay(disputed);
  await gateway.post(`/sandbox/transactions/${disputed}/dispute`, {});
  dispute = String((await gateway.get('/disputes')).body.data.data[0].id);
  const asked = await gateway.post(
    '/withdrawals',
    { amount: 1_000, method: 'PIX', pixKey: '529.982.247-25', pixKeyType: 'CPF', withdrawFrom: 'PIX' },
    { idempotencyKey: randomUUID() },
  );
  withdrawal = String(asked.body.data.id);
  const created = await gateway.post(
    '/payment-links',
    { title: 'Caneca de cerâmica azul', amount: 4_990, maxPayments: 3 },
    { idempotencyKey: randomUUID() },
  );
  link = String(created.body.data.id);
  const payer = {
    name: 'Maria Aparecida da Conceição Albuquerque',
    email: 'maria.aparecida@example.com',
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
  };
  await gateway.post(
    `/public/payment-links/${String(created.body.data.code)}/payments`,
    { method: 'PIX', customer: payer },
    { credential: 'none', idempotencyKey: randomUUID() },
  );
  await pay(String((await gateway.get('/transactions?take=1')).body.data[0].id));
  customer = String((await gateway.post('/customers', payer)).body.data.id);
  const recurring = { customerId: customer, amount: 4_990, method: 'PIX_AUTOMATICO', interval: 'MONTHLY' };
  const subscribed = await gateway.post(
    '/subscriptions',
    { ...recurring, startDate: '2090-01-31', description: 'Clube do café' },
    { idempotencyKey: randomUUID() },
  );
  subscription = String(subscribed.body.data.id);
  await made({ customer: undefined, customerId: customer });
  await gateway.post('/card-tokens', {
    number: '4111111111111111',
    holderName: 'MARIA',
    customerId: customer,
    expirationMonth: 12,
    expirationYear: 2049,
  });
  await gateway.patch('/sellers/me/settings', { embedOrigins: ['https://shop.example.com'] });
  const signedIn = await gateway.post('/login', gateway.demo.seller, { credential: 'none' });
  const owner = { token: String(signedIn.body.accessToken) };
  await gateway.post('/users/invitations', { email: 'bia@example.com', role: 'FINANCE' }, owner);
  const viewer = { name: 'Caio', email: 'caio@example.com', password: 'a long enough password' };
  await gateway.post('/users', { ...viewer, role: 'VIEWER' }, owner);
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await receiver.close();
});

/** A screen of 1280 pixels at 200 %, which is 360 pixels high, too. */
const ZOOMED = { width: 640, height: 360 };

/** Whether the page fits at this size. */
async function expectFits(page: Page, name: string, size: { width: number; height: number }) {
  await page.setViewportSize(size);
  expect.soft(await layoutProblems(page, { rules: 'none' }), `${name}, ${size.width}`).toEqual([]);
}

/**
 * Components do not depend on the language: the English screens must fit where there is least room.
 */
async function expectGood(page: Page, name: string, language: string, part = 'main'): Promise<void> {
  if (language === 'Português') return expectNoLayoutProblems(page, name, { part });
  await expectFits(page, name, { width: 360, height: 800 });
  await expectFits(page, name, ZOOMED);
}

/** In forced colors, only borders and outlines show what is chosen, pressed or in focus. */
async function expectForcedColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.keyboard.press('Tab');
  const flat = await page.evaluate<readonly string[]>(`(() => {
    const has = (element, what) => getComputedStyle(element)[what + 'Style'] !== 'none';
    const bordered = '.mantine-Button-root, .mantine-Badge-root, ' +
      '.mantine-SegmentedControl-indicator, .mantine-Input-input';
    return [...document.querySelectorAll(bordered)]
      .filter((element) => element.checkVisibility() && !has(element, 'borderTop'))
      .concat(has(document.activeElement, 'outline') ? [] : [document.activeElement])
      .map((element) => element.outerHTML.slice(0, 200));
  })()`);
  expect.soft(flat).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
}

async function begin(language: 'Português' | 'English') {
  // The page's Content-Security-Policy blocks scripts that are not the gateway's, such as the
  // checker.
  const context = {
    bypassCSP: true,
    viewport: { width: 1280, height: 800 },
  };
  const visited = await visit(browser, gateway, '/settings', { context });
  const { page } = visited;
  await addAxe(page);
  if (language === 'English') {
    await page.getByText('English').click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  }
  return visited;
}

/** Each screen with its title in both languages, by which the test recognizes it. */
const SCREENS: readonly (readonly [path: string, pt: string | RegExp, en: string | RegExp])[] = [
  ['/', 'Início', 'Home'],
  ['/charges', 'Cobranças', 'Charges'],
  ['/charges/new', 'Nova cobrança', 'New charge'],
  ['/charges/PAID', /R\$/, /R\$/],
  ['/charges/WAITING', /R\$/, /R\$/],
  ['/charges/BOLETO', /R\$/, /R\$/],
  ['/links', 'Links de pagamento', 'Payment links'],
  ['/links/new', 'Novo link de pagamento', 'New payment link'],
  ['/links/LINK', /Caneca/, /Caneca/],
  ['/links/LINK/print', /Caneca/, /Caneca/],
  ['/subscriptions', 'Assinaturas', 'Subscriptions'],
  ['/subscriptions/new', 'Nova assinatura', 'New subscription'],
  ['/subscriptions/SUBSCRIPTION', /Clube/, /Clube/],
  ['/customers', 'Clientes', 'Customers'],
  ['/customers/CUSTOMER', /Maria/, /Maria/],
  ['/statement', 'Extrato', 'Statement'],
  ['/receivables', 'Agenda de recebíveis', 'Receivables'],
  ['/point-of-sale', 'Ponto de venda', 'Point of sale'],
  ['/withdrawals', 'Saques', 'Withdrawals'],
  ['/withdrawals/new', 'Solicitar saque', /withdrawal/i],
  ['/withdrawals/WITHDRAWAL', /R\$/, /R\$/],
  ['/disputes', 'Disputas', 'Disputes'],
  ['/fees', 'Tarifas', 'Fees'],
  ['/developers/keys', 'Chaves de API', 'API keys'],
  ['/developers/webhooks', 'Webhooks', 'Webhooks'],
  ['/developers/deliveries', 'Envios de webhook', 'Webhook deliveries'],
  ['/developers/events', 'Tipos de evento', /event/i],
  ['/team', 'Equipe', 'Team'],
  ['/forgot-password', 'Redefinir a senha', 'Reset your password'],
  ['/reset-password', 'Este link não é mais válido', 'This link is no longer valid'],
  ['/settings', 'Configurações', 'Settings'],
];

/** The accessible names and states of the fields and buttons of each flow. */
const SPOKEN: Readonly<Record<string, readonly string[]>> = {
  '/charges': ['link Nova cobrança', 'button Exportar CSV'],
  '/charges/new': [
    'textbox Valor, required',
    'textbox Nome completo, required',
    'textbox CPF ou CNPJ, required',
    'button Gerar código Pix',
  ],
  '/charges/PAID': ['button Reembolsar'],
  '/links/new': [
    'textbox O que você está vendendo, required',
    'textbox Valor, required',
    'button Criar link',
  ],
  '/subscriptions/new': [
    'combobox Cliente, required',
    'textbox Valor de cada ciclo, required',
    'button Criar assinatura',
  ],
  '/point-of-sale': ['CPF ou CNPJ', 'E-mail', 'Celular com DDD'].map((name) => `textbox ${name}, required`),
  '/withdrawals/new': ['textbox Valor, required', 'textbox Chave Pix, required', 'button Revisar'],
};

describe('each screen is accessible and fits, in both themes at 1280 and 360 pixels', TIMEOUT, () => {
  it.each(['Português', 'English'] as const)('in %s', async (language) => {
    const { page, complaints, leave } = await begin(language);
    // The frame of all screens, at each width in each theme.
    await expectGood(page, 'frame', language, 'html');
    await expectGood(page, 'frame', language, 'html');
    const busy = page.getByRole('status', { name: language === 'English' ? 'Loading' : 'Carregando' });
    for (const [path, pt, en] of SCREENS) {
      const at = path
        .replace('PAID', paid)
        .replace('WAITING', waiting)
        .replace('BOLETO', boleto)
        .replace('WITHDRAWAL', withdrawal)
        .replace('LINK', link)
        .replace('CUSTOMER', customer)
        .replace('SUBSCRIPTION', subscription);
      await go(page, at);
      await page
        .getByRole('heading', { level: 1, name: language === 'English' ? en : pt })
        .first()
        .waitFor();
      await expect.poll(() => busy.count(), { timeout: 20_000 }).toBe(0);
      const spoken = (language === 'Português' && SPOKEN[path]) || [];
      if (spoken.length > 0) await expectSpoken(page, spoken);
      await expectGood(page, path, language);
      if (path === '/charges/new' || path === '/settings') await expectForcedColors(page);
    }
    await go(page, '/charges');
    await page.getByLabel(/Buscar cobrança|Search charges/).fill('ana');
    await page.getByRole('columnheader', { name: /Pagador|Payer/ }).waitFor();
    await expectGood(page, 'what a search has found', language);
    await go(page, `/charges/${randomUUID()}`);
    await page.getByRole('alert').waitFor();
    // A retry does not help for a missing resource.
    expect(await page.getByRole('button', { name: /Tentar novamente|Try again/ }).count()).toBe(0);
    await expectGood(page, 'a charge that does not exist', language);
    // The browser logs every response with a status of 400 or more.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
    await go(page, '/nowhere');
    await page
      .getByRole('button', { name: /início|home/i })
      .or(page.getByRole('link', { name: /Ir para o início|home/i }))
      .first()
      .waitFor();
    await expectGood(page, 'a page that does not exist', language);
    expect(complaints).toEqual([]);
    await leave();
  });
});

/** The part of the page that contains overlays. */
const FLOATING = '[data-portal]';

/** Overlays: how each is opened and recognized, and whether phones have it too. */
const ABOVE: readonly {
  readonly name: string;
  readonly path: () => string;
  readonly open?: (page: Page) => Promise<void>;
  readonly known: (page: Page) => Promise<void>;
  readonly wideOnly?: true;
}[] = [
  {
    name: 'the panel of a charge',
    path: () => `/charges?open=${paid}`,
    known: (page) => page.getByRole('dialog').getByText('Linha do tempo').waitFor(),
  },
  {
    name: 'a refund to be confirmed',
    path: () => `/charges/${paid}`,
    open: (page) => page.getByRole('button', { name: 'Reembolsar' }).click(),
    known: (page) => page.getByLabel('Valor do reembolso').waitFor(),
  },
  {
    name: 'the columns of a list',
    path: () => '/charges',
    open: (page) => page.getByRole('button', { name: 'Colunas' }).click(),
    known: (page) => page.getByRole('menuitemcheckbox').first().waitFor(),
    wideOnly: true,
  },
  {
    name: 'a view to be saved',
    path: () => '/charges?method=PIX',
    open: (page) => page.getByRole('button', { name: 'Salvar filtro' }).click(),
    known: async (page) => {
      await page.getByLabel('Nome do filtro').waitFor();
      await page.getByRole('button', { name: 'Salvar', exact: true }).click();
      await page.getByText('Preencha este campo.').waitFor();
    },
    wideOnly: true,
  },
  {
    name: 'a link to be edited',
    path: () => `/links/${link}`,
    open: (page) => page.getByRole('button', { name: 'Editar' }).click(),
    known: (page) => page.getByRole('dialog').getByLabel('Limite de pagamentos').waitFor(),
  },
  {
    name: 'the options of a new customer',
    path: () => '/customers',
    open: async (page) => {
      await page.getByRole('button', { name: 'Novo cliente' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Endereço' }).click();
    },
    known: (page) => page.getByRole('dialog').getByLabel('CEP').waitFor(),
  },
  {
    name: 'a customer to be deleted',
    path: () => `/customers/${customer}`,
    open: (page) => page.getByRole('button', { name: 'Excluir', exact: true }).click(),
    known: (page) => page.getByRole('dialog').getByText('São mantidas').waitFor(),
  },
  {
    name: 'the customers of a new charge',
    path: () => '/charges/new',
    open: (page) => page.getByRole('combobox', { name: 'Cliente cadastrado' }).click(),
    known: (page) => page.getByRole('option').first().waitFor(),
  },
  {
    name: 'the panel of a withdrawal',
    path: () => `/withdrawals?open=${withdrawal}`,
    known: (page) => page.getByRole('dialog').getByText('Destino', { exact: true }).waitFor(),
  },
  {
    name: 'an appeal',
    path: () => `/disputes?open=${dispute}`,
    open: (page) => page.getByRole('button', { name: 'Apresentar defesa' }).click(),
    known: (page) => page.getByLabel('O que aconteceu').waitFor(),
  },
  {
    name: 'a new key',
    path: () => '/developers/keys',
    open: (page) => page.getByRole('button', { name: 'Criar chave' }).click(),
    known: (page) => page.getByLabel('Nome da chave').waitFor(),
  },
  {
    name: 'a key to be deleted',
    path: () => '/developers/keys',
    open: (page) =>
      page
        .getByRole('button', { name: /^Excluir/ })
        .first()
        .click(),
    known: (page) => page.getByRole('dialog', { name: /Excluir a chave/ }).waitFor(),
  },
  {
    name: 'a new webhook',
    path: () => '/developers/webhooks',
    open: (page) => page.getByRole('button', { name: 'Adicionar webhook' }).click(),
    known: (page) => page.getByLabel('URL (https)').waitFor(),
  },
  {
    name: 'the actions of a webhook',
    path: () => '/developers/webhooks',
    open: (page) => page.getByRole('button', { name: 'Ações' }).click(),
    known: (page) => page.getByRole('menuitem', { name: 'Trocar segredo' }).waitFor(),
    wideOnly: true,
  },
  {
    name: "a webhook's new secret",
    path: () => '/developers/webhooks',
    open: async (page) => {
      await page.getByRole('button', { name: 'Ações' }).click();
      await page.getByRole('menuitem', { name: 'Trocar segredo' }).click();
      await page.getByRole('button', { name: 'Trocar segredo', exact: true }).click();
    },
    known: (page) => page.getByText(/^whsec_/).waitFor(),
  },
  {
    name: 'the panel of a delivery',
    path: () => '/developers/deliveries',
    open: (page) =>
      page.getByRole('table', { name: 'Envios de webhook' }).locator('tr.openable').first().click(),
    known: (page) => page.getByRole('dialog').getByText('Conteúdo enviado').waitFor(),
  },
  {
    name: 'a second factor',
    path: () => '/settings',
    open: (page) => page.getByRole('button', { name: 'Ativar', exact: true }).click(),
    known: (page) => page.getByRole('dialog', { name: 'Aplicativo autenticador' }).waitFor(),
  },
  {
    name: 'an invitation',
    path: () => '/team',
    open: (page) => page.getByRole('button', { name: 'Convidar pessoa' }).click(),
    known: (page) => page.getByRole('dialog').getByLabel('E-mail').waitFor(),
  },
  {
    name: 'the notifications',
    path: () => '/fees',
    open: (page) => page.getByRole('button', { name: /^Avisos/ }).click(),
    known: (page) => page.getByRole('dialog').getByText('Disputa aberta').waitFor(),
  },
  {
    name: 'the menu of the account',
    path: () => '/fees',
    open: (page) => page.getByRole('button', { name: 'Sua conta' }).click(),
    known: (page) => page.getByRole('menuitem', { name: 'Sair' }).waitFor(),
    wideOnly: true,
  },
  {
    name: 'the search for anything',
    path: () => '/fees',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Nome, valor, ID ou tela').fill('ana');
    },
    known: (page) =>
      page
        .getByRole('option', { name: /Ana Souza/ })
        .first()
        .waitFor(),
  },
];

describe('each overlay is accessible and fits', TIMEOUT, () => {
  it('in both themes at 1280 and, if available on phones, 360 pixels', async () => {
    const { page, complaints, leave } = await begin('Português');
    let before = '';
    for (const { name, path, open, known, wideOnly } of ABOVE) {
      await page.setViewportSize({ width: 1280, height: 800 });
      // From another screen each time, so that no earlier overlay is open.
      const [screen = ''] = path().split('?');
      if (screen === before) {
        await go(page, '/developers/events');
        await page.getByRole('heading', { level: 1, name: 'Tipos de evento' }).waitFor();
      }
      before = screen;
      await go(page, path());
      await open?.(page);
      await known(page);
      // The content below an overlay is dimmed on purpose.
      const widths = wideOnly ? [1280] : [1280, 360];
      await expectNoLayoutProblems(page, name, { part: FLOATING, widths });
      if (!wideOnly) await expectFits(page, name, ZOOMED);
      const once = page.getByRole('button', { name: 'Já salvei' });
      if ((await once.count()) > 0) await once.click();
      else await page.keyboard.press('Escape');
    }
    await go(page, '/fees');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('button', { name: 'Mais' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    await expectNoLayoutProblems(page, 'the menu of a phone', { part: FLOATING, widths: [360] });
    expect(complaints).toEqual([]);
    await leave();
  });
});
