import { createServer, type AddressInfo } from 'node:net';
import { hostname } from 'node:os';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver } from '#test/support/receiver.ts';

/**
 * Whatever URL a seller registers, the gateway must not send requests to its own network (SSRF).
 */

let gateway: TestGateway;
/** A server that only this machine can reach, and the number of its requests. */
let inside: { readonly port: number; readonly called: () => number; close(): void };

beforeAll(async () => {
  gateway = await startTestGateway({ environment: { WEBHOOK_ALLOW_PRIVATE: 'false' } });
  let called = 0;
  const server = createServer((socket) => {
    called += 1;
    socket.on('error', () => undefined);
    socket.end();
  });
  // With IPv6 too, if this machine has it.
  await new Promise<void>((resolve) => {
    server.once('error', () => server.listen(0, '0.0.0.0', resolve));
    server.listen(0, '::', resolve);
  });
  const address = server.address();
  const { port }: Pick<AddressInfo, 'port'> =
    typeof address === 'object' && address !== null ? address : { port: 0 };
  inside = { port, called: () => called, close: () => server.close() };
});
afterAll(async () => {
  inside.close();
  await gateway.stop();
});

/** What reveals the address: the text of the URL, or only the resolved name. */
type Shown = 'by its form' | 'by its host' | 'when it is called';

/** Notations of private addresses; `PORT` is that of a running server. */
const TARGETS: readonly (readonly [string, Shown])[] = [
  // Other schemes, and malformed URLs
  ['http://127.0.0.1:PORT/', 'by its form'],
  ['gopher://127.0.0.1:PORT/', 'by its form'],
  ['file:///etc/passwd', 'by its form'],
  ['//127.0.0.1:PORT/', 'by its form'],
  // User info that looks like a host
  ['https://shop.example.com@127.0.0.1:PORT/', 'by its form'],
  ['https://shop.example.com:443@127.0.0.1:PORT/', 'by its form'],
  ['https://user:password@127.0.0.1:PORT/', 'by its form'],
  ['https://127.0.0.1:PORT\\@shop.example.com/', 'by its form'],
  ['https://shop.example.com#@127.0.0.1:22/', 'when it is called'],
  // This machine, in every notation
  ['https://127.0.0.1:PORT/', 'by its host'],
  ['https://127.1:PORT/', 'by its host'],
  ['https://127.0.0.1.:PORT/', 'by its host'],
  ['https://2130706433:PORT/', 'by its host'],
  ['https://0x7f000001:PORT/', 'by its host'],
  ['https://0x7f.0.0.1:PORT/', 'by its host'],
  ['https://0177.0.0.1:PORT/', 'by its host'],
  ['https://017700000001:PORT/', 'by its host'],
  ['https://%31%32%37.0.0.1:PORT/', 'by its host'],
  ['https://①②⑦.⓪.⓪.①:PORT/', 'by its host'],
  ['https://127。0。0。1:PORT/', 'by its host'],
  ['https://127.8.8.8:PORT/', 'by its host'],
  ['https://0:PORT/', 'by its host'],
  ['https://0.0.0.0:PORT/', 'by its host'],
  ['https://[::]:PORT/', 'by its host'],
  ['https://[::1]:PORT/', 'by its host'],
  ['https://[0:0:0:0:0:0:0:1]:PORT/', 'by its host'],
  ['https://[::ffff:127.0.0.1]:PORT/', 'by its host'],
  ['https://[::ffff:7f00:1]:PORT/', 'by its host'],
  ['https://[::127.0.0.1]:PORT/', 'by its host'],
  ['https://[64:ff9b::127.0.0.1]:PORT/', 'by its host'],
  ['https://[64:ff9b:1::7f00:1]:PORT/', 'by its host'],
  ['https://[2002:7f00:1::]:PORT/', 'by its host'],
  ['https://localhost:PORT/', 'by its host'],
  ['https://LOCALHOST.:PORT/', 'by its host'],
  ['https://any.localhost:PORT/', 'by its host'],
  ['https://ｌｏｃａｌｈｏｓｔ:PORT/', 'by its host'],
  // Private networks, and metadata services of clouds
  ['https://10.0.0.1/', 'by its host'],
  ['https://172.16.0.1/', 'by its host'],
  ['https://192.168.0.1/', 'by its host'],
  ['https://100.64.0.1/', 'by its host'],
  ['https://169.254.169.254/latest/meta-data/', 'by its host'],
  ['https://2852039166/latest/meta-data/', 'by its host'],
  ['https://[::ffff:169.254.169.254]/', 'by its host'],
  ['https://[fd00:ec2::254]/', 'by its host'],
  ['https://[fd20:ce::254]/', 'by its host'],
  ['https://100.100.100.200/', 'by its host'],
  ['https://192.0.0.192/', 'by its host'],
  ['https://168.63.129.16/', 'by its host'],
  ['https://[fe80::1]/', 'by its host'],
  ['https://224.0.0.1/', 'by its host'],
  ['https://255.255.255.255/', 'by its host'],
  // Services other than web servers
  ['https://shop.example.com:22/', 'by its form'],
  ['https://shop.example.com:25/', 'by its form'],
  // Names that resolve to this machine
  [`https://${hostname()}:PORT/`, 'when it is called'],
  ['https://nobody.invalid:PORT/', 'when it is called'],
];

