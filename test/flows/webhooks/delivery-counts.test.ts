import { describe, expect, it, vi } from 'vitest';

import { newSeller } from '#test/support/sellers.ts';
import { deliveries, gateway, paidCharge, receiver, register, setUp, WAIT } from './operations-setup.ts';

setUp();

const today = (): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format();

describe('the count of deliveries', () => {
  it('is exact by status, webhook and day while deliveries end', async () => {
    const seller = await newSeller(gateway);
    const [hook, deleted] = [await register(seller), await register(seller)];
    await paidCharge(seller, { postbackUrl: receiver.url });
    await paidCharge(seller);
    await vi.waitFor(async () => {
      expect((await deliveries(seller, '?status=DELIVERED')).count).toBe(5);
    }, WAIT);
    receiver.respondWith((_request, response) => response.writeHead(500).end());
    await paidCharge(seller);
    // Its pending delivery fails.
    expect((await gateway.delete(`/webhooks/${deleted.id}`, seller)).status).toBe(200);
    const expected = { '': 7, '?status=DELIVERED': 5, '?status=FAILED': 1, '?status=PENDING': 1 };
    for (const [query, count] of Object.entries(expected)) {
      expect([query, (await deliveries(seller, query)).count]).toEqual([query, count]);
    }
    const ofHook = `?webhookId=${hook.id}`;
    const days = `startDate=${today()}&endDate=${today()}`;
    expect((await deliveries(seller, ofHook)).count).toBe(3);
    expect((await deliveries(seller, `${ofHook}&status=DELIVERED`)).count).toBe(2);
    expect((await deliveries(seller, `?webhookId=${deleted.id}&status=FAILED&${days}`)).count).toBe(1);
    expect((await deliveries(seller, `?${days}`)).count).toBe(7);
    expect((await deliveries(seller, '?endDate=2026-01-01')).count).toBe(0);
  });

  it('is exact by status above 10,000, and capped by event', async () => {
    const seller = await newSeller(gateway);
    const hook = await register(seller);
    await gateway.database.query(
      `INSERT INTO deliveries (seller_id, id, event_id, event, record_id, webhook_id, endpoint, url, status,
         attempts, due_at, created_at, updated_at)
       SELECT $1, (left($3::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, gen_random_uuid(),
         CASE WHEN n <= 10000 THEN 'PING' ELSE 'OTHER' END, gen_random_uuid(), $2::uuid, $2::text,
         'https://localhost/', 'HELD', 0, now(), now(), now()
       FROM generate_series(1, 10001) AS n`,
      [seller.id, hook.id, hook.id],
    );
    const counted = async (query: string) => {
      const { count, countCapped } = await deliveries(seller, query);
      return { count, countCapped };
    };
    const exact = { count: 10_001, countCapped: undefined };
    for (const query of ['', '?status=HELD', `?webhookId=${hook.id}`]) {
      expect(await counted(query)).toEqual(exact);
    }
    expect(await counted('?event=PING')).toEqual({ count: 10_000, countCapped: undefined });
    await gateway.database.query("UPDATE deliveries SET event = 'PING' WHERE event = 'OTHER'");
    expect(await counted('?event=PING')).toEqual({ count: 10_000, countCapped: true });
    const beyond = await deliveries(seller, '?event=PING&skip=10000');
    expect([beyond.data.length, beyond.nextCursor]).toEqual([1, null]);
  });
});
