import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { goodCharge, type ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { run } from '#test/support/process.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { expectBalanced, newSeller, type TestSeller } from '#test/support/withdrawals.ts';

/** A payer requests access to their data, and its erasure (LGPD, articles 18 and 16). */

vi.setConfig({ testTimeout: 60_000 });

const PAYER = {
  name: 'Zuleica Wanderléia Quintão',
  email: 'Zuleica.Q@exemplo.com.br',
  phone: '11971234567',
  documentType: 'CPF',
  document: '39053344705',
  externalRef: 'cliente-zwq-81',
} as const;
/** The forms in which they may be stored, in lower case. */
const TRACES = [
  'zuleica',
  'quintão',
  'quint\\u00e3o',
  'exemplo.com.br',
  '971234567',
  '39053344705',
  '390.533.447-05',
  '.533.447-',
  'zwq-81',
];

let receiver: Receiver;
let gateway: TestGateway;
let sellers: readonly TestSeller[];
let admin: { readonly token: string };
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.respondWith((_request, response) =>
    response.end(String.raw`{"cliente":"Zuleica Wanderl\u00e9ia Quint\u00e3o","doc":"390.533.447-05"}`),
  );
  gateway = await startTestGateway({
    asApp: true,
    environment: SHARED_SECRETS,
    receiverAuthorities: receiver.authority,
  });
  sellers = [await newSeller(gateway), await newSeller(gateway)];
  admin = { token: await gateway.adminToken() };
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

/**
 * All texts in the database by row, without the columns that contain the payer by design: there
 * must be none.
 */
async function dump(): Promise<readonly string[]> {
  const tables = await gateway.database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const all: string[] = [];
  for (const { name } of tables) {
    const rows = await gateway.database.query<{ text: string }>(
      `SELECT to_json(x)::text AS text FROM ${name} x`,
    );
    all.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return all;
}

const tracesIn = (rows: readonly string[]): readonly string[] =>
  rows.filter((row) => TRACES.some((trace) => row.toLowerCase().includes(trace)));

const asOf = (seller: TestSeller, idempotencyKey = randomUUID()) => ({
  apiKey: seller.apiKey,
  idempotencyKey,
});
const charge = (seller: TestSeller, changes: object = {}, key = randomUUID()): Promise<ApiResponse> =>
  gateway.post('/transactions', { ...goodCharge(), customer: PAYER, ...changes }, asOf(seller, key));
const pay = async (seller: TestSeller, id: string) =>
  expect((await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller)).status).toBe(200);

async function erase(body: object): Promise<ApiResponse['body']> {
  const response = await gateway.post('/admin/privacy/erase', body, admin);
  expect(response.status).toBe(200);
  return response.body.data;
}

const seller = () => sellers[0] ?? { id: '', apiKey: '' };
const other = () => sellers[1] ?? { id: '', apiKey: '' };

describe('personal data of a payer', () => {
  const key = randomUUID();
  const refundKey = randomUUID();
  let created: ApiResponse;
  let id: string;
  let others: string;
  let boleto: string;
  let disputed: string;
  const payerFields = {
    description: `Pedido de ${PAYER.name.toUpperCase()}`,
    metadata: {
      cpf: Number(PAYER.document),
      contato: [PAYER.email, 'loja'],
      'cliente-zwq-81': 1,
      pedido: 77,
    },
    items: [
      {
        title: `Ingresso ${PAYER.name}`,
        amount: 1500,
        quantity: 1,
        tangible: false,
        externalRef: PAYER.externalRef,
      },
    ],
  };

  it('is stored in every kind of record', async () => {
    const hook = await gateway.post('/webhooks', { url: receiver.url, eventType: 'ALL' }, seller());
    expect(hook.status).toBe(201);
    const postbackUrl = `${receiver.url}?cliente=${encodeURIComponent(PAYER.email)}`;
    created = await charge(seller(), { ...payerFields, postbackUrl }, key);
    expect(created.status).toBe(201);
    id = created.body.data.id;
    await pay(seller(), id);
    const refunded = await gateway.post(
      `/transactions/${id}/refund`,
      { amount: 500, reason: `${PAYER.name} desistiu` },
      asOf(seller(), refundKey),
    );
    expect(refunded.status).toBe(200);
    // The second seller has no webhook: its events have no deliveries.
    others = (await charge(other(), { customer: { ...PAYER, email: PAYER.email.toLowerCase() } })).body.data
      .id;
    await pay(other(), others);
    boleto = (await charge(seller(), { method: 'BOLETO' })).body.data.id;
    disputed = (await charge(seller())).body.data.id;
    // A sandbox client may put payer data into its payment ids; here once applied and once not.
    for (const reportId of [PAYER.name, `Pix de ${PAYER.name}`, `pix de ${PAYER.email}`]) {
      await gateway.post(`/sandbox/transactions/${id}/pay`, { reportId }, seller());
    }
    await gateway.post(`/sandbox/transactions/${id}/pay`, { reportId: PAYER.name, amount: 7 }, seller());
    await pay(seller(), disputed);
    const simulated = await gateway.post(`/sandbox/transactions/${disputed}/dispute`, undefined, seller());
    expect(simulated.status).toBe(200);
    expect((await gateway.charge({}, seller())).status).toBe(201);
    await vi.waitFor(
      async () => {
        const waiting = await gateway.database.query("SELECT 1 FROM deliveries WHERE status = 'PENDING'");
        expect(waiting).toEqual([]);
      },
      { timeout: 30_000, interval: 50 },
    );
  });

  it('is found in every record that contains it', async () => {
    const tables = new Set(tracesIn(await dump()).map((row) => row.split(':')[0]));
    expect([...tables].toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      'deliveries',
      'delivery_attempts',
      'events',
      'idempotency_keys',
      'payment_reversals',
      'provider_events',
      'refunds',
      'transaction_customers',
      'transaction_items',
      'transactions',
      'unmatched_provider_events',
    ]);
  });

  it('is exported completely, by document or email', async () => {
    const exported = await gateway.post('/admin/privacy/export', { document: '390.533.447-05' }, admin);
    expect(exported.status).toBe(200);
    const { charges, next } = exported.body.data;
    expect(next).toBeNull();
    const ids = charges.map((one: { transactionId: string }) => one.transactionId);
    expect(new Set(ids)).toEqual(new Set([id, others, boleto, disputed]));
    const { held } = charges.find((one: { transactionId: string }) => one.transactionId === id);
    expect(held.payer).toMatchObject({ name: PAYER.name, email: PAYER.email, document: PAYER.document });
    expect(held.charge.metadata).toMatchObject({ contato: [PAYER.email, 'loja'] });
    expect(held.refunds[0].reason).toContain(PAYER.name);
    expect(held.deliveryAttempts.length).toBeGreaterThan(0);
    expect(held.storedResponses.length).toBeGreaterThan(0);
    expect(exported.text).not.toMatch(/sealed|password|_hash/);
    const byMail = await gateway.post('/admin/privacy/export', { email: PAYER.email.toUpperCase() }, admin);
    expect(byMail.body.data.charges).toHaveLength(4);
  });

  it('is erased from completed transactions only', async () => {
    const before = await gateway.database.query(
      'SELECT * FROM ledger_entries ORDER BY seller_id, origin, id',
    );
    const untouched = await gateway.database.query(
      `SELECT c.* FROM transaction_customers c WHERE document <> $1 ORDER BY transaction_id`,
      [PAYER.document],
    );
    const done = await erase({ document: PAYER.document });
    expect(done.erased).toBe(2);
    expect(done.next).toBeNull();
    expect(done.kept).toHaveLength(2);
    expect(done.kept).toEqual(
      expect.arrayContaining([
        { sellerId: seller().id, transactionId: boleto, status: expect.any(String), reason: 'BOLETO_OPEN' },
        { sellerId: seller().id, transactionId: disputed, status: 'DISPUTE', reason: 'DISPUTED' },
      ]),
    );
    expect(
      await gateway.database.query('SELECT * FROM ledger_entries ORDER BY seller_id, origin, id'),
    ).toEqual(before);
    expect(
      await gateway.database.query(
        `SELECT c.* FROM transaction_customers c WHERE document <> $1 AND erased_at IS NULL
          ORDER BY transaction_id`,
        [PAYER.document],
      ),
    ).toEqual(untouched);
    await expectBalanced(gateway);
  });

  it('is replaced in transactions, whose other fields are unchanged', async () => {
    const { body } = await gateway.get(`/transactions/${id}`, seller());
    expect(body.data).toMatchObject({
      id,
      amount: 1500,
      refundedAmount: 500,
      description: 'Pedido de apagado',
      metadata: { cpf: 'apagado', contato: ['apagado', 'loja'], apagado: 1, pedido: 77 },
      customer: {
        name: 'Apagado',
        email: 'apagado@apagado.invalid',
        phone: '00000000000',
        documentType: 'CPF',
        document: '***.000.000-**',
        externalRef: null,
      },
    });
    expect(body.data.items[0].title).toBe('Ingresso apagado');
    const list = await gateway.get('/transactions', seller());
    expect(list.status).toBe(200);
    const found = await gateway.post('/transactions/lookup', { text: 'Wanderléia' }, other());
    expect(found.body.data.data ?? found.body.data).not.toContainEqual(
      expect.objectContaining({ id: others }),
    );
  });

  it('is not required to repeat idempotent requests', async () => {
    const postbackUrl = `${receiver.url}?cliente=${encodeURIComponent(PAYER.email)}`;
    const again = await charge(seller(), { ...payerFields, postbackUrl }, key);
    expect(again.status).toBe(201);
    expect(again.body.data).toMatchObject({
      id,
      pix: { id: created.body.data.pix.id },
      customer: { name: 'Apagado' },
    });
    const refund = await gateway.post(
      `/transactions/${id}/refund`,
      { amount: 500, reason: `${PAYER.name} desistiu` },
      asOf(seller(), refundKey),
    );
    expect(refund.status).toBe(200);
    expect(refund.body.data).toMatchObject({ id, customer: { name: 'apagado' } });
    const reused = await gateway.post(
      `/transactions/${id}/refund`,
      { amount: 400 },
      asOf(seller(), refundKey),
    );
    expect(reused.status).toBe(409);
    await expectBalanced(gateway);
  });

  it('is removed when the remaining transactions complete', async () => {
    const { data } = (await gateway.get('/disputes', seller())).body.data;
    const [dispute] = data;
    const resolved = await gateway.post(
      `/admin/disputes/${dispute.id}/resolve`,
      { outcome: 'RESOLVED' },
      admin,
    );
    expect(resolved.status).toBe(200);
    await pay(seller(), boleto);
    await vi.waitFor(
      async () => {
        const waiting = await gateway.database.query("SELECT 1 FROM deliveries WHERE status = 'PENDING'");
        expect(waiting).toEqual([]);
      },
      { timeout: 30_000, interval: 50 },
    );
    expect(await erase({ email: PAYER.email })).toEqual({
      erased: 2,
      erasedCustomers: 0,
      kept: [],
      next: null,
    });
    expect(tracesIn(await dump())).toEqual([]);
    expect(await erase({ email: PAYER.email })).toEqual({
      erased: 0,
      erasedCustomers: 0,
      kept: [],
      next: null,
    });
    const exported = await gateway.post('/admin/privacy/export', { document: PAYER.document }, admin);
    expect(exported.body.data).toEqual({ charges: [], customers: [], next: null });
    await expectBalanced(gateway);
  });

  it('does not appear in the audit log, which records the operations', async () => {
    const { body } = await gateway.get('/admin/audit-log?action=payer.erased', admin);
    const rows = body.data.map(({ after }: { after: { charges: number; kept: number } }) => after);
    // One for each charge, with its erasure, and one for the remaining ones.
    const each = Array.from({ length: 4 }, () => ({ charges: 1, kept: 0 }));
    expect(rows.filter((row: { kept: number }) => row.kept === 0)).toEqual(each);
    expect(rows.filter((row: { kept: number }) => row.kept > 0)).toEqual([{ charges: 0, kept: 2 }]);
    const exports = await gateway.get('/admin/audit-log?action=payer.exported', admin);
    expect(exports.body.data).toHaveLength(2);
    expect(exports.text + JSON.stringify(body)).not.toMatch(/zuleica|3905334/i);
  });

  it('is erased per transaction, so that a locked one does not block others', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) ids.push((await charge(seller())).body.data.id);
    const [first, last] = ids.toSorted();
    const erasedAt = async () => {
      const rows = await gateway.database.query<{ done: boolean }>(
        `SELECT erased_at IS NOT NULL AS done FROM transaction_customers WHERE transaction_id = ANY ($1)
          ORDER BY transaction_id`,
        [[first, last]],
      );
      return rows.map(({ done }) => done);
    };
    await gateway.database.query('BEGIN');
    await gateway.database.query('SELECT FROM transactions WHERE seller_id = $1 AND id = $2 FOR UPDATE', [
      seller().id,
      last,
    ]);
    const erasing = erase({ document: PAYER.document });
    try {
      await expect.poll(erasedAt, { timeout: 10_000 }).toEqual([true, false]);
    } finally {
      await gateway.database.query('COMMIT');
    }
    expect(await erasing).toEqual({ erased: 2, erasedCustomers: 0, kept: [], next: null });
    expect(await erasedAt()).toEqual([true, true]);
  });

  it('is not required for refunds and changes of erased transactions', async () => {
    const refund = await gateway.post(`/transactions/${id}/refund`, { amount: 1000 }, asOf(seller()));
    expect(refund.status).toBe(200);
    expect(refund.body.data.status).toBe('REFUNDED');
    await expectBalanced(gateway);
  });
});

