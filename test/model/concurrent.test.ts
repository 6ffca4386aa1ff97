import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CommandResult } from './answers.ts';
import { SellerDriver } from '#test/model/driver.ts';
import { observableState, type ObservableState } from './observable-state.ts';
import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { explain } from './linearizability.ts';
import { cnabEnvironment } from '#test/support/bank-files.ts';
import type { Command } from './commands.ts';
import { step } from '#test/model/rules.ts';
import { check, LONG, seedOf } from '#test/model/seed.ts';
import { emptyState, type Fees, type State, type BankLine } from '#test/model/state.ts';
import {
  commandsFor,
  clockAdvance,
  fees,
  safeAdvance,
  terms as anyTerms,
  anyIntent,
  type Intent,
} from './generators.ts';

/** Two nodes on one database: correctness must not depend on state in the memory of one of them. */
let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes(2, { environment: cnabEnvironment('341', { PAYOUT_PROVIDER: 'cnab' }) });
});
afterAll(async () => {
  await nodes.stop();
});

interface TestSeller {
  readonly driver: SellerDriver;
  /** All model states that are consistent with what was observed so far. */
  states: readonly State[];
  made: number;
}

/**
 * Commands and new fees that run concurrently, for each seller, and an optional advance of the
 * clock.
 */
interface Round {
  readonly intents: readonly (readonly (Intent & { readonly node: number; readonly copies: number })[])[];
  readonly newFees: readonly (Fees | null)[];
  readonly clockAdvance: number | null;
  /** Whether files go to the bank afterwards. */
  readonly ships: boolean;
}

const SELLERS = 4;
const ROUNDS = LONG ? 15 : 8;
const CONCURRENCY = 5;

const placed = fc
  .tuple(anyIntent, fc.nat(1), fc.constantFrom(1, 1, 2, 3))
  .map(([one, node, copies]) => ({ ...one, node, copies }));
const round: fc.Arbitrary<Round> = fc.record({
  intents: fc.array(fc.array(placed, { minLength: 2, maxLength: CONCURRENCY, size: 'max' }), {
    minLength: SELLERS,
    maxLength: SELLERS,
  }),
  newFees: fc.array(fc.option(fees, { freq: 2 }), { minLength: SELLERS, maxLength: SELLERS }),
  clockAdvance: fc.option(clockAdvance, { freq: 3 }),
  ships: fc.boolean(),
});

const counts = { commands: 0, refused: 0, ticks: 0, fees: 0, files: 0, orders: 0 };

/**
 * Executes the commands of one seller concurrently; `maxCopies` limits concurrent copies of each.
 */
async function executeAll(
  one: TestSeller,
  intents: Round['intents'][number],
  maxCopies: number,
): Promise<readonly CommandResult[]> {
  const [state] = one.states;
  if (state === undefined) throw new Error('the seller has no possible state');
  const focus = intents[0]?.which ?? 0;
  const results = await Promise.all(
    intents.map(async ({ node, copies, ...intent }, index) => {
      // Half of the commands target the same record, to provoke races.
      const focused = intent.dice % 2 === 0 ? { ...intent, which: focus } : intent;
      const commands = commandsFor(focused, state, `${intent.kind}-${one.made + index}`);
      // Without those that move no money: the bank sends them one after another.
      const lines = commands.filter(isMoneyLine);
      if (lines.length > 0) return one.driver.importFile(lines, node);
      const [command] = commands;
      if (command === undefined || command.kind === 'boletoLine') return [];
      return one.driver.execute(command, node, Math.min(copies, maxCopies));
    }),
  );
  one.made += intents.length;
  return results.flat();
}

const isMoneyLine = (command: Command): command is BankLine =>
  command.kind === 'payoutLine' || (command.kind === 'boletoLine' && command.report === 'PAID');

/** Changes the fees of a seller. */
async function changeFees(
  { driver, states }: TestSeller,
  fees: Fees | null,
  node: number,
): Promise<readonly CommandResult[]> {
  const [state] = states;
  if (fees === null || state === undefined) return [];
  await driver.setFees(fees, node);
  counts.fees += 1;
  return [{ command: { kind: 'terms', terms: { ...state.terms, ...fees } }, observed: {}, response: '' }];
}

