import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CallOptions } from '#test/support/client.ts';
import { byCard, card, DECLINED, from, PAID, payer, present, randomCpf } from '#test/support/card-charges.ts';
import { startFakePsp } from '#test/support/fake-psp.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/withdrawals.ts';

vi.setConfig({ testTimeout: 60_000 });

const SOON = { timeout: 30_000, interval: 50 };

let gateway: TestGateway;
/** Another process on the same database. */
let other: TestGateway;
let seller: TestSeller;
let as: CallOptions;

beforeAll(async () => {
  const environment = {
    TRUSTED_PROXIES: '127.0.0.1',
    CHECKOUT_DECLINES_PER_LINK: '1000',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    JWT_SECRET: randomBytes(32).toString('base64'),
  };
  gateway = await startTestGateway({ environment });
  other = await startTestGateway({ environment, database: gateway.database });
  seller = await newSeller(gateway);
  as = { apiKey: seller.apiKey };
});
afterAll(async () => {
  await other.stop();
  await gateway.stop();
});

const operator = async (): Promise<CallOptions> => ({ token: await gateway.adminToken() });

/** A rule of the seller only, so that tests are independent. */
async function newRule(fields: object): Promise<string> {
  const body = { name: 'Test', enabled: true, sellerId: seller.id, ...fields };
  const response = await gateway.post('/admin/risk-rules', body, await operator());
  expect(response.status).toBe(201);
  return String(response.body.data.id);
}
async function withRule(fields: object, run: () => Promise<void>): Promise<void> {
  const id = await newRule(fields);
  try {
    await run();
  } finally {
    expect((await gateway.delete(`/admin/risk-rules/${id}`, await operator())).status).toBe(200);
  }
}
const review = async (id: string, decision: string) =>
  gateway.post(`/admin/transactions/${id}/review`, { decision }, await operator());
const read = async (id: string) => (await gateway.get(`/transactions/${id}`, as)).body.data;

