import { randomUUID } from 'node:crypto';

import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';

import { type Received } from '#test/support/receiver.ts';
import { newSeller } from '#test/support/sellers.ts';
import {
  WAIT,
  receiver,
  other,
  gateway,
  register,
  paidCharge,
  about,
  calls,
  deliveries,
  verifies,
  notFound,
  setUp,
} from './operations-setup.ts';

setUp();

const DAY_SECONDS = 24 * 60 * 60;

const SELLER_ROLES = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'] as const;

const signatures = (call: Received | undefined): number =>
  String(call?.headers['webhook-signature']).split(' ').length;

/** More deliveries than one statement can change within its deadline. */
const BACKLOG = 60_000;

const addBacklog = (sellerId: string, webhookId: string, status: 'HELD' | 'PENDING') =>
  gateway.database.query(
    `INSERT INTO deliveries (seller_id, id, event_id, event, record_id, webhook_id, endpoint, url, status,
       attempts, due_at, ready, created_at, updated_at)
     SELECT $1, (left($2::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, gen_random_uuid(),
       'TRANSACTION_UPDATED', gen_random_uuid(), $2::uuid, $2::text, 'https://localhost/', $3, 1,
       now() + interval '10 days', false, now(), now()
     FROM generate_series(1, $4::integer)`,
    [sellerId, webhookId, status, BACKLOG],
  );

describe('changing a webhook', () => {
  it('changes only the given fields', async () => {
    const seller = await newSeller(gateway);
    const { id } = await register(seller, 'TRANSACTION');
    const before = (await gateway.get(`/webhooks/${id}`, seller)).body.data;
    const steps: readonly Readonly<Record<string, unknown>>[] = [
      { description: 'Loja virtual' },
      { eventType: 'WITHDRAWAL' },
      { url: 'https://shop.example.com/other' },
      { description: null },
      {},
      { eventType: 'ALL', description: 'Tudo', url: 'https://shop.example.com/third' },
    ];
    let expected = before;
    for (const step of steps) {
      expected = { ...expected, ...step };
      const response = await gateway.patch(`/webhooks/${id}`, step, seller);
      expect(response.status).toBe(200);
      expect(response.body).toEqual({ status: true, data: expected });
      expect((await gateway.get(`/webhooks/${id}`, seller)).body.data).toEqual(expected);
    }
  });

  it('rejects what a registration rejects, and changes nothing', async () => {
    const seller = await newSeller(gateway);
    const { id } = await register(seller);
    const before = (await gateway.get(`/webhooks/${id}`, seller)).body.data;
    const http = await gateway.patch(`/webhooks/${id}`, { url: 'http://a.example', eventType: 'X' }, seller);
    expect(http.status).toBe(400);
    expect(http.body.message).toEqual([
      'url must be an HTTPS URL',
      'eventType must be one of the following values: TRANSACTION, WITHDRAWAL, DISPUTE, SUBSCRIPTION, ALL',
    ]);
    const long = await gateway.patch(`/webhooks/${id}`, { description: 'x'.repeat(256) }, seller);
    expect(long.body.message).toEqual(['description must be shorter than or equal to 255 characters']);
    expect((await gateway.get(`/webhooks/${id}`, seller)).body.data).toEqual(before);
  });

  it('applies to later events, and sends pending deliveries to the new URL', async () => {
    const seller = await newSeller(gateway);
    const { id } = await register(seller, 'TRANSACTION');
    receiver.respondWith((_request, response) => {
      response.statusCode = 500;
      response.end();
    });
    const waiting = await paidCharge(seller);
    await calls(receiver, waiting, 1);
    // The retry is due 30 seconds after the outcome is recorded.
    await vi.waitFor(async () => {
      const { data } = await deliveries(seller, `?recordId=${waiting}`);
      expect(data).toMatchObject([{ attemptCount: 1, status: 'PENDING' }]);
    }, WAIT);
    await gateway.patch(`/webhooks/${id}`, { url: other.url, eventType: 'WITHDRAWAL' }, seller);
    await gateway.advance(31);
    await calls(other, waiting, 1);
    const unsent = await paidCharge(seller);
    expect((await deliveries(seller, `?recordId=${unsent}`)).count).toBe(0);
  });

  it('applies to a long backlog that waits for its retries', { timeout: 120_000 }, async () => {
    const seller = await newSeller(gateway);
    const { id } = await register(seller);
    await addBacklog(seller.id, id, 'PENDING');
    expect((await gateway.patch(`/webhooks/${id}`, { url: other.url }, seller)).status).toBe(200);
    const changed = 'SELECT count(*)::integer AS count FROM deliveries WHERE webhook_id = $1 AND url = $2';
    expect(await gateway.database.query(changed, [id, other.url])).toEqual([{ count: BACKLOG }]);
    expect((await gateway.delete(`/webhooks/${id}`, seller)).status).toBe(200);
  });

  it('applies to the next attempt of a delivery that is committed after it', async () => {
    const seller = await newSeller(gateway);
    const { id } = await register(seller);
    receiver.respondWith((_request, response) => response.writeHead(500).end());
    const waiting = await paidCharge(seller);
    const attempted = (count: number) =>
      vi.waitFor(async () => {
        const { data } = await deliveries(seller, `?recordId=${waiting}`);
        expect(data).toMatchObject([{ attemptCount: count }]);
      }, WAIT);
    await attempted(1);
    await gateway.patch(`/webhooks/${id}`, { url: other.url }, seller);
    // The change does not find a delivery whose transaction has not ended.
    await gateway.database.query('UPDATE deliveries SET url = $2 WHERE record_id = $1', [
      waiting,
      receiver.url,
    ]);
    await gateway.advance(31);
    await attempted(2);
    expect(about(receiver, waiting)).toHaveLength(2);
    await gateway.advance(121);
    await calls(other, waiting, 1);
  });
});

