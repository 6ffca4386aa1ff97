import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import {
  addDocument,
  DETAILS,
  newApplicant,
  PASSWORD,
  signUpBody,
  type Applicant,
} from '#test/support/applications.ts';
import { newBrowser } from '#test/support/browser.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { tokenIn } from '#test/support/mail-server.ts';

const none = { credential: 'none' } as const;
/** For a worker on a busy machine. */
const SOON = { timeout: 20_000, interval: 100 };
const DAY_SECONDS = 86_400;

let gateway: TestGateway;
let admin: { readonly token: string };
beforeAll(async () => {
  gateway = await startTestGateway({
    environment: { ...SHARED_SECRETS, SIGNUP: 'open', SIGNUPS_PER_HOUR: '1000' },
  });
  admin = { token: await gateway.adminToken() };
});
afterAll(() => gateway.stop());

const decide = (id: string, decision: string, body: object = {}) =>
  gateway.post(`/admin/applications/${id}/${decision}`, body, admin);

async function subjectsTo(email: string): Promise<readonly string[]> {
  const response = await gateway.get(`/sandbox/mails?to=${encodeURIComponent(email)}`, admin);
  return response.body.data.map(({ subject }: { readonly subject: string }) => subject);
}

async function submitted(): Promise<Applicant> {
  const applicant = await newApplicant(gateway);
  await gateway.patch('/application', DETAILS, applicant.as);
  await addDocument(gateway, applicant, 'IDENTITY');
  expect((await gateway.post('/application/submit', {}, applicant.as)).status).toBe(200);
  return applicant;
}

