import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode } from '#test/support/node.ts';
import { operatorOf, PROMPTLY, type Operator } from '#test/support/operator.ts';

let gateway: TestGateway;
let operator: Operator;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  operator = await operatorOf(gateway);
});
afterAll(async () => {
  await gateway.stop();
});

async function charge(changes: Readonly<Record<string, unknown>> = {}, at = gateway): Promise<string> {
  const created = await at.charge(changes);
  expect(created.status).toBe(201);
  return String(created.body.data.id);
}

async function failed(changes: Readonly<Record<string, unknown>> = {}, at = gateway): Promise<string> {
  const id = await charge(changes, at);
  expect((await simulate(id, 'fail', undefined, at)).status).toBe(200);
  return id;
}

const simulate = (id: string, name: string, body?: unknown, at = gateway) =>
  at.post(`/sandbox/transactions/${id}/${name}`, body);
const pay = (id: string, body?: unknown) => simulate(id, 'pay', body);

const reversalsOf = (id: string) => operator.reversalsOf(id);
const reportsOf = async (id: string) =>
  (await operator.read(`/admin/provider-events?recordId=${id}&take=100`)).data;
const outcomesOf = async (id: string) =>
  (await reportsOf(id)).map(({ outcome }: { outcome: string }) => outcome).toSorted();

const untilReversal = (id: string, status: string) => operator.untilReversal(id, status);

const available = async () => (await gateway.get('/seller-wallet/gestao')).body.data.availableBalance;

async function settle(id: string, body: unknown = { note: 'sent by bank transfer' }) {
  return gateway.post(`/admin/reversals/${id}/settle`, body, { token: operator.token });
}

async function expectBalanced(): Promise<void> {
  expect((await operator.read('/admin/ledger/check')).data).toMatchObject({
    balanced: true,
    discrepancies: [],
  });
}

describe('a payment that is not the seller’s', () => {
  it('of an expired transaction is reversed, and the operator sees both', async () => {
    const id = await charge({ expiration: 600 });
    await gateway.advance(601);
    await vi.waitFor(async () => expect(await gateway.statusOf(id)).toBe('FAILED'), PROMPTLY);
    const before = await available();
    expect((await pay(id)).status).toBe(200);
    const returned = await untilReversal(id, 'SENT');
    expect(returned).toMatchObject({
      sellerId: gateway.demo.seller.id,
      transactionId: id,
      method: 'PIX',
      amount: 1500,
      reason: 'LATE',
      provider: 'sandbox',
      attempts: 1,
      providerReference: `sandbox-${returned.id}`,
      detail: null,
      settledBy: null,
      note: null,
    });
    const reports = await reportsOf(id);
    expect(reports).toMatchObject([
      { outcome: 'LATE', kind: 'PAYMENT', reportId: returned.reportId, amount: 1500, recordId: id },
    ]);
    expect([await available(), await gateway.statusOf(id)]).toEqual([before, 'FAILED']);
    await expectBalanced();
  });

  it.each([
    ['PAID', []],
    ['DISPUTE', ['dispute']],
    ['CHARGEDBACK', ['chargeback']],
  ])('of a transaction that is %s is reversed', async (status, events) => {
    const id = await charge();
    await pay(id);
    for (const name of events) await simulate(id, name);
    const before = await available();
    const second = await pay(id, { reportId: `second ${id}` });
    expect(second.status).toBe(422);
    expect(second.body.message).toBe(`Transaction cannot go from ${status} to PAID`);
    expect(await untilReversal(id, 'SENT')).toMatchObject({
      reason: 'DUPLICATE',
      amount: 1500,
      reportId: `second ${id}`,
    });
    expect([await available(), await gateway.statusOf(id)]).toEqual([before, status]);
    expect(await outcomesOf(id)).toContain('DUPLICATE');
    await expectBalanced();
  });

  it('of a refunded transaction is reversed', async () => {
    const id = await charge();
    await pay(id);
    const key = { idempotencyKey: randomUUID() };
    expect((await gateway.post(`/transactions/${id}/refund`, {}, key)).status).toBe(200);
    expect((await pay(id)).body.message).toBe('Transaction cannot go from REFUNDED to PAID');
    expect(await untilReversal(id, 'SENT')).toMatchObject({ reason: 'DUPLICATE' });
    await expectBalanced();
  });

  it.each([1, 1499, 1501])('of %i cents for a transaction of 1500 is reversed in full', async (amount) => {
    const id = await charge();
    const before = await available();
    const wrong = await pay(id, { amount });
    expect(wrong.status).toBe(422);
    expect(wrong.body.message).toBe('Amount differs from the transaction');
    expect(await untilReversal(id, 'SENT')).toMatchObject({ reason: 'WRONG_AMOUNT', amount });
    expect([await available(), await gateway.statusOf(id)]).toEqual([before, 'PENDING']);
    // The right amount can still pay it.
    expect((await pay(id)).body.data.status).toBe('PAID');
    expect(await available()).toBe(before + 1485);
    expect(await outcomesOf(id)).toEqual(['APPLIED', 'WRONG_AMOUNT']);
    expect(await reversalsOf(id)).toHaveLength(1);
    await expectBalanced();
  });

  it('of a voided card authorization is reversed', async () => {
    const card = { number: '4111111111111111', holderName: 'ANA', expirationMonth: 12, expirationYear: 2049 };
    const id = await charge({
      method: 'CREDIT_CARD',
      installments: 1,
      capture: false,
      card: { ...card, cvv: '123' },
    });
    expect((await gateway.post(`/transactions/${id}/void`, {})).body.data.status).toBe('FAILED');
    expect((await pay(id)).status).toBe(200);
    expect(await untilReversal(id, 'SENT')).toMatchObject({ method: 'CREDIT_CARD', reason: 'LATE' });
  });

  it('changes no transaction and sends the seller no event', async () => {
    const id = await failed();
    const before = await gateway.get(`/transactions/${id}`);
    await pay(id);
    await untilReversal(id, 'SENT');
    expect((await gateway.get(`/transactions/${id}`)).text).toBe(before.text);
    const events = await gateway.database.query('SELECT 1 FROM events WHERE record_id = $1', [id]);
    expect(events).toHaveLength(1);
  });
});

