import { expect, it } from 'vitest';

import { createAvailabilityLog } from './availability-log.ts';

it('logs each state of an outage once a minute, and its end', () => {
  const lines: string[] = [];
  let nowMs = 0;
  const log = createAvailabilityLog(
    {
      info: (message: string) => lines.push(message),
      error: ({ database }: { database: string }) => lines.push(database),
    },
    () => nowMs,
  );
  // The primary is down, and the standby has not been promoted.
  for (; nowMs < 60_000; nowMs += 200) {
    log('unreachable', new Error('connect ECONNREFUSED'));
    log('read-only', undefined);
  }
  expect(lines).toEqual(['unreachable', 'read-only']);
  log('unreachable', undefined);
  expect(lines.splice(0)).toEqual(['unreachable', 'read-only', 'unreachable']);
  log('ok', undefined);
  log('unreachable', undefined);
  expect(lines).toEqual(['database available', 'unreachable']);
});
