import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Player, seenOf } from '#test/model/driver.ts';
import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { dueSteps, settled } from './due-work.ts';
import { step } from '#test/model/rules.ts';
import { check, seedOf } from '#test/model/seed.ts';
import { emptyState, type State, type Terms } from '#test/model/state.ts';
import { askedFor, leap, safeLeap, terms as anyTerms, wish, type Wish } from './generators.ts';

let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes(1);
});
afterAll(async () => {
  await nodes.stop();
});

interface Shop {
  readonly player: Player;
  terms: Terms;
  state: State;
  made: number;
}

type Move =
  | { readonly do: 'wish'; readonly shop: number; readonly wish: Wish }
  | { readonly do: 'leap'; readonly seconds: number }
  | { readonly do: 'terms'; readonly shop: number; readonly terms: Terms }
  | { readonly do: 'repeat'; readonly shop: number; readonly which: number };

const SHOPS = 3;
const shop = fc.nat(SHOPS - 1);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ do: fc.constant('wish' as const), shop, wish }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leap' as const), seconds: leap }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('terms' as const), shop, terms: anyTerms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), shop, which: fc.nat(1_000) }) },
);

/** Plays one move and holds all that it can have changed against the model. */
async function make(chosen: Move, shops: readonly Shop[]): Promise<string> {
  if (chosen.do === 'leap') {
    const states = shops.map(({ state }) => state);
    const all = shops.map(({ terms }) => terms);
    const time = await nodes.advance(safeLeap(chosen.seconds, nodes.now(), states, all));
    for (const one of shops) {
      one.state = settled({ ...one.state, now: time }, one.terms);
      await agrees(one);
    }
    return 'the clock';
  }
  const one = shops[chosen.shop];
  if (one === undefined) throw new Error('no such shop');
  if (chosen.do === 'terms') {
    one.terms = chosen.terms;
    await one.player.setTerms(one.terms);
    return 'other terms';
  }
  if (chosen.do === 'repeat') {
    const names = one.player.repeatable;
    const name = names[chosen.which % names.length];
    if (name !== undefined) await one.player.repeat(name);
    await agrees(one, []);
    return `repeat of ${name}`;
  }
  const asked = askedFor(chosen.wish, one.state, `${chosen.wish.kind}-${one.made}`);
  if (asked === undefined) return 'nothing';
  one.made += 1;
  const before = nodes.now();
  const [played] = await one.player.play(asked);
  const { reported, answer } = played ?? { reported: {}, answer: 'nothing' };
  const madeNow = asked.kind === 'create' || asked.kind === 'dispute' ? reported.createdAt : undefined;
  if (madeNow !== undefined) {
    expect(madeNow).toBeGreaterThanOrEqual(before - 1_000);
    expect(madeNow).toBeLessThanOrEqual(nodes.now() + 1_000);
  }
  const { state, answers } = step(one.state, asked, one.terms, reported);
  expect({ asked, answer }).toEqual({
    asked,
    answer: answers.find((likely) => likely === answer) ?? answers[0],
  });
  const more = dueSteps(state, one.terms).length > 0;
  one.state = settled(state, one.terms);
  await agrees(one, more || !('charge' in asked) ? undefined : [asked.charge]);
  return asked.kind;
}

/** The wallet of each origin, and the charges named or all there is, are as the model has them. */
async function agrees({ player, state }: Shop, charges?: readonly string[]): Promise<void> {
  const expected = seenOf(state);
  if (charges === undefined) {
    await vi.waitFor(async () => expect(await player.see(state)).toEqual(expected), {
      timeout: 8_000,
      interval: 50,
    });
    return;
  }
  expect(await player.wallets()).toEqual(expected.wallets);
  for (const name of charges) {
    if (name in state.charges) expect(await player.charge(name)).toBe(expected.charges[name]);
  }
}

describe('one step after another', () => {
  it(
    'every answer, balance, state and entry is the model’s (C4, C8, C9, C10, C11)',
    { timeout: 3_600_000 },
    async () => {
      const seed = seedOf('sequential');
      const counts = new Map<string, number>();
      const runs = await check(
        fc.asyncProperty(
          fc.array(anyTerms, { minLength: SHOPS, maxLength: SHOPS }),
          fc.array(move, { minLength: 200, maxLength: 300, size: 'max' }),
          async (allTerms, moves) => {
            const shops: Shop[] = [];
            for (const terms of allTerms) {
              const player = await Player.make(nodes, terms);
              shops.push({ player, terms, state: emptyState(nodes.now()), made: 0 });
            }
            for (const chosen of moves) {
              const kind = await make(chosen, shops);
              counts.set(kind, (counts.get(kind) ?? 0) + 1);
            }
            for (const one of shops) await agrees(one);
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