describe('the payer command', () => {
  it('reads the payer from standard input and runs to completion', async () => {
    const [seller] = sellers;
    if (seller === undefined) throw new Error('no seller');
    receiver.respondWith((_request, response) => response.end('ok'));
    await gateway.database.query("UPDATE delivery_attempts SET response_body = 'ok'");
    for (let times = 0; times < 60; times += 1) await charge(seller);
    const settings = {
      DATABASE_URL: gateway.database.url,
      MODE: 'sandbox',
      JWT_SECRET: String(SHARED_SECRETS['JWT_SECRET']),
      ENCRYPTION_KEY: String(SHARED_SECRETS['ENCRYPTION_KEY']),
    };
    const exported = await run(['payer', 'export'], settings, '390.533.447-05\n').exit(60_000);
    expect(exported.stdout.trim().split('\n')).toHaveLength(60);
    expect(exported.stdout).toContain(PAYER.name);
    const erased = await run(['payer', 'erase'], settings, `${PAYER.email}\n`).exit(60_000);
    expect(JSON.parse(erased.stdout)).toEqual({ erased: 60, erasedCustomers: 0, kept: [] });
    expect(tracesIn(await dump())).toEqual([]);
    const wrong = await run(['payer', 'erase'], settings, 'somebody\n').exit(60_000);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).not.toContain('somebody');
  });
});

describe('access to personal data', () => {
  it('requires an ADMIN and exactly one identifier of the payer', async () => {
    const [seller] = sellers;
    const asked = { document: PAYER.document };
    for (const what of ['export', 'erase']) {
      const path = `/admin/privacy/${what}`;
      expect((await gateway.post(path, asked, { apiKey: seller?.apiKey ?? '' })).status).toBe(403);
      expect((await gateway.post(path, {}, admin)).status).toBe(400);
      expect((await gateway.post(path, { ...asked, email: PAYER.email }, admin)).status).toBe(400);
      expect((await gateway.post(path, { document: 'x' }, admin)).status).toBe(400);
      expect((await gateway.post(path, { ...asked, after: 'x' }, admin)).status).toBe(400);
    }
  });
});
