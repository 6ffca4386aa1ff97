import { randomUUID } from 'node:crypto';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { MED_STATUSES, MED_TYPES } from '#payments/disputes/med.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/withdrawals.ts';

vi.setConfig({ testTimeout: 60_000 });

let gateway: TestGateway;
let seller: TestSeller;
let other: TestSeller;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  seller = await newSeller(gateway);
  other = await newSeller(gateway);
  token = await gateway.adminToken();
});
afterAll(() => gateway.stop());

const as = () => ({ apiKey: seller.apiKey });
const admin = () => ({ token });
const DAY = 86_400;

async function paid(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const id = String((await gateway.charge(changes, as())).body.data.id);
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, as());
  return id;
}

async function disputed(): Promise<string> {
  const opened = await gateway.post(
    `/admin/transactions/${await paid()}/dispute`,
    { reason: 'product not received' },
    admin(),
  );
  return String(opened.body.data.id);
}

const read = async (id: string) => (await gateway.get(`/disputes/${id}`, as())).body.data.data[0];
const disputesOf = async (transaction: string) =>
  (await gateway.get(`/disputes?transactionId=${transaction}`, as())).body.data.data;
const transactionOf = async (id: string) => (await gateway.get(`/transactions/${id}`, as())).body.data;
const walletOf = async () => (await gateway.get('/seller-wallet/gestao', as())).body.data;
const appeal = (disputeId: string) =>
  gateway.post('/disputes/appeal', { disputeId, appealReason: 'delivered' }, as());

async function expectBalanced(): Promise<void> {
  const { body } = await gateway.get('/admin/ledger/check', admin());
  expect(body.data).toMatchObject({ balanced: true, discrepancies: [] });
}

const PDF = Buffer.from('%PDF-1.7\nsigned receipt\n%%EOF\n');
const PNG = Buffer.from('\u0089PNG\r\n\u001a\npicture', 'latin1');

interface Upload {
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly name?: string;
  readonly type?: string;
  readonly field?: string;
  readonly apiKey?: string;
}

