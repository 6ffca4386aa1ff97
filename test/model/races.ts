import { expect, vi } from 'vitest';

import { Player } from '#test/model/driver.ts';
import type { Nodes } from '#test/model/nodes.ts';
import { chargeAnswer, type Asked } from './commands.ts';
import type { Origin, Terms } from '#test/model/state.ts';

/** Two or three things at once, again and again, of which is known what each may answer and what all of them may move. */

const given = process.env['MODEL_RUNS'];
export const ROUNDS = 30 * (given === undefined || given === '' ? 1 : Number(given));

export const FEE = 10;
const FIXED = { type: 'FIXED', value: FEE } as const;

/** Every charge costs ten cents, withdrawals nothing, and all money is available at once by default. */
export const TERMS: Terms = {
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

/** What a charge of 1000 cents shows. */
export const ok = (status: string, refunded = 0, amount = 1_000): string =>
  `200 ${chargeAnswer(status, amount, FEE, refunded)}`;
export const cannot = (from: string, to: string): string => `422 Transaction cannot go from ${from} to ${to}`;

type Moved = readonly [available: number, blocked: number];

export class Course {
  readonly #nodes: Nodes;
  readonly player: Player;
  #made = 0;

  private constructor(nodes: Nodes, player: Player) {
    this.#nodes = nodes;
    this.player = player;
  }

  static async make(nodes: Nodes, terms: Partial<Terms> = {}): Promise<Course> {
    return new Course(nodes, await Player.make(nodes, { ...TERMS, ...terms }));
  }

  name(): string {
    this.#made += 1;
    return `record-${this.#made}`;
  }

  /** Asks for one thing, which must be answered so. */
  async must(asked: Asked, answer: RegExp): Promise<void> {
    const [played] = await this.player.play(asked);
    expect(played?.answer).toMatch(answer);
  }

  /** A new charge; answers its name. */
  async charge(changes: Partial<Extract<Asked, { kind: 'create' }>> = {}): Promise<string> {
    const asked = {
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
    await this.must(asked, /^201 /);
    return asked.charge;
  }

  async paid(amount = 1_000): Promise<string> {
    const charge = await this.charge({ amount });
    await this.must({ kind: 'pay', charge }, /^200 PAID/);
    return charge;
  }

  async paidByCard(): Promise<string> {
    return this.charge({ method: 'CREDIT_CARD' });
  }

  async authorized(): Promise<string> {
    return this.charge({ method: 'CREDIT_CARD', capture: false });
  }

  /** Waits until a worker has handed an approved withdrawal to the provider. */
  async untilProcessing(withdrawal: string): Promise<void> {
    await vi.waitFor(async () => expect(await this.player.withdrawal(withdrawal)).toBe('PROCESSING'), {
      timeout: 5_000,
      interval: 20,
    });
  }

  /** All at once, each on another node than the one before and in turns; answers in the order asked. */
  async atOnce(asked: readonly Asked[], turn: number): Promise<readonly string[]> {
    const order = turn % 4 < 2 ? asked : asked.toReversed();
    const played = await Promise.all(order.map((one, index) => this.player.play(one, index + turn)));
    const answers = played.map(([first]) => first?.answer ?? 'nothing');
    return turn % 4 < 2 ? answers : answers.toReversed();
  }

  /**
   * Many rounds of a race. Each must end as one of `ends` says: the answers in the order asked, and what has moved in the
   * balance of the origin since the round began. Answers how many rounds ended so.
   */
  async race(
    origin: Origin,
    round: () => Promise<readonly Asked[]>,
    ends: readonly { readonly answers: readonly string[]; readonly moved: Moved }[],
    after: (answers: readonly string[], asked: readonly Asked[]) => Promise<void> = async () => undefined,
  ): Promise<number> {
    let rounds = 0;
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      const asked = await round();
      const before = (await this.player.wallets())[origin];
      const answers = await this.atOnce(asked, turn);
      const now = (await this.player.wallets())[origin];
      const seen = { answers, moved: [now[0] - before[0], now[1] - before[1]] };
      const end = ends.findIndex(({ answers: likely }) => same(likely, answers));
      expect(seen).toEqual(ends[end] ?? { oneOf: ends });
      rounds += 1;
      await after(answers, asked);
    }
    return rounds;
  }

  get nodes(): Nodes {
    return this.#nodes;
  }
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