describe('the same provider event', () => {
  it('reverses a payment once, however often it is reported', async () => {
    const id = await failed();
    for (let round = 0; round < 5; round += 1) {
      expect((await pay(id, { reportId: `late ${id}` })).status).toBe(200);
    }
    await untilReversal(id, 'SENT');
    expect((await pay(id, { reportId: `late ${id}` })).status).toBe(200);
    expect(await reversalsOf(id)).toHaveLength(1);
    expect(await outcomesOf(id)).toEqual(['APPLIED', 'LATE']);
  });

  it.each([
    ['LATE', failed, {}, 200],
    ['WRONG_AMOUNT', charge, { amount: 1 }, 422],
  ] as const)(
    'reported twenty times concurrently is stored and reversed once (%s)',
    async (reason, make, wish, status) => {
      for (let round = 0; round < 3; round += 1) {
        const id = await make();
        const reported = { ...wish, reportId: `same ${id}` };
        const responses = await Promise.all(Array.from({ length: 20 }, () => pay(id, reported)));
        expect(new Set(responses.map((response) => response.status))).toEqual(new Set([status]));
        expect(await untilReversal(id, 'SENT')).toMatchObject({ reason });
        expect((await outcomesOf(id)).filter((outcome: string) => outcome === reason)).toHaveLength(1);
      }
    },
  );

  it('reported twenty times concurrently pays once and reverses nothing', async () => {
    const id = await charge();
    const before = await available();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => pay(id, { reportId: `same ${id}` })),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    expect(await available()).toBe(before + 1485);
    expect(await outcomesOf(id)).toEqual(['APPLIED']);
    expect(await reversalsOf(id)).toEqual([]);
  });

  it('with another transaction or amount is listed as a contradiction and moves no money', async () => {
    const [one, two] = [await charge(), await charge()];
    const reportId = `E${one}`;
    await pay(one, { reportId });
    const before = await available();
    expect((await pay(two, { reportId })).body.message).toBe(
      'The event was already reported for another transaction',
    );
    expect((await pay(one, { reportId, amount: 2000 })).status).toBe(422);
    expect([await available(), await gateway.statusOf(two)]).toEqual([before, 'PENDING']);
    expect([await reversalsOf(one), await reversalsOf(two)]).toEqual([[], []]);
    const detail = `already reported as PAYMENT of ${one}`;
    expect(await reportsOf(two)).toMatchObject([{ outcome: 'UNMATCHED', recordId: two, reportId, detail }]);
    expect(await reportsOf(one)).toMatchObject([
      { outcome: 'UNMATCHED', amount: 2000, detail },
      { outcome: 'APPLIED', amount: 1500, detail: null },
    ]);
  });
});

