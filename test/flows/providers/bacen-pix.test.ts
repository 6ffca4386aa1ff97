import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { OUT_OF_SERVICE, startFakePsp, txidOf, type FakePsp } from '#test/support/fake-psp.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';

vi.setConfig({ testTimeout: 40_000 });

const SOON = { timeout: 15_000, interval: 50 };

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
  psp.devolucaoStatus = 'DEVOLVIDO';
  psp.withCode = true;
});
afterAll(async () => {
  await gateway.stop();
  await psp.close();
});

async function found(id: string) {
  return (await gateway.get(`/transactions/${id}`)).body.data;
}

async function untilStatus(id: string, status: string) {
  await vi.waitFor(async () => expect((await found(id)).status).toBe(status), SOON);
  return found(id);
}

/** A paid charge, and its payment. */
async function paid(amount = 1500) {
  const made = await gateway.charge({
    amount,
    items: [{ title: 'Caneca', amount, quantity: 1, tangible: true }],
  });
  expect(made.status).toBe(201);
  const id = String(made.body.data.id);
  const pix = psp.pay(txidOf(id), (amount / 100).toFixed(2));
  expect((await psp.callBack(origin, [pix])).status).toBe(200);
  expect((await found(id)).status).toBe('PAID');
  return { id, pix };
}

const wallet = async () => (await gateway.get('/seller-wallet/gestao')).body.data;

const refund = (id: string, body: object = {}, idempotencyKey: string = randomUUID()) =>
  gateway.post(`/transactions/${id}/refund`, body, { idempotencyKey });

async function expectBalanced() {
  const { data } = await operator.read('/admin/ledger/check');
  expect(data).toMatchObject({ balanced: true, discrepancies: [] });
}

describe('a transaction', () => {
  it('is created at the PSP with our own id, and returned with its Pix code', async () => {
    const made = await gateway.charge();
    expect(made.status).toBe(201);
    const { id, pix } = made.body.data;
    const cob = psp.cobs.get(txidOf(id));
    expect(cob?.body).toMatchObject({
      valor: { original: '15.00' },
      chave: 'pix@example.com',
      devedor: { cpf: '52998224725', nome: 'Ana Souza' },
      calendario: { expiracao: expect.any(Number) },
    });
    expect(pix.copyPaste).toContain(`BR.GOV.BCB.PIX-${txidOf(id)}`);
  });

  it('gets a generated code if the PSP returns a location only', async () => {
    psp.withCode = false;
    const made = await gateway.charge();
    const text = JSON.stringify(made.body.data.pix);
    expect(text).toContain(`pix.example.com/qr/v2/${txidOf(made.body.data.id)}`);
    expect(text).toContain('br.gov.bcb.pix');
  });

  it('shares one token with all others, and gets a new one after it is revoked', async () => {
    const before = psp.tokensGiven();
    await Promise.all(Array.from({ length: 5 }, () => gateway.charge()));
    expect(psp.tokensGiven()).toBe(before);
    psp.revokeTokens();
    const made = await Promise.all(Array.from({ length: 5 }, () => gateway.charge()));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(made.every(({ body }) => body.data.pix !== null)).toBe(true);
    expect(psp.tokensGiven()).toBeLessThanOrEqual(before + 2);
  });

  it('fails with a reason without personal data if the PSP rejects it', async () => {
    psp.misbehave('PUT /cob', {
      kind: 'respond',
      status: 400,
      body: {
        type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida',
        title: 'x',
        status: 400,
        detail: 'CPF 52998224725',
        violacoes: [{ propriedade: 'cob.devedor', razao: 'CPF 52998224725', valor: '52998224725' }],
      },
    });
    const made = await gateway.charge();
    expect(made.status).toBe(201);
    expect(made.body.data.status).toBe('FAILED');
    const [order] = await gateway.database.query<{ detail: string }>(
      `SELECT detail FROM provider_operations WHERE transaction_id = '${made.body.data.id}'`,
    );
    expect(order?.detail).toBe('refused by the provider: CobOperacaoInvalida (cob.devedor)');
  });

  it('stays PENDING if the response is lost, is the same for its key, and is found by our id', async () => {
    psp.misbehave('PUT /cob', { kind: 'cut-after' });
    const idempotencyKey = randomUUID();
    const made = await gateway.charge({}, { idempotencyKey });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data.status).toBe('PENDING');
    const again = await gateway.charge({}, { idempotencyKey });
    expect(again.body.data.id).toBe(id);
    await vi.waitFor(async () => expect((await found(id)).pix).not.toBeNull(), SOON);
    expect(psp.countOf(`PUT /cob/${txidOf(id)}`)).toBe(1);
    expect(psp.countOf(`GET /cob/${txidOf(id)}`)).toBeGreaterThan(0);
  });

  it('is created by the sweep after a 500, and FAILED while the PSP is out of service', async () => {
    psp.misbehave('PUT /cob', { kind: 'respond', status: 500 });
    const first = (await gateway.charge()).body.data;
    expect(first.status).toBe('PENDING');
    await vi.waitFor(async () => expect((await found(first.id)).pix).not.toBeNull(), SOON);
    expect((await found(first.id)).status).toBe('PENDING');
    // The only provider did not execute it, so it fails at once.
    psp.misbehave('PUT /cob', OUT_OF_SERVICE);
    const second = (await gateway.charge()).body.data;
    expect(second.status).toBe('FAILED');
  });

  it('is removed at the PSP when the seller cancels it', async () => {
    const { id } = (await gateway.charge()).body.data;
    expect((await gateway.post(`/transactions/${id}/cancel`, {})).status).toBe(200);
    await vi.waitFor(
      () => expect(psp.cobs.get(txidOf(id))?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR'),
      SOON,
    );
  });
});

