import { Registry } from 'prom-client';
import { afterEach, expect, it, vi } from 'vitest';

import { cloneDatabase } from '#test/support/database.ts';
import { createLogger } from '#platform/kit/log.ts';
import { openClockSkew } from './clock-skew.ts';
import { openDatabase } from './connect.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('compares the clocks before work after a pause in which both clocks of the machine ran on', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
  const test = await cloneDatabase();
  const database = openDatabase({ url: test.url, poolSize: 2, onError: () => undefined });
  try {
    const skew = await openClockSkew({
      db: database.db,
      log: createLogger('silent'),
      registry: new Registry(),
    });
    expect(await skew.checkExceeded()).toBe(false);
    vi.advanceTimersByTime(3 * 3_600_000);
    expect(await skew.checkExceeded()).toBe(true);
    expect(skew.isExceeded).toBe(true);
  } finally {
    await database.close();
    await test.drop();
  }
});
