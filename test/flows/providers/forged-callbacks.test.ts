import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { generateEndToEndId } from '#formats/pix/end-to-end-id.ts';
import { startFakePsp, txidOf, type FakePsp } from '#test/support/fake-psp.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';

vi.setConfig({ testTimeout: 60_000 });

const SOON = { timeout: 30_000, interval: 100 };

let psp: FakePsp;
let gateway: TestGateway;
let operator: Operator;
let origin: string;

beforeAll(async () => {
  psp = await startFakePsp();
  gateway = await startTestGateway({ environment: { PIX_PROVIDER: 'bacen', ...psp.environment() } });
  operator = await operatorOf(gateway);
  origin = gateway.baseUrl.replace('/v1', '');
});
afterEach(() => {
  psp.behave();
});
afterAll(async () => {
  await gateway.stop();
  await psp.close();
});

const newCharge = async (): Promise<string> => String((await gateway.charge()).body.data.id);
const balance = async () => (await gateway.get('/seller-wallet/gestao')).body.data.availableBalance;
const eventsOf = async (outcome: string, recordId: string) =>
  (await operator.read(`/admin/provider-events?outcome=${outcome}&recordId=${recordId}`)).data;

/** A payment that does not exist. */
const invented = (id: string, valor = '15.00') => ({
  endToEndId: generateEndToEndId('12345678', new Date()),
  txid: txidOf(id),
  valor,
  horario: new Date().toISOString(),
});

const callBack = async (pix: object): Promise<number> => (await psp.callBack(origin, [pix])).status;

describe('a callback about a payment unknown to the provider', () => {
  it('credits nothing and is listed for the operator', async () => {
    const id = await newCharge();
    const before = await balance();
    const pix = invented(id);
    expect(await callBack(pix)).toBe(200);
    expect(await gateway.statusOf(id)).toBe('PENDING');
    expect(await balance()).toBe(before);
    expect(await eventsOf('UNMATCHED', id)).toMatchObject([
      { reportId: pix.endToEndId, amount: 1500, detail: 'the provider does not know this payment' },
    ]);
    expect(await callBack(pix)).toBe(200);
    expect(await eventsOf('UNMATCHED', id)).toHaveLength(1);
  });

  it('credits nothing while the provider is unreachable or after it returns', async () => {
    const id = await newCharge();
    const before = await balance();
    await psp.away();
    const pix = invented(id);
    expect(await callBack(pix)).toBe(200);
    expect(await gateway.statusOf(id)).toBe('PENDING');
    const [pending, ...more] = await eventsOf('PENDING', id);
    expect(more).toEqual([]);
    expect(pending).toMatchObject({ reportId: pix.endToEndId, kind: 'PAYMENT', amount: 1500 });
    await psp.back();
    await vi.waitFor(async () => expect(await eventsOf('UNMATCHED', id)).toHaveLength(1), SOON);
    await vi.waitFor(async () => expect(await eventsOf('PENDING', id)).toEqual([]), SOON);
    expect(await gateway.statusOf(id)).toBe('PENDING');
    expect(await balance()).toBe(before);
  });
});

describe('a callback about a real payment', () => {
  it('is stored while the provider is unreachable, and applied when it returns', async () => {
    const id = await newCharge();
    const pix = psp.pay(txidOf(id), '15.00');
    await psp.away();
    expect([await callBack(pix), await callBack(pix)]).toEqual([200, 200]);
    expect(await gateway.statusOf(id)).toBe('PENDING');
    expect(await eventsOf('PENDING', id)).toHaveLength(1);
    await vi.waitFor(
      async () => expect((await eventsOf('PENDING', id))[0].detail).toMatch(/after [1-9]\d* attempts$/),
      SOON,
    );
    await psp.back();
    await vi.waitFor(async () => expect(await gateway.statusOf(id)).toBe('PAID'), SOON);
    await vi.waitFor(async () => expect(await eventsOf('PENDING', id)).toEqual([]), SOON);
    expect(await eventsOf('APPLIED', id)).toHaveLength(1);
  });

  it('is applied with the provider’s amount if the callback contains another', async () => {
    const id = await newCharge();
    const before = await balance();
    const pix = psp.pay(txidOf(id), '14.00');
    expect(await callBack({ ...pix, valor: '15.00' })).toBe(200);
    expect(await gateway.statusOf(id)).toBe('PENDING');
    expect(await balance()).toBe(before);
    expect(await eventsOf('UNMATCHED', id)).toMatchObject([
      { amount: 1500, detail: 'the provider reports the amount 1400 for this payment' },
    ]);
    expect(await eventsOf('WRONG_AMOUNT', id)).toMatchObject([{ amount: 1400 }]);
  });

  it('does not pay another transaction', async () => {
    const [paid, other] = [await newCharge(), await newCharge()];
    const pix = psp.pay(txidOf(paid), '15.00');
    expect(await callBack({ ...pix, txid: txidOf(other) })).toBe(200);
    expect([await gateway.statusOf(paid), await gateway.statusOf(other)]).toEqual(['PAID', 'PENDING']);
    expect(await eventsOf('UNMATCHED', other)).toMatchObject([
      { detail: 'the provider reports another txid for this payment' },
    ]);
  });

  it('does not refund what the provider has not refunded', async () => {
    const id = await newCharge();
    const pix = psp.pay(txidOf(id), '15.00');
    const devolucao = { id: 'a'.repeat(32), valor: '15.00', natureza: 'MED_FRAUDE', status: 'DEVOLVIDO' };
    expect(await callBack({ ...pix, devolucoes: [devolucao] })).toBe(200);
    expect(await gateway.statusOf(id)).toBe('PAID');
  });
});

it('a callback is trusted with BACEN_PIX_TRUST_CALLBACKS=true', async () => {
  const trusting = await startTestGateway({
    environment: { PIX_PROVIDER: 'bacen', BACEN_PIX_TRUST_CALLBACKS: 'true', ...psp.environment() },
    worker: false,
  });
  try {
    const id = String((await trusting.charge()).body.data.id);
    const response = await psp.callBack(trusting.baseUrl.replace('/v1', ''), [invented(id)]);
    expect(response.status).toBe(200);
    expect((await trusting.get(`/transactions/${id}`)).body.data.status).toBe('PAID');
  } finally {
    await trusting.stop();
  }
});