describe('deleting a webhook', () => {
  it('fails a long backlog that was held', { timeout: 120_000 }, async () => {
    const seller = await newSeller(gateway);
    const [deleted, kept] = [await register(seller), await register(seller)];
    await addBacklog(seller.id, deleted.id, 'HELD');
    await addBacklog(seller.id, kept.id, 'HELD');
    expect((await gateway.delete(`/webhooks/${deleted.id}`, seller)).status).toBe(200);
    const countOf = async (id: string, status: string) =>
      (await deliveries(seller, `?webhookId=${id}&status=${status}`)).count;
    expect([await countOf(deleted.id, 'FAILED'), await countOf(kept.id, 'HELD')]).toEqual([BACKLOG, BACKLOG]);
    expect(await countOf(deleted.id, 'HELD')).toBe(0);
  });

  it('also ends the delivery of a change that is committed after it', async () => {
    const seller = await newSeller(gateway);
    const { id } = await register(seller);
    const before = await paidCharge(seller);
    await vi.waitFor(async () => {
      expect((await deliveries(seller, '?status=DELIVERED')).count).toBe(1);
    }, WAIT);
    const change = new pg.Client({ connectionString: gateway.database.url });
    await change.connect();
    await change.query('BEGIN');
    const { rows } = await change.query<{ id: string }>(
      `INSERT INTO deliveries (seller_id, id, event_id, event, record_id, webhook_id, endpoint, url, status,
         attempts, due_at, created_at, updated_at)
       SELECT seller_id, (left(id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, event_id, event,
         record_id, webhook_id, endpoint, url, 'PENDING', 0, created_at, created_at, updated_at
       FROM deliveries WHERE record_id = $1
       RETURNING id`,
      [before],
    );
    expect((await gateway.delete(`/webhooks/${id}`, seller)).status).toBe(200);
    await change.query('COMMIT');
    await change.end();
    await vi.waitFor(async () => {
      const late = await gateway.get(`/webhooks/deliveries/${rows[0]?.id}`, seller);
      expect(late.body.data).toMatchObject({ status: 'FAILED', attemptCount: 0 });
    }, WAIT);
    expect((await deliveries(seller, '?status=FAILED')).count).toBe(1);
    expect(about(receiver, before)).toHaveLength(1);
  });
});

describe('rotating a secret', () => {
  it('signs with the old and the new secret for 24 hours', async () => {
    const seller = await newSeller(gateway);
    const { id, secret: first } = await register(seller);
    await calls(receiver, await paidCharge(seller), 1);
    const rotated = await gateway.post(`/webhooks/${id}/rotate-secret`, undefined, seller);
    expect(rotated.status).toBe(200);
    const { secret: second, ...rest } = rotated.body.data;
    expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(second).not.toBe(first);
    expect((await gateway.get(`/webhooks/${id}`, seller)).body.data).toEqual(rest);

    const [both] = await calls(receiver, await paidCharge(seller), 1);
    expect([verifies(both, first), verifies(both, second), signatures(both)]).toEqual([true, true, 2]);
    await gateway.advance(DAY_SECONDS - 120);
    const [late] = await calls(receiver, await paidCharge(seller), 1);
    expect([verifies(late, first), verifies(late, second)]).toEqual([true, true]);
    await gateway.advance(240);
    const [after] = await calls(receiver, await paidCharge(seller), 1);
    expect([verifies(after, first), verifies(after, second), signatures(after)]).toEqual([false, true, 1]);
  });

  it('keeps secrets replaced within a day, at most five in total', async () => {
    const seller = await newSeller(gateway);
    const { id, secret } = await register(seller);
    const secrets = [secret];
    for (let i = 0; i < 6; i += 1) {
      const rotated = await gateway.post(`/webhooks/${id}/rotate-secret`, undefined, seller);
      secrets.push(String(rotated.body.data.secret));
    }
    const [call] = await calls(receiver, await paidCharge(seller), 1);
    expect(secrets.map((one) => verifies(call, one))).toEqual([false, false, true, true, true, true, true]);
    const rows = await gateway.database.query<{ row: string }>(
      'SELECT r::text AS row FROM retired_webhook_secrets r WHERE seller_id = $1',
      [seller.id],
    );
    expect(rows).toHaveLength(4);
    expect(rows.filter(({ row }) => row.includes('whsec_'))).toEqual([]);
    await gateway.delete(`/webhooks/${id}`, seller);
    const left = await gateway.database.query('SELECT 1 FROM retired_webhook_secrets WHERE seller_id = $1', [
      seller.id,
    ]);
    expect(left).toEqual([]);
  });

  it('signs with all new secrets after concurrent rotations', async () => {
    const seller = await newSeller(gateway);
    const { id } = await register(seller);
    const rotated = await Promise.all(
      [1, 2, 3].map(() => gateway.post(`/webhooks/${id}/rotate-secret`, undefined, seller)),
    );
    const [call] = await calls(receiver, await paidCharge(seller), 1);
    expect(signatures(call)).toBe(4);
    for (const response of rotated) expect(verifies(call, response.body.data.secret)).toBe(true);
  });
});