describe('concurrent events', () => {
  it('of two payments of one transaction lead to one credit and one reversal', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await charge();
      const before = await available();
      const responses = await Promise.all([pay(id), pay(id)]);
      expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([200, 422]);
      expect(await available()).toBe(before + 1485);
      expect(await untilReversal(id, 'SENT')).toMatchObject({ reason: 'DUPLICATE', amount: 1500 });
    }
    await expectBalanced();
  });

  it('of a payment and the expiration lead to a credit or a reversal, never both', async () => {
    const before = await available();
    const ids = await Promise.all(Array.from({ length: 60 }, () => charge({ expiration: 600 })));
    await Promise.all([...ids.map((id) => pay(id)), gateway.advance(600)]);
    // Sixty concurrent requests take a while on a busy machine.
    await vi.waitFor(
      async () => expect(await Promise.all(ids.map((id) => gateway.statusOf(id)))).not.toContain('PENDING'),
      {
        ...PROMPTLY,
        timeout: 10_000,
      },
    );
    let paid = 0;
    for (const id of ids) {
      const isPaid = (await gateway.statusOf(id)) === 'PAID';
      const returned = isPaid ? await reversalsOf(id) : [await untilReversal(id, 'SENT')];
      expect(returned).toMatchObject(isPaid ? [] : [{ reason: 'LATE', amount: 1500 }]);
      if (isPaid) paid += 1;
    }
    expect(await available()).toBe(before + paid * 1485);
    await expectBalanced();
  });
});

describe('a reversal that requires manual action', () => {
  it('waits for the operator, who settles it once', async () => {
    const id = await failed({ method: 'BOLETO' });
    await pay(id);
    const waiting = await untilReversal(id, 'MANUAL');
    expect(waiting).toMatchObject({ method: 'BOLETO', reason: 'LATE', sentAt: null, settledBy: null });
    expect(waiting.detail).toContain('BOLETO');
    const marked = await settle(waiting.id);
    expect(marked.status).toBe(200);
    expect(marked.body.data).toMatchObject({
      id: waiting.id,
      status: 'SENT',
      note: 'sent by bank transfer',
      settledBy: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sentAt: expect.any(String),
    });
    expect(await reversalsOf(id)).toEqual([marked.body.data]);
    const again = await settle(waiting.id);
    expect([again.status, again.body.message]).toEqual([
      422,
      'Reversal cannot be marked as sent while it is SENT',
    ]);
  });

  it('is marked as sent by an ADMIN only, with a note', async () => {
    const id = await failed({ method: 'BOLETO' });
    await pay(id);
    const waiting = await untilReversal(id, 'MANUAL');
    expect((await settle(waiting.id, {})).body.message).toEqual(['note should not be empty']);
    expect((await settle(waiting.id, { note: '  ' })).body.message).toEqual(['note should not be empty']);
    const { token } = operator;
    const support = { name: 'Suporte', email: `${randomUUID()}@example.com`, password: 'a long password' };
    await gateway.post('/admin/users', { ...support, role: 'SUPPORT' }, { token });
    const signedIn = await gateway.post('/login', support, { credential: 'none' });
    const asSupport = { token: String(signedIn.body.accessToken) };
    expect((await gateway.get('/admin/reversals', asSupport)).status).toBe(200);
    expect((await gateway.get('/admin/provider-events', asSupport)).status).toBe(200);
    const path = `/admin/reversals/${waiting.id}/settle`;
    expect((await gateway.post(path, { note: 'x' }, asSupport)).status).toBe(403);
    expect((await gateway.post(path, { note: 'x' })).status).toBe(403);
    expect((await gateway.get('/admin/reversals')).status).toBe(403);
    expect((await reversalsOf(id))[0]).toEqual(waiting);
  });

  it.each([randomUUID(), 'not-a-uuid'])('returns 404 for the id %s', async (id) => {
    const response = await settle(id);
    expect([response.status, response.body.message]).toEqual([404, 'Reversal not found']);
  });
});

describe('a simulated payment', () => {
  it.each([
    [{ amount: 0 }, 'amount must not be less than 1'],
    [{ amount: '1500' }, 'amount must be an integer number'],
    [{ reportId: '' }, 'reportId should not be empty'],
    [{ reportId: 'x'.repeat(101) }, 'reportId must be shorter than or equal to 100 characters'],
  ])('rejects %j', async (body, message) => {
    const id = await charge();
    const response = await pay(id, body);
    expect([response.status, response.body.message]).toEqual([400, [message]]);
    expect(await gateway.statusOf(id)).toBe('PENDING');
  });

  it.each([undefined, {}, ''])('is of the full amount with a new id for the body %j', async (body) => {
    const id = await charge();
    expect((await pay(id, body)).body.data.status).toBe('PAID');
    expect((await pay(id, body)).body.message).toBe('Transaction cannot go from PAID to PAID');
  });
});

it('sends a reversal after a restart that was committed before it', async () => {
  const idle = await startTestGateway({ worker: false, environment: SHARED_SECRETS });
  try {
    const id = await failed({}, idle);
    expect((await simulate(id, 'pay', undefined, idle)).status).toBe(200);
    const before = await operatorOf(idle);
    expect(await before.reversalsOf(id)).toMatchObject([{ status: 'PENDING', attempts: 0, sentAt: null }]);
    const worker = await startNode({ databaseUrl: idle.database.url, worker: true });
    try {
      await before.untilReversal(id, 'SENT');
    } finally {
      await worker.stop();
    }
  } finally {
    await idle.stop();
  }
});
