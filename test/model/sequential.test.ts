import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { SellerDriver, observableState } from '#test/model/driver.ts';
import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { dueSteps, settled } from './due-work.ts';
import { step } from '#test/model/rules.ts';
import { check, seedOf } from '#test/model/seed.ts';
import { emptyState, type State, type Terms } from '#test/model/state.ts';
import {
  commandFor,
  clockAdvance,
  safeAdvance,
  terms as anyTerms,
  intent,
  type Intent,
} from './generators.ts';

let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes(1);
});
afterAll(async () => {
  await nodes.stop();
});

interface TestSeller {
  readonly driver: SellerDriver;
  terms: Terms;
  state: State;
  made: number;
}

type Move =
  | { readonly do: 'wish'; readonly seller: number; readonly intent: Intent }
  | { readonly do: 'leap'; readonly seconds: number }
  | { readonly do: 'terms'; readonly seller: number; readonly terms: Terms }
  | { readonly do: 'repeat'; readonly seller: number; readonly which: number };

const SELLERS = 3;
const seller = fc.nat(SELLERS - 1);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ do: fc.constant('wish' as const), seller, intent }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leap' as const), seconds: clockAdvance }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('terms' as const), seller, terms: anyTerms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), seller, which: fc.nat(1_000) }) },
);

/** Executes one move and compares everything it can have changed with the model. */
async function make(chosen: Move, sellers: readonly TestSeller[]): Promise<string> {
  if (chosen.do === 'leap') {
    const states = sellers.map(({ state }) => state);
    const all = sellers.map(({ terms }) => terms);
    const time = await nodes.advance(safeAdvance(chosen.seconds, nodes.now(), states, all));
    for (const one of sellers) {
      one.state = settled({ ...one.state, now: time }, one.terms);
      await agrees(one);
    }
    return 'the clock';
  }
  const one = sellers[chosen.seller];
  if (one === undefined) throw new Error('no such seller');
  if (chosen.do === 'terms') {
    one.terms = chosen.terms;
    await one.driver.setTerms(one.terms);
    return 'other terms';
  }
  if (chosen.do === 'repeat') {
    const names = one.driver.repeatable;
    const name = names[chosen.which % names.length];
    if (name !== undefined) await one.driver.repeat(name);
    await agrees(one, []);
    return `repeat of ${name}`;
  }
  const command = commandFor(chosen.intent, one.state, `${chosen.intent.kind}-${one.made}`);
  if (command === undefined) return 'nothing';
  one.made += 1;
  const before = nodes.now();
  const [results] = await one.driver.execute(command);
  const { observed, answer } = results ?? { observed: {}, answer: 'nothing' };
  const madeNow = command.kind === 'create' || command.kind === 'dispute' ? observed.createdAt : undefined;
  if (madeNow !== undefined) {
    expect(madeNow).toBeGreaterThanOrEqual(before - 1_000);
    expect(madeNow).toBeLessThanOrEqual(nodes.now() + 1_000);
  }
  const { state, answers } = step(one.state, command, one.terms, observed);
  expect({ command, answer }).toEqual({
    command,
    answer: answers.find((allowed) => allowed === answer) ?? answers[0],
  });
  const more = dueSteps(state, one.terms).length > 0;
  one.state = settled(state, one.terms);
  await agrees(one, more || !('charge' in command) ? undefined : [command.charge]);
  return command.kind;
}

/** Compares the wallets, and the named transactions or everything, with the model. */
async function agrees({ driver, state }: TestSeller, charges?: readonly string[]): Promise<void> {
  const expected = observableState(state);
  if (charges === undefined) {
    await vi.waitFor(async () => expect(await driver.observe(state)).toEqual(expected), {
      timeout: 8_000,
      interval: 50,
    });
    return;
  }
  expect(await driver.wallets()).toEqual(expected.wallets);
  for (const name of charges) {
    if (name in state.charges) expect(await driver.charge(name)).toBe(expected.charges[name]);
  }
}

describe('sequential commands', () => {
  it(
    'every answer, balance, status and entry matches the model (C4, C8, C9, C10, C11)',
    { timeout: 3_600_000 },
    async () => {
      const seed = seedOf('sequential');
      const counts = new Map<string, number>();
      const runs = await check(
        fc.asyncProperty(
          fc.array(anyTerms, { minLength: SELLERS, maxLength: SELLERS }),
          fc.array(move, { minLength: 200, maxLength: 300, size: 'max' }),
          async (allTerms, moves) => {
            const sellers: TestSeller[] = [];
            for (const terms of allTerms) {
              const driver = await SellerDriver.make(nodes, terms);
              sellers.push({ driver, terms, state: emptyState(nodes.now()), made: 0 });
            }
            for (const chosen of moves) {
              const kind = await make(chosen, sellers);
              counts.set(kind, (counts.get(kind) ?? 0) + 1);
            }
            for (const one of sellers) await agrees(one);
            await expectLedgerBalanced(nodes);
          },
        ),
        seed,
        1,
      );
      expect(runs).toBeGreaterThan(0);
      console.log(`steps: ${JSON.stringify(Object.fromEntries(counts))}`);
    },
  );
});