describe('a seller that signed up', () => {
  it('is PENDING, and can do nothing but complete its application', async () => {
    const { id, as } = await newApplicant(gateway);
    expect((await gateway.get('/users/me', as)).body.data.seller).toMatchObject({ id, status: 'PENDING' });
    for (const response of [
      await gateway.get('/transactions', as),
      await gateway.charge({}, as),
      await gateway.post('/api-keys', { name: 'till', role: 'VIEWER' }, as),
      await gateway.get('/seller-wallet/gestao', as),
    ])
      expect([response.status, response.body.code]).toEqual([403, 'seller_not_active']);
    const incomplete = await gateway.post('/application/submit', {}, as);
    expect(incomplete.status).toBe(400);
    expect(incomplete.body.message).toEqual(
      ['address', 'activity', 'expectedVolume', 'bankAccount', 'documents.IDENTITY'].map(
        (path) => `${path} should not be empty`,
      ),
    );
  });

  it('steps up in a browser before it changes the bank account that it gave', async () => {
    const { email } = await newApplicant(gateway);
    const browser = newBrowser(gateway.baseUrl);
    const login = { email, password: PASSWORD, session: 'cookie' };
    const as = { token: String((await browser.post('/login', login)).body.accessToken) };
    await gateway.advance(5 * 60 + 1);
    const change = (body: object) => gateway.patch('/application', body, as);
    const other = { bankAccount: { ...DETAILS.bankAccount, account: '99999-0' } };
    for (const body of [DETAILS, DETAILS, { activity: 'Plates' }])
      expect((await change(body)).status).toBe(200);
    for (const body of [other, { bankAccount: null }])
      expect((await change(body)).body).toMatchObject({ statusCode: 403, code: 'step_up_required' });
    await gateway.post('/auth/step-up', { password: PASSWORD }, as);
    expect((await change(other)).body.data.bankAccount.account).toBe('99999-0');
  });

  it('answers a question, is approved with fees and limits, and creates an API key', async () => {
    const { id, email, as } = await submitted();
    expect((await gateway.patch('/application', DETAILS, as)).body.code).toBe('application_closed');
    const listed = await gateway.get('/admin/applications?status=SUBMITTED', admin);
    expect(listed.body.data).toMatchObject([{ id, name: 'Canecas', document: '***.982.247-**' }]);

    expect((await decide(id, 'ask', { message: 'Which website?' })).body.data.status).toBe('QUESTION');
    const answered = await gateway.post('/application/submit', { message: 'canecas.example' }, as);
    expect(answered.body.data.messages).toMatchObject([
      { author: 'OPERATOR', text: 'Which website?' },
      { author: 'APPLICANT', text: 'canecas.example' },
    ]);
    const feed = await gateway.get('/users/me/notification-feed?take=2', admin);
    const kind = 'application-submitted';
    expect(feed.body.data).toMatchObject([
      { kind, params: { sellerId: id, message: 'canecas.example' } },
      { kind, params: { sellerId: id, message: '' } },
    ]);
    const toAdmin = await subjectsTo(gateway.demo.admin.email);
    expect(toAdmin).toContain('Cadastro de Canecas enviado para análise');

    const fees = (await gateway.get(`/admin/sellers/${id}/fees`, admin)).body.data;
    const plan = { ...fees, pixIn: { type: 'FIXED', value: 77 } };
    // The second two need more than an approval.
    const limits = { requestsPerMinute: 500, autoApproveUpTo: 900_000, status: 'CLOSED' };
    expect((await decide(id, 'approve', { fees: plan, limits })).body.data.status).toBe('APPROVED');
    expect((await gateway.get(`/admin/sellers/${id}`, admin)).body.data).toMatchObject({
      status: 'ACTIVE',
      requestsPerMinute: 500,
      autoApproveUpTo: 0,
    });
    await vi.waitFor(async () => {
      expect((await gateway.get('/sellers/me/fees', as)).body.data?.pixIn).toMatchObject({ value: 77 });
    }, SOON);
    expect((await gateway.post('/api-keys', { name: 'till', role: 'VIEWER' }, as)).status).toBe(201);
    expect((await decide(id, 'reject', { message: 'late' })).body.code).toBe('application_closed');
    expect(await subjectsTo(email)).toEqual(
      expect.arrayContaining([
        'Seu cadastro na Vereda foi aprovado',
        'Precisamos de uma informação sobre seu cadastro na Vereda',
      ]),
    );
    const log = await gateway.get(`/admin/audit-log?sellerId=${id}&take=10`, admin);
    const actions = log.body.data.map(({ action }: { readonly action: string }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['application.approved', 'seller.updated', 'fees.replaced']),
    );
  });

  it('checks the bytes of its documents, which are encrypted, and which no other user can read', async () => {
    const applicant = await newApplicant(gateway);
    const html = new File(['<html>'], 'a.pdf', { type: 'application/pdf' });
    expect((await addDocument(gateway, applicant, 'IDENTITY', html)).status).toBe(400);
    const { body } = await addDocument(gateway, applicant, 'IDENTITY');
    const path = `/application/documents/${body.data.id}`;
    const [row] = await gateway.database.query<{ content: Buffer }>(
      'SELECT content FROM application_documents WHERE id = $1',
      [body.data.id],
    );
    expect(row?.content.includes('%PDF')).toBe(false);
    expect((await gateway.get(path, applicant.as)).text).toBe('%PDF-1.7');
    const reviewed = `/admin/applications/${applicant.id}/documents/${body.data.id}`;
    expect((await gateway.get(reviewed, admin)).headers.get('content-disposition')).toMatch(/^attachment;/);
    const other = await newApplicant(gateway);
    expect((await gateway.get(path, other.as)).body.code).toBe('document_not_found');
    expect((await gateway.delete(path, other.as)).body.code).toBe('document_not_found');
    for (let count = 1; count < 10; count += 1) await addDocument(gateway, applicant, 'OTHER');
    expect((await addDocument(gateway, applicant, 'OTHER')).body.code).toBe('application_full');
  });

  it('gets the same response for an email with an account, whose owner is notified by email', async () => {
    const { email } = await newApplicant(gateway);
    const again = await gateway.post('/signup', signUpBody(email.toUpperCase()), none);
    const first = await gateway.post('/signup', signUpBody(), none);
    const shape = ({ status, body }: typeof again) => ({ status, data: { ...body.data, id: '' } });
    expect(shape(again)).toEqual(shape(first));
    expect(await subjectsTo(email)).toEqual(['Este e-mail já tem uma conta na Vereda']);
    const [found] = await gateway.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM seller_applications WHERE owner_email = $1',
      [email],
    );
    expect(found?.count).toBe(1);
  });

  it('is refused above the limit of its email, and with a password from its name', async () => {
    const body = signUpBody();
    const weak = await gateway.post('/signup', { ...body, ownerPassword: 'ana souza 2026' }, none);
    expect(weak.body.errors).toMatchObject([{ path: 'ownerPassword', code: 'too_common' }]);
    for (let count = 0; count < 5; count += 1) await gateway.post('/signup', body, none);
    expect((await gateway.post('/signup', body, none)).status).toBe(429);
  });

  it('is exported with its application, and erased until it is approved', async () => {
    const approved = await submitted();
    await decide(approved.id, 'approve');
    const rejected = await submitted();
    await decide(rejected.id, 'reject', { message: 'Not this activity.' });
    expect((await gateway.get('/application', rejected.as)).body.data).toMatchObject({
      status: 'REJECTED',
      messages: [{ text: 'Not this activity.' }],
    });
    const by = (email: string, what: string) => gateway.post(`/admin/privacy/${what}`, { email }, admin);
    const exported = await by(rejected.email, 'export');
    expect(exported.body.data.customers).toMatchObject([
      { id: rejected.id, details: { activity: 'Mugs' }, documents: [{ kind: 'IDENTITY' }] },
    ]);
    expect((await by(approved.email, 'erase')).body.data.erasedCustomers).toBe(0);
    expect((await by(rejected.email, 'erase')).body.data.erasedCustomers).toBe(1);
    expect((await gateway.get(`/admin/applications/${rejected.id}`, admin)).body.data).toMatchObject({
      name: 'Apagado',
      address: null,
      documents: [],
      messages: [],
    });
    expect((await gateway.get(`/admin/applications/${approved.id}`, admin)).body.data.documents).toHaveLength(
      1,
    );
  });
});

