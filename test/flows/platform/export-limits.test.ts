import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const CHARGES = 15_000;

/** Copies one transaction of the demo seller, so that an export is long. */
async function fillList(): Promise<void> {
  await gateway.charge();
  const columns = await gateway.database.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = 'transactions'::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '' AND attname NOT IN ('id', 'idempotency_key', 'provider_ref', 'public_token')`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  await gateway.database.query(
    `INSERT INTO transactions (id, ${names}) SELECT gen_random_uuid(), ${names}
     FROM transactions, generate_series(1, ${CHARGES})`,
  );
}

/** An API key of another seller. */
async function newKey(): Promise<string> {
  const admin = { token: await gateway.adminToken() };
  const seller = {
    name: 'Loja Vizinha',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Bia',
    ownerEmail: `${randomUUID()}@example.com`,
    ownerPassword: 'a long enough password',
  };
  const { id } = (await gateway.post('/admin/sellers', seller, admin)).body.data;
  const { key } = (await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'shop' }, admin)).body.data;
  return String(key);
}

it('of one seller leave the creations of another fast', { timeout: 180_000 }, async () => {
  await fillList();
  const apiKey = await newKey();
  const load = { running: true };
  const exports = Promise.all(
    Array.from({ length: 60 }, () =>
      gateway.get('/transactions?export=true', { apiKey: gateway.demo.apiKey }),
    ),
  ).finally(() => {
    load.running = false;
  });
  const tookMs: number[] = [];
  while (load.running && tookMs.length < 50) {
    const startedAt = performance.now();
    expect((await gateway.charge({}, { apiKey })).status).toBe(201);
    tookMs.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const p95 = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.95)] ?? 0;
  const answers = await exports;
  const complete = answers.filter(({ status }) => status === 200);
  expect(complete.length).toBeGreaterThanOrEqual(2);
  for (const { text } of complete) expect(text.split('\r\n').length).toBeGreaterThan(CHARGES);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBe(60 - complete.length);
  expect(refused.length).toBeGreaterThan(50);
  for (const answer of refused) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(p95).toBeLessThan(250);
});