describe('risk rules', () => {
  it('are managed, ordered by position, and validated', async () => {
    const { body } = await gateway.get('/admin/risk-rules', await operator());
    expect(body.count).toBe(3);
    const [first] = body.data;
    expect(first).toMatchObject({ position: 1, action: 'REFUSE', enabled: true, sellerId: null });
    const id = await newRule({ when: { amountAbove: 10 }, action: 'ALLOW', position: 1, enabled: false });
    const after = (await gateway.get('/admin/risk-rules', await operator())).body.data;
    expect(after.map((rule: { position: number }) => rule.position)).toEqual([1, 2, 3, 4]);
    expect(after[0].id).toBe(id);
    const moved = await gateway.patch(
      `/admin/risk-rules/${id}`,
      { position: 4, name: 'B' },
      await operator(),
    );
    expect(moved.body.data).toMatchObject({ position: 4, name: 'B', when: { amountAbove: 10 } });
    expect((await gateway.delete(`/admin/risk-rules/${id}`, await operator())).status).toBe(200);
    expect((await gateway.delete(`/admin/risk-rules/${id}`, await operator())).status).toBe(404);
    const wrong = { name: 'X', when: { count: { of: 'charges', by: 'card' } }, action: 'STOP' };
    const refused = await gateway.post('/admin/risk-rules', wrong, await operator());
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(
      'action must be one of the following values: ALLOW, REVIEW, REFUSE',
    );
  });

  it('are rejected with a misspelled condition, which would match every transaction', async () => {
    const names = 'amountAbove, amountBelow, methods, cardCountries, payerPresent, count, sum, scope';
    const wrong = { name: 'X', when: { amountAbov: 10, sum: { over: 1 } }, action: 'REFUSE' };
    const refused = await gateway.post('/admin/risk-rules', wrong, await operator());
    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual(
      expect.arrayContaining([
        `when.amountAbov is unknown; use one of the following names: ${names}`,
        'when.sum.over is unknown; use one of the following names: by, windowSeconds, above',
      ]),
    );
    const id = await newRule({ when: { amountAbove: 10 }, action: 'REVIEW' });
    const changed = await gateway.patch(
      `/admin/risk-rules/${id}`,
      { when: { amountAbov: 20 } },
      await operator(),
    );
    expect(changed.body.errors).toMatchObject([{ path: 'when.amountAbov', code: 'invalid_option' }]);
    expect((await gateway.delete(`/admin/risk-rules/${id}`, await operator())).status).toBe(200);
  });

  it('refuse a charge with their public reason before issuance; a replay answers the same', async () => {
    const rule = { when: { amountAbove: 50_000, methods: ['PIX', 'BOLETO'] }, action: 'REFUSE' };
    await withRule({ ...rule, publicReason: 'amount too large' }, async () => {
      for (const method of ['PIX', 'BOLETO']) {
        const changes = { method, amount: 50_001, customer: payer() };
        const idempotencyKey = randomUUID();
        const refused = await gateway.charge(changes, { ...as, idempotencyKey });
        expect(refused.status).toBe(201);
        expect(refused.body.data).toMatchObject({
          status: 'REFUSED',
          riskStatus: 'REFUSED',
          pix: null,
          boleto: null,
          statusReason: 'refused by a risk rule: amount too large',
        });
        const timeline = await gateway.get(`/transactions/${refused.body.data.id}/timeline`, as);
        expect(timeline.body.data.history.at(-1)).toMatchObject({ to: 'REFUSED', actor: 'WORKER' });
        const repeated = await gateway.charge(changes, { ...as, idempotencyKey });
        expect(repeated.body).toEqual(refused.body);
        expect((await gateway.charge({ ...changes, amount: 50_000 }, as)).body.data.riskStatus).toBeNull();
      }
      const { apiKey } = await newSeller(gateway);
      expect((await gateway.charge({ amount: 50_001 }, { apiKey })).body.data.status).toBe('PENDING');
    });
  });

  it('answer identical concurrent cards once, also where they are refused', async () => {
    const count = { of: 'charges', by: 'document', windowSeconds: 600, above: 1 };
    await withRule({ when: { count }, action: 'REFUSE' }, async () => {
      const body = byCard(PAID);
      for (const status of ['PAID', 'REFUSED']) {
        const idempotencyKey = randomUUID();
        const responses = await Promise.all(
          Array.from({ length: 10 }, () => gateway.charge(body, { ...as, idempotencyKey })),
        );
        const texts = [...new Set(responses.map(({ text }) => text))];
        expect(texts).toHaveLength(1);
        expect(JSON.parse(texts[0] ?? '').data.status).toBe(status);
      }
    });
  });

  it('decide by the first rule that matches', async () => {
    const trusted = randomCpf();
    await withRule({ when: { amountAbove: 1_000 }, action: 'REFUSE', position: 1 }, async () => {
      await withRule({ when: { methods: ['PIX'] }, action: 'ALLOW', position: 1 }, async () => {
        expect((await gateway.charge({ amount: 5_000 }, as)).body.data.status).toBe('PENDING');
        const boleto = await gateway.charge({ amount: 5_000, method: 'BOLETO' }, as);
        expect(boleto.body.data.status).toBe('REFUSED');
      });
      const list = '/admin/risk-lists/trusted-documents';
      expect((await gateway.post(list, { value: trusted }, await operator())).status).toBe(201);
      const allowed = await gateway.charge({ amount: 5_000, customer: payer(trusted) }, as);
      expect(allowed.body.data.status).toBe('PENDING');
      expect((await gateway.delete(`${list}?value=${trusted}`, await operator())).status).toBe(200);
      const refused = await gateway.charge({ amount: 5_000, customer: payer(trusted) }, as);
      expect(refused.body.data.status).toBe('REFUSED');
    });
  });

  it('count charges that arrive at two processes at once exactly', async () => {
    const document = randomCpf();
    const count = { of: 'charges', by: 'document', windowSeconds: 600, above: 4 };
    await withRule({ when: { count }, action: 'REFUSE' }, async () => {
      await vi.waitFor(async () => {
        const probe = randomCpf();
        for (let n = 0; n < 5; n += 1)
          expect((await other.charge({ customer: payer(probe) }, as)).status).toBe(201);
        expect((await other.charge({ customer: payer(probe) }, as)).body.data.status).toBe('REFUSED');
      }, SOON);
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? gateway : other).charge({ customer: payer(document) }, as),
        ),
      );
      const statuses = responses.map(({ body }) => body.data.status);
      expect(statuses.filter((status) => status === 'PENDING')).toHaveLength(4);
      expect(statuses.filter((status) => status === 'REFUSED')).toHaveLength(16);
      // A request that is repeated counts once.
      const fresh = payer();
      const idempotencyKey = randomUUID();
      for (let n = 0; n < 8; n += 1) {
        const repeated = await gateway.charge({ customer: fresh }, { ...as, idempotencyKey });
        expect(repeated.body.data.status).toBe('PENDING');
      }
      expect((await gateway.charge({ customer: fresh }, as)).body.data.status).toBe('PENDING');
    });
  });

  it('sum amounts by email within the window', async () => {
    const sum = { by: 'email', windowSeconds: 600, above: 10_000 };
    await withRule({ when: { sum }, action: 'REFUSE' }, async () => {
      const customer = payer();
      expect((await gateway.charge({ amount: 6_000, customer }, as)).body.data.status).toBe('PENDING');
      expect((await gateway.charge({ amount: 4_000, customer }, as)).body.data.status).toBe('PENDING');
      expect((await gateway.charge({ amount: 100, customer }, as)).body.data.status).toBe('REFUSED');
    });
  });

  it('recognize the country of a card from its number', async () => {
    const when = { methods: ['CREDIT_CARD'], cardCountries: ['US'] };
    await withRule({ when, action: 'REFUSE' }, async () => {
      expect((await gateway.charge(byCard('4000008400000001'), as)).body.data.status).toBe('REFUSED');
      expect((await gateway.charge(byCard('4000000760000002'), as)).body.data.status).toBe('PAID');
      expect((await gateway.charge(byCard(PAID), as)).body.data.status).toBe('PAID');
    });
  });
});

