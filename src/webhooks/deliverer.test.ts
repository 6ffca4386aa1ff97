import { randomBytes } from 'node:crypto';

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { createDeliverer } from './deliverer.ts';
import { createWebhookMetrics } from './metrics.ts';
import { createSender } from './sender.ts';
import { createWebhooksService } from './service.ts';

let clone: TestDatabase;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase({ url: clone.url, poolSize: 4, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

function start() {
  const onRoom = vi.fn<() => void>();
  const { db } = database;
  const clock = new Clock();
  const secrets = new SecretBox([randomBytes(32)]);
  const deliverer = createDeliverer({
    ...{ database, clock, onCapacity: onRoom, log: pino({ level: 'silent' }) },
    webhooks: createWebhooksService({ db, clock, secrets, notifyWorker: () => undefined }),
    sender: createSender({ allowPrivate: false }),
    metrics: createWebhookMetrics(new Registry()),
  });
  return { deliverer, onRoom };
}

const leased = async (): Promise<number> => {
  const rows = await clone.query('SELECT 1 FROM deliveries WHERE lease_until IS NOT NULL');
  return rows.length;
};

it('asks for no further look by itself where nothing is due (C12)', async () => {
  const { deliverer, onRoom } = start();
  expect(await deliverer.claim()).toBe(false);
  await deliverer.stop(0);
  expect(onRoom).not.toHaveBeenCalled();
});

it('takes more than it calls at once, and gives back what it never began (C12)', async () => {
  // Sellers of their own, since one has no more than 64 under way. Their registrations are gone, so nobody is called.
  await clone.query(`
    WITH made AS (
      SELECT seller_id, seller_id AS webhook_id, gen_random_uuid() AS id
      FROM (SELECT gen_random_uuid() AS seller_id FROM generate_series(1, 100)) sellers
        CROSS JOIN generate_series(1, 2)
    ), told AS (
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
      SELECT seller_id, id, 'PING', id, '{}', now() - interval '1 minute' FROM made
    )
    INSERT INTO deliveries (seller_id, id, event_id, record_id, webhook_id, endpoint, url, status, attempts, due_at,
      created_at, updated_at)
    SELECT seller_id, id, id, id, webhook_id, webhook_id::text, 'https://127.0.0.1/', 'PENDING', 0, now() - interval '1 minute',
      now(), now()
    FROM made`);
  const { deliverer } = start();
  // It stops before the first of them have ended.
  await deliverer.claim();
  await deliverer.stop(1_000);
  expect(await leased()).toBe(64);
});