/** Ships what waits for the bank, for all sellers. */
async function ship(sellers: readonly TestSeller[]): Promise<void> {
  for (const one of sellers) {
    const [state] = one.states;
    if (state === undefined) throw new Error('the seller has no possible state');
    const withdrawals = await one.driver.ship(state);
    for (const other of sellers) {
      const command = { kind: 'ship', withdrawals: other === one ? withdrawals : [] } as const;
      other.states = other.states.map((before) => step(before, command).state);
    }
  }
  counts.files += 1;
}

async function runRound(
  sellers: readonly TestSeller[],
  { intents, newFees, clockAdvance: seconds, ships }: Round,
): Promise<void> {
  const states = sellers.flatMap((one) => one.states);
  const target = seconds === null ? null : safeAdvance(seconds, nodes.now(), states);
  // Idempotency keys live 30 days: copies could fall on both sides of such an advance.
  const maxCopies = target !== null && target > 29 * 86_400 ? 1 : 3;
  const [tick, results, changes] = await Promise.all([
    target === null ? null : nodes.advance(target),
    Promise.all(sellers.map((one, index) => executeAll(one, intents[index] ?? [], maxCopies))),
    Promise.all(sellers.map((one, index) => changeFees(one, newFees[index] ?? null, index))),
    // The ledger balances while commands are running.
    expectLedgerBalanced(nodes),
  ]);
  const clock: readonly CommandResult[] =
    tick === null ? [] : [{ command: { kind: 'tick', to: tick }, observed: {}, response: '' }];
  for (const [index, one] of sellers.entries()) {
    const steps = [...(results[index] ?? []), ...(changes[index] ?? []), ...clock];
    const { ends, visited } = explain(one.states, steps);
    if (ends.length === 0) throw new Error(unexplained(one, steps));
    one.states = await statesMatching(one, ends, steps);
    counts.commands += steps.length;
    counts.refused += steps.filter(({ response }) => response.startsWith('422')).length;
    counts.orders += visited;
  }
  if (tick !== null) {
    counts.ticks += 1;
    await nodes.follow(tick);
  }
  for (const [index, one] of sellers.entries()) {
    const fees = newFees[index] ?? null;
    if (fees !== null) await one.driver.untilFees(fees);
  }
  if (ships) await ship(sellers);
}

/** The states that match what is observed of the seller, once all due work is done. */
async function statesMatching(
  one: TestSeller,
  ends: readonly State[],
  steps: readonly CommandResult[],
): Promise<readonly State[]> {
  const expected = ends.map(observableState);
  const [first] = ends;
  if (first === undefined) throw new Error('no order of the commands explains the answers');
  let seen: ObservableState | undefined;
  const matching = () => ends.filter((_, index) => same(expected[index], seen));
  await vi
    .waitFor(
      async () => {
        seen = await one.driver.observe(first);
        expect(matching().length).toBeGreaterThan(0);
      },
      { timeout: 8_000, interval: 50 },
    )
    .catch(() => {
      expect({ steps, seen }).toEqual({ steps, seen: expected[0] });
    });
  return matching();
}

function unexplained({ states }: TestSeller, steps: readonly CommandResult[]): string {
  const command = steps.map(({ command: what, response }) => `${JSON.stringify(what)} → ${response}`);
  return `no order explains\n${command.join('\n')}\nfrom ${JSON.stringify(states, undefined, 1)}`;
}

function same(expected: unknown, seen: unknown): boolean {
  try {
    expect(seen).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

describe('concurrent commands on two nodes', () => {
  it('are linearizable in every response, balance, status and entry', { timeout: 3_600_000 }, async () => {
    const seed = seedOf('concurrent');
    const runs = await check(
      fc.asyncProperty(
        fc.array(anyTerms, { minLength: SELLERS, maxLength: SELLERS }),
        fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS }),
        async (allTerms, rounds) => {
          const sellers: TestSeller[] = [];
          for (const terms of allTerms) {
            const driver = await SellerDriver.make(nodes, terms);
            sellers.push({ driver, states: [emptyState(nodes.now(), terms)], made: 0 });
          }
          for (const one of rounds) await runRound(sellers, one);
          await expectLedgerBalanced(nodes);
        },
      ),
      seed,
      1,
    );
    expect(runs).toBeGreaterThan(0);
    console.log(`executed: ${JSON.stringify(counts)}`);
  });
});
