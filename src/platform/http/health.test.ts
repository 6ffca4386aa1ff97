import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

import { VERSION } from '#platform/kit/version.ts';
import { healthRoute } from './health.ts';
import { createServer } from './server.ts';

async function ask(database: string, { url = '/health', stopping = false } = {}) {
  const app = createServer(pino({ level: 'silent' }));
  app.stopping.begun = stopping;
  healthRoute(app, { probe: async () => database }, { isExceeded: false });
  const response = await app.inject({ method: 'GET', url });
  await app.close();
  return response;
}

describe('health', () => {
  it('is 200 while the database responds', async () => {
    const response = await ask('ok');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      status: true,
      data: { status: 'ok', version: VERSION, uptimeSeconds: expect.any(Number), database: 'ok' },
    });
  });

  it.each(['unreachable', 'full', 'read-only', 'slow', 'failing'])(
    'is 503 and reports that the database is %s',
    async (database) => {
      const response = await ask(database);
      expect(response.headers['retry-after']).toBe('1');
      expect(response.statusCode).toBe(503);
      expect(response.json()).toEqual({
        statusCode: 503,
        message: 'Service unavailable',
        error: 'Service Unavailable',
        code: 'service_unavailable',
        requestId: expect.any(String),
        status: false,
        data: {
          status: 'unavailable',
          version: VERSION,
          uptimeSeconds: expect.any(Number),
          database,
        },
      });
    },
  );

  it('is live even if the database is unavailable', async () => {
    const response = await ask('unreachable', { url: '/health/live' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      status: true,
      data: { status: 'ok', version: VERSION, uptimeSeconds: expect.any(Number) },
    });
  });

  it('is 503 while the process is stopping, and every response closes its connection', async () => {
    const response = await ask('ok', { stopping: true });
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ status: false, data: { status: 'stopping', database: 'ok' } });
    expect(response.headers['connection']).toBe('close');
  });
});
