import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { cnabEnvironment } from '#test/support/bank-files.ts';
import type { Command } from './commands.ts';
import type { CommandResult } from './answers.ts';
import { SellerDriver } from '#test/model/driver.ts';
import { observableState } from './observable-state.ts';
import { expectLedgerBalanced, startNodes, type Nodes } from '#test/model/nodes.ts';
import { dueSteps, afterDueWork } from './due-work.ts';
import { step } from '#test/model/rules.ts';
import { check, LONG, seedOf } from '#test/model/seed.ts';
import { emptyState, type State, type Terms, type BankLine } from '#test/model/state.ts';
import {
  commandsFor,
  cycle,
  clockAdvance,
  safeAdvance,
  terms as anyTerms,
  anyIntent,
  type Intent,
} from './generators.ts';

let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes(1, { environment: cnabEnvironment('341', { PAYOUT_PROVIDER: 'cnab' }) });
});
afterAll(async () => {
  await nodes.stop();
});

interface TestSeller {
  readonly driver: SellerDriver;
  state: State;
  made: number;
}

type Move =
  | { readonly do: 'intent'; readonly seller: number; readonly intent: Intent }
  | { readonly do: 'leap'; readonly seconds: number }
  | { readonly do: 'ship' }
  | { readonly do: 'terms'; readonly seller: number; readonly terms: Terms }
  | { readonly do: 'subscribe'; readonly seller: number; readonly intent: Intent }
  | { readonly do: 'unsubscribe'; readonly seller: number; readonly which: number; readonly pauses: boolean }
  | { readonly do: 'repeat'; readonly seller: number; readonly which: number };

const LENGTH = LONG ? { minLength: 200, maxLength: 300 } : { minLength: 80, maxLength: 120 };
const SELLERS = 3;
const seller = fc.nat(SELLERS - 1);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ do: fc.constant('intent' as const), seller, intent: anyIntent }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leap' as const), seconds: clockAdvance }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ship' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('terms' as const), seller, terms: anyTerms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('subscribe' as const), seller, intent: anyIntent }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('unsubscribe' as const),
      seller,
      which: fc.nat(1e3),
      pauses: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), seller, which: fc.nat(1_000) }) },
);

/** Executes one move and compares everything it can have changed with the model. */
async function make(chosen: Move, sellers: readonly TestSeller[]): Promise<string> {
  if (chosen.do === 'leap') {
    const states = sellers.map(({ state }) => state);
    const to = await nodes.advance(safeAdvance(chosen.seconds, nodes.now(), states));
    for (const one of sellers) {
      one.state = afterDueWork(step(one.state, { kind: 'tick', to }).state);
      await agrees(one);
    }
    return 'the clock';
  }
  if (chosen.do === 'ship') {
    for (const one of sellers) {
      const withdrawals = await one.driver.ship(one.state);
      for (const other of sellers) {
        const mine = other === one ? withdrawals : [];
        other.state = step(other.state, { kind: 'ship', withdrawals: mine }).state;
      }
    }
    return 'files to the bank';
  }
  const one = sellers[chosen.seller];
  if (one === undefined) throw new Error('no such seller');
  if (chosen.do === 'terms') {
    one.state = step(one.state, { kind: 'terms', terms: chosen.terms }).state;
    await one.driver.setTerms(chosen.terms);
    return 'other terms';
  }
  if (chosen.do === 'subscribe') {
    const command = cycle(chosen.intent, `cycle-${one.made}`);
    one.made += 1;
    const before = nodes.now();
    follow(one, await one.driver.subscribe(command), before);
    one.state = afterDueWork(one.state);
    await agrees(one, [command.charge]);
    return 'subscribe';
  }
  if (chosen.do === 'unsubscribe') return unsubscribe(one, chosen.which, chosen.pauses);
  if (chosen.do === 'repeat') {
    const names = one.driver.repeatable;
    const name = names[chosen.which % names.length];
    if (name !== undefined) await one.driver.repeat(name, one.state);
    await agrees(one, []);
    return 'repeat';
  }
  return executeIntent(one, chosen.intent);
}

const UNPAID: readonly string[] = ['PENDING', 'WAITING_PAYMENT', 'PROCESSING'];

/** Ends a subscription, which cancels its unpaid charge, or pauses it, which leaves what is due. */
async function unsubscribe(one: TestSeller, which: number, pauses: boolean): Promise<string> {
  const { subscribed } = one.driver;
  const charge = subscribed[which % subscribed.length];
  if (charge === undefined) return 'no subscription';
  const isUnpaid = UNPAID.includes(one.state.charges[charge]?.status ?? '');
  const isDone = await one.driver.changeSubscription(charge, pauses ? 'pause' : 'cancel');
  if (isDone && isUnpaid && !pauses)
    one.state = afterDueWork(step(one.state, { kind: 'cancel', charge }).state);
  await agrees(one);
  return pauses ? 'pause' : 'unsubscribe';
}

/** Executes the commands of an intent and compares their answers and effects with the model. */
async function executeIntent(one: TestSeller, chosen: Intent): Promise<string> {
  const commands = commandsFor(chosen, one.state, `${chosen.kind}-${one.made}`);
  const [first] = commands;
  if (first === undefined) throw new Error('an intent without a command');
  one.made += 1;
  const before = nodes.now();
  const lines = commands.filter(isBankLine);
  const results = lines.length > 0 ? await one.driver.importFile(lines) : await one.driver.execute(first);
  // A cycle whose charge is canceled does not count: the next one would follow.
  const endsCycle = first.kind === 'cancel' && one.driver.subscribed.includes(first.charge);
  if (endsCycle) await one.driver.changeSubscription(first.charge, 'cancel');
  for (const result of results) follow(one, result, before);
  const more = dueSteps(one.state).length > 0;
  one.state = afterDueWork(one.state);
  const isOfCharge = lines.length === 0 && 'charge' in first;
  await agrees(one, more || !isOfCharge ? undefined : [first.charge]);
  return lines.length > 0 ? chosen.kind : first.kind;
}

const isBankLine = (command: Command): command is BankLine =>
  command.kind === 'boletoLine' || command.kind === 'payoutLine';

/** Takes a command in the model. `before` is the time before it was sent. */
function follow(one: TestSeller, { command, observed, response }: CommandResult, before: number): void {
  const madeNow = command.kind === 'create' || command.kind === 'dispute' ? observed.createdAt : undefined;
  if (madeNow !== undefined) {
    expect(madeNow).toBeGreaterThanOrEqual(before - 1_000);
    expect(madeNow).toBeLessThanOrEqual(nodes.now() + 1_000);
  }
  const { state, responses } = step(one.state, command, observed);
  expect({ command, response }).toEqual({
    command,
    response: responses.find((allowed) => allowed === response) ?? responses[0],
  });
  one.state = state;
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
  it('match the model in every response, balance, status and entry', { timeout: 3_600_000 }, async () => {
    const seed = seedOf('sequential');
    const counts = new Map<string, number>();
    const runs = await check(
      fc.asyncProperty(
        fc.array(anyTerms, { minLength: SELLERS, maxLength: SELLERS }),
        fc.array(move, { ...LENGTH, size: 'max' }),
        async (allTerms, moves) => {
          const sellers: TestSeller[] = [];
          for (const terms of allTerms) {
            const driver = await SellerDriver.make(nodes, terms);
            sellers.push({ driver, state: emptyState(nodes.now(), terms), made: 0 });
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
  });
});
