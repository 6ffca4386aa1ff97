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
import { NotExecutedError, withDeadline } from '#platform/jobs/provider-calls.ts';
import type { PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';
import type { CardProvider, PixProvider } from '#payments/operations/payment-provider.ts';

/** Calls in a row that fail before a provider is taken out, and how long until it is tried again, doubled up to a minute. */
const CONSECUTIVE_FAILURES = 5;
const INITIAL_OPEN_MS = 5_000;
const MAX_OPEN_MS = 60_000;
/** The two clocks never go quite alike. */
const CLOCK_ROLLBACK_TOLERANCE_MS = 1_000;
/** Of so many calls latencies and errors are known. */
const MAX_SAMPLES = 200;

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
export type CallWrapper = <T>(provider: string, operation: string, run: () => Promise<T>) => Promise<T>;

const callDirectly: CallWrapper = (_provider, _operation, run) => run();

/** Watches providers: takes a failing one out, tries it again, and knows how each does. */
export function createProviderMonitor(clock: Clock, log: Logger, wrapCall: CallWrapper = callDirectly) {
  const monitored = new Map<string, ProviderMonitor>();

  const monitorOf = (name: string, method: string): ProviderMonitor => {
    const known = monitored.get(name) ?? new ProviderMonitor(name, clock, log, wrapCall);
    monitored.set(name, known);
    known.methods.add(method);
    return known;
  };

  return {
    pix(provider: PixProvider): PixProvider {
      const { name } = provider;
      const monitor = monitorOf(name, 'PIX');
      return {
        name,
        create: (request, deadline) =>
          monitor.call('place', deadline, async (signal) => provider.create(request, signal)),
        find: (request, deadline) =>
          monitor.call('find', deadline, async (signal) => provider.find(request, signal)),
        cancel: (txid, deadline) =>
          monitor.call('remove', deadline, async (signal) => provider.cancel(txid, signal)),
        refund: (operation, deadline) =>
          monitor.call('refund', deadline, async (signal) => provider.refund(operation, signal)),
      };
    },

    card(provider: CardProvider): CardProvider {
      const { name } = provider;
      const monitor = monitorOf(name, 'CREDIT_CARD');
      return {
        name,
        authorize: (request, deadline) =>
          monitor.call('authorize', deadline, async (signal) => provider.authorize(request, signal)),
        voidByTransactionId: (id, deadline) =>
          monitor.call('abandon', deadline, async (signal) => provider.voidByTransactionId(id, signal)),
        capture: (operation, deadline) =>
          monitor.call('capture', deadline, async (signal) => provider.capture(operation, signal)),
        void: (operation, deadline) =>
          monitor.call('void', deadline, async (signal) => provider.void(operation, signal)),
        refund: (operation, deadline) =>
          monitor.call('refund', deadline, async (signal) => provider.refund(operation, signal)),
      };
    },

    payout(provider: PayoutProvider): PayoutProvider {
      const { name, methods } = provider;
      const [monitor] = methods.map((method) => monitorOf(name, `${method} out`));
      if (monitor === undefined) return provider;
      return {
        name,
        methods,
        send: (payout, deadline) =>
          monitor.call('send', deadline, async (signal) => provider.send(payout, signal)),
      };
    },

    list: (): readonly ProviderHealth[] => Array.from(monitored.values(), (one) => one.health()),
  };
}

class ProviderMonitor {
  readonly methods = new Set<string>();
  readonly #name: string;
  readonly #clock: Clock;
  readonly #watchCall: CallWrapper;
  readonly #calls: { readonly ms: number; readonly ok: boolean }[] = [];
  readonly #breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(CONSECUTIVE_FAILURES),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: INITIAL_OPEN_MS, maxDelay: MAX_OPEN_MS }),
  });
  /** When it was taken out, by a clock that nobody sets and by the machine's. */
  #broken = { at: 0, date: 0 };
  #next = 0;
  #lastSuccessAt: Date | null = null;
  #lastFailureAt: Date | null = null;
  #lastFailure: string | null = null;

  constructor(name: string, clock: Clock, log: Logger, wrapCall: CallWrapper) {
    this.#name = name;
    this.#watchCall = wrapCall;
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
      throw new NotExecutedError(`${this.#name} is being tried again`);
    try {
      // A call that never ended would keep a provider that is being tried out for ever.
      return await this.#breaker.execute(() =>
        this.#measured(() => this.#watchCall(this.#name, operation, () => withDeadline(deadline, run))),
      );
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw new NotExecutedError(`${this.#name} fails and is not called for a while`);
      throw error;
    }
  }

  /** The breaker rests by the machine's clock. Where that was set back, no rest is longer for it. */
  #endOverdueRest(): void {
    const openMs = performance.now() - this.#broken.at;
    const rolledBackMs = openMs - (Date.now() - this.#broken.date);
    const isOverdue = rolledBackMs > CLOCK_ROLLBACK_TOLERANCE_MS && openMs > MAX_OPEN_MS;
    // What is isolated and released is closed, and whoever asks then calls: otherwise one call tries it.
    if (isOverdue && this.#breaker.state === CircuitState.Open) this.#breaker.isolate().dispose();
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
      this.#lastFailure = errorCodeOf(error);
      this.#remember(started, false);
      throw error;
    }
  }

  #remember(started: number, ok: boolean): void {
    this.#calls[this.#next] = { ms: performance.now() - started, ok };
    this.#next = (this.#next + 1) % MAX_SAMPLES;
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

function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  let cause = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return cause.name;
}
