import { expect, vi } from 'vitest';

import { SellerDriver } from '#test/model/driver.ts';
import type { Nodes } from '#test/model/nodes.ts';
import { chargeResponse, type Command } from './commands.ts';
import type { Origin, Terms } from '#test/model/state.ts';

/** Repeated races of two or three commands whose possible answers and balance changes are known. */

const configuredRuns = process.env['MODEL_RUNS'];
export const ROUNDS =
  30 * (configuredRuns === undefined || configuredRuns === '' ? 1 : Number(configuredRuns));

const FEE = 10;
const FIXED = { type: 'FIXED', value: FEE } as const;

/** By default a payment costs 10 cents, a withdrawal nothing, and money is available at once. */
const TERMS: Terms = {
  pixIn: FIXED,
  pixOut: { type: 'FIXED', value: 0 },
  boleto: FIXED,
  card: { type: 'FIXED', values: Array.from({ length: 12 }, () => FEE) },
  boletoDelayDays: 0,
  cardDelayDays: 0,
  autoApproveUpTo: 0,
  negativeBalanceUpTo: 0,
  chargebackFee: 0,
};

/** The answer for a transaction of 1,000 cents. */
export const ok = (status: string, refunded = 0, amount = 1_000): string =>
  `200 ${chargeResponse(status, amount, FEE, refunded)}`;
export const cannot = (from: string, to: string): string => `422 Transaction cannot go from ${from} to ${to}`;

type Moved = readonly [available: number, blocked: number];

export class RaceTest {
  readonly #nodes: Nodes;
  readonly driver: SellerDriver;
  #created = 0;

  private constructor(nodes: Nodes, driver: SellerDriver) {
    this.#nodes = nodes;
    this.driver = driver;
  }

  static async make(nodes: Nodes, terms: Partial<Terms> = {}): Promise<RaceTest> {
    return new RaceTest(nodes, await SellerDriver.make(nodes, { ...TERMS, ...terms }));
  }

  name(): string {
    this.#created += 1;
    return `record-${this.#created}`;
  }

  /** Executes one command and checks its answer. */
  async expectResponse(command: Command, response: RegExp): Promise<void> {
    const [results] = await this.driver.execute(command);
    expect(results?.response).toMatch(response);
  }

  /** Creates a transaction and returns its name. */
  async charge(changes: Partial<Extract<Command, { kind: 'create' }>> = {}): Promise<string> {
    const command = {
      kind: 'create',
      charge: this.name(),
      method: 'PIX',
      amount: 1_000,
      installments: 1,
      capture: true,
      declined: false,
      expiration: 3_600,
      ...changes,
    } as const;
    await this.expectResponse(command, /^201 /);
    return command.charge;
  }

  async paid(amount = 1_000): Promise<string> {
    const charge = await this.charge({ amount });
    await this.expectResponse({ kind: 'pay', charge }, /^200 PAID/);
    return charge;
  }

  async paidByCard(): Promise<string> {
    return this.charge({ method: 'CREDIT_CARD' });
  }

  async authorized(): Promise<string> {
    return this.charge({ method: 'CREDIT_CARD', capture: false });
  }

  /** Waits until the worker has submitted an approved withdrawal to the provider. */
  async untilProcessing(withdrawal: string): Promise<void> {
    await vi.waitFor(async () => expect(await this.driver.withdrawal(withdrawal)).toBe('PROCESSING'), {
      timeout: 5_000,
      interval: 20,
    });
  }

  /**
   * Executes commands concurrently on alternating nodes; returns the answers in the order of the
   * commands.
   */
  async concurrently(command: readonly Command[], turn: number): Promise<readonly string[]> {
    const order = turn % 4 < 2 ? command : command.toReversed();
    const results = await Promise.all(order.map((one, index) => this.driver.execute(one, index + turn)));
    const responses = results.map(([first]) => first?.response ?? 'nothing');
    return turn % 4 < 2 ? responses : responses.toReversed();
  }

  /**
   * Runs many rounds of a race. Each must end as one of `ends`: the answers in the order of the
   * commands, and the change of the origin's balance. Returns the number of rounds.
   */
  async race(
    origin: Origin,
    round: () => Promise<readonly Command[]>,
    ends: readonly { readonly responses: readonly string[]; readonly moved: Moved }[],
    after: (responses: readonly string[], command: readonly Command[]) => Promise<void> = async () =>
      undefined,
  ): Promise<number> {
    let rounds = 0;
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      const command = await round();
      const before = (await this.driver.wallets())[origin];
      const responses = await this.concurrently(command, turn);
      const now = (await this.driver.wallets())[origin];
      const seen = { responses, moved: [now[0] - before[0], now[1] - before[1]] };
      const end = ends.findIndex(({ responses: allowed }) => same(allowed, responses));
      expect(seen).toEqual(ends[end] ?? { oneOf: ends });
      rounds += 1;
      await after(responses, command);
    }
    return rounds;
  }

  get nodes(): Nodes {
    return this.#nodes;
  }
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