describe('risk lists', () => {
  it('refuse what is blocked: documents, emails, cards and addresses', async () => {
    const customer = payer();
    const values = {
      'blocked-documents': customer.document,
      'blocked-emails': customer.email.toUpperCase(),
      'blocked-cards': '4242424242424242',
      'blocked-addresses': '2001:db8:7:7::1',
    };
    const charges: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
      'blocked-documents': { customer: { ...payer(), document: customer.document } },
      'blocked-emails': { customer: { ...payer(), email: customer.email } },
      'blocked-cards': byCard('4242424242424242'),
      'blocked-addresses': byCard(PAID, { card: { ...card(PAID), ip: '2001:db8:7:7:1::9' } }),
    };
    for (const [kind, value] of Object.entries(values)) {
      const path = `/admin/risk-lists/${kind}`;
      const added = await gateway.post(path, { value, note: 'test' }, await operator());
      expect(added.status).toBe(201);
      expect(added.text.toLowerCase()).not.toContain(value.toLowerCase());
      expect((await gateway.post(path, { value }, await operator())).status).toBe(409);
      const refused = await gateway.charge(charges[kind], as);
      expect([kind, refused.body.data.status]).toEqual([kind, 'REFUSED']);
      expect(refused.body.data.statusReason).toBe('refused by a risk rule');
      const { body } = await gateway.get(path, await operator());
      expect(body.count).toBe(1);
      const stored = encodeURIComponent(body.data[0].fingerprint);
      expect((await gateway.delete(`${path}?value=${stored}`, await operator())).status).toBe(200);
      expect((await gateway.charge(charges[kind], as)).body.data.riskStatus).toBeNull();
    }
    const wrong = await gateway.post(
      '/admin/risk-lists/blocked-documents',
      { value: '12' },
      await operator(),
    );
    expect(wrong.body.message).toEqual(['value must be a CPF or a CNPJ']);
    expect((await gateway.get('/admin/risk-lists/blocked-names', await operator())).status).toBe(404);
  });
});

/** A seller whose declines no other test has counted. */
const newShop = async (): Promise<CallOptions> => ({ apiKey: (await newSeller(gateway)).apiKey });

