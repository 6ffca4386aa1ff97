import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Credentials } from '#test/support/browser-session.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { visit } from '#test/support/dashboard.ts';
import { KEYS, launchEngine, whyMissing, type Engine, type EnginePage } from '#test/support/engines.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, withdrawalThatIs } from '#test/support/withdrawals.ts';

/** The main flows in Firefox and WebKit. The other tests cover them in Chromium. */

const ENGINES: readonly Engine[] = ['firefox', 'webkit'];
const TIMEOUT = { timeout: 120_000 };
type Size = readonly [number, number];
const PHONE: Size = [390, 844];
const DESKTOP: Size = [1280, 900];

let gateway: TestGateway;
let root: string;
let page: EnginePage;

beforeAll(async () => {
  gateway = await startTestGateway();
  // Another name of the host than that of the addresses that the gateway generates.
  root = new URL(gateway.baseUrl).origin.replace('127.0.0.1', 'localhost');
  await gateway.post('/customers', {
    name: 'Bia Reis',
    email: 'bia@example.com',
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
  });
});
afterAll(() => gateway.stop());

const CONTROLS = 'a, button, input, select, textarea, summary, [role=button], [role=menuitem], [role=option]';
/** Controls that a user can reach, with what is spoken about them. */
const LIST = `(() => {
  const text = (element) => element?.innerText?.trim() || element?.querySelector('img[alt]')?.alt || '';
  const nameOf = (element) =>
    element.getAttribute('aria-label') ||
    (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => text(document.getElementById(id))).join(' ').trim() ||
    text(element.labels?.[0]) || text(element) || element.getAttribute('alt') || element.title || element.placeholder || '';
  return [...document.querySelectorAll('${CONTROLS}')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden=true]'))
    .map((element) => ({ element, name: nameOf(element).replaceAll(/\\s+/g, ' ') }));
})()`;
const FOCUSED = `${LIST}.find(({ element }) => element === document.activeElement)?.name`;
const isTyped = ':not([type=checkbox], [type=radio], [type=hidden], [type=file])';

/** Repeats until there is a value. */
async function until<T>(what: string, get: () => Promise<T | undefined | null | false>): Promise<T> {
  for (const end = Date.now() + 20_000; ; await setTimeout(50)) {
    const found = await get();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > end) {
      const focused = await page.evaluate('document.activeElement.outerHTML.slice(0, 300)');
      const text = await page.evaluate('document.body.innerText');
      throw new Error(`not found: ${what}, with the focus at ${focused}, in: ${text.slice(0, 1_500)}`);
    }
  }
}

const sees = (text: string) =>
  until(text, () =>
    page.evaluate(`document.body.innerText.replaceAll(/\\s/g, ' ').includes(${JSON.stringify(text)})`),
  );

/** Clicks the last control with this name, once it rests and nothing covers it. */
async function click(name: string): Promise<void> {
  let before = '';
  await until(name, async () => {
    const at: string = await page.evaluate(`(() => {
      const { element } = ${LIST}.findLast(({ name }) => name.startsWith(${JSON.stringify(name)})) ?? {};
      element?.scrollIntoView({ block: 'center', behavior: 'instant' });
      const box = element?.getBoundingClientRect();
      const at = box && [box.x + box.width / 2, box.y + box.height / 2];
      const top = at && document.elementFromPoint(...at);
      const isCovered = !top || !(element.contains(top) || top.contains(element) || top.closest('label')?.control === element);
      if (isCovered || element.disabled || element.dataset.loading) return '';
      if (String(at) === '${before}') element.focus(), element.click();
      return String(at);
    })()`);
    const isDone = at !== '' && at === before;
    before = at;
    return isDone;
  });
}

async function fill(name: string, text: string): Promise<void> {
  await click(name);
  await page.evaluate('document.activeElement.select?.()');
  await page.type(text);
}

