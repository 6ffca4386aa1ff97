import { pino } from 'pino';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';

import { metricsRoute } from './metrics.ts';
import { createServer } from './server.ts';

async function served(token: string | undefined) {
  const app = createServer(pino({ level: 'silent' }));
  metricsRoute(app, token, new Registry());
  app.get('/things/:id', async () => ({}));
  return app;
}

describe('/metrics', () => {
  it('without a token is served to loopback only, and is 404 for others', async () => {
    const app = await served(undefined);
    for (const [remoteAddress, status] of [
      ['127.0.0.1', 200],
      ['::1', 200],
      ['::ffff:127.0.0.1', 200],
      ['10.0.0.7', 404],
      ['203.0.113.9', 404],
      ['2001:db8::1', 404],
    ] as const) {
      const response = await app.inject({ url: '/metrics', remoteAddress });
      expect(response.statusCode).toBe(status);
    }
    const forged = await app.inject({
      url: '/metrics',
      remoteAddress: '203.0.113.9',
      headers: { 'x-forwarded-for': '127.0.0.1', host: 'localhost' },
    });
    expect(forged.statusCode).toBe(404);
    // With the error of any unknown URL.
    const unknown = (await app.inject({ url: '/nothing' })).json();
    expect(forged.json()).toEqual({ ...unknown, requestId: expect.any(String) });
    await app.close();
  });

  it('with a token is served to any client that sends it', async () => {
    const app = await served('the metrics token');
    const ask = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await app.inject({ url: '/metrics', remoteAddress: '203.0.113.9', headers })).statusCode;
    };
    expect(await ask('Bearer the metrics token')).toBe(200);
    expect(await ask()).toBe(401);
    expect(await ask('Bearer the metrics toke')).toBe(401);
    expect(await ask('Bearer ')).toBe(401);
    expect(await ask('the metrics token')).toBe(401);
    expect((await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).statusCode).toBe(401);
    await app.close();
  });

  it('counts responses by route, and unknown routes together', async () => {
    const app = await served(undefined);
    for (const url of ['/things/1', '/things/2', '/nowhere/1', '/nowhere/2']) await app.inject({ url });
    const { body } = await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
    const count = (route: string) =>
      new RegExp(`^http_request_duration_seconds_count\\{.*route="${route}".*\\} (\\d+)$`, 'm').exec(
        body,
      )?.[1];
    expect(count('/things/:id')).toBe('2');
    expect(count('unknown')).toBe('2');
    expect(body).not.toContain('nowhere');
    await app.close();
  });
});
