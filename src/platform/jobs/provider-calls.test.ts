import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { createLogger } from '#platform/kit/log.ts';
import { Registration } from './lease-holder.ts';
import { createProviderCaller, type LeasedItem } from './provider-calls.ts';

interface Call extends LeasedItem {
  readonly outcome: Promise<string>;
}

const MAX_CONCURRENT = 3;

async function newCaller({ record = async () => undefined }: { record?: () => Promise<void> } = {}) {
  const registration = new Registration();
  await registration.renew(async () => true);
  const waiting: Call[] = [];
  const recorded: string[] = [];
  const leased: number[] = [];
  const run = createProviderCaller<Call, string>(
    { clock: new Clock(), log: createLogger('silent'), leaseHolder: registration },
    {
      name: 'test',
      failPointPrefix: 'reversals',
      deadlineMs: 30_000,
      maxConcurrent: MAX_CONCURRENT,
      lease: async ({ limit }) => {
        const due = waiting.splice(0, limit);
        leased.push(due.length);
        return due;
      },
      prepare: async (due) => () => due.outcome,
      record: async (_due, outcome) => {
        await record();
        recorded.push(outcome);
      },
      postpone: async () => undefined,
    },
  );
  const add = (outcome: string | Promise<string>) =>
    waiting.push({
      id: crypto.randomUUID(),
      attempts: 0,
      leasedBy: registration.id ?? '',
      outcome: Promise.resolve(outcome),
    });
  return { run, add, recorded, leased, registration };
}

it('makes other calls while one hangs, and waits for it before the process stops', async () => {
  const { run, add, recorded, registration } = await newCaller();
  const hung = Promise.withResolvers<string>();
  for (const outcome of [hung.promise, 'first', 'second']) add(outcome);
  expect(await run()).toBe(true);
  expect(recorded).toEqual(['first', 'second']);
  for (const outcome of ['third', 'fourth', 'fifth']) add(outcome);
  expect(await run()).toBe(true);
  expect(await run()).toBe(false);
  expect(recorded).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
  const settled = registration.settle().then(() => 'settled');
  expect(await Promise.race([settled, sleep(100, 'waits')])).toBe('waits');
  hung.resolve('hung');
  expect(await settled).toBe('settled');
  expect(recorded.at(-1)).toBe('hung');
});

it('leases nothing while all its calls hang', async () => {
  const { run, add, recorded, leased } = await newCaller();
  const hung = Array.from({ length: MAX_CONCURRENT }, () => Promise.withResolvers<string>());
  for (const { promise } of hung) add(promise);
  expect(await run()).toBe(true);
  add('next');
  const next = run();
  await sleep(100);
  expect(leased).toEqual([MAX_CONCURRENT]);
  hung[0]?.resolve('ended');
  expect(await next).toBe(true);
  expect(leased).toEqual([MAX_CONCURRENT, 1]);
  expect(recorded).toEqual(['ended', 'next']);
  for (const { resolve } of hung) resolve('');
});

it('fails the next run if the outcome of a slow call cannot be recorded', async () => {
  const { run, add } = await newCaller({ record: () => Promise.reject(new Error('no database')) });
  const slow = Promise.withResolvers<string>();
  add(slow.promise);
  expect(await run()).toBe(false);
  slow.resolve('slow');
  await sleep(10);
  await expect(run()).rejects.toThrow('no database');
  expect(await run()).toBe(false);
});
