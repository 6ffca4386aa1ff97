import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Received, type Receiver } from '#test/support/receiver.ts';
import { type TestSeller } from '#test/support/sellers.ts';
import { bodyOf } from '#test/support/errors.ts';

export const WAIT = { timeout: 10_000, interval: 10 };

export let receiver: Receiver;

export let other: Receiver;

export let gateway: TestGateway;

export interface Registered {
  readonly id: string;
  readonly secret: string;
}

export async function register(
  { apiKey }: Pick<TestSeller, 'apiKey'>,
  eventType = 'ALL',
  url = receiver.url,
): Promise<Registered> {
  const response = await gateway.post('/webhooks', { url, eventType }, { apiKey });
  expect(response.status).toBe(201);
  return response.body.data;
}

export async function paidCharge(
  { apiKey }: Pick<TestSeller, 'apiKey'>,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const made = await gateway.charge(changes, { apiKey });
  const id = String(made.body.data.id);
  expect((await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey })).status).toBe(200);
  return id;
}

export const about = (one: Receiver, id: string): readonly Received[] =>
  one.received.filter((call) => call.body.data.id === id);

export async function calls(one: Receiver, id: string, count: number): Promise<readonly Received[]> {
  await vi.waitFor(() => expect(about(one, id)).toHaveLength(count), WAIT);
  return about(one, id);
}

export const deliveries = async (options: { apiKey: string }, query = '') =>
  (await gateway.get(`/webhooks/deliveries${query}`, options)).body;

export const verifies = (call: Received | undefined, secret: string): boolean => {
  if (call === undefined) throw new Error('no call');
  try {
    new Webhook(secret).verify(call.text, {
      'webhook-id': String(call.headers['webhook-id']),
      'webhook-timestamp': String(call.headers['webhook-timestamp']),
      'webhook-signature': String(call.headers['webhook-signature']),
    });
    return true;
  } catch {
    return false;
  }
};

export const notFound = (message: string) => bodyOf(404, message);

/** Registers the hooks of a test file. */
export function setUp(): void {
  beforeAll(async () => {
    [receiver, other] = await Promise.all([startReceiver(), startReceiver()]);
    gateway = await startTestGateway({ receiverAuthorities: receiver.authority + other.authority });
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([receiver.close(), other.close()]);
  });
  afterEach(() => {
    for (const one of [receiver, other]) one.respondWith((_request, response) => response.end('ok'));
  });
}
