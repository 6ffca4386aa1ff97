import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newApplicant } from '#test/support/applications.ts';
import type { Credentials } from '#test/support/browser-session.ts';
import { launchChromium } from '#test/support/chromium.ts';
import { visit } from '#test/support/dashboard.ts';
import { COLLECT, DESKTOP, FOCUSED, LIST, PHONE, PROBLEMS, STOPS } from '#test/support/engine-controls.ts';
import { KEYS, type EnginePage } from '#test/support/engine-page.ts';
import { launchEngine, whyMissing, type Engine } from '#test/support/engines.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { COVERED } from '#test/support/keyboard.ts';
import { newSeller, withdrawalThatIs } from '#test/support/withdrawals.ts';

/** The main flows in Firefox and WebKit. The other tests cover most of them in Chromium. */

const ENGINES: readonly Engine[] = ['chromium', 'firefox', 'webkit'];
const TIMEOUT = { timeout: 120_000 };
let gateway: TestGateway;
let root: string;
let page: EnginePage;
let running: Engine;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: { SIGNUP: 'open' } });
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

const hasFocus = async (name: string | RegExp): Promise<boolean> => {
  const found = (await page.evaluate(FOCUSED)) ?? '';
  return typeof name === 'string' ? found.startsWith(name) : name.test(found);
};
/** Waits until what has the focus has this name, or one that begins with it. */
const focused = (name: string | RegExp) => until(`the focus at ${name}`, () => hasFocus(name));

/** Presses Tab, or Shift and Tab, until the control with this name has the focus. */
async function tabTo(name: string | RegExp): Promise<void> {
  const test = typeof name === 'string' ? `name.startsWith(${JSON.stringify(name)})` : `${name}.test(name)`;
  const find = `window.wanted = ${LIST}.find(({ name }) => ${test})?.element`;
  await until(String(name), () => page.evaluate(`(${find}) !== undefined`));
  // The list is long, and read again only when the page has replaced the control.
  const count = `(window.wanted?.isConnected || (${find}), ${STOPS})`;
  for (let round = 0; round < 80; round += 1) {
    if (await hasFocus(name)) return;
    // A page that has just opened moves the focus itself, and some controls of the list are no stops.
    const stops: number = await page.evaluate(count);
    await page.type((stops < 0 ? KEYS.Shift : '') + KEYS.Tab.repeat(Math.max(Math.abs(stops) >> 1, 1)));
  }
  throw new Error(`Tab does not reach ${name}`);
}

const press = async (name: string | RegExp) => {
  await tabTo(name);
  await page.type(KEYS.Enter);
};

const typeInto = async (name: string, text: string) => {
  await tabTo(name);
  await page.evaluate('document.activeElement.select?.()');
  await page.type(text);
};

async function open(path: string, size: readonly [number, number], base = '/dashboard'): Promise<void> {
  await page.resize(...size);
  await page.open(root + base + path);
  await page.evaluate(COLLECT);
}

const complaints = async () => [...page.complaints, ...(await page.evaluate('window.complaints ?? []'))];

async function signIn(path: string, user: Credentials, size = DESKTOP): Promise<void> {
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
  await page.type(user.email + KEYS.Tab + user.password + KEYS.Enter);
  await until('the account menu', isSignedIn);
}

async function signOut(): Promise<void> {
  await press('Sua conta');
  await focused('Configurações');
  await page.type(KEYS.End);
  await focused('Sair');
  await press('Sair');
  await sees('Esqueceu a senha');
}

const problems = (): Promise<readonly string[]> => page.evaluate(PROBLEMS);

const newest = async (path: string, token?: string) =>
  (await gateway.get(`${path}?take=1`, token === undefined ? {} : { token })).body.data[0];

const AXES = `[...document.querySelectorAll('.recharts-cartesian-axis-tick-value')]
  .map(({ textContent }) => textContent)`;
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

