import { Checker, type Charge, type CheckerOptions, type Withdrawal } from './checker.ts';
import { numbersOf } from './seed.ts';

/** Charges of one caller that have no answer. */
const MAX_OPEN = 3;

/**
 * While the database is away a caller is reported so within two seconds. In a crowd, on a machine that the crowd and others use
 * too, the caller's own part may take longer.
 */
export const CROWD_PATIENCE_MS = 3_500;

export interface LoadOptions extends CheckerOptions {
  readonly seed: number;
}

/**
 * Sellers that ask for charges, payments, captures, refunds and withdrawals as fast as they are answered. What they do follows
 * from a seed; what they asked for and were answered stands in the checker's books.
 */
export class Load {
  readonly #checker: Checker;
  readonly #random: () => number;

  private constructor(checker: Checker, seed: number) {
    this.#checker = checker;
    this.#random = numbersOf(seed);
  }

  static async prepare(options: LoadOptions): Promise<Load> {
    return new Load(await Checker.prepare(options), options.seed);
  }

  /** How often the gateway said that it cannot serve now. */
  get unavailable(): number {
    return this.#checker.unavailable;
  }

  /** How often no answer came. */
  get cutOff(): number {
    return this.#checker.cutOff;
  }

  get slowestMs(): number {
    return this.#checker.slowestMs;
  }

  get acknowledged(): {
    readonly created: number;
    readonly paid: number;
    readonly refunded: number;
    readonly withdrawn: number;
    readonly unanswered: number;
  } {
    const { charges, withdrawals } = this.#checker;
    return {
      created: charges.filter(({ created }) => created !== undefined).length,
      paid: charges.filter(({ paid }) => paid === 'done').length,
      refunded: charges.filter(({ refund }) => refund.asked === 'done').length,
      withdrawn: withdrawals.filter(({ asked }) => asked === 'done').length,
      unanswered:
        charges.filter(
          ({ created, paid, refund }) =>
            created === undefined || paid === 'asked' || refund.asked === 'asked',
        ).length + withdrawals.filter(({ asked, paid }) => asked === 'asked' || paid === 'asked').length,
    };
  }

  random(from: number, to: number): number {
    return Math.floor(from + this.#random() * (to - from));
  }

  /** Runs so many callers, each with one request after the other, until reported to stop. */
  async drive(callers: number, stopped: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.#call(stopped)));
  }

  /** Compares the books with the gateway, in words. */
  differences(): Promise<readonly string[]> {
    return this.#checker.differences();
  }

  async #call(stopped: () => boolean): Promise<void> {
    const mine: Charge[] = [];
    const taken: Withdrawal[] = [];
    while (!stopped()) await this.#step(mine, taken);
  }

  async #step(mine: Charge[], taken: Withdrawal[]): Promise<void> {
    const checker = this.#checker;
    const dice = this.#random();
    const old = checker.charges[this.random(0, checker.charges.length)];
    const waiting = mine.find(({ paid, created }) => paid !== 'done' && created !== undefined);
    if (dice < 0.35 && waiting !== undefined) return checker.pay(waiting);
    if (dice < 0.4 && old !== undefined) return checker.create(old);
    // Who gets no answer asks again: at once now and then, and always where a few are open.
    const unanswered = mine.filter(({ created }) => created === undefined);
    if (unanswered[0] !== undefined && (dice < 0.48 || unanswered.length >= MAX_OPEN)) {
      return checker.create(unanswered[0]);
    }
    if (dice < 0.58) {
      const refundable = mine.find(
        ({ method, paid, refund }) =>
          method === 'PIX' && paid === 'done' && (refund.asked === 'no' || refund.asked === 'asked'),
      );
      if (refundable !== undefined) return checker.refund(refundable);
    }
    if (dice < 0.63) {
      const open = taken.find(({ asked }) => asked === 'asked') ?? this.#newWithdrawal(taken);
      return checker.withdraw(open);
    }
    if (dice < 0.68) {
      const unpaid = taken.find(({ created, paid }) => created !== undefined && paid !== 'done');
      if (unpaid !== undefined) return checker.payOut(unpaid);
    }
    const charge = this.#newCharge();
    mine.push(charge);
    // Now and then two arrive with the same key at once.
    const copies = dice > 0.95 ? 2 : 1;
    await Promise.all(Array.from({ length: copies }, () => checker.create(charge)));
  }

  #newCharge(): Charge {
    const amount = this.random(1_000, 100_000);
    const method = this.#random() < 0.8 ? 'PIX' : 'CREDIT_CARD';
    const refunded = this.#random() < 0.3 ? amount : this.random(1, 900);
    return this.#checker.newCharge(this.#seller(), method, amount, refunded);
  }

  #newWithdrawal(taken: Withdrawal[]): Withdrawal {
    const withdrawal = this.#checker.newWithdrawal(this.#seller(), this.random(100, 20_000));
    taken.push(withdrawal);
    return withdrawal;
  }

  #seller() {
    const { sellers } = this.#checker;
    const seller = sellers[this.random(0, sellers.length)];
    if (seller === undefined) throw new Error('there are no sellers');
    return seller;
  }
}
