import { randomBytes, randomUUID } from 'node:crypto';

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { beforeEach, expect, it, vi } from 'vitest';

import { createNotifier } from '#notifications/notifier.ts';
import { Clock } from '#platform/kit/clock.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { createDeliverer, type DelivererDeps } from './deliverer.ts';
import { createWebhookMetrics } from './metrics.ts';
import { createSender, type Sender, type SendResult } from './sender.ts';
import { createWebhooksService } from './service.ts';
import { newWebhookSecret, signingKey } from './signature.ts';

const opened = useDatabase();
beforeEach(async () => {
  await opened.query('DELETE FROM deliveries');
});

function start(deps: Partial<DelivererDeps> = {}) {
  const onCapacity = vi.fn<() => void>();
  const { db, database } = opened;
  const clock = new Clock();
  const secrets = new SecretBox([randomBytes(32)]);
  const deliverer = createDeliverer({
    leaseHolder: { id: randomUUID(), track: () => undefined },
    database,
    clock,
    onCapacity,
    log: pino({ level: 'silent' }),
    webhooks: createWebhooksService({
      db,
      clock,
      secrets,
      notifyWorker: () => undefined,
    }),
    notifier: createNotifier({
      secrets,
      canMail: false,
    }),
    sender: createSender({ allowPrivate: false }),
    metrics: createWebhookMetrics(new Registry()),
    ...deps,
  });
  return { deliverer, onCapacity };
}

/** Adds due deliveries for this many sellers, each to a single webhook that has been deleted. */
const addDeliveries = (sellers: number, deliveriesEach: number) =>
  opened.query(`
    WITH input AS (
      SELECT seller_id, seller_id AS webhook_id, gen_random_uuid() AS id
      FROM (SELECT gen_random_uuid() AS seller_id FROM generate_series(1, ${sellers})) sellers
        CROSS JOIN generate_series(1, ${deliveriesEach})
    ), inserted_events AS (
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
      SELECT seller_id, id, 'PING', id, '{}', now() - interval '1 minute' FROM input
    )
    INSERT INTO deliveries (seller_id, id, event_id, event, record_id, webhook_id, endpoint, url, status,
      attempts, due_at, created_at, updated_at)
    SELECT seller_id, id, id, 'PING', id, webhook_id, webhook_id::text, 'https://127.0.0.1/', 'PENDING', 0,
      now() - interval '1 minute', now(), now()
    FROM input`);

const leased = async (): Promise<number> => {
  const rows = await opened.query('SELECT 1 FROM deliveries WHERE lease_until IS NOT NULL');
  return rows.length;
};

const failed = async (): Promise<number> => {
  const rows = await opened.query("SELECT 1 FROM deliveries WHERE status = 'FAILED'");
  return rows.length;
};

it('requests no further claim if nothing is due', async () => {
  const { deliverer, onCapacity } = start();
  expect(await deliverer.claim()).toBe(false);
  await deliverer.stop(0);
  expect(onCapacity).not.toHaveBeenCalled();
});

it('claims more than it sends at once, and releases unsent deliveries when it stops', async () => {
  // Two deliveries each, because a seller has at most 64 in flight. Without webhooks those that would
  // be sent fail.
  await addDeliveries(100, 2);
  const { deliverer } = start();
  // It stops before the first deliveries have ended.
  await deliverer.claim();
  await deliverer.stop(1_000);
  expect([await failed(), await leased()]).toEqual([64, 0]);
});

/** With a receiver that responds when `respond` is called. */
function startWithReceiver() {
  const pending: ((result: SendResult) => void)[] = [];
  const sender: Sender = {
    post: () => new Promise((resolve) => pending.push(resolve)),
    cancel: () => undefined,
    close: () => Promise.resolve(),
  };
  const respond = (count: number) => {
    for (const resolve of pending.splice(0, count))
      resolve({
        ok: true,
        statusCode: 200,
        latencyMs: 1,
        responseBody: '',
        error: null,
        retryAfterSeconds: null,
      });
  };
  const keys = [signingKey(newWebhookSecret())];
  return { ...start({ sender, webhooks: { signingKeys: async () => keys } }), pending, respond };
}

it('sends at most eight requests to an endpoint at once, and continues when one ends', async () => {
  await addDeliveries(1, 30);
  const { deliverer, onCapacity, pending, respond } = startWithReceiver();
  for (let claims = 0; claims < 5; claims += 1) await deliverer.claim();
  await vi.waitFor(() => expect(pending).toHaveLength(8));
  expect(await leased()).toBe(8);
  respond(3);
  await vi.waitFor(() => expect(onCapacity).toHaveBeenCalled());
  for (let claims = 0; claims < 5; claims += 1) await deliverer.claim();
  await vi.waitFor(() => expect(pending).toHaveLength(8));
  await vi.waitFor(async () => expect(await leased()).toBe(8));
  respond(8);
  await deliverer.stop(1_000);
});

it('requests no further claim while no endpoint uses all its slots', async () => {
  await addDeliveries(3, 2);
  const { deliverer, onCapacity, pending, respond } = startWithReceiver();
  await deliverer.claim();
  await vi.waitFor(() => expect(pending).toHaveLength(6));
  respond(6);
  await vi.waitFor(async () => expect(await leased()).toBe(0));
  await deliverer.stop(1_000);
  expect(onCapacity).not.toHaveBeenCalled();
});