describe('a callback', () => {
  it('pays the transaction once, however often it is sent', async () => {
    const { id, pix } = await paid();
    const before = await wallet();
    const responses = await Promise.all([1, 2, 3].map(() => psp.callBack(origin, [pix, pix])));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await wallet()).availableBalance).toBe(before.availableBalance);
    expect((await found(id)).status).toBe('PAID');
  });

  it('returns 404 without the secret', async () => {
    const { id } = (await gateway.charge()).body.data;
    const pix = psp.pay(txidOf(id), '15.00');
    for (const more of [{ secret: 'x'.repeat(32) }, { name: 'bacen2' }, { path: '/other' }]) {
      expect((await psp.callBack(origin, [pix], more)).status).toBe(404);
    }
    expect((await found(id)).status).toBe('PENDING');
    expect((await psp.callBack(origin, [pix], { path: '' })).status).toBe(200);
    expect((await found(id)).status).toBe('PAID');
  });

  it('of a wrong amount, a second payment or an ended transaction reverses the payment', async () => {
    const { id } = (await gateway.charge()).body.data;
    const wrong = psp.pay(txidOf(id), '14.00');
    const right = psp.pay(txidOf(id), '15.00');
    const second = psp.pay(txidOf(id), '15.00');
    expect((await psp.callBack(origin, [wrong])).status).toBe(200);
    expect((await found(id)).status).toBe('PENDING');
    for (const pix of [right, second]) await psp.callBack(origin, [pix]);
    await vi.waitFor(() => {
      expect(wrong.devolucoes.map(({ valor }) => valor)).toEqual(['14.00']);
      expect(second.devolucoes.map(({ valor }) => valor)).toEqual(['15.00']);
    }, SOON);
    expect(right.devolucoes).toEqual([]);
    const ended = (await gateway.charge()).body.data;
    await gateway.post(`/transactions/${ended.id}/cancel`, {});
    const late = psp.pay(txidOf(ended.id), '15.00');
    await psp.callBack(origin, [late]);
    await vi.waitFor(() => expect(late.devolucoes).toHaveLength(1), SOON);
    await operator.untilReversal(ended.id, 'SENT');
  });

  it('of an unknown payment is stored for the operator, and the rest of the call is applied', async () => {
    const { id } = (await gateway.charge()).body.data;
    const good = psp.pay(txidOf(id), '15.00');
    const foreign = psp.pay('a'.repeat(32), '7.00');
    const strange = { endToEndId: 'E0000000000000000000000000000000x', valor: 'seven' };
    expect((await psp.callBack(origin, [strange, foreign, good])).status).toBe(200);
    expect((await found(id)).status).toBe('PAID');
    const kept = (await operator.read('/admin/provider-events?outcome=UNMATCHED&provider=bacen&take=100'))
      .data;
    const ids = kept.map((one: { reportId: string }) => one.reportId);
    expect(ids).toEqual(expect.arrayContaining([foreign.endToEndId, strange.endToEndId]));
  });

  it('without payments is accepted as a test', async () => {
    const response = await fetch(`${origin}/providers/bacen/${psp.secret}/pix`, { method: 'POST' });
    expect(response.status).toBe(200);
  });
});

