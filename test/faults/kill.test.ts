import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { Load, seedOfRun } from './load.ts';
import { runningEmbedded } from '#database/embedded.ts';
import { makePlace, sleep, type Place } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const ROUNDS = 3;
const CALLERS = 24;

let place: Place;
beforeAll(async () => {
  place = await makePlace();
});
afterAll(() => place.remove());

async function query<Row extends object>(text: string): Promise<readonly Row[]> {
  const client = new pg.Client({
    connectionString: (await runningEmbedded(join(place.dataDir, 'postgres'))) ?? '',
  });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

it('keeps all that was acknowledged when everything is killed in mid-load, again and again (C4, C9, C12)', async () => {
  let program = await place.start();
  const load = await Load.prepare({ demo: program.demo, sellers: 3, seed: seedOfRun() });
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = load.acknowledged;
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    while (load.acknowledged.paid === before.paid) await sleep(20);
    await sleep(load.random(50, 1_200));
    await program.killAll();
    over = true;
    await callers;
    const { created, paid, unanswered } = load.acknowledged;
    process.stdout.write(
      `round ${round}: ${created - before.created} created, ${paid - before.paid} paid, ${unanswered} without answer\n`,
    );
    // The kill came in mid-load: some were answered, and some were not.
    expect(created).toBeGreaterThan(before.created);
    expect(unanswered).toBeGreaterThan(0);

    program = await place.start();
    expect(await load.differences(query)).toEqual([]);
  }
  await program.end();
});
