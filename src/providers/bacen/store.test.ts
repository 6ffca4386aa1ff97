import { expect, it } from 'vitest';

import { useDatabase } from '#test/support/opened-database.ts';
import { advanceList, claimList } from './store.ts';

const MINUTE_MS = 60_000;

const opened = useDatabase();

it('claims a list after its interval, also after a clock rollback', async () => {
  const key = { provider: 'bacen', list: 'pix' } as const;
  const claimAt = (ms: number) =>
    claimList(opened.db, key, {
      now: new Date(ms),
      until: new Date(ms + MINUTE_MS),
      maxClaimedUntil: new Date(ms + 2 * MINUTE_MS),
      firstFrom: new Date(ms),
    });
  const now = Date.now();
  expect(await claimAt(now)).toEqual(new Date(now));
  expect(await claimAt(now + 1_000)).toBeUndefined();
  await advanceList(opened.db, key, { readUntil: new Date(now), dueAt: new Date(now + MINUTE_MS) });
  expect(await claimAt(now + 2_000)).toBeUndefined();

  const yesterday = now - 24 * 60 * MINUTE_MS;
  expect(await claimAt(yesterday)).toEqual(new Date(now));
  // The new claim excludes others.
  expect(await claimAt(yesterday + 1_000)).toBeUndefined();
});
