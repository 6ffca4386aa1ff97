import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleAll,
} from 'cockatiel';

import type { Clock } from '#platform/kit/clock.ts';
import type { Logger } from '#platform/kit/log.ts';
import { withinDeadline } from '#platform/jobs/provider-calls.ts';
import type { PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';
import { NotTaken, type CardRail, type PixRail } from '#payments/operations/payment-provider.ts';

/** Calls in a row that fail before a provider is taken out, and how long until it is tried again, doubled up to a minute. */
const FAILURES_IN_A_ROW = 5;
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 60_000;
/** The two clocks never go quite alike. */
const SET_BACK_MS = 1_000;
/** Of so many calls latencies and errors are known. */
const REMEMBERED = 200;

/** How a provider does, as this process sees it. */
export interface ProviderHealth {
  readonly name: string;
  readonly methods: readonly string[];
  /** OPEN: it is not called for a while. HALF_OPEN: the next call decides. */
  readonly state: 'CLOSED' | 'OPEN' | 'HALF_OPEN';
  /** Of the last calls, at most two hundred. */
  readonly calls: number;
  /** 0 to 1. */
  readonly errorRate: number;
  /** In milliseconds; null before the first call. */
  readonly latencyP50: number | null;
  readonly latencyP95: number | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  /** The kind of the last failure in a word; no message of others. */
  readonly lastFailure: string | null;
}

/** Stands around each call that is made of a provider, and is told what is asked of it. */
export type CallWatch = <T>(provider: string, operation: string, run: () => Promise<T>) => Promise<T>;

const unwatched: CallWatch = (_provider, _operation, run) => run();

/** Watches providers: takes a failing one out, tries it again, and knows how each does. */
export function createProviderWatch(clock: Clock, log: Logger, watchCall: CallWatch = unwatched) {
  const watched = new Map<string, Watched>();

  const of = (name: string, method: string): Watched => {
    const known = watched.get(name) ?? new Watched(name, clock, log, watchCall);
    watched.set(name, known);
    known.methods.add(method);
    return known;
  };

  return {
    pix(rail: PixRail): PixRail {
      const { name } = rail;
      const watch = of(name, 'PIX');
      return {
        name,
        place: (order, deadline) =>
          watch.call('place', deadline, async (signal) => rail.place(order, signal)),
        find: (order, deadline) => watch.call('find', deadline, async (signal) => rail.find(order, signal)),
        remove: (txid, deadline) =>
          watch.call('remove', deadline, async (signal) => rail.remove(txid, signal)),
        refund: (order, deadline) =>
          watch.call('refund', deadline, async (signal) => rail.refund(order, signal)),
      };
    },

    card(rail: CardRail): CardRail {
      const { name } = rail;
      const watch = of(name, 'CREDIT_CARD');
      return {
        name,
        authorize: (order, deadline) =>
          watch.call('authorize', deadline, async (signal) => rail.authorize(order, signal)),
        abandon: (id, deadline) =>
          watch.call('abandon', deadline, async (signal) => rail.abandon(id, signal)),
        capture: (order, deadline) =>
          watch.call('capture', deadline, async (signal) => rail.capture(order, signal)),
        void: (order, deadline) => watch.call('void', deadline, async (signal) => rail.void(order, signal)),
        refund: (order, deadline) =>
          watch.call('refund', deadline, async (signal) => rail.refund(order, signal)),
      };
    },

    payout(provider: PayoutProvider): PayoutProvider {
      const { name, methods } = provider;
      const [watch] = methods.map((method) => of(name, `${method} out`));
      if (watch === undefined) return provider;
      return {
        name,
        methods,
        send: (order, deadline) =>
          watch.call('send', deadline, async (signal) => provider.send(order, signal)),
      };
    },

    list: (): readonly ProviderHealth[] => Array.from(watched.values(), (one) => one.health()),
  };
}

class Watched {
  readonly methods = new Set<string>();
  readonly #name: string;
  readonly #clock: Clock;
  readonly #watchCall: CallWatch;
  readonly #calls: { readonly ms: number; readonly ok: boolean }[] = [];
  readonly #breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: FIRST_REST_MS, maxDelay: LONGEST_REST_MS }),
  });
  /** When it was taken out, by a clock that nobody sets and by the machine's. */
  #broken = { at: 0, date: 0 };
  #next = 0;
  #lastSuccessAt: Date | null = null;
  #lastFailureAt: Date | null = null;
  #lastFailure: string | null = null;

  constructor(name: string, clock: Clock, log: Logger, watchCall: CallWatch) {
    this.#name = name;
    this.#watchCall = watchCall;
    this.#clock = clock;
    this.#breaker.onBreak(() => {
      this.#broken = { at: performance.now(), date: Date.now() };
      log.error({ provider: name }, 'a provider fails and is not called for a while');
    });
    this.#breaker.onReset(() => log.info({ provider: name }, 'a provider answers again'));
  }

  async call<T>(
    operation: string,
    deadline: AbortSignal,
    run: (deadline: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#endOverdueRest();
    // One call tries it. To wait for that one would spend a deadline on which nothing is asked.
    if (this.#breaker.state === CircuitState.HalfOpen)
      throw new NotTaken(`${this.#name} is being tried again`);
    try {
      // A call that never ended would keep a provider that is being tried out for ever.
      return await this.#breaker.execute(() =>
        this.#measured(() => this.#watchCall(this.#name, operation, () => withinDeadline(deadline, run))),
      );
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw new NotTaken(`${this.#name} fails and is not called for a while`);
      throw error;
    }
  }

  /** The breaker rests by the machine's clock. Where that was set back, no rest is longer for it. */
  #endOverdueRest(): void {
    const rested = performance.now() - this.#broken.at;
    const setBackBy = rested - (Date.now() - this.#broken.date);
    const isHeldUp = setBackBy > SET_BACK_MS && rested > LONGEST_REST_MS;
    // What is isolated and released is closed, and whoever asks then calls: otherwise one call tries it.
    if (isHeldUp && this.#breaker.state === CircuitState.Open) this.#breaker.isolate().dispose();
  }

  async #measured<T>(run: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      const answer = await run();
      this.#lastSuccessAt = this.#clock.now();
      this.#remember(started, true);
      return answer;
    } catch (error) {
      this.#lastFailureAt = this.#clock.now();
      this.#lastFailure = kindOf(error);
      this.#remember(started, false);
      throw error;
    }
  }

  #remember(started: number, ok: boolean): void {
    this.#calls[this.#next] = { ms: performance.now() - started, ok };
    this.#next = (this.#next + 1) % REMEMBERED;
  }

  health(): ProviderHealth {
    const calls = this.#calls.length;
    const sorted = this.#calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number) =>
      calls === 0 ? null : Math.round(sorted[Math.floor(share * (calls - 1))] ?? 0);
    return {
      name: this.#name,
      methods: [...this.methods],
      state: STATES[this.#breaker.state],
      calls,
      errorRate: calls === 0 ? 0 : this.#calls.filter(({ ok }) => !ok).length / calls,
      latencyP50: at(0.5),
      latencyP95: at(0.95),
      lastSuccessAt: this.#lastSuccessAt,
      lastFailureAt: this.#lastFailureAt,
      lastFailure: this.#lastFailure,
    };
  }
}

const STATES = {
  [CircuitState.Closed]: 'CLOSED',
  [CircuitState.Open]: 'OPEN',
  [CircuitState.HalfOpen]: 'HALF_OPEN',
  [CircuitState.Isolated]: 'OPEN',
} as const;

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  let cause = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return cause.name;
}