async function attach(
  id: string,
  { bytes = PDF, name = 'receipt.pdf', type = 'application/pdf', field = 'file', ...options }: Upload = {},
) {
  const form = new FormData();
  form.set(field, new File([bytes], name, { type }));
  const response = await fetch(`${gateway.baseUrl}/disputes/${id}/attachments`, {
    method: 'POST',
    headers: { 'x-api-key': options.apiKey ?? seller.apiKey },
    body: form,
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  const body: any = await response.json();
  return { status: response.status, body };
}

const download = (id: string, attachment: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.baseUrl}/disputes/${id}/attachments/${attachment}`, {
    headers: { 'x-api-key': seller.apiKey, ...headers },
  });

describe('evidence of a dispute', () => {
  it('is attached before and after the appeal, and served as a download only', async () => {
    const id = await disputed();
    const first = await attach(id);
    expect(first.status).toBe(201);
    expect(first.body.data).toMatchObject({
      name: 'receipt.pdf',
      contentType: 'application/pdf',
      size: PDF.length,
      createdBy: { kind: 'API_KEY' },
    });
    expect((await appeal(id)).status).toBe(200);
    expect((await read(id)).customerName).toBe('Ana Souza');
    const name = '../a/fo"to ç.png';
    const second = await attach(id, { bytes: PNG, name, type: 'image/png' });
    expect(second.body.data).toMatchObject({ name: 'fo"to ç.png', contentType: 'image/png' });
    const listed = await gateway.get(`/disputes/${id}/attachments`, as());
    expect(listed.body).toMatchObject({ data: [first.body.data, second.body.data], count: 2 });
    const response = await download(id, second.body.data.id);
    expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="fo_to _.png"; filename*=UTF-8''fo%22to%20%C3%A7.png`,
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('is checked by its bytes, whatever its name and type say', async () => {
    const id = await disputed();
    const html = Buffer.from('<script>alert(1)</script>%PDF-1.7');
    for (const wrong of [
      { bytes: html },
      { bytes: Buffer.from('GIF89a'), type: 'image/png' },
      { bytes: PNG },
      { bytes: Buffer.alloc(0) },
      { field: 'other' },
    ]) {
      const response = await attach(id, wrong);
      expect(response.status).toBe(400);
      expect(response.body.errors[0].path).toBe('file');
    }
    const unlabeled = await attach(id, { bytes: PNG, type: 'application/octet-stream' });
    expect(unlabeled.body.data.contentType).toBe('image/png');
    const json = await gateway.post(`/disputes/${id}/attachments`, { file: 'x' }, as());
    expect(json.status).toBe(415);
    const broken = { ...as(), headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    expect((await gateway.post(`/disputes/${id}/attachments`, 'no parts', broken)).status).toBe(400);
  });

  it('has at most 5 MiB a file and ten files a dispute, also if sent concurrently', async () => {
    const id = await disputed();
    const whole = Buffer.concat([PDF, Buffer.alloc(5 * 1024 * 1024 - PDF.length)]);
    const stored = await attach(id, { bytes: whole });
    expect(stored.status).toBe(201);
    const served = await download(id, stored.body.data.id);
    expect(Buffer.from(await served.arrayBuffer()).equals(whole)).toBe(true);
    expect((await attach(id, { bytes: Buffer.concat([whole, Buffer.alloc(1)]) })).status).toBe(413);
    expect((await attach(id, { bytes: Buffer.concat([whole, whole]) })).status).toBe(413);
    const sent = await Promise.all(Array.from({ length: 12 }, () => attach(id)));
    const statuses = sent.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(9);
    expect(sent.find(({ status }) => status === 422)?.body.code).toBe('too_much_evidence');
    expect((await gateway.get(`/disputes/${id}/attachments`, as())).body.count).toBe(10);
  });

  it('is encrypted, with a key that is bound to its record', async () => {
    const id = await disputed();
    const [one, two] = [await attach(id), await attach(id)];
    const rows = await gateway.database.query<{ content: Buffer; encrypted_key: string }>(
      'SELECT content, encrypted_key FROM dispute_attachments WHERE dispute_id = $1 ORDER BY id',
      [id],
    );
    expect(rows.every(({ content }) => !content.includes('receipt'))).toBe(true);
    await gateway.database.query(
      `UPDATE dispute_attachments SET (content, encrypted_key) = ($2, $3) WHERE id = $1`,
      [one.body.data.id, rows[1]?.content, rows[1]?.encrypted_key],
    );
    expect((await download(id, one.body.data.id)).status).toBe(500);
    expect((await download(id, two.body.data.id)).status).toBe(200);
  });

  it('of another seller does not exist, and operators read it before they decide', async () => {
    const id = await disputed();
    const { id: attachment } = (await attach(id)).body.data;
    expect((await attach(id, { apiKey: other.apiKey })).status).toBe(404);
    expect((await download(id, attachment, { 'x-api-key': other.apiKey })).status).toBe(404);
    expect((await download(await disputed(), attachment)).status).toBe(404);
    const message = await gateway.post(`/disputes/${id}/messages`, { text: 'see the receipt' }, as());
    expect(message.status).toBe(201);
    const presented = await gateway.get(`/admin/disputes/${id}/evidence`, admin());
    expect(presented.body.data).toMatchObject({
      attachments: [{ id: attachment }],
      messages: [{ text: 'see the receipt', createdBy: { kind: 'API_KEY' } }],
    });
    const file = await gateway.get(`/admin/disputes/${id}/attachments/${attachment}`, admin());
    expect(file.text).toBe(PDF.toString());
    expect((await gateway.get(`/disputes/${id}/messages`, as())).body.count).toBe(1);
  });

  it('is refused after the decision, and after the deadline', async () => {
    const id = await disputed();
    await gateway.post(`/admin/disputes/${id}/resolve`, { outcome: 'RESOLVED' }, admin());
    const late = await disputed();
    await appeal(late);
    await gateway.advance(7 * DAY + 1);
    token = await gateway.adminToken();
    for (const closed of [id, late]) {
      const refused = await attach(closed);
      expect([refused.status, refused.body.code]).toEqual([422, 'dispute_evidence_closed']);
      const message = await gateway.post(`/disputes/${closed}/messages`, { text: 'more' }, as());
      expect(message.body.code).toBe('dispute_evidence_closed');
    }
  });

  it('is exported with the payer, and deleted with it', async () => {
    const email = `${randomUUID()}@example.com`;
    const customer = {
      name: 'Rui Prado',
      email,
      phone: '11987654321',
      documentType: 'CPF',
      document: '39053344705',
    };
    const transaction = await paid({ customer });
    const opened = await gateway.post(
      `/admin/transactions/${transaction}/dispute`,
      { reason: 'not received' },
      admin(),
    );
    const { id } = opened.body.data;
    await attach(id);
    await gateway.post(`/disputes/${id}/messages`, { text: 'Rui Prado signed it' }, as());
    await gateway.post(`/admin/disputes/${id}/resolve`, { outcome: 'RESOLVED' }, admin());
    const exported = await gateway.post('/admin/privacy/export', { email }, admin());
    expect(exported.body.data.charges[0].held).toMatchObject({
      disputeAttachments: [{ name: 'receipt.pdf', size: PDF.length }],
      disputeMessages: [{ text: 'Rui Prado signed it' }],
    });
    expect(exported.text).not.toContain('encrypted_key');
    const erased = await gateway.post('/admin/privacy/erase', { email }, admin());
    expect(erased.body.data.erased).toBe(1);
    expect((await gateway.get(`/disputes/${id}/attachments`, as())).body.count).toBe(0);
    expect((await gateway.get(`/disputes/${id}/messages`, as())).text).not.toContain('Prado');
  });
});

describe('the deadline of a dispute', () => {
  it('is in the timeline as a change by the gateway, and the dispute as one by the provider', async () => {
    const id = (await gateway.charge()).body.data.id;
    await gateway.post(`/sandbox/transactions/${id}/pay`);
    await gateway.post(`/sandbox/transactions/${id}/dispute`);
    await gateway.advance(8 * DAY);
    const history = async () => (await gateway.get(`/transactions/${id}/timeline`)).body.data.history;
    await vi.waitFor(async () => expect(await history()).toHaveLength(4), 5_000);
    expect((await history()).map(({ actor }: { readonly actor: string }) => actor)).toEqual([
      'SELLER',
      'PROVIDER',
      'PROVIDER',
      'WORKER',
    ]);
  });

  it('is announced 48, 24 and 6 hours before it, once each, until the appeal', async () => {
    const owner = (await gateway.post('/login', gateway.demo.seller, { credential: 'none' })).body;
    const charge = async () => {
      const id = (await gateway.charge()).body.data.id;
      await gateway.post(`/sandbox/transactions/${id}/pay`);
      return (await gateway.post(`/sandbox/transactions/${id}/med`, { type: 'SCAM' })).body.data;
    };
    const { appealUntil, createdAt } = await charge();
    expect(Date.parse(appealUntil) - Date.parse(createdAt)).toBe(3 * DAY * 1000);
    const appealed = await charge();
    await gateway.post('/disputes/appeal', { disputeId: appealed.id, appealReason: 'delivered' });
    const reminders = async () =>
      (
        await gateway.get(`/sandbox/mails?to=${gateway.demo.seller.email}`, {
          token: await gateway.adminToken(),
        })
      ).body.data
        .map(({ subject }: { readonly subject: string }) => subject)
        .filter((subject: string) => subject.startsWith('Faltam '));
    for (const [hours, expected] of [
      [24.01, ['48']],
      [24, ['24', '48']],
      [18, ['6', '24', '48']],
    ] as const) {
      await gateway.advance(hours * 3_600);
      await vi.waitFor(async () => expect(await reminders()).toHaveLength(expected.length), 5_000);
      expect(await reminders()).toEqual(
        expected.map((left) => expect.stringMatching(new RegExp(`^Faltam ${left} horas `))),
      );
    }
    expect(owner.accessToken).toEqual(expect.any(String));
    token = await gateway.adminToken();
  });

  it('of a MED dispute is a setting of the operator', async () => {
    const settings = (await gateway.get('/admin/settings', admin())).body.data;
    expect(settings.medWindowDays).toBe(3);
    const changed = await gateway.call('PUT', '/admin/settings', { ...settings, medWindowDays: 5 }, admin());
    const { details: _details, ...others } = settings;
    expect(changed.body.data).toMatchObject({ ...others, medWindowDays: 5 });
    const { createdAt, appealUntil } = await claimed(await paid());
    expect(Date.parse(appealUntil) - Date.parse(createdAt)).toBe(5 * DAY * 1000);
    const { twoPersonApprovalAbove } = settings;
    const kept = await gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove }, admin());
    expect(kept.body.data.medWindowDays).toBe(5);
    await gateway.call('PUT', '/admin/settings', settings, admin());
  });
});