describe('a refund', () => {
  it('is sent to the PSP with our own id, and completes when the PSP reports it', async () => {
    const { id, pix } = await paid();
    const response = await refund(id, { amount: 500 });
    expect(response.status).toBe(200);
    await vi.waitFor(async () => expect((await found(id)).refundedAmount).toBe(500), SOON);
    expect(pix.devolucoes).toMatchObject([{ valor: '5.00' }]);
    expect((await refund(id)).status).toBe(200);
    await untilStatus(id, 'REFUNDED');
    expect(pix.devolucoes.map(({ valor }) => valor)).toEqual(['5.00', '10.00']);
    await expectBalanced();
  });

  it('waits while the PSP processes it, and completes by a callback', async () => {
    psp.devolucaoStatus = 'EM_PROCESSAMENTO';
    const { id, pix } = await paid();
    const before = await wallet();
    await refund(id, { amount: 500 });
    await vi.waitFor(() => expect(pix.devolucoes).toHaveLength(1), SOON);
    expect((await found(id)).status).toBe('PAID');
    const during = await wallet();
    expect(during.availableBalance).toBe(before.availableBalance - 500);
    expect(during.blockedBalance).toBe(before.blockedBalance + 500);
    for (const devolucao of pix.devolucoes) devolucao.status = 'DEVOLVIDO';
    // The published example contains a refund without an array.
    expect((await psp.callBack(origin, [{ ...pix, devolucoes: pix.devolucoes[0] }])).status).toBe(200);
    expect((await found(id)).refundedAmount).toBe(500);
    expect((await wallet()).blockedBalance).toBe(before.blockedBalance);
    await psp.callBack(origin, [pix]);
    expect((await found(id)).refundedAmount).toBe(500);
    await expectBalanced();
  });

  it('returns the amount to the seller if the PSP does not execute it', async () => {
    psp.devolucaoStatus = 'NAO_REALIZADO';
    const { id } = await paid();
    const before = await wallet();
    await refund(id, { amount: 500 });
    await vi.waitFor(
      async () => expect((await wallet()).availableBalance).toBe(before.availableBalance),
      SOON,
    );
    expect((await found(id)).refundedAmount).toBe(0);
    psp.devolucaoStatus = 'DEVOLVIDO';
    expect((await refund(id)).status).toBe(200);
    await untilStatus(id, 'REFUNDED');
    await expectBalanced();
  });

  it('is sent once if the response is lost', async () => {
    const { id, pix } = await paid();
    psp.misbehave('PUT /pix/', { kind: 'cut-after' });
    const key = randomUUID();
    await refund(id, {}, key);
    await refund(id, {}, key);
    await untilStatus(id, 'REFUNDED');
    expect(pix.devolucoes.map(({ valor }) => valor)).toEqual(['15.00']);
    await expectBalanced();
  });

  it('of another amount than requested does not complete, and is stored for the operator', async () => {
    psp.devolucaoStatus = 'EM_PROCESSAMENTO';
    const { id, pix } = await paid();
    await refund(id, { amount: 500 });
    await vi.waitFor(() => expect(pix.devolucoes).toHaveLength(1), SOON);
    for (const requested of pix.devolucoes.splice(0))
      pix.devolucoes.push({ ...requested, valor: '4.00', status: 'DEVOLVIDO' });
    expect((await psp.callBack(origin, [pix])).status).toBe(200);
    expect((await found(id)).refundedAmount).toBe(0);
    const { data } = await operator.read(`/admin/provider-events?outcome=UNMATCHED&recordId=${id}`);
    expect(data).toMatchObject([{ reportId: pix.devolucoes[0]?.rtrId, kind: 'REFUND', amount: 400 }]);
    await expectBalanced();
  });

  it('that the gateway did not request is stored for the operator', async () => {
    const { id, pix } = await paid();
    const taken = psp.take(pix, '3.00', 'ORIGINAL');
    expect((await psp.callBack(origin, [pix])).status).toBe(200);
    const { data } = await operator.read(`/admin/provider-events?outcome=UNMATCHED&recordId=${id}`);
    expect(data).toMatchObject([{ reportId: taken.rtrId, kind: 'REFUND', amount: 300 }]);
  });
});

