import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it } from 'vitest';

import type { Operations } from './operations.ts';
import type { LoadOptions } from './options.ts';
import { runPacedLoad } from './paced-load.ts';

const OPTIONS: LoadOptions = {
  url: 'http://localhost',
  apiKeys: [],
  rates: { creations: 50, payments: 0, reads: 0, lists: 0 },
  seconds: 1,
  warmupSeconds: 0,
  connections: 100,
  ca: undefined,
  json: true,
};

const run = (
  options: Partial<LoadOptions>,
  operation: Operations['run'],
  signal = new AbortController().signal,
) =>
  runPacedLoad(
    { ...OPTIONS, ...options },
    { run: operation, close: () => Promise.resolve() },
    () => undefined,
    signal,
  );

it('sends at its rate regardless of response times, and counts failures by reason', async () => {
  let sent = 0;
  const result = await run({}, async () => {
    sent += 1;
    const status = sent % 10 === 0 ? 503 : 201;
    await sleep(200);
    return status;
  });
  expect(sent).toBeGreaterThanOrEqual(50);
  expect(sent).toBeLessThanOrEqual(51);
  expect(result).toMatchObject({
    skipped: 0,
    operations: [{ operation: 'creations', failures: { 503: 5 } }],
  });
  expect(result.operations[0]?.p50).toBeGreaterThanOrEqual(190);
});

it('counts requests that it could not send, because all connections were busy', async () => {
  const result = await run({ connections: 1 }, async () => {
    await sleep(500);
    return 201;
  });
  expect(result.skipped).toBeGreaterThan(40);
});

it('stops early, with what it measured until then', async () => {
  const stop = new AbortController();
  const result = await run(
    { seconds: 60 },
    () => {
      stop.abort();
      return Promise.resolve(201);
    },
    stop.signal,
  );
  expect(result.seconds).toBeLessThan(10);
});