/** Presses Tab until the control with this name has the focus. */
async function tabTo(name: string): Promise<void> {
  await until(name, () =>
    page.evaluate(`${LIST}.some((one) => one.name.startsWith(${JSON.stringify(name)}))`),
  );
  for (let stop = 0; stop < 60; stop += 1) {
    if ((await page.evaluate(FOCUSED))?.startsWith(name)) return;
    await page.type(KEYS.Tab);
  }
  throw new Error(`Tab does not reach ${name}`);
}

const press = async (name: string, engine: Engine) => {
  await tabTo(name);
  // Keys of Firefox's driver press no buttons.
  await (engine === 'firefox' ? page.evaluate('document.activeElement.click()') : page.type(KEYS.Enter));
};

const typeInto = async (name: string, text: string) => {
  await tabTo(name);
  await page.evaluate('document.activeElement.select?.()');
  await page.type(text);
};

/** WebDriver has no log of WebKit. */
const COLLECT = `(window.complaints = []) && ((texts) => {
  for (const name of ['error', 'unhandledrejection', 'securitypolicyviolation'])
    addEventListener(name, (event) => texts.push(String(event.message ?? event.reason ?? event.blockedURI)));
  console.error = (...all) => texts.push(all.join(' '));
})(window.complaints)`;

async function open(path: string, size: Size, base = '/dashboard'): Promise<void> {
  await page.resize(...size);
  await page.open(root + base + path);
  await page.evaluate(COLLECT);
}

const complaints = async () => [...page.complaints, ...(await page.evaluate('window.complaints ?? []'))];

async function signIn(path: string, { email, password }: Credentials, size = DESKTOP): Promise<void> {
  const isSignedIn = () => page.evaluate(`${LIST}.some(({ name }) => name === 'Sua conta')`);
  const isAsked = () => page.evaluate(`document.activeElement.type === 'email'`);
  await open(path, size);
  await until('the first field', async () => (await isAsked()) || (await isSignedIn()));
  // A failed test leaves its session.
  if (await isSignedIn()) {
    await signOut();
    await open(path, size);
    await until('the first field', isAsked);
  }
  await page.type(email + KEYS.Tab + password + KEYS.Enter);
  await until('the account menu', isSignedIn);
}

async function signOut(): Promise<void> {
  await click('Sua conta');
  await click('Sair');
  await sees('Esqueceu a senha');
}

/** Fields that iOS zooms into, controls without a name, and what is wider than the screen. */
const problems = (): Promise<readonly string[]> =>
  page.evaluate(`${LIST}.flatMap(({ element, name }) => {
    const size = parseFloat(getComputedStyle(element).fontSize);
    const isSmall = innerWidth < 768 && element.matches('input${isTyped}, textarea, select') && size < 16;
    return [...(name === '' ? [element.outerHTML] : []), ...(isSmall ? [name + ': ' + size + ' px'] : [])];
  }).concat(document.documentElement.scrollWidth > innerWidth ? ['scrolls sideways'] : [])`);

const newest = async (path: string, token?: string) =>
  (await gateway.get(`${path}?take=1`, token === undefined ? {} : { token })).body.data[0];

const AXES = `[...document.querySelectorAll('.recharts-cartesian-axis-tick-value')].map(({ textContent }) => textContent)`;
const readAxes = (evaluate: (code: string) => Promise<readonly string[]>) =>
  until('a chart', async () => {
    const texts = await evaluate(AXES);
    return texts.length > 0 && texts;
  });
/** The texts of the home page's chart in Chromium. */
async function axesInChromium(): Promise<readonly string[]> {
  const browser = await launchChromium();
  const { page: visited } = await visit(browser, gateway, '/');
  const texts = await readAxes((code) => visited.evaluate(code));
  await browser.close();
  return texts;
}