const urlOf = (target: string): string => target.replace('PORT', String(inside.port));

const TIMEOUT = { timeout: 60_000 };

describe('a private address', () => {
  it('is rejected as a webhook URL, on creation and on update', TIMEOUT, async () => {
    const good = { url: 'https://93.184.215.14/hook', eventType: 'ALL' };
    const { id } = (await gateway.post('/webhooks', good)).body.data;
    const wrong: string[] = [];
    for (const [target, shown] of TARGETS.filter(([, when]) => when !== 'when it is called')) {
      const changes = { url: urlOf(target) };
      for (const response of [
        await gateway.post('/webhooks', { ...good, ...changes }),
        await gateway.patch(`/webhooks/${id}`, changes),
      ]) {
        const words = [response.body.message].flat().join();
        const fits = words === 'url must not be a private address' ? 'by its host' : 'by its form';
        if (response.status !== 400 || fits !== shown) wrong.push(`${target}: ${response.status} ${words}`);
      }
    }
    expect(wrong).toEqual([]);
    const { body } = await gateway.get('/webhooks');
    expect(body.data.map(({ url }: { url: string }) => url)).toEqual([good.url]);
    await gateway.delete(`/webhooks/${id}`);
  });

  it('is not called for a transaction or webhook that already has it', TIMEOUT, async () => {
    const attempted: string[] = [];
    for (const [target] of TARGETS) {
      const charge = await gateway.charge({ postbackUrl: urlOf(target) });
      if (charge.status === 400) continue;
      expect(charge.status).toBe(201);
      attempted.push(target);
      await gateway.post(`/sandbox/transactions/${charge.body.data.id}/pay`);
    }
    // The URL of a postback is validated when the charge is created, its host when it is called.
    expect(attempted).toEqual(
      TARGETS.filter(([, shown]) => shown !== 'by its form').map(([target]) => target),
    );
    // A webhook that was registered while private addresses were allowed.
    const hook = await gateway.post('/webhooks', { url: 'https://93.184.215.14/hook', eventType: 'ALL' });
    await gateway.database.query('UPDATE webhooks SET url = $1 WHERE id = $2', [
      `https://127.0.0.1:${inside.port}/`,
      hook.body.data.id,
    ]);
    await gateway.post(`/webhooks/${hook.body.data.id}/test`);
    const deliveries = await vi.waitFor(
      async () => {
        const list: ApiResponse = await gateway.get('/webhooks/deliveries?take=100');
        const tried = list.body.data.filter((one: { attemptCount: number }) => one.attemptCount > 0);
        expect(tried).toHaveLength(attempted.length + 1);
        return tried;
      },
      { timeout: 40_000, interval: 100 },
    );
    const errors: string[] = [];
    for (const { id } of deliveries) {
      const { attempts } = (await gateway.get(`/webhooks/deliveries/${id}`)).body.data;
      expect(attempts[0]).toMatchObject({ statusCode: null, responseBody: null });
      errors.push(attempts[0].error);
    }
    // Rejections are equal whether a server is there or not.
    const refused = errors.filter((error) => error === NOT_PUBLIC);
    expect(refused.length).toBeGreaterThanOrEqual(
      TARGETS.filter(([, shown]) => shown === 'by its host').length + 1,
    );
    expect(inside.called()).toBe(0);
  });
});

const NOT_PUBLIC = 'The host resolves to an address that is not public.';

describe('a redirecting receiver', () => {
  it('is not followed, whatever the status', TIMEOUT, async () => {
    const receiver = await startReceiver();
    const open = await startTestGateway({ receiverAuthorities: receiver.authority });
    const statuses = [301, 302, 303, 307, 308];
    let calls = 0;
    receiver.respondWith((_request, response) => {
      response.writeHead(statuses[calls % statuses.length] ?? 302, {
        location: `https://127.0.0.1:${inside.port}/latest/meta-data/`,
        refresh: `0; url=https://127.0.0.1:${inside.port}/`,
      });
      calls += 1;
      response.end();
    });
    try {
      const before = inside.called();
      const hook = await open.post('/webhooks', { url: receiver.url, eventType: 'ALL' });
      for (const _status of statuses) await open.post(`/webhooks/${hook.body.data.id}/test`);
      await receiver.waitFor(statuses.length);
      await vi.waitFor(
        async () => {
          const { body } = await open.get('/webhooks/deliveries?take=100');
          const seen: number[] = [];
          for (const { id } of body.data) {
            const delivery = await open.get(`/webhooks/deliveries/${id}`);
            seen.push(delivery.body.data.attempts[0]?.statusCode);
          }
          expect(seen.toSorted((a, b) => a - b)).toEqual(statuses);
        },
        { timeout: 10_000, interval: 50 },
      );
      expect(inside.called()).toBe(before);
    } finally {
      await open.stop();
      await receiver.close();
    }
  });
});