/** Flows that the other tests do not have. */
async function useOtherScreens(): Promise<void> {
  await signIn('/point-of-sale', gateway.demo.seller);
  await focused('Nome');
  const counter = ['Consumidor', '52998224725', 'loja@example.com', '11987654321'];
  await page.type(counter.join(KEYS.Tab) + KEYS.Enter);
  for (const key of ['7', '0', '0']) await press(key);
  await press('Gerar código Pix');
  await focused('Mostre o código ao pagador');
  const { id } = await newest('/transactions');
  await gateway.post(`/sandbox/transactions/${id}/pay`, {});
  await focused('Pago');

  await open('/customers', DESKTOP);
  await press('Novo cliente');
  await focused('Nome completo');
  const document = running === 'firefox' ? '11144477735' : '12345678909';
  const customer = ['Caio Lima', document, 'caio@example.com', '11987654322'];
  await page.type(customer.join(KEYS.Tab) + KEYS.Enter);
  await focused('Caio Lima');

  await open('/developers/keys', DESKTOP);
  await press('Criar chave');
  await focused('Nome da chave');
  await page.type(`servidor${KEYS.Enter}`);
  await press('Já salvei');
  await focused('Criar chave');

  await open('/developers/webhooks', DESKTOP);
  await press('Adicionar webhook');
  await focused('URL');
  await page.type(`https://shop.example.com/webhooks${KEYS.Enter}`);
  await press('Já salvei');
  await focused('Adicionar webhook');
  await press('Ações');
  await focused('Enviar teste');
  await page.type(KEYS.Escape);
  await focused('Ações');

  await open('/team', DESKTOP);
  await press('Convidar pessoa');
  await focused('E-mail');
  await page.type(`zoe@example.com${KEYS.Enter}`);
  await sees('Convite enviado');
  await focused('Convidar pessoa');

  await gateway.post(`/sandbox/transactions/${id}/dispute`, {});
  await open('/disputes', DESKTOP);
  await tabTo(/Aguardando sua defesa/);
  await page.type(KEYS.Enter);
  await press('Apresentar defesa');
  await focused('O que aconteceu');
  await page.type('Entregue em mãos');
  await press('Enviar defesa');
  await focused('Fechar');
  await page.type(KEYS.Escape);
  await focused(/Em análise/);
  await signOut();
}

/** Waits until a control has the focus that has this name and is not covered. */
async function expectFocus(name: string | RegExp): Promise<void> {
  await focused(name);
  await until('a focus that is visible', async () => (await page.evaluate(`${COVERED} ?? null`)) === null);
}

/** Finds a screen by its name. Its heading has the focus, or a field. */
async function find(screen: string, first = screen): Promise<void> {
  await page.type(`${KEYS.Control}k`);
  await expectFocus('Buscar ou ir para');
  await page.type(screen);
  const chosen = `document.querySelector('[role=option][aria-selected=true]')?.textContent`;
  await until('the result', async () => {
    if ((await page.evaluate(chosen)) === screen) return true;
    await page.type(KEYS.Down);
    return false;
  });
  await page.type(KEYS.Enter);
  await expectFocus(new RegExp(`^${first}$`));
}

/** Opens the first row of the list with this text, and closes its panel. */
async function openPanel(row: RegExp): Promise<void> {
  await tabTo(row);
  await expectFocus(row);
  await page.type(KEYS.Enter);
  await expectFocus('Fechar');
  await page.type(KEYS.Escape);
  await expectFocus(row);
}

async function manageSellers(): Promise<void> {
  await find('Lojas');
  await tabTo(/^Loja .*\d/);
  await page.type(KEYS.Enter);
  await expectFocus(/^Loja$/);
  await tabTo('Visão geral');
  await page.type(KEYS.Right);
  await expectFocus('Limites e prazos');
  await typeInto('Cobranças por minuto', '77');
  await press('Salvar');
  await sees('Limites salvos');
  await expectFocus('Cobranças por minuto');
  await typeInto('Cobranças por minuto', `88${KEYS.Enter}`);
  await until('the limit', async () => {
    const { data } = (await gateway.get('/admin/sellers?take=100', { token: await gateway.adminToken() }))
      .body;
    return JSON.stringify(data).includes('"creationsPerMinute":88');
  });
  await expectFocus('Cobranças por minuto');

  await find('Cadastros');
  await tabTo(/^Canecas/);
  await page.type(KEYS.Enter);
  await expectFocus('Canecas');
  await press('Fazer pergunta');
  await expectFocus('Pergunta');
  await page.type(KEYS.Escape);
  await expectFocus('Fazer pergunta');
}

