import { Checker, type CheckerOptions } from './checker.ts';
import type { Charge, Withdrawal } from './records.ts';
import { LONG, numbersOf } from './seed.ts';
import type { Client } from '#test/support/client.ts';
import { sleep } from '#test/support/process.ts';

/** Charges of one client without a response. */
const MAX_OPEN = 3;

/**
 * While the database is unavailable a request fails within two seconds. With many clients on a
 * shared machine, the client itself may add more.
 */
export const CROWDED_TIMEOUT_MS = 3_500;

/** The pause of a client between two requests. Long runs send them as fast as they are served. */
const THINK_TIME_MS = LONG ? 0 : 100;

export interface LoadOptions extends CheckerOptions {
  readonly seed: number;
}

/**
 * Sellers that create charges, payments, captures, refunds and withdrawals. Their requests follow
 * from a seed; the checker records requests and responses.
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

  /** The number of responses with 503. */
  get unavailable(): number {
    return this.#checker.unavailable;
  }

  get unavailableAtBalancer(): number {
    return this.#checker.unavailableAtBalancer;
  }

  /** The number of requests without a response. */
  get cutOff(): number {
    return this.#checker.cutOff;
  }

  /** The cause of the last of them. */
  get lastCutOff(): unknown {
    return this.#checker.lastCutOff;
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

  /** A client of the first seller. */
  get client(): Client {
    return this.#seller(0).client;
  }

  random(from: number, to: number): number {
    return Math.floor(from + this.#random() * (to - from));
  }

  /** Runs this many clients, each with one request at a time, until stopped. */
  async drive(callers: number, stopped: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.#call(stopped)));
  }

  /** Compares the records with the gateway; returns the differences as text. */
  differences(): Promise<readonly string[]> {
    return this.#checker.differences();
  }

  async #call(stopped: () => boolean): Promise<void> {
    const mine: Charge[] = [];
    const taken: Withdrawal[] = [];
    while (!stopped()) {
      await this.#step(mine, taken);
      if (THINK_TIME_MS > 0) await sleep(THINK_TIME_MS);
    }
  }

  async #step(mine: Charge[], taken: Withdrawal[]): Promise<void> {
    const checker = this.#checker;
    const dice = this.#random();
    const old = checker.charges[this.random(0, checker.charges.length)];
    const waiting = mine.find(({ paid, created }) => paid !== 'done' && created !== undefined);
    if (dice < 0.35 && waiting !== undefined) return checker.pay(waiting);
    if (dice < 0.4 && old !== undefined) return checker.create(old);
    // A client without a response retries: sometimes at once, and always if a few requests are
    // open.
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
    // Sometimes two requests arrive with the same key at once.
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

  #seller(index = this.random(0, this.#checker.sellers.length)) {
    const seller = this.#checker.sellers[index];
    if (seller === undefined) throw new Error('there are no sellers');
    return seller;
  }
}