/** Makes the next poll of the PSP's payments due. */
const pollNow = () =>
  gateway.database.query("UPDATE provider_positions SET claimed_until = 'epoch' WHERE list = 'pix'");

const pendingEvents = async () =>
  (await operator.read('/admin/provider-events?outcome=PENDING&provider=bacen')).data;

describe('the list of payments', () => {
  it('is polled for payments without a callback', async () => {
    const { id } = (await gateway.charge()).body.data;
    psp.pay(txidOf(id), '15.00');
    await pollNow();
    expect(await untilStatus(id, 'PAID')).toMatchObject({ id });
  });

  it.each([
    ['an unknown format', 'c'.repeat(32), 'seven'],
    ['characters that cannot be stored', '\0'.repeat(32), '15.00'],
  ])('is read to its end despite an entry of %s', async (_case, txid, amount) => {
    const { id } = (await gateway.charge()).body.data;
    const strange = psp.pay(txid, amount);
    psp.pay(txidOf(id), '15.00');
    await pollNow();
    expect(await untilStatus(id, 'PAID')).toMatchObject({ id });
    const kept = (await operator.read('/admin/provider-events?outcome=UNMATCHED&provider=bacen&take=100'))
      .data;
    expect(kept).toContainEqual(expect.objectContaining({ reportId: strange.endToEndId, amount: null }));
  });

  it('is read to its end despite an entry that fails, which is read alone until it is applied', async () => {
    const { database } = gateway;
    const [failing, later] = await Promise.all([gateway.charge(), gateway.charge()]);
    const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000);
    const { endToEndId } = psp.pay(txidOf(failing.body.data.id), '15.00', threeDaysAgo);
    psp.pay(txidOf(later.body.data.id), '15.00');
    await database.query(
      `ALTER TABLE provider_events ADD CONSTRAINT failing CHECK (provider_event_id <> '${endToEndId}')`,
    );
    await database.query("UPDATE provider_positions SET read_until = $1 WHERE list = 'pix'", [threeDaysAgo]);
    await pollNow();
    await untilStatus(later.body.data.id, 'PAID');
    expect(await pendingEvents()).toMatchObject([{ reportId: endToEndId, amount: 1500 }]);
    expect((await found(failing.body.data.id)).status).toBe('PENDING');
    await database.query('ALTER TABLE provider_events DROP CONSTRAINT failing');
    await database.query("UPDATE unverified_payments SET lease_until = 'epoch'");
    await untilStatus(failing.body.data.id, 'PAID');
    await vi.waitFor(async () => expect(await pendingEvents()).toEqual([]), SOON);
  });

  it('is read again after a failed request, page by page', async () => {
    const made = await Promise.all(Array.from({ length: 3 }, () => gateway.charge()));
    for (let other = 0; other < 120; other += 1) psp.pay(`b${String(other).padStart(31, '0')}`, '1.00');
    for (const { body } of made) psp.pay(txidOf(body.data.id), '15.00');
    psp.misbehave('GET /pix', { kind: 'respond', status: 500 });
    await vi.waitFor(async () => {
      await pollNow();
      const now = await Promise.all(made.map(({ body }) => found(body.data.id)));
      expect(now.map(({ status }) => status)).toEqual(['PAID', 'PAID', 'PAID']);
    }, SOON);
    expect(psp.calls.some(({ query }) => query.get('paginacao.paginaAtual') === '1')).toBe(true);
  });
});