for (const engine of ENGINES) {
  const missing = await whyMissing(engine);
  if (missing !== undefined) process.stderr.write(`${missing}\n`);
  describe.skipIf(missing !== undefined)(`in ${engine}`, TIMEOUT, () => {
    beforeAll(async () => {
      page = await launchEngine(engine);
      await page.open(`${root}/docs/errors`);
      await page.evaluate(`localStorage.setItem('vereda-language', 'pt-BR')`);
    });
    afterAll(() => page.close());

    it('a seller charges, is paid meanwhile, refunds and withdraws by keyboard alone', async () => {
      await signIn('/charges/new', gateway.demo.seller);
      await until('the amount', async () => (await page.evaluate(FOCUSED)) === 'Valor');
      await page.type(KEYS.Enter);
      await until('the first wrong field', async () => (await page.evaluate(FOCUSED)) === 'Valor');
      await page.type(`12345${KEYS.Tab}Caneca azul${KEYS.Enter}`);
      await until('the next wrong field', async () => (await page.evaluate(FOCUSED)) === 'Nome completo');
      const payer = ['Ana Souza', '12abc34501de35', 'ana@example.com', '11987654321'];
      await page.type(payer.join(KEYS.Tab));
      const typed = `${LIST}.find(({ name }) => name === 'CPF ou CNPJ').element.value`;
      await until('the document', async () => (await page.evaluate(typed)) === '12.ABC.345/01DE-35');
      await page.type(KEYS.Enter);
      await sees('Expira em');
      const { id } = await newest('/transactions');
      await gateway.post(`/sandbox/transactions/${id}/pay`, {});
      await sees('R$ 123,45 confirmado');

      await open(`/charges/${id}`, PHONE);
      await press('Reembolsar', engine);
      await until('the amount', async () => (await page.evaluate(FOCUSED)) === 'Valor do reembolso');
      await typeInto('Valor do reembolso', '2000');
      await typeInto('Motivo do reembolso', 'Veio quebrada');
      await page.type(KEYS.Enter);
      await sees('Reembolso −R$ 20,00');
      await until('the opener', async () => (await page.evaluate(FOCUSED)) === 'Reembolsar');

      await open('/withdrawals/new', PHONE);
      await until('the amount', async () => (await page.evaluate(FOCUSED)) === 'Valor');
      await page.type('5000');
      await typeInto('Chave Pix', '529.982.247-25');
      await page.type(KEYS.Enter);
      await until('the review', async () => (await page.evaluate(FOCUSED))?.startsWith('Confirmar saque'));
      await press('Confirmar saque', engine);
      await sees('Em análise');
      await until('the heading', () => page.evaluate(`document.activeElement.tagName === 'H1'`));
      await signOut();
      expect(await complaints()).toEqual([]);
    });

    it('an operator approves a withdrawal', async () => {
      const seller = await newSeller(gateway, { balance: 10_000 });
      const asked = await withdrawalThatIs(gateway, seller, 'PENDING');
      await signIn(`/operator/withdrawals?open=${asked}`, gateway.demo.admin);
      await sees('Sobre a loja');
      await click('Aprovar');
      await sees('Aprovar saque');
      await click('Aprovar');
      const token = await gateway.adminToken();
      await until('the approval', async () => {
        const { body } = await gateway.get(`/admin/withdrawals/${asked}`, { token });
        return body.data.approvals.length === 1;
      });
      await signOut();
      expect(await complaints()).toEqual([]);
    });

    it('a phone shows a link and its payment page, a subscription, and a panel that Escape closes', async () => {
      await signIn('/links/new', gateway.demo.seller, PHONE);
      await fill('O que você está vendendo', 'Caneca azul');
      await fill('Valor', '4990');
      await click('Criar link');
      await sees('Copiar link');
      const { url } = await newest('/payment-links');

      await open('/subscriptions/new', PHONE);
      await click('Cliente');
      await click('Bia Reis');
      await fill('O que está sendo cobrado', 'Plano mensal');
      await fill('Valor de cada ciclo', '4990');
      await click('Primeira cobrança');
      await click('Próximo mês');
      await click('15 ');
      await until('the date', async () => (await page.evaluate(FOCUSED)) === 'Primeira cobrança');
      await click('Criar assinatura');
      await sees('Aguardando autorização');
      await until('a toast above the bottom bar', () =>
        page.evaluate(`(() => {
          const top = document.querySelector('footer').getBoundingClientRect().top;
          const toast = document.querySelector('.mantine-Notification-root');
          return toast && toast.getBoundingClientRect().bottom <= top;
        })()`),
      );
      await until('the heading', () => page.evaluate(`document.activeElement.tagName === 'H1'`));

      // What is not shown is skipped, and the dialog on top closes alone.
      const { id } = await newest('/transactions');
      await open(`/charges?open=${id}`, PHONE);
      await sees('Reembolsar');
      const keycaps = `[...document.querySelectorAll('kbd')].filter((key) => key.checkVisibility()).length`;
      expect(await page.evaluate(keycaps)).toBe(0);
      await click('Reembolsar');
      await sees('Motivo do reembolso');
      const dialogs = () => page.evaluate(`document.querySelectorAll('[role=dialog]').length`);
      await page.type(KEYS.Escape);
      await until('one dialog', async () => (await dialogs()) === 1);
      await until('the opener', async () => (await page.evaluate(FOCUSED)) === 'Reembolsar');
      expect(await page.evaluate('location.search')).toContain('open=');
      await page.type(KEYS.Escape);
      await until('no dialog', async () => (await dialogs()) === 0);
      await until('the row', () => page.evaluate(`document.activeElement.dataset.row === '${id}'`));
      for (let step = 0; step < 12; step += 1) {
        await page.type(KEYS.Tab);
        // After the last control, the browser's own controls have the focus.
        const isShown = `!document.hasFocus() || document.activeElement.getBoundingClientRect().right > 0`;
        expect(await page.evaluate(isShown)).toBe(true);
      }

      await open(new URL(url).pathname, PHONE, '');
      expect(await problems()).toEqual([]);
      const [name, document, email, phone] = ['name', 'document', 'email', 'phone'];
      for (const [field, text] of [
        [name, 'Ana Souza'],
        [document, '52998224725'],
        [email, 'ana@example.com'],
        [phone, '11987654321'],
      ]) {
        await page.evaluate(`window.document.getElementById('${field}').focus()`);
        await page.type(String(text));
      }
      await page.type(KEYS.Enter);
      await until('the code', () =>
        page.evaluate(`document.getElementById('pix')?.textContent?.startsWith('000201')`),
      );
      const paying = await newest('/transactions');
      await gateway.post(`/sandbox/transactions/${paying.id}/pay`, {});
      await until('the confirmation', () =>
        page.evaluate(`/Pagamento confirmado|Payment confirmed/.test(document.body.innerText)`),
      );
      expect(await complaints()).toEqual([]);
    });

    it('both widths show names, fields and the pictures of a boleto', async () => {
      const boleto = (await gateway.charge({ method: 'BOLETO', amount: 20_000 })).body.data.boleto;
      await open('/', DESKTOP);
      expect(await readAxes(page.evaluate)).toEqual(await axesInChromium());
      for (const size of [PHONE, DESKTOP]) {
        for (const [path, heading] of [
          ['/', 'Cobranças pagas hoje'],
          ['/charges', 'Cobranças'],
          ['/charges/new?method=CREDIT_CARD', 'Número do cartão'],
          ['/settings', 'Configurações'],
        ] as const) {
          await open(path, size);
          await sees(heading);
          expect.soft(await problems(), `${path} at ${size[0]}`).toEqual([]);
        }
        await open(new URL(String(boleto.url)).pathname, size, '');
        const loaded = `[...document.images].map((image) => image.complete && image.naturalWidth > 0)`;
        expect(await page.evaluate(loaded)).toEqual([true, true]);
        expect(await problems()).toEqual([]);
        expect(await complaints()).toEqual([]);
      }
    });
  });
}
