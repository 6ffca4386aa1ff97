import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { yieldEvery } from './event-loop.ts';

test('yields to the event loop after every so many steps', async () => {
  const stepsAtTurn: number[] = [];
  let steps = 0;
  const end = new AbortController();
  const observe = async (): Promise<void> => {
    while (!end.signal.aborted) {
      await setImmediate();
      stepsAtTurn.push(steps);
    }
  };
  const observed = observe();
  const afterStep = yieldEvery(10);
  for (; steps < 35; steps += 1) await afterStep();
  end.abort();
  await observed;
  expect(stepsAtTurn).toEqual([9, 19, 29, 35]);
});
