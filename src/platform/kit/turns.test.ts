import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { turnsOf } from './turns.ts';

test('lets other work run after each of its turns', async () => {
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
  const afterStep = turnsOf(10);
  for (; steps < 35; steps += 1) await afterStep();
  end.abort();
  await observed;
  expect(stepsAtTurn).toEqual([9, 19, 29, 35]);
});