it('creates a seller by a mailed link only, if emails are confirmed', async () => {
  const { database } = gateway;
  const confirming = await startTestGateway({
    database: {
      ...database,
      drop: async () => undefined,
    },
    worker: true,
    environment: {
      ...SHARED_SECRETS,
      SIGNUP: 'open',
      SIGNUP_CONFIRM_EMAIL: 'true',
    },
  });
  try {
    const email = `${randomUUID()}@example.com`;
    const signedUp = await confirming.post('/signup', signUpBody(email), none);
    expect(signedUp.body.data).toMatchObject({ status: 'PENDING', confirmEmail: true });
    const signIn = () => confirming.post('/login', { email, password: PASSWORD }, none);
    expect((await signIn()).status).toBe(401);
    const mail = await vi.waitFor(async () => {
      const response = await gateway.get(`/sandbox/mails?to=${encodeURIComponent(email)}`, admin);
      expect(response.body.data).toHaveLength(1);
      return response.body.data[0];
    }, SOON);
    const confirm = () => confirming.post('/signup/confirm', { token: tokenIn(mail.text) }, none);
    expect((await confirm()).body.data).toEqual({ id: signedUp.body.data.id, ownerEmail: email });
    expect((await confirm()).body.code).toBe('invalid_link');
    expect((await signIn()).status).toBe(200);

    await confirming.post('/signup', signUpBody(email), none);
    await vi.waitFor(async () => {
      expect(await subjectsTo(email)).toContain('Este e-mail já tem uma conta na Vereda');
    }, SOON);
  } finally {
    await confirming.stop();
  }
});