describe('a slow PSP, or one with events out of order', () => {
  it('is awaited, also by a repeated request with the same key', async () => {
    psp.misbehave('PUT /cob', { kind: 'slow', ms: 1_500 });
    const idempotencyKey = randomUUID();
    const [one, other] = await Promise.all([
      gateway.charge({}, { idempotencyKey }),
      gateway.charge({}, { idempotencyKey }),
    ]);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.text).toBe(other.text);
    const { id, pix } = one.body.data;
    expect(pix.copyPaste).toContain(txidOf(id));
    expect(psp.countOf(`PUT /cob/${txidOf(id)}`)).toBe(1);
  });

  it('may report the payment before the response to the creation arrives', async () => {
    psp.misbehave('PUT /cob', { kind: 'cut-after' });
    psp.misbehave('GET /cob', { kind: 'respond', status: 500 });
    const { id, pix } = (await gateway.charge()).body.data;
    expect(pix).toBeNull();
    const payment = psp.pay(txidOf(id), '15.00');
    expect((await psp.callBack(origin, [payment])).status).toBe(200);
    expect((await found(id)).status).toBe('PAID');
    // The next poll follows ten seconds after the failed one.
    await vi.waitFor(async () => expect((await found(id)).pix).not.toBeNull(), { ...SOON, timeout: 25_000 });
    expect((await found(id)).status).toBe('PAID');
    await expectBalanced();
  });

  it('may report a payment and its refunds in one call', async () => {
    const { id } = (await gateway.charge()).body.data;
    const payment = psp.pay(txidOf(id), '15.00');
    psp.take(payment, '15.00', 'MED_OPERACIONAL');
    expect((await psp.callBack(origin, [payment])).status).toBe(200);
    expect((await found(id)).status).toBe('REFUNDED');
    await expectBalanced();
  });

  it('receives the cancellation of a transaction that was canceled while its response was lost', async () => {
    psp.misbehave('PUT /cob', { kind: 'cut-after' });
    psp.misbehave('GET /cob', { kind: 'respond', status: 500 });
    const { id } = (await gateway.charge()).body.data;
    expect((await gateway.post(`/transactions/${id}/cancel`, {})).status).toBe(200);
    await vi.waitFor(
      () => expect(psp.cobs.get(txidOf(id))?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR'),
      SOON,
    );
    expect((await found(id)).status).toBe('FAILED');
  });
});

describe('a boleto', () => {
  it('gets its Pix code from the PSP, which also refunds it if paid by Pix', async () => {
    const made = await gateway.charge({ method: 'BOLETO' });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(psp.cobs.has(txidOf(id))).toBe(true);
    const payment = psp.pay(txidOf(id), '15.00');
    await psp.callBack(origin, [payment]);
    expect((await found(id)).status).toBe('PAID');
    await refund(id, {});
    await untilStatus(id, 'REFUNDED');
    expect(payment.devolucoes).toHaveLength(1);
    await expectBalanced();
  });

  it('is paid by its line if the PSP returns no code', async () => {
    psp.misbehave('PUT /cob', OUT_OF_SERVICE);
    const made = await gateway.charge({ method: 'BOLETO' });
    expect(made.status).toBe(201);
    expect(made.body.data.status).toBe('WAITING_PAYMENT');
    expect((await fetch(made.body.data.boleto.pdf)).status).toBe(200);
    expect((await gateway.post(`/sandbox/transactions/${made.body.data.id}/pay`, {})).status).toBe(200);
  });
});
