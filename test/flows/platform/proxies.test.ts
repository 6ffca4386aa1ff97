import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const remaining = async (gateway: TestGateway, forwarded?: string): Promise<number> => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const response = await gateway.get('/nothing', { credential: 'none', headers });
  return Number(response.headers.get('ratelimit-remaining'));
};

const metrics = (gateway: TestGateway, headers: Readonly<Record<string, string>>) =>
  fetch(gateway.baseUrl.replace(/\/v1$/, '/metrics'), { headers });

describe('a client behind a proxy', () => {
  describe('that is trusted', () => {
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await startTestGateway({
        worker: false,
        environment: { TRUSTED_PROXIES: '127.0.0.0/8, 10.1.2.3' },
      });
    });
    afterAll(async () => {
      await gateway.stop();
    });

    it('has a separate rate limit', async () => {
      const first = await remaining(gateway, '203.0.113.7');
      expect(await remaining(gateway, '203.0.113.7')).toBe(first - 1);
      expect(await remaining(gateway, '203.0.113.8')).toBe(first);
    });

    it('cannot change its address by forging X-Forwarded-For', async () => {
      const first = await remaining(gateway, '203.0.113.20');
      expect(await remaining(gateway, '198.51.100.1, 203.0.113.20')).toBe(first - 1);
      // The second of two proxies is trusted too.
      expect(await remaining(gateway, '203.0.113.20, 10.1.2.3')).toBe(first - 2);
    });

    it('is not treated as local, whatever it sends', async () => {
      expect((await metrics(gateway, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
      expect((await metrics(gateway, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404);
      expect((await metrics(gateway, {})).status).toBe(200);
    });
  });

  describe('that is not trusted', () => {
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await startTestGateway({ worker: false });
    });
    afterAll(async () => {
      await gateway.stop();
    });

    it('shares the rate limit of the proxy’s address', async () => {
      const first = await remaining(gateway);
      expect(await remaining(gateway, '203.0.113.7')).toBe(first - 1);
      expect(await remaining(gateway, '203.0.113.8')).toBe(first - 2);
    });

    it('cannot read the metrics of the proxy’s machine', async () => {
      expect((await metrics(gateway, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
      expect((await metrics(gateway, { forwarded: 'for=203.0.113.7' })).status).toBe(404);
      expect((await metrics(gateway, {})).status).toBe(200);
    });
  });
});