it('refuses sign-ups by default', async () => {
  const closed = await startTestGateway({
    database: {
      ...gateway.database,
      drop: async () => undefined,
    },
    worker: false,
    environment: {
      ...SHARED_SECRETS,
      SIGNUP: 'closed',
    },
  });
  try {
    expect((await closed.get('/signup', none)).body.data.open).toBe(false);
    const refused = await closed.post('/signup', {}, none);
    expect([refused.status, refused.body.code]).toEqual([403, 'signup_closed']);
  } finally {
    await closed.stop();
  }
});

const activate = async ({ id }: Applicant) =>
  expect((await gateway.patch(`/admin/sellers/${id}`, { status: 'ACTIVE' }, admin)).status).toBe(200);

it('closes a submitted application that is erased on request', async () => {
  const applicant = await submitted();
  const erased = await gateway.post('/admin/privacy/erase', { email: applicant.email }, admin);
  expect(erased.body.data.erasedCustomers).toBe(1);
  const { body } = await gateway.get(`/admin/applications/${applicant.id}`, admin);
  expect(body.data).toMatchObject({ status: 'EXPIRED', name: 'Apagado' });
  expect((await decide(applicant.id, 'approve')).body.code).toBe('application_closed');
  expect((await gateway.get(`/admin/sellers/${applicant.id}`, admin)).body.data.status).toBe('CLOSED');
});

it('erases nothing of a seller that was activated without an approval, on request', async () => {
  const applicant = await submitted();
  await decide(applicant.id, 'reject', { message: 'No.' });
  await activate(applicant);
  const erased = await gateway.post('/admin/privacy/erase', { email: applicant.email }, admin);
  expect(erased.body.data).toMatchObject({ erased: 0, erasedCustomers: 0 });
  expect((await gateway.get(`/admin/sellers/${applicant.id}`, admin)).body.data).toMatchObject({
    name: 'Canecas',
    status: 'ACTIVE',
  });
  expect((await gateway.get('/users/me', applicant.as)).status).toBe(200);
});

it('erases nothing of a seller that was active and is closed', async () => {
  const applicant = await submitted();
  await activate(applicant);
  await decide(applicant.id, 'reject', { message: 'No.' });
  const erased = await gateway.post('/admin/privacy/erase', { email: applicant.email }, admin);
  expect(erased.body.data).toMatchObject({ erased: 0, erasedCustomers: 0 });
  expect((await gateway.get(`/admin/sellers/${applicant.id}`, admin)).body.data).toMatchObject({
    name: 'Canecas',
    status: 'CLOSED',
  });
});

it('erases applications that were rejected or abandoned, after their retention', async () => {
  const rejected = await submitted();
  await decide(rejected.id, 'reject', { message: 'No.' });
  const abandoned = await newApplicant(gateway);
  const activated = await newApplicant(gateway);
  await activate(activated);
  const waiting = await submitted();
  await gateway.advance(91 * DAY_SECONDS);
  admin = { token: await gateway.adminToken() };
  const read = async ({ id }: Applicant) => (await gateway.get(`/admin/applications/${id}`, admin)).body.data;
  await vi.waitFor(
    async () => {
      expect(await read(rejected)).toMatchObject({ status: 'REJECTED', name: 'Apagado', documents: [] });
      expect(await read(abandoned)).toMatchObject({
        status: 'EXPIRED',
        ownerEmail: 'apagado@apagado.invalid',
      });
    },
    { timeout: 90_000, interval: 500 },
  );
  expect(await read(waiting)).toMatchObject({ status: 'SUBMITTED', documents: [{ kind: 'IDENTITY' }] });
  expect(await read(activated)).toMatchObject({ status: 'DRAFT', name: 'Canecas' });
  expect((await gateway.get(`/admin/sellers/${activated.id}`, admin)).body.data.status).toBe('ACTIVE');
  const free = await gateway.post('/signup', signUpBody(rejected.email), none);
  expect(free.status).toBe(201);
}, 120_000);