async function changeSettings(hours: string): Promise<void> {
  await find('Configurações do gateway');
  await press('Pausar sandbox para Boleto');
  await expectFocus('Motivo');
  await page.type(`Manutenção${KEYS.Enter}`);
  await expectFocus('Reativar sandbox para Boleto');
  await press('Reativar sandbox para Boleto');
  await press(/^Reativar$/);
  await expectFocus('Pausar sandbox para Boleto');
  const setting = 'Cadastros por endereço IP';
  await typeInto(setting, hours);
  await press('Salvar');
  await sees('Configuração salva');
  await expectFocus(setting);
  await press('Restaurar o padrão');
  await expectFocus(setting);
}

async function inviteAndCheck(): Promise<void> {
  await find('Equipe');
  await press('Convidar pessoa');
  await expectFocus('E-mail');
  await page.type(`${running}@example.com${KEYS.Enter}`);
  await sees('Convite enviado');
  await expectFocus('Convidar pessoa');

  await find('Receita');
  await press('Período');
  await press('Últimos 7 dias');
  await expectFocus('Período');
  await tabTo('Agrupar por');
  await page.type(KEYS.Down);
  const chosen = `document.activeElement.getAttribute('aria-activedescendant')`;
  const opened = await until('the options', () => page.evaluate(chosen));
  await page.type(KEYS.Down);
  await until('the next option', async () => (await page.evaluate(chosen)) !== opened);
  await page.type(KEYS.Enter);
  await until('the grouping', () => page.evaluate(`location.search.includes('groupBy')`));
  await expectFocus('Agrupar por');
  await press('Limpar filtros');
  await expectFocus('Agrupar por');

  await find('Auditoria');
  await openPanel(/Configurações alteradas/);
  await find('Disputas');
  await openPanel(/R\$/);
  await find('Conciliação');
  await press(/^Ver \d+ divergência/);
  await expectFocus(/^Ver \d+ divergência/);
  await find('Saúde do sistema');
  await press('Adiantar 1 hora');
  await expectFocus('Fechar');
  await page.type(KEYS.Escape);
  await expectFocus('Adiantar 1 hora');
}

