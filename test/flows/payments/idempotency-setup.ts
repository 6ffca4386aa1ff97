import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ApiResponse } from '#test/support/client.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller as newSellerAt } from '#test/support/sellers.ts';

export const REPLAYED = 'idempotency-replayed';

/** Shared by every process of these tests, like the nodes of one gateway. */
const SECRETS = { JWT_SECRET: 'j'.repeat(64), ENCRYPTION_KEY: randomBytes(32).toString('hex') };

export let gateway: TestGateway;

export let token: string;

export interface Seller {
  readonly id: string;
  readonly apiKey: string;
}

/** Advances the clock; a token expires after an hour. */
export async function advance(seconds: number): Promise<void> {
  await gateway.advance(seconds);
  token = await gateway.adminToken();
}

export const newSeller = (): Promise<Seller> => newSellerAt(gateway);

export async function nodeEnvironment(): Promise<Record<string, string>> {
  return {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    // Never written: the secrets are given and the database has its demo seller.
    DATA_DIR: join(tmpdir(), 'gateway-second-node'),
    DATABASE_URL: gateway.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'silent',
    ...SECRETS,
  };
}

export async function recordsOf(sellerId: string): Promise<number> {
  const rows = await gateway.database.query<{ count: string }>(
    'SELECT count(*) FROM transactions WHERE seller_id = $1',
    [sellerId],
  );
  return Number(rows[0]?.count);
}

/** Rows of a creation that lack their counterpart. All of them together form one record. */
export async function halfWritten(): Promise<number> {
  const parts = ['transaction_customers', 'transaction_items', 'pix_payments', 'transaction_history'];
  const rows = await gateway.database.query<{ missing: string }>(`
    SELECT sum(n) AS missing FROM (
      SELECT count(*) AS n FROM idempotency_keys k WHERE NOT EXISTS
        (SELECT FROM transactions t WHERE t.seller_id = k.seller_id AND t.id = k.record_id)
      UNION ALL
      SELECT count(*) FROM transactions t WHERE (SELECT count(*) FROM idempotency_keys k
        WHERE k.seller_id = t.seller_id AND k.record_id = t.id) <> 1
      ${parts
        .map(
          (part) => `
      UNION ALL
      SELECT count(*) FROM transactions t WHERE NOT EXISTS
        (SELECT FROM ${part} p WHERE p.seller_id = t.seller_id AND p.transaction_id = t.id)
      UNION ALL
      SELECT count(*) FROM ${part} p WHERE NOT EXISTS
        (SELECT FROM transactions t WHERE p.seller_id = t.seller_id AND p.transaction_id = t.id)`,
        )
        .join('')}
    ) AS parts`);
  return Number(rows[0]?.missing);
}

export function expectRepeat(repeat: ApiResponse, first: ApiResponse): void {
  expect(repeat.status).toBe(201);
  expect(repeat.text).toBe(first.text);
  expect(repeat.headers.get(REPLAYED)).toBe('true');
}

export function expectCreated(response: ApiResponse): void {
  expect(response.status).toBe(201);
  expect(response.headers.get(REPLAYED)).toBeNull();
}

/** Registers the hooks of a test file. */
export function setUp(): void {
  beforeAll(async () => {
    gateway = await startTestGateway({ environment: SECRETS });
    token = await gateway.adminToken();
  });
  afterAll(async () => {
    await gateway.stop();
  });
}