describe('the default rules', () => {
  it('stop card testing through a payment link within ten attempts, whatever the addresses', async () => {
    const { body } = await gateway.post(
      '/payment-links',
      { title: 'Caneca', amount: 1_500 },
      { ...as, idempotencyKey: randomUUID() },
    );
    let reached = 0;
    for (let n = 0; n < 100; n += 20) {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () =>
          gateway.post(
            `/public/payment-links/${body.data.code}/payments`,
            { method: 'CREDIT_CARD', installments: 1, card: card(DECLINED), customer: payer() },
            {
              credential: 'none',
              idempotencyKey: randomUUID(),
              // One card from many addresses, which no limit of addresses stops.
              headers: { 'x-forwarded-for': `203.0.${n % 250}.${Math.floor(Math.random() * 250)}` },
            },
          ),
        ),
      );
      reached += responses.filter(({ body: { data } }) => data?.status === 'FAILED').length;
    }
    expect(reached).toBeGreaterThan(0);
    expect(reached).toBeLessThanOrEqual(10);
  }, 120_000);

  it('refuse the sixth card after five declines of a document in an hour, and no Pix', async () => {
    const customer = payer();
    const cards = [DECLINED, '4000000000009995', '4000000000000069'];
    const shop = await newShop();
    for (let n = 0; n < 5; n += 1) {
      const declined = await gateway.charge(present(cards[n % 3] ?? '', { customer }), shop);
      expect(declined.body.data.status).toBe('FAILED');
    }
    const refused = await gateway.charge(present(PAID, { customer }), shop);
    expect(refused.body.data).toMatchObject({
      status: 'REFUSED',
      statusReason: 'refused by a risk rule: too many declined attempts',
    });
    expect((await gateway.charge({ customer }, shop)).body.data.status).toBe('PENDING');
    // A charge without the payer's address is the seller's own, and no default rule decides it.
    expect((await gateway.charge(byCard(PAID, { customer }), shop)).body.data.status).toBe('PAID');
    // Another payer is accepted, and so is this one at another seller.
    expect((await gateway.charge(present(PAID), shop)).body.data.status).toBe('PAID');
    expect((await gateway.charge(present(PAID, { customer }), await newShop())).body.data.status).toBe(
      'PAID',
    );
    await gateway.advance(3_601);
    expect((await gateway.charge(present(PAID, { customer }), shop)).body.data.status).toBe('PAID');
  });

  it('refuse the sixth charge of a card, and of an address, whoever pays', async () => {
    const shop = await newShop();
    for (let n = 0; n < 5; n += 1) await gateway.charge(present(DECLINED), shop);
    expect((await gateway.charge(present(DECLINED), shop)).body.data.status).toBe('REFUSED');
    const numbers = ['4000000000009995', '4000000000000069'];
    for (let n = 0; n < 5; n += 1) await gateway.charge(from('198.51.100.7', numbers[n % 2] ?? ''), shop);
    expect((await gateway.charge(from('198.51.100.7', PAID), shop)).body.data.status).toBe('REFUSED');
    expect((await gateway.charge(from('198.51.100.8', PAID), shop)).body.data.status).toBe('PAID');
  });

  it('allow legitimate traffic: parallel charges, refusals of rules, voids and late outcomes', async () => {
    const shop = await newShop();
    const customer = payer();
    const charge = (number: string, changes: object = {}) =>
      gateway.charge(present(number, { customer, ...changes }), shop);
    // Five declines less one, and everything else that is no decline.
    for (let n = 0; n < 4; n += 1) expect((await charge(DECLINED)).body.data.status).toBe('FAILED');
    const parallel = await Promise.all(Array.from({ length: 8 }, () => charge(PAID)));
    expect(new Set(parallel.map(({ body }) => body.data.status))).toEqual(new Set(['PAID']));
    for (let n = 0; n < 3; n += 1) {
      const { id } = (await charge(PAID, { capture: false })).body.data;
      expect((await gateway.post(`/transactions/${id}/void`, {}, shop)).body.data.status).toBe('FAILED');
    }
    const pending = (await charge('4000000000000101')).body.data;
    expect(pending.status).toBe('PENDING');
    expect((await charge(PAID)).body.data.status).toBe('PAID');
    // The provider declines the pending one: the fifth.
    await gateway.post(`/sandbox/transactions/${pending.id}/refuse`, {}, shop);
    expect((await charge(PAID)).body.data.status).toBe('REFUSED');
  });
});

