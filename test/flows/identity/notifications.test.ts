import { randomUUID } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { goodCharge } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { countWaiting } from '#test/support/lock-table.ts';
import { newSeller } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
const none = { credential: 'none' } as const;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const admin = async () => ({ token: await gateway.adminToken() });
const signIn = (headers: Readonly<Record<string, string>> = {}) => {
  const { email, password } = gateway.demo.seller;
  return gateway.post('/login', { email, password }, { ...none, headers });
};
const owner = async () => ({ token: String((await signIn()).body.accessToken) });
const subjects = async (): Promise<readonly string[]> => {
  const mails = await gateway.get(`/sandbox/mails?to=${gateway.demo.seller.email}`, await admin());
  return mails.body.data.map(({ subject }: { readonly subject: string }) => subject);
};
const feed = async () => gateway.get('/users/me/notification-feed', await owner());

describe('a change of credentials', () => {
  it('is emailed and shown for a new device, API key and destination', async () => {
    const as = await owner();
    expect(await subjects()).toEqual([]);
    await signIn({ 'user-agent': FIREFOX, 'accept-language': 'en-US,en;q=0.9' });
    await signIn({ 'user-agent': FIREFOX });
    expect((await gateway.post('/api-keys', { name: 'till' }, as)).status).toBe(201);
    const charge = await gateway.charge();
    await gateway.post(`/sandbox/transactions/${charge.body.data.id}/pay`);
    const withdraw = () =>
      gateway.post(
        '/withdrawals',
        { amount: 500, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
        { idempotencyKey: randomUUID() },
      );
    const first = await withdraw();
    expect([first.status, (await withdraw()).status]).toEqual([201, 201]);
    const expected = [
      'New withdrawal destination',
      'New API key created',
      'Novo acesso à sua conta da Vereda',
    ];
    expect(await subjects()).toEqual(expected);
    const kinds = ['destination-added', 'api-key-created', 'new-device'];
    const { body } = await feed();
    expect(body.data.map(({ kind }: { readonly kind: string }) => kind)).toEqual(kinds);
    expect([body.unread, body.count]).toEqual([3, 3]);

    await gateway.post(`/admin/withdrawals/${first.body.data.id}/reject`, { reason: 'no' }, await admin());
    expect((await subjects())[0]).toMatch(/^Withdrawal of R\$5\.00 not completed$/);
    const newest = (await feed()).body.data[0];
    expect(newest).toMatchObject({ kind: 'withdrawal-rejected', readAt: null });
    const devices = (await gateway.get('/users/me/devices', as)).body.data;
    expect(devices.map(({ browser }: { readonly browser: string }) => browser)).toEqual([
      'node',
      'Firefox on Linux',
    ]);
    const upTo = { upTo: body.data[0].id };
    const read = await gateway.post('/users/me/notification-feed/read', upTo, as);
    expect(read.body.data).toEqual({ unread: 1 });
  });
});

describe('notification preferences', () => {
  it('select the emails, except those about security', async () => {
    const as = await owner();
    const before = (await gateway.get('/users/me/notifications', as)).body.data;
    expect(before.mail).toMatchObject({ 'dispute-opened': true, 'daily-summary': false });
    expect(before.alwaysMailed).toContain('new-device');
    const mail = { 'dispute-opened': false, 'daily-summary': true };
    const after = await gateway.patch('/users/me/notifications', { mail }, as);
    expect(after.body.data.mail).toEqual({ ...before.mail, ...mail });

    const charge = (await gateway.charge()).body.data.id;
    await gateway.post(`/sandbox/transactions/${charge}/pay`);
    const count = (await subjects()).length;
    await gateway.post(`/sandbox/transactions/${charge}/dispute`);
    expect((await feed()).body.data[0].kind).toBe('dispute-opened');
    expect(await subjects()).toHaveLength(count);
    await gateway.advance(86_400);
    await vi.waitFor(async () => {
      expect(
        (await subjects()).filter((subject) => /^Summary for .* in paid charges$/.test(subject)),
      ).toHaveLength(1);
    });
  });
});

describe('a notification of a team', () => {
  it('is written although one of its users is deleted at the same time', async () => {
    const as = await owner();
    const email = `${randomUUID()}@example.com`;
    const member = { name: 'Bia', email, password: 'correct horse battery 9', role: 'DEVELOPER' };
    const { body } = await gateway.post('/users', member, as);
    const deletion = new pg.Client({ connectionString: gateway.database.url });
    await deletion.connect();
    await deletion.query('BEGIN');
    await deletion.query('DELETE FROM users WHERE id = $1', [body.data.id]);
    const making = gateway.post('/api-keys', { name: 'deletion' }, as);
    await expect.poll(() => countWaiting(gateway.database)).toBeGreaterThan(0);
    await deletion.query('COMMIT');
    await deletion.end();
    expect((await making).status).toBe(201);
    expect((await feed()).body.data[0]).toMatchObject({
      kind: 'api-key-created',
      params: { name: 'deletion' },
    });
  });
});

describe('concurrent choices of notifications', () => {
  it('are all kept', async () => {
    const as = await owner();
    const choices = async () => (await gateway.get('/users/me/notifications', as)).body.data.mail;
    for (let round = 0; round < 5; round += 1) {
      const wanted = Object.entries(await choices()).map(([kind, isMailed]) => [kind, isMailed === false]);
      const changed = await Promise.all(
        wanted.map((choice) =>
          gateway.patch('/users/me/notifications', { mail: Object.fromEntries([choice]) }, as),
        ),
      );
      expect(changed.map(({ status }) => status)).toEqual(wanted.map(() => 200));
      expect(await choices()).toEqual(Object.fromEntries(wanted));
    }
  });
});

describe('the settings of a seller', () => {
  it('are stored after the origins are checked', async () => {
    const settings = await gateway.get('/sellers/me/settings');
    const empty = {
      displayName: null,
      logoUrl: null,
      payerEmails: false,
      payerLanguage: 'pt-BR',
      embedOrigins: [],
    };
    expect(settings.body.data).toEqual(empty);
    const embedOrigins = ['https://shop.example.com', 'http://127.0.0.1:3000'];
    const changed = await gateway.patch('/sellers/me/settings', { displayName: 'Loja da Ana', embedOrigins });
    expect(changed.body.data).toEqual({ ...empty, displayName: 'Loja da Ana', embedOrigins });
    const wrong = [
      'https://shop.example.com/',
      'http://shop.example.com',
      'null',
      'https://*',
      'https://a;b',
    ];
    const refused = await gateway.patch('/sellers/me/settings', { embedOrigins: wrong, payerEmails: 1 });
    expect(refused.body.message).toEqual([
      'payerEmails must be a boolean value',
      ...wrong.map(
        (_origin, n) => `embedOrigins.${n} must be an HTTPS origin such as https://shop.example.com`,
      ),
    ]);
  });

  it('keep every one of concurrent changes', async () => {
    const { apiKey } = await newSeller(gateway);
    for (let round = 1; round <= 5; round += 1) {
      const wanted = {
        displayName: `Loja ${round}`,
        logoUrl: `https://shop.example.com/${round}.png`,
        payerEmails: round % 2 === 1,
        payerLanguage: round % 2 === 1 ? 'en' : 'pt-BR',
        embedOrigins: [`https://shop${round}.example.com`],
      };
      const changes = Object.entries(wanted).map(([name, value]) => ({ [name]: value }));
      const changed = await Promise.all(
        changes.map((change) => gateway.patch('/sellers/me/settings', change, { apiKey })),
      );
      expect(changed.map(({ status }) => status)).toEqual(changes.map(() => 200));
      expect((await gateway.get('/sellers/me/settings', { apiKey })).body.data).toEqual(wanted);
    }
  });
});

const mailsTo = async (email: string) =>
  (await gateway.get(`/sandbox/mails?to=${email}`, await admin())).body.data;
const pay = async (email: string) => {
  const { customer } = goodCharge();
  const charge = await gateway.charge({ amount: 12_345, customer: { ...customer, email } });
  await gateway.post(`/sandbox/transactions/${charge.body.data.id}/pay`);
};

describe('a payer', () => {
  it('receives a receipt in the name of the seller, if the seller wants, until unsubscribed', async () => {
    const email = `Ana-${randomUUID()}@example.com`;
    const to = email.toLowerCase();
    await pay(email);
    expect(await mailsTo(to)).toEqual([]);
    await gateway.patch('/sellers/me/settings', { payerEmails: true, displayName: 'Loja <da> Ana' });
    await pay(email);
    const [receipt] = await mailsTo(to);
    expect(receipt.subject).toBe('Comprovante do pagamento de R$ 123,45 para Loja <da> Ana');
    expect(receipt.html).toContain('Loja &lt;da&gt; Ana');
    const [url = ''] = /http:\/\/127\S+\/unsubscribe\/[\w-]{36}/.exec(receipt.text) ?? [];
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('Parar de receber e-mails'),
    ]);
    await gateway.patch('/sellers/me/settings', { payerLanguage: 'en' });
    await pay(email);
    const [english, ...others] = await mailsTo(to);
    expect(english.subject).toBe('Receipt for your payment of R$123.45 to Loja <da> Ana');
    expect(others).toHaveLength(1);
    const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(url, { method: 'POST', body: oneClick })).status).toBe(200);
    await pay(email);
    expect(await mailsTo(to)).toHaveLength(2);
  });

  it('sees that the link of a deleted email has expired', async () => {
    const url = new URL(`/unsubscribe/${randomUUID()}`, gateway.baseUrl);
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams() });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('Este link expirou.'),
    ]);
  });
});

