import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

let gateway: TestGateway;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority });
  await gateway.post('/webhooks', { url: receiver.url, eventType: 'DISPUTE' });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const wallet = async () => (await gateway.get('/seller-wallet/gestao')).body.data;
const paidPix = async (amount = 10_000): Promise<string> => {
  const { body } = await gateway.charge({ amount });
  await gateway.post(`/sandbox/transactions/${body.data.id}/pay`);
  return body.data.id;
};
const refund = (id: string, body: unknown = {}, idempotencyKey = randomUUID()) =>
  gateway.post(`/transactions/${id}/refund`, body, { idempotencyKey });
const asOperator = async () => ({ token: await gateway.adminToken() });

const open = async (id: string) => {
  const opened = await gateway.post(
    `/admin/transactions/${id}/dispute`,
    { reason: 'not delivered' },
    await asOperator(),
  );
  expect(opened.status).toBe(201);
  return String(opened.body.data.id);
};

describe('a refund', () => {
  it('in part leaves the transaction PAID, in full makes it REFUNDED, and keeps the fee', async () => {
    const id = await paidPix();
    const before = await wallet();
    const part = await refund(id, { amount: 4_000, reason: 'broken cup' });
    expect(part.status).toBe(200);
    expect(part.body.data).toMatchObject({ status: 'PAID', refundedAmount: 4_000 });
    const rest = await refund(id);
    expect(rest.body.data).toMatchObject({ status: 'REFUNDED', refundedAmount: 10_000 });
    expect((await wallet()).availableBalance).toBe(before.availableBalance - 10_000);
    const more = await refund(id, { amount: 1 });
    expect(more.status).toBe(422);
    expect(more.body.message).toBe('Transaction cannot go from REFUNDED to REFUNDED');
  });

  it('requires a key, returns the same bytes to a repeat, and rejects another body', async () => {
    const id = await paidPix();
    expect((await gateway.post(`/transactions/${id}/refund`, {})).body.message).toBe(
      'Idempotency-Key header is required',
    );
    const key = randomUUID();
    const first = await refund(id, { amount: 100 }, key);
    await refund(id, { amount: 200 });
    const again = await refund(id, { amount: 100 }, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await refund(id, { amount: 300 }, key)).status).toBe(409);
  });

  it('succeeds for one of two that together exceed the payment', async () => {
    const id = await paidPix();
    await paidPix();
    const responses = await Promise.all([refund(id, { amount: 6_000 }), refund(id, { amount: 6_000 })]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('may make the balance negative by the fee of its payment, and not further', async () => {
    const token = await gateway.adminToken();
    const email = `${randomUUID()}@example.com`;
    const made = await gateway.post(
      '/admin/sellers',
      {
        name: 'Loja',
        documentType: 'CNPJ',
        document: '11222333000181',
        ownerName: 'Dona',
        ownerEmail: email,
        ownerPassword: 'a long password',
      },
      { token },
    );
    const key = await gateway.post(`/admin/sellers/${made.body.data.id}/api-keys`, { name: 'k' }, { token });
    const own = { apiKey: key.body.data.key };
    const pay = async () => {
      const { body } = await gateway.charge({ amount: 10_000 }, { ...own, idempotencyKey: randomUUID() });
      await gateway.post(`/sandbox/transactions/${body.data.id}/pay`, undefined, own);
      return String(body.data.id);
    };
    const back = (id: string) =>
      gateway.post(`/transactions/${id}/refund`, {}, { ...own, idempotencyKey: randomUUID() });
    const [one, two] = [await pay(), await pay()];
    expect((await back(one)).status).toBe(200);
    // 19,802 net of both, minus 10,000: the second may make the balance negative by its own fee,
    // and the fee of the first is missing.
    const second = await back(two);
    expect(second.status).toBe(422);
    expect(second.body.message).toBe('Insufficient balance');
    await gateway.patch(`/admin/sellers/${made.body.data.id}`, { negativeBalanceUpTo: 99 }, { token });
    expect((await back(two)).status).toBe(200);
    const after = await gateway.get('/seller-wallet/gestao', own);
    expect(after.body.data.availableBalance).toBe(-198);
  });

  it('of Pix is rejected after 90 days and unless the transaction is PAID', async () => {
    const unpaid = await gateway.charge();
    const early = await refund(unpaid.body.data.id);
    expect(early.status).toBe(422);
    expect(early.body.message).toBe('Transaction cannot go from PENDING to REFUNDED');
    expect((await refund(randomUUID())).status).toBe(404);
    const id = await paidPix();
    await gateway.advance(91 * 86_400);
    expect((await refund(id)).body.message).toBe('Pix payments can be refunded for up to 90 days');
  });
});

describe('a cancellation', () => {
  it('ends unpaid transactions only', async () => {
    const { body } = await gateway.charge();
    const ended = await gateway.post(`/transactions/${body.data.id}/cancel`);
    expect(ended.body.data).toMatchObject({ status: 'FAILED', statusReason: 'cancelled' });
    expect((await gateway.post(`/transactions/${await paidPix()}/cancel`)).status).toBe(422);
  });
});

describe('a dispute', () => {
  it('blocks the amount, and releases it if the seller wins', async () => {
    const id = await paidPix();
    const before = await wallet();
    const dispute = await open(id);
    expect(await gateway.statusOf(id)).toBe('DISPUTE');
    expect(await wallet()).toMatchObject({
      availableBalance: before.availableBalance - 10_000,
      blockedBalance: before.blockedBalance + 10_000,
    });
    expect((await refund(id)).body.message).toBe('Transaction cannot go from DISPUTE to REFUNDED');
    const read = await gateway.get(`/disputes/${dispute}`);
    expect(read.body.data).toMatchObject({
      count: 1,
      take: 10,
      skip: 0,
      data: [{ id: dispute, status: 'OPEN', amount: 10_000 }],
    });
    const appealed = await gateway.post('/disputes/appeal', {
      disputeId: dispute,
      appealReason: 'here is the receipt',
    });
    expect(appealed.body.data.data[0]).toMatchObject({
      status: 'UNDER_REVIEW',
      appealReason: 'here is the receipt',
    });
    const twice = await gateway.post('/disputes/appeal', { disputeId: dispute, appealReason: 'again' });
    expect(twice.status).toBe(422);
    expect(twice.body.message).toBe('Dispute cannot be appealed');
    const won = await gateway.post(
      `/admin/disputes/${dispute}/resolve`,
      { outcome: 'RESOLVED' },
      await asOperator(),
    );
    expect(won.body.data.status).toBe('RESOLVED');
    expect(await gateway.statusOf(id)).toBe('PAID');
    expect(await wallet()).toMatchObject({
      availableBalance: before.availableBalance,
      blockedBalance: before.blockedBalance,
    });
    const late = await gateway.post(
      `/admin/disputes/${dispute}/resolve`,
      { outcome: 'REJECTED' },
      await asOperator(),
    );
    expect(late.body.message).toBe('Dispute cannot go from RESOLVED to REJECTED');
  });

  it('that is lost debits the amount, makes a Pix REFUNDED, and sends its events', async () => {
    const id = await paidPix();
    const before = await wallet();
    const reported = receiver.received.length;
    const dispute = await open(id);
    await gateway.post(`/admin/disputes/${dispute}/resolve`, { outcome: 'REJECTED' }, await asOperator());
    expect(await gateway.statusOf(id)).toBe('REFUNDED');
    expect((await wallet()).totalBalance).toBe(before.totalBalance - 10_000);
    await receiver.waitFor(reported + 2);
    expect(receiver.received.slice(reported).map(({ body }) => body)).toMatchObject([
      { event: 'DISPUTE_UPDATED', data: { id: dispute, transactionId: id, status: 'OPEN', amount: 10_000 } },
      { event: 'DISPUTE_UPDATED', data: { id: dispute, status: 'REJECTED' } },
    ]);
  });

  it('without an appeal within seven days is lost', async () => {
    const id = await paidPix();
    const dispute = await open(id);
    await gateway.advance(7 * 86_400 + 1);
    await expect.poll(() => gateway.statusOf(id), { timeout: 3_000 }).toBe('REFUNDED');
    expect((await gateway.get(`/disputes/${dispute}`)).body.data.data[0]).toMatchObject({
      status: 'REJECTED',
    });
    const { token } = await asOperator();
    for (const path of ['/disputes', '/admin/disputes']) {
      const counted = async (status: string) =>
        (await gateway.get(`${path}?status=${status}`, path === '/disputes' ? {} : { token })).body;
      const [rejected, open_, either] = await Promise.all(
        ['REJECTED', 'OPEN', 'REJECTED,%20OPEN'].map(async (status) => (await counted(status)).data.count),
      );
      expect([rejected > 0, either]).toEqual([true, rejected + open_]);
      expect((await counted('REJECTED,LOST')).message).toEqual([
        'status must be one of the following values: OPEN, UNDER_REVIEW, REJECTED, RESOLVED',
      ]);
    }
  });

  it('is resolved by one of two concurrent requests, and a payment cannot end it', async () => {
    const id = await paidPix();
    const dispute = await open(id);
    expect((await gateway.post(`/sandbox/transactions/${id}/pay`)).status).toBe(422);
    const operator = await asOperator();
    const responses = await Promise.all(
      ['RESOLVED', 'REJECTED'].map((outcome) =>
        gateway.post(`/admin/disputes/${dispute}/resolve`, { outcome }, operator),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('that has ended cannot be resolved while a new dispute of the transaction is open', async () => {
    const id = await paidPix();
    await gateway.post(`/sandbox/transactions/${id}/dispute`, undefined);
    const first = (await gateway.get(`/disputes?transactionId=${id}`)).body.data.data[0].id;
    const resolve = async (dispute: string) =>
      gateway.post(`/admin/disputes/${dispute}/resolve`, { outcome: 'RESOLVED' }, await asOperator());
    expect((await resolve(first)).status).toBe(200);
    const again = await gateway.post(
      `/admin/transactions/${id}/dispute`,
      { reason: 'once more', amount: 100 },
      await asOperator(),
    );
    expect(again.status).toBe(201);
    const refused = await resolve(first);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'Dispute cannot go from RESOLVED to RESOLVED',
    ]);
    expect((await gateway.get(`/transactions/${id}`)).body.data.status).toBe('DISPUTE');
    expect((await resolve(again.body.data.id)).status).toBe(200);
  });

  it('that is unknown or of another seller returns Record Not Found', async () => {
    for (const id of [randomUUID(), 'nonsense']) {
      const missing = await gateway.get(`/disputes/${id}`);
      expect([missing.status, missing.body.message]).toEqual([404, 'Record Not Found']);
    }
  });
});

it('the ledger balances', async () => {
  const check = await gateway.get('/admin/ledger/check', await asOperator());
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
});
