import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.post(`/sandbox/transactions/${(await gateway.charge()).body.data.id}/pay`);
  await fill('transactions', 'id, idempotency_key, provider_ref, public_token', '');
  await fill('ledger_entries', 'id, position', 'position + number * 1000');
});
afterAll(() => gateway.stop());

const ROWS = 15_000;

/** Copies one row of the demo seller, so that an export is long. */
async function fill(table: string, unique: string, position: string): Promise<void> {
  const columns = await gateway.database.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '' AND attname <> ALL (string_to_array($2, ', '))`,
    [table, unique],
  );
  const names = columns.map(({ name }) => name).join(', ');
  const [more, values] = position === '' ? ['', ''] : [', position', `, ${position}`];
  await gateway.database.query(
    `INSERT INTO ${table} (id, ${names}${more}) SELECT gen_random_uuid(), ${names}${values}
     FROM (SELECT * FROM ${table} LIMIT 1) AS one, generate_series(1, ${ROWS}) AS number`,
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

const isLong = ({ text }: ApiResponse): boolean => text.split('\r\n').length > ROWS;

/** Fewer are no measure of a percentile. */
const MIN_CREATIONS = 20;

/** Sends 60 requests in parallel, again and again until `isOver`. */
async function requestUntil(path: string, isOver: () => boolean): Promise<readonly ApiResponse[]> {
  const responses: ApiResponse[] = [];
  do {
    const round = Array.from({ length: 60 }, () => gateway.get(path, { apiKey: gateway.demo.apiKey }));
    responses.push(...(await Promise.all(round)));
  } while (!isOver());
  return responses;
}

it.each([
  { name: 'exports', path: '/transactions?export=true', isComplete: isLong, minRefused: 50 },
  { name: 'statements', path: '/seller-wallet/entries?export=true', isComplete: isLong, minRefused: 50 },
  {
    name: 'reports',
    path: '/reports/summary?startDate=2026-01-01&endDate=2026-12-31',
    isComplete: ({ body }: ApiResponse): boolean => body.data.current.buckets.length === 365,
    // Each takes milliseconds, and the requests do not all arrive at one moment.
    minRefused: 10,
  },
])('60 parallel $name of one seller do not slow down another', { timeout: 180_000 }, async (kind) => {
  const apiKey = await newKey();
  const tookMs: number[] = [];
  const load = { running: true };
  const requests = requestUntil(kind.path, () => tookMs.length >= MIN_CREATIONS).finally(() => {
    load.running = false;
  });
  while (load.running && tookMs.length < 50) {
    const startedAt = performance.now();
    expect((await gateway.charge({}, { apiKey })).status).toBe(201);
    tookMs.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const p95 = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.95)] ?? 0;
  const responses = await requests;
  const complete = responses.filter(({ status }) => status === 200);
  expect(complete.length).toBeGreaterThanOrEqual(2);
  expect(complete.every(kind.isComplete)).toBe(true);
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.length).toBe(responses.length - complete.length);
  // Two are served at a time, and six wait.
  expect(refused.length).toBeGreaterThan(kind.minRefused);
  for (const response of refused) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(p95).toBeLessThan(250);
});