describe('the payer of a boleto', () => {
  it('is reminded once, on the day before it is due', async () => {
    const email = `${randomUUID()}@example.com`;
    const { customer } = goodCharge();
    const body = {
      method: 'BOLETO',
      amount: 5_000,
      customer: { ...customer, email },
      expiration: 5 * 86_400,
    };
    const charge = (await gateway.charge(body)).body.data;
    const reminders = async () =>
      (await gateway.get(`/sandbox/mails?to=${email}`, await admin())).body.data.map(
        ({ subject, text }: { readonly subject: string; readonly text: string }) => subject + text,
      );
    const [boleto] = await gateway.database.query<{ days: number }>(
      `SELECT due_date - (created_at AT TIME ZONE 'America/Sao_Paulo')::date AS days FROM boleto_payments
       WHERE transaction_id = $1`,
      [charge.id],
    );
    const days = boleto?.days ?? 0;
    expect(days).toBeGreaterThan(1);
    await gateway.advance((days - 1) * 86_400);
    await vi.waitFor(async () => expect(await reminders()).toHaveLength(1));
    const [reminder] = await reminders();
    expect(reminder).toContain(charge.boleto.digitableLine);
    expect(reminder).toContain('/boletos/');
    await gateway.advance(3_600);
    expect(await reminders()).toHaveLength(1);
  });
});

describe('a person without a password', () => {
  it('is invited by the operations that create users, under the id of the user', async () => {
    const as = await admin();
    const email = `${randomUUID()}@example.com`;
    const created = await gateway.post('/admin/users', { name: 'Bia', email, role: 'SUPPORT' }, as);
    expect([created.status, created.body.data.name]).toEqual([201, 'Bia']);
    expect(created.body.data.invitationExpiresAt).toBeDefined();
    const owned = `${randomUUID()}@example.com`;
    const shop = { name: 'Loja', documentType: 'CNPJ', document: '11222333000181' };
    const seller = await gateway.post('/admin/sellers', { ...shop, ownerName: 'Ana', ownerEmail: owned }, as);
    expect(seller.status).toBe(201);
    const users = `/admin/sellers/${seller.body.data.id}/users`;
    const member = { name: 'Caio', email: `${randomUUID()}@example.com`, role: 'VIEWER' };
    expect((await gateway.post(users, member, as)).body.data).toMatchObject(member);
    for (const to of [email, owned, member.email]) {
      expect((await gateway.get(`/sandbox/mails?to=${to}`, as)).body.count).toBe(1);
    }
  });
});
