import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

import { VERSION } from '#version.ts';
import { healthRoute } from './health.ts';
import { createServer } from './server.ts';

async function ask(ping: () => Promise<boolean>) {
  const app = createServer(pino({ level: 'silent' }));
  healthRoute(app, { ping });
  const answer = await app.inject({ method: 'GET', url: '/health' });
  await app.close();
  return answer;
}

describe('health', () => {
  it('is 200 while the database answers (C1)', async () => {
    const answer = await ask(async () => true);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: true,
      data: { status: 'ok', version: VERSION, uptimeSeconds: expect.any(Number), database: 'ok' },
    });
  });

  it('is 503 and names the database while it does not (C1)', async () => {
    const answer = await ask(async () => false);
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({
      status: false,
      data: {
        status: 'unavailable',
        version: VERSION,
        uptimeSeconds: expect.any(Number),
        database: 'unreachable',
      },
    });
  });
});