const claim = (transaction: string, body: object = { type: 'SCAM' }) =>
  gateway.post(`/sandbox/transactions/${transaction}/med`, body, as());
const claimed = async (transaction: string, body?: object) => (await claim(transaction, body)).body.data;
const advance = (id: string, body?: object) =>
  gateway.post(`/sandbox/disputes/${id}/med/advance`, body, as());
const reject = (id: string) =>
  gateway.post(`/admin/disputes/${id}/resolve`, { outcome: 'REJECTED' }, admin());
const refund = (transaction: string, body: object = {}) =>
  gateway.post(`/transactions/${transaction}/refund`, body, { ...as(), idempotencyKey: randomUUID() });

/** Takes a step of a random order of events, if there is anything to take it on. */
async function simulate(transaction: string, { kind, ...body }: { readonly kind: string }) {
  if (kind === 'claim') return claim(transaction, body);
  if (kind === 'refund') return refund(transaction, body);
  const disputes = await disputesOf(transaction);
  const id = disputes.at(-1)?.id;
  if (id === undefined) return undefined;
  if (kind === 'advance') return advance(id, body);
  if (kind === 'appeal') return appeal(id);
  return gateway.post(`/admin/disputes/${disputes[0].id}/resolve`, body, admin());
}

describe('a claim by MED', () => {
  it('that is not contested passes its states and is refunded once', async () => {
    const transaction = await paid();
    const before = await walletOf();
    const dispute = await claimed(transaction);
    expect(dispute).toMatchObject({
      status: 'OPEN',
      amount: 1500,
      med: { type: 'SCAM', status: 'CREATED', monitorAccount: false, acceptedAmount: null },
    });
    const { med } = dispute;
    expect(Date.parse(med.analysisDueAt) - Date.parse(dispute.createdAt)).toBe(7 * DAY * 1000);
    expect((await walletOf()).availableBalance).toBe(before.availableBalance - 1500);
    const states: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      const moved = await advance(dispute.id);
      states.push(moved.body.data.med.status);
      expect(moved.body.data.status).toBe(step < 3 ? 'OPEN' : 'REJECTED');
    }
    expect(states).toEqual(['TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED']);
    const end = await advance(dispute.id);
    expect([end.status, end.body.code]).toEqual([422, 'invalid_transition']);
    expect(await transactionOf(transaction)).toMatchObject({ status: 'REFUNDED', refundedAmount: 1500 });
    expect((await walletOf()).totalBalance).toBe(before.totalBalance - 1500);
    expect((await refund(transaction)).status).toBe(422);
    await expectBalanced();
  });

  it('that is contested is denied, which releases the money', async () => {
    const transaction = await paid();
    const before = await walletOf();
    const { id } = await claimed(transaction, { type: 'COERCION', monitorAccount: true });
    await appeal(id);
    for (let step = 0; step < 4; step += 1) await advance(id);
    expect(await read(id)).toMatchObject({
      status: 'RESOLVED',
      med: { status: 'COMPLETED', acceptedAmount: 0, monitorAccount: true },
    });
    expect(await transactionOf(transaction)).toMatchObject({ status: 'PAID' });
    expect((await walletOf()).availableBalance).toBe(before.availableBalance);
    expect((await refund(transaction)).status).toBe(200);
    await expectBalanced();
  });

  it('that is accepted in part takes that part, in one step', async () => {
    const transaction = await paid();
    const before = await walletOf();
    const { id } = await claimed(transaction, { type: 'ACCOUNT_TAKEOVER', amount: 1000 });
    await advance(id, { status: 'ANALYSED', amount: 400 });
    await advance(id);
    expect(await disputesOf(transaction)).toMatchObject([
      { status: 'REJECTED', amount: 400, med: { status: 'REFUNDING', acceptedAmount: 400 } },
      { status: 'RESOLVED', amount: 1000, med: { status: 'REFUNDING', acceptedAmount: 400 } },
    ]);
    await advance(id);
    const [part] = await disputesOf(transaction);
    expect(part.med.status).toBe('COMPLETED');
    expect((await walletOf()).totalBalance).toBe(before.totalBalance - 400);
    await expectBalanced();
  });

  it('refuses ordinary refunds with a stable code until it ends', async () => {
    const transaction = await paid();
    const { id } = await claimed(transaction, { type: 'OTHER', amount: 500 });
    const refused = await refund(transaction, { amount: 100 });
    expect([refused.status, refused.body.code]).toEqual([422, 'med_claim_open']);
    expect((await claim(transaction)).status).toBe(422);
    await advance(id, { status: 'CANCELLED' });
    expect(await read(id)).toMatchObject({ status: 'RESOLVED', med: { status: 'CANCELLED' } });
    expect((await refund(transaction, { amount: 1200 })).status).toBe(200);
    const tooMuch = await claim(transaction, { type: 'SCAM', amount: 301 });
    expect([tooMuch.status, tooMuch.body.code]).toEqual([422, 'amount_not_allowed']);
    expect((await claimed(transaction)).amount).toBe(300);
  });

  it('applies to Pix only, and to disputes of MED only', async () => {
    const card = {
      number: '4111111111111111',
      holderName: 'ANA',
      cvv: '123',
      expirationMonth: 12,
      expirationYear: 2040,
    };
    const paidByCard = await gateway.charge({ method: 'CREDIT_CARD', card, installments: 1 }, as());
    const refused = await claim(paidByCard.body.data.id);
    expect([refused.status, refused.body.code]).toEqual([422, 'med_requires_pix']);
    expect((await advance(await disputed())).status).toBe(422);
    expect((await claim(randomUUID())).status).toBe(404);
    expect((await claim(await paid(), { type: 'THEFT' })).status).toBe(400);
  });

  it('that the seller does not contest in time is lost, and cannot be canceled then', async () => {
    const transaction = await paid();
    const { id } = await claimed(transaction);
    await gateway.advance(3 * DAY + 1);
    token = await gateway.adminToken();
    await vi.waitFor(async () => expect((await read(id)).status).toBe('REJECTED'), 5_000);
    expect((await read(id)).med).toMatchObject({ status: 'REFUNDING', acceptedAmount: 1500 });
    expect((await advance(id, { status: 'CANCELLED' })).status).toBe(422);
    expect((await advance(id)).body.data.med.status).toBe('COMPLETED');
  });

  it.each([
    { analysis: { outcome: 'DENIED' }, accepted: 0, status: 'COMPLETED', code: 'invalid_transition' },
    { analysis: { amount: 400 }, accepted: 400, status: 'REFUNDING', code: 'amount_not_allowed' },
  ])('whose analysis accepted $accepted cents loses no more at its deadline', async (claimOf) => {
    const { analysis, accepted, status, code } = claimOf;
    const transaction = await paid();
    const { id } = await claimed(transaction);
    await advance(id, { status: 'ANALYSED', ...analysis });
    const tooMuch = await advance(id, { status: 'REFUNDING', amount: 900 });
    expect([tooMuch.status, tooMuch.body.code]).toEqual([422, code]);
    await gateway.advance(3 * DAY + 1);
    token = await gateway.adminToken();
    await vi.waitFor(async () => expect((await read(id)).status).toBe('RESOLVED'), 5_000);
    expect(await read(id)).toMatchObject({ med: { status, acceptedAmount: accepted } });
    expect((await transactionOf(transaction)).refundedAmount).toBe(accepted);
    const lost = await gateway.get(`/seller-wallet/entries?cause=DISPUTE_LOST&recordId=${transaction}`, as());
    expect(lost.body.data.map(({ amount }: { readonly amount: number }) => amount)).toEqual(
      accepted === 0 ? [] : [-accepted],
    );
    await expectBalanced();
  });

  it('is rejected by the operator as far as its analysis accepted it', async () => {
    const [part, denied] = [await paid(), await paid()];
    const before = await walletOf();
    const ids = [await claimed(part), await claimed(denied)].map(({ id }) => id);
    await advance(ids[0], { status: 'ANALYSED', amount: 400 });
    await advance(ids[1], { status: 'ANALYSED', outcome: 'DENIED' });
    expect((await reject(ids[0])).body.data).toMatchObject({ med: { acceptedAmount: 400 } });
    expect((await reject(ids[1])).status).toBe(422);
    expect((await transactionOf(part)).refundedAmount).toBe(400);
    expect((await walletOf()).totalBalance).toBe(before.totalBalance - 400);
    await advance(ids[1]);
    expect(await transactionOf(denied)).toMatchObject({ status: 'PAID', refundedAmount: 0 });
    await expectBalanced();
  });

  it('never refunds more than was paid, whatever the order of events', async () => {
    const amount = fc.option(fc.integer({ min: 1, max: 1800 }), { nil: undefined });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('claim' as const), type: fc.constantFrom(...MED_TYPES), amount }),
      fc.record({
        kind: fc.constant('advance' as const),
        status: fc.option(fc.constantFrom(...MED_STATUSES), { nil: undefined }),
        outcome: fc.option(fc.constantFrom('ACCEPTED', 'DENIED'), { nil: undefined }),
        amount,
      }),
      fc.record({ kind: fc.constant('refund' as const), amount }),
      fc.record({ kind: fc.constant('appeal' as const) }),
      fc.record({ kind: fc.constant('resolve' as const), outcome: fc.constantFrom('RESOLVED', 'REJECTED') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        const transaction = await paid();
        const before = await walletOf();
        // Two at a time, so that they also race.
        for (let index = 0; index < steps.length; index += 2) {
          const responses = await Promise.all(
            steps.slice(index, index + 2).map((next) => simulate(transaction, next)),
          );
          for (const response of responses) expect([undefined, 200, 404, 422]).toContain(response?.status);
        }
        const { refundedAmount } = await transactionOf(transaction);
        expect(refundedAmount).toBeLessThanOrEqual(1500);
        const after = await walletOf();
        expect(before.totalBalance - after.totalBalance).toBe(refundedAmount);
        const lost = (await disputesOf(transaction)).filter(
          ({ status }: { readonly status: string }) => status === 'REJECTED',
        );
        expect(lost.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40, seed: 20_261_124 },
    );
    await expectBalanced();
  });
});
