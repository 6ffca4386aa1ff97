import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Received, type Receiver } from '#test/support/receiver.ts';
import { newSeller as newSellerAt, type TestSeller as Seller } from '#test/support/sellers.ts';

export const SECRETS = { JWT_SECRET: 'j'.repeat(64), ENCRYPTION_KEY: randomBytes(32).toString('hex') };

/** The receiver under test, another one, and one that shows that the worker has run. */
export let receiver: Receiver;

export let otherReceiver: Receiver;

let control: Receiver;

export let authorities: string;

export let gateway: TestGateway;

let controlKey: string;

export const newSeller = (at: TestGateway = gateway): Promise<Seller> => newSellerAt(at);

export interface Registered {
  readonly id: string;
  readonly secret: string;
}

export async function register(
  { apiKey }: Pick<Seller, 'apiKey'>,
  url: string,
  eventType = 'TRANSACTION',
  at: TestGateway = gateway,
): Promise<Registered> {
  const response = await at.post('/webhooks', { url, eventType }, { apiKey });
  expect(response.status).toBe(201);
  return response.body.data;
}

/** A paid charge, which sends an event. */
export async function paidCharge(
  { apiKey }: Pick<Seller, 'apiKey'>,
  changes: Readonly<Record<string, unknown>> = {},
  at: TestGateway = gateway,
): Promise<string> {
  const created = await at.charge(changes, { apiKey });
  expect(created.status).toBe(201);
  const paid = await pay(String(created.body.data.id), { apiKey }, at);
  expect(paid.status).toBe(200);
  return String(created.body.data.id);
}

export const pay = (
  id: string,
  { apiKey }: Pick<Seller, 'apiKey'>,
  at: TestGateway = gateway,
): Promise<ApiResponse> => at.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey });

export async function controlSeller(at: TestGateway): Promise<string> {
  const seller = await newSeller(at);
  await register(seller, control.url, 'ALL', at);
  return seller.apiKey;
}

/**
 * Resolves when a worker has claimed deliveries after this call: it has sent one that is due now.
 */
export async function workerHasPolled(at: TestGateway = gateway, apiKey = controlKey): Promise<void> {
  const id = await paidCharge({ apiKey }, {}, at);
  await vi.waitFor(() => expect(callsOf(control, id)).toHaveLength(1), { timeout: 10_000, interval: 10 });
}

export const callsOf = (one: Receiver, id: string): readonly Received[] =>
  one.received.filter((call) => call.body.data.id === id);

export async function waitForCalls(one: Receiver, id: string, calls: number): Promise<readonly Received[]> {
  await vi.waitFor(() => expect(callsOf(one, id).length).toBeGreaterThanOrEqual(calls), {
    timeout: 10_000,
    interval: 10,
  });
  return callsOf(one, id);
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  webhook_id: string | null;
  url: string;
  status: string;
  attempts: number;
  due_at: Date;
  lease_until: Date | null;
}

export function deliveriesOf(id: string, at: TestGateway = gateway): Promise<readonly DeliveryRow[]> {
  return at.database.query<DeliveryRow>(
    `SELECT d.id, d.event_id, d.webhook_id, d.url, d.status, d.attempts, d.due_at, d.lease_until
     FROM deliveries d JOIN events e ON e.seller_id = d.seller_id AND e.id = d.event_id
     WHERE e.record_id = $1`,
    [id],
  );
}

export interface AttemptRow {
  number: number;
  at: Date;
  latency_ms: number;
  status_code: number | null;
  response_body: string | null;
  error: string | null;
}

export function attemptsOf(
  ids: string | readonly string[],
  at: TestGateway = gateway,
): Promise<readonly AttemptRow[]> {
  return at.database.query<AttemptRow>(
    `SELECT a.number, a.at, a.latency_ms, a.status_code, a.response_body, a.error FROM delivery_attempts a
     JOIN deliveries d ON d.seller_id = a.seller_id AND d.id = a.delivery_id
     JOIN events e ON e.seller_id = d.seller_id AND e.id = d.event_id
     WHERE e.record_id = ANY ($1) ORDER BY a.number`,
    [[ids].flat()],
  );
}

export function headersOf(call: Received | undefined): Record<string, string> {
  const headers = call?.headers ?? {};
  return Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  );
}

/** The event that `standardwebhooks` returns for a request, or its error. */
export const verified = (secret: string, call: Received | undefined) =>
  new Webhook(secret).verify(call?.text ?? '', headersOf(call));

/** Registers the hooks of a test file. */
export function setUp(): void {
  beforeAll(async () => {
    [receiver, otherReceiver, control] = await Promise.all([
      startReceiver(),
      startReceiver(),
      startReceiver(),
    ]);
    authorities = [receiver, otherReceiver, control].map(({ authority }) => authority).join('\n');
    gateway = await startTestGateway({ receiverAuthorities: authorities, environment: SECRETS });
    controlKey = await controlSeller(gateway);
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([receiver.close(), otherReceiver.close(), control.close()]);
  });
  afterEach(() => {
    for (const one of [receiver, otherReceiver, control])
      one.respondWith((_request, response) => response.end('ok'));
  });
}
