import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

import { startFakePsp, txidOf, type FakePsp } from '#test/support/fake-psp.ts';
import { RECEIVER } from '#test/support/fake-recurrences.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { subscriptionsOf, type Subscriptions } from '#test/flows/subscriptions/setup.ts';

vi.setConfig({ testTimeout: 60_000 });

const SOON = { timeout: 20_000, interval: 50 };
/** After it, a call that was not recorded is made again. */
const LEASE_SECONDS = 61;

let psp: FakePsp;
let gateway: TestGateway;
let subscriptions: Subscriptions;
let origin: string;

beforeAll(async () => {
  psp = await startFakePsp();
  gateway = await startTestGateway({
    environment: { PIX_PROVIDER: 'bacen', ...psp.environment(), ...RECEIVER },
  });
  subscriptions = subscriptionsOf(gateway, {});
  origin = gateway.baseUrl.replace('/v1', '');
});
afterEach(() => psp.behave());
afterAll(async () => {
  await gateway.stop();
  await psp.close();
});

async function query(text: string, ...values: readonly unknown[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: gateway.database.url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

const callBack = (path: 'rec' | 'cobr', body: object, secret = psp.secret) =>
  fetch(`${origin}/providers/bacen/${secret}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const recOf = (id: string) => {
  const found = psp.recurrences.recs.filter(({ body }) => body.vinculo.contrato === txidOf(id));
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} recurrences`);
  return found[0];
};

/** A subscription with its recurrence at the bank. */
async function created(changes: object = {}) {
  const { createAutomatic, read, today } = subscriptions;
  const { id, pixAutomatico } = await createAutomatic({ startDate: today(5), ...changes });
  expect(pixAutomatico.status).toBe('CRIADA');
  await vi.waitFor(async () => expect((await read(id)).pixAutomatico.idRec).not.toBeNull(), SOON);
  return { id, rec: recOf(id) };
}

/** The payer authorizes, the callback reports it, and the first charge is at the bank. */
async function charged(changes: object = {}) {
  const { until, untilStatuses, invoicesOf } = subscriptions;
  const { id, rec } = await created(changes);
  rec.status = 'APROVADA';
  expect((await callBack('rec', { recs: [{ idRec: rec.idRec, status: 'APROVADA' }] })).status).toBe(200);
  await until(id, { status: 'ACTIVE', pixAutomatico: { status: 'APROVADA' } });
  await untilStatuses(id, ['SCHEDULED']);
  await vi.waitFor(async () => expect((await invoicesOf(id))[0].transactionId).not.toBeNull(), SOON);
  const { transactionId } = (await invoicesOf(id))[0];
  const txid = txidOf(transactionId);
  const charge = psp.recurrences.cobrs.get(txid);
  if (charge === undefined) throw new Error('no charge');
  return { id, rec, txid, charge };
}

const reject = async (txid: string, code: string) => {
  psp.recurrences.reject(txid, code);
  expect((await callBack('cobr', { cobsr: [{ txid, status: 'ATIVA' }] })).status).toBe(200);
};

it('creates the recurrence with our contract, shows its code, and charges after authorization', async () => {
  const { id, rec, charge } = await charged({ cycles: 2, description: 'Plano' });
  expect(rec.body).toMatchObject({
    politicaRetentativa: 'PERMITE_3R_7D',
    valor: { valorRec: '49.90' },
    vinculo: {
      devedor: {
        cpf: '52998224725',
        nome: 'Ana Souza',
      },
      objeto: 'Plano',
    },
    calendario: {
      dataInicial: subscriptions.today(5),
      periodicidade: 'MENSAL',
    },
  });
  expect((await subscriptions.read(id)).pixAutomatico.qrCode).toContain(rec.idRec);
  expect(charge).toMatchObject({ idRec: rec.idRec, original: '49.90', date: subscriptions.today(5) });
});

it('credits a charge once, after the bank has confirmed its payment', async () => {
  const { id, txid, charge } = await charged();
  const notice = { cobsr: [{ txid, status: 'CONCLUIDA' }] };
  // Nothing is paid at the bank: the callback alone is not believed.
  await callBack('cobr', notice);
  const forged = {
    endToEndId: 'E9999999920261124000000000000001',
    txid,
    valor: '49.90',
    horario: '2026-11-24T12:00:00Z',
  };
  charge.pix.push(forged);
  await callBack('cobr', notice);
  expect((await subscriptions.invoicesOf(id))[0].status).toBe('SCHEDULED');
  charge.pix.pop();
  charge.pix.push(psp.pay(txid, '49.90'));
  charge.status = 'CONCLUIDA';
  for (const _ of [1, 2]) expect((await callBack('cobr', notice)).status).toBe(200);
  await subscriptions.untilInvoices(id, [{ status: 'PAID' }]);
  const { transactionId } = (await subscriptions.invoicesOf(id))[0];
  const entries = (await gateway.get(`/seller-wallet/entries?recordId=${transactionId}`)).body.data;
  expect(entries.map(({ cause }: { cause: string }) => cause).toSorted()).toEqual(['PAYMENT', 'PAYMENT_FEE']);
});

it('has a rejected attempt retried within seven days, three times at most', async () => {
  const { id, txid, charge } = await charged({ onUnpaid: 'CANCEL' });
  for (const attempts of [2, 3, 4]) {
    await reject(txid, 'AM04');
    await vi.waitFor(() => expect(charge.tentativas).toHaveLength(attempts), SOON);
    // A repeated and late callback changes nothing.
    await callBack('cobr', { cobsr: [{ txid, status: 'ATIVA' }] });
  }
  const days = charge.tentativas.map(
    ({ dataLiquidacao }) => (Date.parse(dataLiquidacao) - Date.parse(charge.date)) / 86_400_000,
  );
  expect(days).toEqual([0, 2, 4, 6]);
  await reject(txid, 'AM04');
  await subscriptions.until(id, { status: 'CANCELLED' });
  await vi.waitFor(() => expect(recOf(id).status).toBe('CANCELADA'), SOON);
});

it('does not retry after a code that ends the charge', async () => {
  const { id, txid, charge } = await charged();
  await reject(txid, 'AC05');
  await subscriptions.until(id, { status: 'PAST_DUE' });
  expect(charge.tentativas).toHaveLength(1);
  expect(await subscriptions.transactionsOf(id)).toMatchObject([{ status: 'FAILED' }]);
});

it('finds a recurrence by its contract instead of creating a second one after a lost response', async () => {
  psp.misbehave('POST /rec', { kind: 'cut-after' });
  const { createAutomatic, today, read } = subscriptions;
  const { id } = await createAutomatic({ startDate: today(9) });
  await vi.waitFor(
    () =>
      expect(psp.recurrences.recs.filter(({ body }) => body.vinculo.contrato === txidOf(id))).toHaveLength(1),
    SOON,
  );
  await gateway.advance(60);
  await vi.waitFor(async () => expect((await read(id)).pixAutomatico.idRec).toBe(recOf(id).idRec), SOON);
});

it('sends a charge and a retry once, whatever responses are lost', async () => {
  const { untilStatuses } = subscriptions;
  const { id, rec } = await created();
  psp.misbehave('PUT /cobr', { kind: 'cut-after' });
  rec.status = 'APROVADA';
  await callBack('rec', { recs: [{ idRec: rec.idRec }] });
  await untilStatuses(id, ['SCHEDULED']);
  const charges = () => [...psp.recurrences.cobrs.values()].filter(({ idRec }) => idRec === rec.idRec);
  await vi.waitFor(() => expect(charges()).toHaveLength(1), SOON);
  await gateway.advance(60);
  await vi.waitFor(
    async () => expect((await subscriptions.invoicesOf(id))[0].transactionId).not.toBeNull(),
    SOON,
  );
  const [charge] = charges();
  if (charge === undefined) throw new Error('no charge');
  psp.misbehave('POST /cobr', { kind: 'cut-after' });
  await reject(charge.txid, 'AM04');
  await gateway.advance(60);
  await vi.waitFor(
    async () => expect((await subscriptions.invoicesOf(id))[0].nextAttemptDate).not.toBeNull(),
    SOON,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(charge.tentativas).toHaveLength(2);
  expect(charges()).toHaveLength(1);
});

it('handles the other items of a callback of which one fails, and requests it again', async () => {
  const [failing, other] = [await charged({ retryPolicy: 'NONE' }), await charged({ retryPolicy: 'NONE' })];
  for (const { txid } of [failing, other]) psp.recurrences.reject(txid, 'AM04');
  psp.misbehave(`GET /cobr/${failing.txid}`, { kind: 'respond', status: 500 });
  const notice = { cobsr: [failing, other].map(({ txid }) => ({ txid, status: 'ATIVA' })) };
  expect((await callBack('cobr', notice)).status).toBe(500);
  await subscriptions.until(other.id, { status: 'PAST_DUE' });
  await subscriptions.until(failing.id, { status: 'ACTIVE' });
  expect((await callBack('cobr', notice)).status).toBe(200);
  await subscriptions.until(failing.id, { status: 'PAST_DUE' });
});

it('responds to a callback within the deadline of its lookups, whatever the number of charges', async () => {
  const charges = await Promise.all(Array.from({ length: 9 }, () => charged({ retryPolicy: 'NONE' })));
  for (const { txid } of charges) psp.recurrences.reject(txid, 'AM04');
  psp.misbehave('GET /cobr', { kind: 'hang' }, 100);
  const notice = { cobsr: charges.map(({ txid }) => ({ txid, status: 'ATIVA' })) };
  const startedMs = performance.now();
  expect((await callBack('cobr', notice)).status).toBe(503);
  expect(performance.now() - startedMs).toBeLessThan(12_000);
  psp.behave();
  expect((await callBack('cobr', notice)).status).toBe(200);
  for (const { id } of charges) await subscriptions.until(id, { status: 'PAST_DUE' });
});

it('handles each of thousands of recurrences in one callback', async () => {
  const { id, rec } = await created();
  rec.status = 'APROVADA';
  const others = Array.from({ length: 2_000 }, (_, i) => ({ idRec: `RR${i}` }));
  expect((await callBack('rec', { recs: [...others, { idRec: rec.idRec }] })).status).toBe(200);
  await subscriptions.until(id, { status: 'ACTIVE' });
});

it('reads a recurrence from the bank after a callback, and ends one that its payer revokes', async () => {
  const { until } = subscriptions;
  const { id, rec } = await created();
  expect((await callBack('rec', { recs: [{ idRec: rec.idRec, status: 'APROVADA' }] })).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await until(id, { status: 'PENDING' });
  rec.status = 'APROVADA';
  await callBack('rec', { recs: [{ idRec: rec.idRec }, { idRec: 'unknown' }, 7] });
  await until(id, { status: 'ACTIVE' });
  rec.status = 'CANCELADA';
  await callBack('rec', { recs: [{ idRec: rec.idRec }] });
  await until(id, { status: 'CANCELLED', pixAutomatico: { status: 'CANCELADA' } });
  expect((await callBack('rec', { recs: [] }, 'x'.repeat(32))).status).toBe(404);
});

it('cancels the charge and the recurrence of a canceled subscription', async () => {
  const { id, rec, charge } = await charged();
  expect((await subscriptions.act(id, 'cancel')).status).toBe(200);
  await vi.waitFor(() => expect([charge.status, rec.status]).toEqual(['CANCELADA', 'CANCELADA']), SOON);
});

it('ends the charge at the bank if its transaction is canceled, and charges the next cycle', async () => {
  const { id, charge } = await charged({ cycles: 3 });
  const [transaction] = await subscriptions.transactionsOf(id);
  expect((await gateway.post(`/transactions/${transaction.id}/cancel`)).status).toBe(200);
  await vi.waitFor(() => expect(charge.status).toBe('CANCELADA'), SOON);
  await subscriptions.untilInvoices(id, [{ status: 'CANCELLED' }]);
  await subscriptions.until(id, { status: 'ACTIVE', chargedCycles: 0 });
});

/** Meanwhile the database rejects the end of each transaction. */
async function withoutEnds(meanwhile: () => Promise<void>): Promise<void> {
  await gateway.database.query(
    "ALTER TABLE transactions ADD CONSTRAINT rejected CHECK (status <> 'FAILED') NOT VALID",
  );
  try {
    await meanwhile();
  } finally {
    await gateway.database.query('ALTER TABLE transactions DROP CONSTRAINT rejected');
  }
}

const REFUSAL = {
  kind: 'respond',
  status: 400,
  body: {
    type: 'https://pix.bcb.gov.br/api/v2/error/CobROperacaoInvalida',
    title: 'CobROperacaoInvalida',
    status: 400,
  },
} as const;

it('fails a refused charge and its transaction together', async () => {
  const { id, rec } = await created();
  rec.status = 'APROVADA';
  psp.misbehave('PUT /cobr', REFUSAL, 2);
  const before = psp.countOf('PUT /cobr');
  await withoutEnds(async () => {
    await callBack('rec', { recs: [{ idRec: rec.idRec }] });
    await vi.waitFor(() => expect(psp.countOf('PUT /cobr')).toBe(before + 1), SOON);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await subscriptions.untilStatuses(id, ['SCHEDULED']);
  });
  await gateway.advance(LEASE_SECONDS);
  await subscriptions.until(id, { status: 'PAST_DUE' });
  expect(await subscriptions.transactionsOf(id)).toMatchObject([{ status: 'FAILED' }]);
});

it('fails a charge that its bank has rejected and its transaction together', async () => {
  const { id, txid } = await charged();
  psp.recurrences.reject(txid, 'AC05');
  const report = () => callBack('cobr', { cobsr: [{ txid, status: 'REJEITADA' }] });
  await withoutEnds(async () => {
    expect((await report()).status).toBe(500);
    await subscriptions.untilStatuses(id, ['SCHEDULED']);
  });
  expect((await report()).status).toBe(200);
  await subscriptions.until(id, { status: 'PAST_DUE' });
  expect(await subscriptions.transactionsOf(id)).toMatchObject([{ status: 'FAILED' }]);
});

it('reads the outcome of a charge on its day if the callback is lost', async () => {
  const { id, txid, charge } = await charged({ retryPolicy: 'NONE' });
  psp.recurrences.reject(txid, 'AM04');
  await subscriptions.advance(7);
  await subscriptions.until(id, { status: 'PAST_DUE' });
  expect(charge.tentativas).toHaveLength(1);
});

it('binds the first payment of journeys 3 and 4', async () => {
  const third = await created({ pixJourney: 3 });
  const first = (await subscriptions.transactionsOf(third.id))[0];
  expect(third.rec.body.ativacao).toEqual({ dadosJornada: { txid: txidOf(first.id) } });
  expect((await subscriptions.read(third.id)).pixAutomatico.qrCode).toContain(txidOf(first.id));
  const fourth = await created({ pixJourney: 4 });
  const dated = (await subscriptions.transactionsOf(fourth.id))[0];
  expect(psp.recurrences.datedCharges.get(txidOf(dated.id))).toMatchObject({ valor: { original: '49.90' } });
});

const ACCOUNT = { ispb: '60701190', branch: '0042', account: '123456' };

it('has the payer’s bank ask for journey 1, once although a response is lost, without a code', async () => {
  psp.misbehave('POST /solicrec', { kind: 'cut-after' });
  const { createAutomatic, today, read, until } = subscriptions;
  const { id } = await createAutomatic({
    startDate: today(5),
    pixJourney: 1,
    pixPayerAccount: ACCOUNT,
  });
  const found = () => psp.recurrences.recs.filter(({ body }) => body.vinculo.contrato === txidOf(id));
  await vi.waitFor(() => expect(found()[0]?.requests).toHaveLength(1), SOON);
  await gateway.advance(60);
  await vi.waitFor(async () => expect((await read(id)).pixAutomatico.idRec).not.toBeNull(), SOON);
  const rec = recOf(id);
  expect(rec.body.loc).toBeUndefined();
  expect(rec.requests).toMatchObject([
    {
      body: {
        idRec: rec.idRec,
        destinatario: {
          ispbParticipante: '60701190',
          agencia: '0042',
          conta: '123456',
          cpf: '52998224725',
        },
      },
    },
  ]);
  expect((await read(id)).pixAutomatico).toMatchObject({ journey: 1, qrCode: null });
  const accounts = () =>
    query('SELECT payer_account IS NOT NULL AS kept FROM pix_authorizations WHERE subscription_id = $1', id);
  expect(await accounts()).toEqual([{ kept: true }]);
  rec.status = 'APROVADA';
  await callBack('rec', { recs: [{ idRec: rec.idRec }] });
  await until(id, { status: 'ACTIVE' });
  expect(await accounts()).toEqual([{ kept: false }]);
});

it('is REJECTED if the payer rejects the request of journey 1', async () => {
  const { id, rec } = await created({ pixJourney: 1, pixPayerAccount: ACCOUNT });
  const [request] = rec.requests;
  if (request === undefined) throw new Error('no request');
  request.status = 'REJEITADA';
  await callBack('rec', { recs: [{ idRec: rec.idRec }] });
  await subscriptions.until(id, { status: 'REJECTED', pixAutomatico: { status: 'REJEITADA' } });
  expect(await subscriptions.invoicesOf(id)).toEqual([]);
});

it('needs the payer’s account for journey 1, and takes none for others', async () => {
  const { post, bodyOf, today } = subscriptions;
  const automatic = { method: 'PIX_AUTOMATICO', startDate: today(5) };
  expect(await post(bodyOf({ ...automatic, pixJourney: 1 }))).toMatchObject({
    status: 400,
    body: { message: ['pixPayerAccount must be an object'] },
  });
  const wrong = { ...ACCOUNT, ispb: '1' };
  expect(await post(bodyOf({ ...automatic, pixJourney: 1, pixPayerAccount: wrong }))).toMatchObject({
    status: 400,
    body: { message: ['pixPayerAccount.ispb must be an ISPB'] },
  });
  expect(await post(bodyOf({ ...automatic, pixPayerAccount: ACCOUNT }))).toMatchObject({
    status: 400,
    body: { message: ['pixPayerAccount must only be sent with pixJourney 1'] },
  });
});

it('does not expire a charge by its own clock while the bank collects it', async () => {
  const { id, txid, charge } = await charged({ startDate: subscriptions.today(2) });
  expect((await subscriptions.transactionsOf(id))[0]).toMatchObject({ status: 'PENDING' });
  await subscriptions.advance(40);
  expect((await subscriptions.transactionsOf(id))[0]).toMatchObject({ status: 'PENDING' });
  charge.pix.push(psp.pay(txid, '49.90'));
  charge.status = 'CONCLUIDA';
  await callBack('cobr', { cobsr: [{ txid, status: 'CONCLUIDA' }] });
  await subscriptions.until(id, { status: 'ACTIVE' });
  await vi.waitFor(
    async () => expect((await subscriptions.invoicesOf(id))[0]).toMatchObject({ status: 'PAID' }),
    SOON,
  );
});

it('does not expire what its payer has authorized at the last moment, without a callback', async () => {
  const { id, rec } = await created({ startDate: subscriptions.today(3) });
  rec.status = 'APROVADA';
  await subscriptions.advance(4);
  await subscriptions.until(id, { status: 'ACTIVE' });
  expect((await subscriptions.read(id)).pixAutomatico.status).toBe('APROVADA');
});
