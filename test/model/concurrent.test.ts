import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { Player, seenOf, type Played, type Seen } from '#test/model/driver.ts';
import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { explain } from './linearizability.ts';
import { check, seedOf } from '#test/model/seed.ts';
import { emptyState, type State, type Terms } from '#test/model/state.ts';
import { askedFor, leap, safeLeap, terms as anyTerms, wish, type Wish } from './generators.ts';

/** Two nodes on one database: what one of them knows by itself must not be what holds the money together. */
let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes(2);
});
afterAll(async () => {
  await nodes.stop();
});

interface Shop {
  readonly player: Player;
  readonly terms: Terms;
  /** Where it may stand: what is seen of it may not tell them apart. */
  states: readonly State[];
  made: number;
}

/** What is asked at once, of each seller and of the clock. */
interface Round {
  readonly wishes: readonly (readonly (Wish & { readonly node: number; readonly copies: number })[])[];
  readonly leap: number | null;
}

const SHOPS = 4;
const ROUNDS = 15;
const AT_ONCE = 5;

const placed = fc
  .tuple(wish, fc.nat(1), fc.constantFrom(1, 1, 2, 3))
  .map(([one, node, copies]) => ({ ...one, node, copies }));
const round: fc.Arbitrary<Round> = fc.record({
  wishes: fc.array(fc.array(placed, { minLength: 2, maxLength: AT_ONCE, size: 'max' }), {
    minLength: SHOPS,
    maxLength: SHOPS,
  }),
  leap: fc.option(leap, { freq: 3 }),
});

const counts = { asked: 0, refused: 0, ticks: 0, orders: 0 };

/** Makes the wishes of one seller at once; what made nothing new and was about one record is about the same one. */
async function playAll(one: Shop, wishes: Round['wishes'][number], most: number): Promise<readonly Played[]> {
  const [state] = one.states;
  if (state === undefined) throw new Error('a seller stands nowhere');
  const focus = wishes[0]?.which ?? 0;
  const played = await Promise.all(
    wishes.map(async ({ node, copies, ...wanted }, index) => {
      // Half of them meet at one record: that is where races are.
      const meant = wanted.dice % 2 === 0 ? { ...wanted, which: focus } : wanted;
      const asked = askedFor(meant, state, `${wanted.kind}-${one.made + index}`);
      return asked === undefined ? [] : one.player.play(asked, node, Math.min(copies, most));
    }),
  );
  one.made += wishes.length;
  return played.flat();
}

async function playRound(shops: readonly Shop[], { wishes, leap: seconds }: Round): Promise<void> {
  const all = shops.map(({ terms }) => terms);
  const states = shops.flatMap((one) => one.states);
  const target = seconds === null ? null : safeLeap(seconds, nodes.now(), states, all);
  // A key that lives thirty days may be forgotten between two requests of a moment where the clock leaps that far.
  const most = target !== null && target > 29 * 86_400 ? 1 : 3;
  const [tick, played] = await Promise.all([
    target === null ? null : nodes.advance(target),
    Promise.all(shops.map((one, index) => playAll(one, wishes[index] ?? [], most))),
    // Whatever is under way, the books are balanced at every moment.
    expectLedgerBalanced(nodes),
  ]);
  const clock: readonly Played[] =
    tick === null ? [] : [{ asked: { kind: 'tick', to: tick }, reported: {}, answer: '' }];
  for (const [index, one] of shops.entries()) {
    const steps = [...(played[index] ?? []), ...clock];
    const { ends, looked } = explain(one.states, steps, one.terms);
    if (ends.length === 0) throw new Error(unexplained(one, steps));
    one.states = await thoseSeen(one, ends, steps);
    counts.asked += steps.length;
    counts.refused += steps.filter(({ answer }) => answer.startsWith('422')).length;
    counts.orders += looked;
  }
  if (tick !== null) {
    counts.ticks += 1;
    await nodes.follow(tick);
  }
}

/** The states that what is seen of the seller can be, once what is due has been done. */
async function thoseSeen(
  one: Shop,
  ends: readonly State[],
  steps: readonly Played[],
): Promise<readonly State[]> {
  const expected = ends.map(seenOf);
  const [first] = ends;
  if (first === undefined) throw new Error('nothing explains what was answered');
  let seen: Seen | undefined;
  const matching = () => ends.filter((_, index) => same(expected[index], seen));
  await vi
    .waitFor(
      async () => {
        seen = await one.player.see(first);
        expect(matching().length).toBeGreaterThan(0);
      },
      { timeout: 8_000, interval: 50 },
    )
    .catch(() => {
      expect({ steps, seen }).toEqual({ steps, seen: expected[0] });
    });
  return matching();
}

function unexplained({ states }: Shop, steps: readonly Played[]): string {
  const asked = steps.map(({ asked: what, answer }) => `${JSON.stringify(what)} → ${answer}`);
  return `no order explains\n${asked.join('\n')}\nfrom ${JSON.stringify(states, undefined, 1)}`;
}

function same(expected: unknown, seen: unknown): boolean {
  try {
    expect(seen).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

describe('many steps at once, on two nodes', () => {
  it(
    'some order explains every answer, balance, state and entry (C4, C8, C9, C10, C11)',
    { timeout: 3_600_000 },
    async () => {
      const seed = seedOf('concurrent');
      const runs = await check(
        fc.asyncProperty(
          fc.array(anyTerms, { minLength: SHOPS, maxLength: SHOPS }),
          fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS }),
          async (allTerms, rounds) => {
            const shops: Shop[] = [];
            for (const terms of allTerms) {
              const player = await Player.make(nodes, terms);
              shops.push({ player, terms, states: [emptyState(nodes.now())], made: 0 });
            }
            for (const one of rounds) await playRound(shops, one);
            await expectLedgerBalanced(nodes);
          },
        ),
        seed,
        1,
      );
      expect(runs).toBeGreaterThan(0);
      console.log(`played: ${JSON.stringify(counts)}`);
    },
  );
});