describe('reviews', () => {
  const when = { amountAbove: 90_000 };
  const rule = { when, action: 'REVIEW', name: 'Large' };

  it('hold a Pix without a code until it is approved; then it can be paid', async () => {
    await withRule(rule, async () => {
      const idempotencyKey = randomUUID();
      const changes = { amount: 90_001, customer: payer() };
      const created = await gateway.charge(changes, { ...as, idempotencyKey });
      expect(created.body.data).toMatchObject({ status: 'PENDING', riskStatus: 'REVIEW', pix: null });
      const { id } = created.body.data;
      expect((await gateway.post(`/sandbox/transactions/${id}/pay`, {}, as)).status).toBe(422);
      const queue = await gateway.get('/admin/risk-reviews?take=100', await operator());
      expect(queue.body.data).toContainEqual(expect.objectContaining({ id, sellerId: seller.id }));
      const details = (await gateway.get(`/admin/transactions/${id}/review`, await operator())).body.data;
      expect(details).toMatchObject({ rule: { name: 'Large', action: 'REVIEW' }, sellerId: seller.id });
      const decided = await review(id, 'APPROVE');
      expect(decided.body.data).toMatchObject({ status: 'PENDING', riskStatus: 'APPROVED' });
      expect((await read(id)).pix.copyPaste).toContain('br.gov.bcb.pix');
      expect((await review(id, 'REFUSE')).body.code).toBe('transaction_not_in_review');
      const repeated = await gateway.charge(changes, { ...as, idempotencyKey });
      expect(repeated.body).toEqual(created.body);
      expect((await gateway.post(`/sandbox/transactions/${id}/pay`, {}, as)).body.data.status).toBe('PAID');
    });
  });

  it('hold a boleto, whose number is taken when it is approved', async () => {
    await withRule(rule, async () => {
      const changes = { method: 'BOLETO', amount: 90_001, customer: payer() };
      const { id } = (await gateway.charge(changes, as)).body.data;
      expect(await read(id)).toMatchObject({ status: 'PENDING', riskStatus: 'REVIEW', boleto: null });
      const page = await fetch((await read(id)).paymentUrl);
      expect(page.status).toBe(200);
      const decided = await review(id, 'APPROVE');
      expect(decided.body.data).toMatchObject({ status: 'WAITING_PAYMENT', riskStatus: 'APPROVED' });
      expect((await read(id)).boleto.digitableLine).toMatch(/^\d{47}$/);
      expect((await gateway.post(`/sandbox/transactions/${id}/pay`, {}, as)).body.data.status).toBe('PAID');
    });
  });

  it('refuse a Pix and a boleto as REFUSED', async () => {
    await withRule(rule, async () => {
      for (const method of ['PIX', 'BOLETO']) {
        const { id } = (await gateway.charge({ method, amount: 90_001, customer: payer() }, as)).body.data;
        expect((await review(id, 'REFUSE')).body.data).toMatchObject({
          status: 'REFUSED',
          riskStatus: 'REFUSED',
          statusReason: 'refused in a review',
        });
      }
    });
  });

  it('authorize a card; approval captures it, refusal voids it, and the seller can do neither', async () => {
    await withRule(rule, async () => {
      const customer = payer();
      const [first, second] = await Promise.all(
        [1, 2].map(async () => {
          const created = await gateway.charge(byCard(PAID, { amount: 90_001, customer }), as);
          expect(created.body.data).toMatchObject({ status: 'AUTHORIZED', riskStatus: 'REVIEW' });
          return String(created.body.data.id);
        }),
      );
      expect((await gateway.post(`/transactions/${first}/capture`, {}, as)).status).toBe(422);
      const { relatives } = (await gateway.get(`/admin/transactions/${first}/review`, await operator())).body
        .data;
      expect(relatives).toContainEqual(expect.objectContaining({ id: second, by: 'card' }));
      expect(relatives).toContainEqual(expect.objectContaining({ id: second, by: 'document' }));
      const approved = await review(first ?? '', 'APPROVE');
      expect(approved.body.data).toMatchObject({ status: 'PAID', riskStatus: 'APPROVED' });
      const refused = await review(second ?? '', 'REFUSE');
      expect(refused.body.data).toMatchObject({ status: 'FAILED', riskStatus: 'REFUSED' });
      const left = (await gateway.get('/admin/risk-reviews?take=100', await operator())).body.data;
      expect(left.map(({ id }: { id: string }) => id)).not.toContain(first);
    });
  });

  it('show the charges of the same payer that no rule concerned, of every seller', async () => {
    const elsewhere = await newSeller(gateway);
    const customer = payer();
    const near = { ...payer(), email: `x${customer.email}` };
    const before = await gateway.charge({ customer }, { apiKey: elsewhere.apiKey });
    const unrelated = await gateway.charge({ customer: near }, as);
    await withRule(rule, async () => {
      const held = await gateway.charge({ customer, amount: 90_001 }, as);
      const path = `/admin/transactions/${held.body.data.id}/review`;
      const { relatives } = (await gateway.get(path, await operator())).body.data;
      for (const by of ['document', 'email'])
        expect(relatives).toContainEqual(
          expect.objectContaining({ id: before.body.data.id, by, sellerId: elsewhere.id, method: 'PIX' }),
        );
      const ids = relatives.map(({ id }: { readonly id: string }) => id);
      expect(ids).not.toContain(unrelated.body.data.id);
      expect(ids).not.toContain(held.body.data.id);
    });
  });

  it('leave an approved card to a seller that captures later; two operators decide once', async () => {
    await withRule(rule, async () => {
      const body = byCard(PAID, { amount: 90_001, capture: false });
      const { id } = (await gateway.charge(body, as)).body.data;
      const responses = await Promise.all(['APPROVE', 'REFUSE', 'APPROVE'].map((it) => review(id, it)));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      const { riskStatus, status } = await read(id);
      expect([riskStatus, status]).toEqual(
        riskStatus === 'APPROVED' ? ['APPROVED', 'AUTHORIZED'] : ['REFUSED', 'FAILED'],
      );
    });
  });

  it('call an external Pix provider only after the approval', async () => {
    const psp = await startFakePsp();
    const external = await startTestGateway({ environment: { PIX_PROVIDER: 'bacen', ...psp.environment() } });
    try {
      const token = { token: await external.adminToken() };
      await external.post('/admin/risk-rules', { ...rule }, token);
      const { id } = (await external.charge({ amount: 90_001 })).body.data;
      expect(psp.cobs.size).toBe(0);
      const decided = await external.post(`/admin/transactions/${id}/review`, { decision: 'APPROVE' }, token);
      expect(decided.body.data.riskStatus).toBe('APPROVED');
      await vi.waitFor(async () => {
        expect((await external.get(`/transactions/${id}`)).body.data.pix).not.toBeNull();
      }, SOON);
      expect(psp.cobs.size).toBe(1);
    } finally {
      await external.stop();
      await psp.close();
    }
  });
});

const signalsOf = async (id: string) =>
  gateway.database.query<{ key: string }>('SELECT * FROM risk_signals WHERE transaction_id = $1', [id]);

describe('the data that risk rules store about payers', () => {
  it('consists of keyed hashes, which erasure deletes, and the cleanup after 30 days', async () => {
    const customer = payer();
    const { id } = (await gateway.charge(byCard(PAID, { customer }), as)).body.data;
    const { id: other } = (await gateway.charge(byCard(PAID), as)).body.data;
    const kept = await signalsOf(id);
    expect(kept).toHaveLength(1);
    for (const value of [customer.document, customer.email, PAID])
      expect(JSON.stringify(kept)).not.toContain(value);
    const erased = await gateway.post(
      '/admin/privacy/erase',
      { document: customer.document },
      await operator(),
    );
    expect(erased.body.data.erased).toBe(1);
    expect(await signalsOf(id)).toEqual([]);
    expect(await signalsOf(other)).toHaveLength(1);
    await gateway.advance(29 * 86_400);
    expect(await signalsOf(other)).toHaveLength(1);
    await gateway.advance(2 * 86_400);
    await vi.waitFor(async () => expect(await signalsOf(other)).toEqual([]), SOON);
  });
});
