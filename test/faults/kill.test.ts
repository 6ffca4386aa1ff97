import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import { PARTS, System } from './system.ts';
import { sleep } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 120_000 });

const ROUNDS = LONG ? 50 : 3;
/** How often a long run compares in between: late failures are hard to analyze. */
const ROUNDS_A_COMPARISON = 10;
const CALLERS = 6;

let system: System;
beforeAll(async () => {
  system = await System.start();
});
afterAll(() => system.end());

/** One round of kills, as text for the log. */
async function round(load: Load): Promise<string> {
  const before = load.acknowledged;
  while (load.acknowledged.paid < before.paid + 5) await sleep(10);
  await sleep(load.random(0, 600));
  // One of the three, several within a third of a second, or all at once.
  const mask = load.random(1, 2 ** PARTS.length);
  const victims = PARTS.filter((_part, bit) => (mask & (1 << bit)) !== 0);
  const together = load.random(0, 2) === 0;
  for (const part of victims) {
    await system.kill(part);
    if (!together) await sleep(load.random(0, 300));
  }
  // Half of the time they are killed again while they restart.
  const again = load.random(0, 2) === 0 ? PARTS[load.random(0, PARTS.length)] : undefined;
  if (again !== undefined) {
    await sleep(load.random(100, 1_500));
    await system.kill(again);
  }
  await system.untilHealthy();
  return `${victims.join(together ? '+' : ', ')}${again === undefined ? '' : `, then ${again}`}`;
}

it('loses no acknowledged write while API, worker and database are killed repeatedly', async () => {
  const load = await Load.prepare({
    demo: await system.demo(),
    sellers: 3,
    seed: seedOfRun(),
    receiver: system.receiver,
  });
  for (let done = 0; done < ROUNDS;) {
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    const upTo = Math.min(ROUNDS, done + ROUNDS_A_COMPARISON);
    for (; done < upTo; done += 1) {
      const killed = await round(load);
      const { created, paid, refunded, withdrawn, unanswered } = load.acknowledged;
      process.stdout.write(
        `round ${done + 1}: ${killed}; ${created} created, ${paid} paid, ` +
          `${refunded} refunded, ${withdrawn} withdrawn, ${unanswered} open\n`,
      );
    }
    over = true;
    await callers;
    expect(await load.differences()).toEqual([]);
  }
  expect(load.cutOff).toBeGreaterThan(0);
  const { starts } = system;
  expect(starts.api + starts.worker + starts.database).toBeGreaterThan(PARTS.length + ROUNDS - 1);
});
