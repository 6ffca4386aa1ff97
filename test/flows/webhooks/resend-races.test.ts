import type { ServerResponse } from 'node:http';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { RaceTest } from '#test/model/races.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

let nodes: Nodes;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  nodes = await startNodes(2, { receiverAuthorities: receiver.authority });
});
afterAll(async () => {
  await nodes.stop();
  await receiver.close();
});

it('resends during a delivery deliver the same event once each and move no money', async () => {
  const test = await RaceTest.make(nodes);
  const { apiKey } = test.driver;
  const created = await nodes.gateway.post('/webhooks', { url: receiver.url, eventType: 'ALL' }, { apiKey });
  expect(created.status).toBe(201);
  for (let round = 0; round < 5; round += 1) {
    const earlier = receiver.received.length;
    const waiting: ServerResponse[] = [];
    receiver.respondWith((_request, response) => waiting.push(response));
    const charge = await test.paid();
    const id = test.driver.idOf(charge);
    const before = await test.driver.wallets();
    await receiver.waitFor(earlier + 1);
    const listed = await nodes.gateway.get(`/webhooks/deliveries?recordId=${id}`, { apiKey });
    expect(listed.body.data).toMatchObject([{ status: 'PENDING' }]);
    const delivery = String(listed.body.data[0].id);
    const resend = (node: number) =>
      (nodes.all[node] ?? nodes.gateway).post(`/webhooks/deliveries/${delivery}/resend`, undefined, {
        apiKey,
      });
    const resent = await Promise.all([resend(0), resend(1), resend(0), resend(1)]);
    expect(resent.map(({ status, body }) => [status, body.data?.resent])).toEqual(resent.map(() => [200, 1]));
    expect(new Set(resent.map(({ body }) => body.data.deliveryId)).size).toBe(4);
    await receiver.waitFor(earlier + 5);
    for (const response of waiting) response.end('ok');
    await vi.waitFor(
      async () => {
        const done = await nodes.gateway.get(`/webhooks/deliveries?recordId=${id}`, { apiKey });
        const statuses = done.body.data.map((one: { status: string }) => one.status);
        expect(statuses).toEqual(Array.from({ length: 5 }, () => 'DELIVERED'));
      },
      { timeout: 5_000 },
    );
    const calls = receiver.received.slice(earlier);
    // Each delivery was sent once, and all have the same body.
    expect(calls).toHaveLength(5);
    expect(new Set(calls.map(({ text }) => text)).size).toBe(1);
    expect(await test.driver.wallets()).toEqual(before);
  }
  await expectLedgerBalanced(nodes);
}, 60_000);