describe('a test of a webhook', () => {
  it('sends a PING to that webhook only, whatever its event type', async () => {
    const seller = await newSeller(gateway);
    const { id, secret } = await register(seller, 'DISPUTE');
    await register(seller, 'ALL', other.url);
    const response = await gateway.post(`/webhooks/${id}/test`, undefined, seller);
    expect(response.status).toBe(200);
    const [call] = await calls(receiver, id, 1);
    expect(call?.body).toEqual({ event: 'PING', data: { id, sentAt: expect.any(String) } });
    expect(verifies(call, secret)).toBe(true);
    const { deliveryId } = response.body.data;
    await vi.waitFor(async () => {
      const read = await gateway.get(`/webhooks/deliveries/${deliveryId}`, seller);
      expect(read.body.data).toMatchObject({
        status: 'DELIVERED',
        event: 'PING',
        recordId: id,
        webhookId: id,
      });
    }, WAIT);
    expect(about(other, id)).toEqual([]);
  });
});

describe('webhook operations', () => {
  it.each([
    ['PATCH', '/webhooks/:id', 'Webhook not found'],
    ['POST', '/webhooks/:id/rotate-secret', 'Webhook not found'],
    ['POST', '/webhooks/:id/test', 'Webhook not found'],
    ['GET', '/webhooks/deliveries/:id', 'Delivery not found'],
    ['POST', '/webhooks/deliveries/:id/resend', 'Delivery not found'],
  ])('return 404 for an id that is unknown or of another seller: %s %s', async (method, path, message) => {
    const [seller, foreign] = [await newSeller(gateway), await newSeller(gateway)];
    const hook = await register(foreign);
    const delivery = await gateway.post(`/webhooks/${hook.id}/test`, undefined, foreign);
    const theirs = path.includes('deliveries') ? delivery.body.data.deliveryId : hook.id;
    for (const id of [randomUUID(), 'no-uuid', theirs]) {
      const response = await gateway.call(
        method,
        path.replace(':id', id),
        method === 'PATCH' ? {} : undefined,
        seller,
      );
      expect(response.status).toBe(404);
      expect(response.body).toEqual(notFound(message));
    }
  });

  it('do not change webhooks of another seller', async () => {
    const [seller, foreign] = [await newSeller(gateway), await newSeller(gateway)];
    const { id } = await register(foreign);
    const before = (await gateway.get(`/webhooks/${id}`, foreign)).body;
    await gateway.patch(`/webhooks/${id}`, { description: 'mine now', url: other.url }, seller);
    expect((await gateway.get(`/webhooks/${id}`, foreign)).body).toEqual(before);
  });

  it.each(SELLER_ROLES)('allow %s to read, and only owners and developers to write', async (role) => {
    const seller = await newSeller(gateway);
    const { id } = await register(seller);
    const token = await gateway.adminToken();
    const made = await gateway.post(`/admin/sellers/${seller.id}/api-keys`, { name: 'x', role }, { token });
    const as = { apiKey: String(made.body.data.key) };
    const may = role === 'OWNER' || role === 'DEVELOPER' ? 200 : 403;
    expect((await gateway.get('/webhooks/deliveries', as)).status).toBe(200);
    expect((await gateway.patch(`/webhooks/${id}`, {}, as)).status).toBe(may);
    expect((await gateway.post(`/webhooks/${id}/rotate-secret`, undefined, as)).status).toBe(may);
    expect((await gateway.post(`/webhooks/${id}/test`, undefined, as)).status).toBe(may);
  });
});