for (const engine of ENGINES) {
  const missing = await whyMissing(engine);
  if (missing !== undefined) process.stderr.write(`${missing}\n`);
  describe.skipIf(missing !== undefined)(`in ${engine}`, TIMEOUT, () => {
    beforeAll(async () => {
      running = engine;
      page = await launchEngine(engine);
      await page.open(`${root}/docs/errors`);
      await page.evaluate(`localStorage.setItem('vereda-language', 'pt-BR')`);
    });
    afterAll(() => page.close());

    it('an operator manages sellers, applications, settings, team and revenue by keyboard', async () => {
      const seller = await newSeller(gateway, { balance: 10_000 });
      await newApplicant(gateway);
      const { id } = (await gateway.charge({}, { apiKey: seller.apiKey })).body.data;
      for (const step of ['pay', 'dispute']) {
        await gateway.post(`/sandbox/transactions/${id}/${step}`, {}, { apiKey: seller.apiKey });
      }
      await signIn('/operator', gateway.demo.admin);
      await manageSellers();
      await changeSettings({ chromium: '21', firefox: '22', webkit: '23' }[running]);
      await inviteAndCheck();
      await signOut();
      expect(await complaints()).toEqual([]);
    });
    if (engine === 'chromium') return;

    it('a seller charges, is paid meanwhile, refunds and withdraws by keyboard alone', async () => {
      await signIn('/charges/new', gateway.demo.seller);
      await focused('Valor');
      await page.type(KEYS.Enter);
      await focused('Valor');
      await page.type(`12345${KEYS.Tab}Caneca azul${KEYS.Enter}`);
      await focused('Nome completo');
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
      await press('Reembolsar');
      await focused('Valor do reembolso');
      await typeInto('Valor do reembolso', '2000');
      await typeInto('Motivo do reembolso', 'Veio quebrada');
      await page.type(KEYS.Enter);
      await sees('Reembolso −R$ 20,00');
      await focused('Reembolsar');

      await open('/withdrawals/new', PHONE);
      await focused('Valor');
      await page.type('5000');
      await typeInto('Chave Pix', '529.982.247-25');
      await page.type(KEYS.Enter);
      await focused('Confirmar saque');
      await press('Confirmar saque');
      await sees('Em análise');
      await until('the heading', () => page.evaluate(`document.activeElement.tagName === 'H1'`));
      await signOut();
      expect(await complaints()).toEqual([]);
    });

    it('an operator approves a withdrawal by keyboard alone', async () => {
      const seller = await newSeller(gateway, { balance: 10_000 });
      const asked = await withdrawalThatIs(gateway, seller, 'PENDING');
      await signIn(`/operator/withdrawals?open=${asked}`, gateway.demo.admin);
      await sees('Sobre a loja');
      await press('Aprovar');
      await sees('Aprovar saque');
      await focused('Aprovar');
      await press('Aprovar');
      const token = await gateway.adminToken();
      await until('the approval', async () => {
        const { body } = await gateway.get(`/admin/withdrawals/${asked}`, { token });
        return body.data.approvals.length === 1;
      });
      await signOut();
      expect(await complaints()).toEqual([]);
    });

    it('a phone shows a link, its payment page, a subscription, and a panel that Escape closes', async () => {
      await signIn('/links/new', gateway.demo.seller, PHONE);
      await focused('O que você está vendendo');
      await page.type(`Caneca azul${KEYS.Tab}4990${KEYS.Enter}`);
      await focused('Copiar link');
      const { url } = await newest('/payment-links');

      await open('/subscriptions/new', PHONE);
      await focused('Cliente');
      await page.type('Bia');
      await sees('Bia Reis');
      await page.type(KEYS.Down + KEYS.Enter);
      await typeInto('O que está sendo cobrado', 'Plano mensal');
      await page.type(`${KEYS.Tab}4990`);
      await press('Primeira cobrança');
      await press('Próximo mês');
      await press(/^\d+ de \S+ de \d{4}$/);
      await focused('Primeira cobrança');
      await press('Criar assinatura');
      await sees('Aguardando o pagador');
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
      await press('Reembolsar');
      await sees('Motivo do reembolso');
      const dialogs = () => page.evaluate(`document.querySelectorAll('[role=dialog]').length`);
      await page.type(KEYS.Escape);
      await until('one dialog', async () => (await dialogs()) === 1);
      await focused('Reembolsar');
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
      await tabTo(/Nome completo|Full name/);
      await page.type(['Ana Souza', '52998224725', 'ana@example.com', '11987654321'].join(KEYS.Tab));
      await page.type(KEYS.Enter);
      await until('the code', () =>
        page.evaluate(`document.getElementById('pix')?.textContent?.startsWith('000201')`),
      );
      const paying = await newest('/transactions');
      await gateway.post(`/sandbox/transactions/${paying.id}/pay`, {});
      await focused(/Pagamento confirmado|Payment confirmed/);
      expect(await complaints()).toEqual([]);
    });

    it('a seller uses counter, customers, keys, webhooks, team and disputes by keyboard', async () => {
      await useOtherScreens();
      expect(await complaints()).toEqual([]);
    });

    it('both widths show names, fields and the pictures of a boleto', async () => {
      const boleto = (await gateway.charge({ method: 'BOLETO', amount: 20_000 })).body.data.boleto;
      await signIn('/', gateway.demo.seller);
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
