import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleAll,
} from 'cockatiel';

import type { Clock } from '#platform/kit/clock.ts';
import { errorCode } from '#platform/kit/errors.ts';
import type { Logger } from '#platform/kit/log.ts';
import { NotExecutedError, withDeadline } from '#platform/jobs/provider-calls.ts';
import type { PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';
import type { CardProvider, PixProvider } from '#payments/operations/payment-provider.ts';

/** Failed calls in a row that open the circuit. */
const CONSECUTIVE_FAILURES = 5;
/** Time until an open circuit lets one call through. Doubles with each failure of that call. */
const INITIAL_OPEN_MS = 5_000;
const MAX_OPEN_MS = 60_000;
/** Drift between the wall clock and the monotonic clock that does not count as a rollback. */
const CLOCK_ROLLBACK_TOLERANCE_MS = 1_000;
/** Calls that latencies and error rate are computed from. */
const MAX_SAMPLES = 200;

/** Health of a provider, as this process observes it. */
export interface ProviderHealth {
  readonly name: string;
  readonly methods: readonly string[];
  /** OPEN: the provider is not called for a while. HALF_OPEN: the next call decides. */
  readonly state: 'CLOSED' | 'OPEN' | 'HALF_OPEN';
  /** Number of sampled calls: the last ones, at most 200. */
  readonly calls: number;
  /** 0 to 1. */
  readonly errorRate: number;
  /** In milliseconds; null before the first call. */
  readonly latencyP50: number | null;
  readonly latencyP95: number | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  /** Error code or name of the last failure; never a message, which may quote the request. */
  readonly lastFailure: string | null;
}

/** Wraps each call of a provider, for metrics and traces. */
export type CallWrapper = <T>(provider: string, operation: string, run: () => Promise<T>) => Promise<T>;

const callDirectly: CallWrapper = (_provider, _operation, run) => run();

/** Wraps providers with a circuit breaker each, and reports their health. */
export function createProviderMonitor(clock: Clock, log: Logger, wrapCall: CallWrapper = callDirectly) {
  const circuits = new Map<string, ProviderCircuit>();

  const circuitOf = (name: string, method: string): ProviderCircuit => {
    const circuit = circuits.get(name) ?? new ProviderCircuit(name, clock, log, wrapCall);
    circuits.set(name, circuit);
    circuit.methods.add(method);
    return circuit;
  };

  return {
    pix: (provider: PixProvider) => wrapPix(provider, circuitOf(provider.name, 'PIX')),

    card: (provider: CardProvider) => wrapCard(provider, circuitOf(provider.name, 'CREDIT_CARD')),

    payout(provider: PayoutProvider): PayoutProvider {
      const [circuit] = provider.methods.map((method) => circuitOf(provider.name, `${method} out`));
      return circuit === undefined ? provider : wrapPayout(provider, circuit);
    },

    list: (): readonly ProviderHealth[] => Array.from(circuits.values(), (circuit) => circuit.health()),
  };
}

function wrapPix(provider: PixProvider, circuit: ProviderCircuit): PixProvider {
  return {
    name: provider.name,
    create: (request, deadline) =>
      circuit.call('place', deadline, async (signal) => provider.create(request, signal)),
    find: (request, deadline) =>
      circuit.call('find', deadline, async (signal) => provider.find(request, signal)),
    cancel: (txid, deadline) =>
      circuit.call('remove', deadline, async (signal) => provider.cancel(txid, signal)),
    refund: (request, deadline) =>
      circuit.call('refund', deadline, async (signal) => provider.refund(request, signal)),
  };
}

function wrapCard(provider: CardProvider, circuit: ProviderCircuit): CardProvider {
  return {
    name: provider.name,
    authorize: (request, deadline) =>
      circuit.call('authorize', deadline, async (signal) => provider.authorize(request, signal)),
    voidByTransactionId: (id, deadline) =>
      circuit.call('abandon', deadline, async (signal) => provider.voidByTransactionId(id, signal)),
    capture: (request, deadline) =>
      circuit.call('capture', deadline, async (signal) => provider.capture(request, signal)),
    void: (request, deadline) =>
      circuit.call('void', deadline, async (signal) => provider.void(request, signal)),
    refund: (request, deadline) =>
      circuit.call('refund', deadline, async (signal) => provider.refund(request, signal)),
  };
}

function wrapPayout(provider: PayoutProvider, circuit: ProviderCircuit): PayoutProvider {
  const lookUpKey = provider.lookUpKey?.bind(provider);
  return {
    name: provider.name,
    methods: provider.methods,
    send: (request, deadline) =>
      circuit.call('send', deadline, async (signal) => provider.send(request, signal)),
    // A failing directory must not open the circuit of payouts.
    ...(lookUpKey !== undefined && {
      lookUpKey: (lookup, deadline) => withDeadline(deadline, (signal) => lookUpKey(lookup, signal)),
    }),
  };
}

/** Circuit breaker and statistics of one provider. */
class ProviderCircuit {
  readonly methods = new Set<string>();
  readonly #name: string;
  readonly #clock: Clock;
  readonly #wrapCall: CallWrapper;
  /** Ring buffer of the last calls. */
  readonly #samples: { readonly durationMs: number; readonly ok: boolean }[] = [];
  readonly #breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(CONSECUTIVE_FAILURES),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: INITIAL_OPEN_MS, maxDelay: MAX_OPEN_MS }),
  });
  /** When the circuit opened last, by the monotonic and by the wall clock. */
  #openedAt = { monotonicMs: 0, wallMs: 0 };
  #nextSample = 0;
  #lastSuccessAt: Date | null = null;
  #lastFailureAt: Date | null = null;
  #lastFailure: string | null = null;

  constructor(name: string, clock: Clock, log: Logger, wrapCall: CallWrapper) {
    this.#name = name;
    this.#wrapCall = wrapCall;
    this.#clock = clock;
    this.#breaker.onBreak(() => {
      this.#openedAt = { monotonicMs: performance.now(), wallMs: Date.now() };
      log.error({ provider: name }, 'provider circuit opened after repeated failures');
    });
    this.#breaker.onReset(() => log.info({ provider: name }, 'provider circuit closed'));
  }

  /** @throws NotExecutedError while the circuit is open or another call tries the provider. */
  async call<T>(
    operation: string,
    deadline: AbortSignal,
    run: (deadline: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#closeOverdueCircuit();
    // The breaker would queue this call behind the one that tries the provider and spend its
    // deadline.
    if (this.#breaker.state === CircuitState.HalfOpen)
      throw new NotExecutedError(`the circuit breaker of ${this.#name} is half open`);
    try {
      // The deadline is enforced here: a call that never ended would keep the circuit half-open
      // forever.
      return await this.#breaker.execute(() =>
        this.#measure(() => this.#wrapCall(this.#name, operation, () => withDeadline(deadline, run))),
      );
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw new NotExecutedError(`the circuit breaker of ${this.#name} is open`);
      throw error;
    }
  }

  /** The breaker uses the wall clock, whose rollback would keep the circuit open for too long. */
  #closeOverdueCircuit(): void {
    const openMs = performance.now() - this.#openedAt.monotonicMs;
    const rolledBackMs = openMs - (Date.now() - this.#openedAt.wallMs);
    const isOverdue = rolledBackMs > CLOCK_ROLLBACK_TOLERANCE_MS && openMs > MAX_OPEN_MS;
    // Isolating the breaker and disposing the isolation closes the circuit.
    if (isOverdue && this.#breaker.state === CircuitState.Open) this.#breaker.isolate().dispose();
  }

  async #measure<T>(run: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    try {
      const response = await run();
      this.#lastSuccessAt = this.#clock.now();
      this.#addSample(startedMs, true);
      return response;
    } catch (error) {
      this.#lastFailureAt = this.#clock.now();
      this.#lastFailure = errorCodeOf(error);
      this.#addSample(startedMs, false);
      throw error;
    }
  }

  #addSample(startedMs: number, ok: boolean): void {
    this.#samples[this.#nextSample] = { durationMs: performance.now() - startedMs, ok };
    this.#nextSample = (this.#nextSample + 1) % MAX_SAMPLES;
  }

  health(): ProviderHealth {
    const calls = this.#samples.length;
    const durations = this.#samples.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
    const percentile = (share: number) =>
      calls === 0 ? null : Math.round(durations[Math.floor(share * (calls - 1))] ?? 0);
    return {
      name: this.#name,
      methods: [...this.methods],
      state: STATES[this.#breaker.state],
      calls,
      errorRate: calls === 0 ? 0 : this.#samples.filter(({ ok }) => !ok).length / calls,
      latencyP50: percentile(0.5),
      latencyP95: percentile(0.95),
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

/** Code or name of the innermost cause. */
function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  let cause = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  return errorCode(cause) ?? cause.name;
}
