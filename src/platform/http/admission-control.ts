import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests in flight. The limit adapts to load between `min` and `max`. */
const CONCURRENCY_LIMIT = { min: 32, initial: 192, max: 1_000 } as const;
const MAX_QUEUED = 1_000;
/**
 * How long a request may wait in the queue. A burst of requests drains within this time. If the
 * queue has not been empty for as long, the load is above capacity, and longer waits improve
 * nothing: then the shorter limit applies.
 */
const MAX_WAIT_MS = 1_000;
const OVERLOAD_WAIT_MS = 100;
/**
 * An overload has ended when no request was rejected for this long. An empty queue may be a short
 * gap.
 */
const OVERLOAD_COOLDOWN_MS = 5_000;
/** How fast the limit returns to its initial value while the load is low, per sample. */
const RECOVERY_STEP = 8;

const SAMPLE_INTERVAL_MS = 50;
/**
 * Event loop delay, in consecutive samples, that means overload. A single one may be garbage
 * collection.
 */
const EVENT_LOOP_DELAY_LIMIT_MS = 100;
const MIN_DELAYED_SAMPLES = 2;
/** Waits for a database connection above this decrease the limit. */
const DATABASE_WAIT_DECREASE_MS = 150;
/** Waits for a database connection below this allow the limit to increase. */
const DATABASE_WAIT_INCREASE_MS = 50;

/** A request whose client disconnected still runs. It counts as in flight for at most this long. */
const ABANDONED_MS = 30_000;

/**
 * A request whose body has not arrived by the next sample does not count as in flight while the
 * body is read. At most this many are read at a time, since their parts are buffered: beyond it,
 * the connection of the oldest one is closed.
 */
const MAX_SLOW_BODIES = 1_000;

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface AdmissionOptions {
  /** The longest current wait for a database connection, in milliseconds. */
  readonly databaseWaitMs: () => number;
  /** Called for every rejected request. */
  readonly onRejected: () => void;
}

interface QueuedRequest {
  readonly queuedAtMs: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set for a request that was admitted before and whose body has arrived late. */
  readonly resume?: (rejected: boolean) => void;
}

const ADMITTED = Symbol('admitted');
type AdmittedRequest = IncomingMessage & { [ADMITTED]?: AdmissionController };

/**
 * Limits the requests in flight, before anything of a request but its headers is parsed. Requests
 * above the limit wait in a queue for a bounded time and are then rejected, which costs a fraction
 * of serving them late. So admitted requests are served quickly, whatever the load.
 */
export class AdmissionController {
  readonly #options: AdmissionOptions;
  readonly #sendRejection: RequestHandler;
  readonly #waitQueue: QueuedRequest[] = [];
  readonly #abandoned = new Map<
    ServerResponse,
    { readonly sinceMs: number; readonly request: AdmittedRequest }
  >();
  /** Admitted since the last sample, with an incomplete body. */
  #reading: AdmittedRequest[] = [];
  /** Requests that do not count as in flight while their body is read, oldest first. */
  readonly #slowBodies = new Set<IncomingMessage>();
  #serve: RequestHandler = () => undefined;
  #limit: number = CONCURRENCY_LIMIT.initial;
  #inFlight = 0;
  #hadQueue = false;
  #queueEmptyAtMs = performance.now();
  #lastRejectedMs = -Infinity;
  #delayedSamples = 0;
  #lastSampleMs = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** @param sendRejection responds to a rejected request, as cheaply as possible. */
  constructor(options: AdmissionOptions, sendRejection: RequestHandler) {
    this.#options = options;
    this.#sendRejection = sendRejection;
  }

  /** Requests in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** The current limit of requests in flight. */
  get limit(): number {
    return this.#limit;
  }

  /** Requests that do not count as in flight while their body is read. */
  get slowBodies(): number {
    return this.#slowBodies.size;
  }

  /** Applies admission control to `serve`. The limit is adapted while there are requests. */
  wrap(serve: RequestHandler): RequestHandler {
    this.#serve = serve;
    return (request, response) => {
      if (this.#inFlight < this.#limit) this.#admit(request, response);
      else if (isExempt(request.url) && !hasBody(request)) serve(request, response);
      else this.#enqueue({ queuedAtMs: performance.now(), request, response });
    };
  }

  /**
   * Must be called when the body of a request has been read. A request with a slow body is admitted
   * again, possibly after waiting in the queue; any other resumes at once.
   */
  onBodyRead(request: AdmittedRequest, response: ServerResponse, resume: (rejected: boolean) => void): void {
    if (!this.#slowBodies.delete(request)) resume(false);
    else if (this.#inFlight < this.#limit) {
      this.#count(request);
      resume(false);
    } else this.#enqueue({ queuedAtMs: performance.now(), request, response, resume });
  }

  /** Stops the adaptation of the limit until the next request. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #startSampling(): void {
    this.#lastSampleMs = performance.now();
    this.#timer = setInterval(() => {
      this.adjustLimit(performance.now());
      if (this.#isIdle()) this.stop();
    }, SAMPLE_INTERVAL_MS).unref();
  }

  /** Whether nothing remains for a sample to do. */
  #isIdle(): boolean {
    return (
      this.#inFlight + this.#waitQueue.length + this.#slowBodies.size + this.#abandoned.size === 0 &&
      this.#reading.length === 0 &&
      this.#limit === CONCURRENCY_LIMIT.initial
    );
  }

  /** Takes one sample of the load and adapts the limit to it. */
  adjustLimit(nowMs: number): void {
    const delayMs = nowMs - this.#lastSampleMs - SAMPLE_INTERVAL_MS;
    this.#lastSampleMs = nowMs;
    this.#delayedSamples = delayMs > EVENT_LOOP_DELAY_LIMIT_MS ? this.#delayedSamples + 1 : 0;
    const databaseWaitMs = this.#options.databaseWaitMs();
    const overloaded =
      this.#delayedSamples >= MIN_DELAYED_SAMPLES || databaseWaitMs > DATABASE_WAIT_DECREASE_MS;
    if (overloaded) {
      this.#limit = Math.max(CONCURRENCY_LIMIT.min, Math.floor(Math.min(this.#limit, this.#inFlight) * 0.7));
    } else if (this.#hadQueue) {
      // Requests wait although neither CPU nor database is saturated, for example for a slow
      // provider.
      const hasCapacity = this.#delayedSamples === 0 && databaseWaitMs < DATABASE_WAIT_INCREASE_MS;
      if (hasCapacity) this.#limit = Math.min(CONCURRENCY_LIMIT.max, Math.ceil(this.#limit * 1.1));
    } else if (this.#inFlight < this.#limit / 2) {
      const distance = CONCURRENCY_LIMIT.initial - this.#limit;
      this.#limit += Math.max(-RECOVERY_STEP, Math.min(RECOVERY_STEP, distance));
    }
    this.#hadQueue = this.#waitQueue.length > 0;
    this.#releaseSlowBodies();
    for (const [response, { sinceMs, request }] of this.#abandoned) {
      if (!response.writableEnded && nowMs - sinceMs < ABANDONED_MS) continue;
      this.#abandoned.delete(response);
      this.release(request);
    }
    this.#admitNext(nowMs);
  }

  /** Stops counting a request as in flight: it is complete, or waits for an external event. */
  release(request: AdmittedRequest): void {
    if (request[ADMITTED] !== this) return;
    delete request[ADMITTED];
    this.#inFlight -= 1;
    if (this.#waitQueue.length > 0) this.#admitNext(performance.now());
  }

  /** Stops counting requests whose body has not arrived since the last sample. */
  #releaseSlowBodies(): void {
    const reading = this.#reading;
    this.#reading = [];
    for (const request of reading) {
      if (request.complete || request[ADMITTED] !== this) continue;
      this.#slowBodies.add(request);
      this.release(request);
      if (this.#slowBodies.size <= MAX_SLOW_BODIES) continue;
      const [oldest] = this.#slowBodies;
      if (oldest === undefined) continue;
      this.#slowBodies.delete(oldest);
      this.#options.onRejected();
      oldest.socket.destroy();
    }
  }

  #enqueue(queued: QueuedRequest): void {
    if (this.#waitQueue.length >= MAX_QUEUED) {
      this.#reject(queued);
      return;
    }
    if (this.#waitQueue.length === 0) this.#queueEmptyAtMs = queued.queuedAtMs;
    this.#hadQueue = true;
    this.#waitQueue.push(queued);
  }

  #admitNext(nowMs: number): void {
    // A short queue drains within the wait limit, even under lasting overload.
    const isOverloaded =
      nowMs - this.#queueEmptyAtMs > MAX_WAIT_MS || nowMs - this.#lastRejectedMs < OVERLOAD_COOLDOWN_MS;
    const shortenWait = isOverloaded && this.#waitQueue.length > this.#limit;
    const maxWaitMs = shortenWait ? OVERLOAD_WAIT_MS : MAX_WAIT_MS;
    for (let next = this.#waitQueue[0]; next !== undefined; next = this.#waitQueue[0]) {
      const expired = nowMs - next.queuedAtMs > maxWaitMs;
      if (!expired && this.#inFlight >= this.#limit) return;
      this.#waitQueue.shift();
      if (next.response.destroyed) continue;
      if (expired) this.#reject(next);
      else if (next.resume === undefined) this.#admit(next.request, next.response);
      else {
        this.#count(next.request);
        next.resume(false);
      }
    }
  }

  #count(request: AdmittedRequest): void {
    this.#inFlight += 1;
    request[ADMITTED] = this;
    if (this.#timer === undefined) this.#startSampling();
  }

  #admit(request: AdmittedRequest, response: ServerResponse): void {
    this.#count(request);
    if (!request.complete && hasBody(request)) this.#reading.push(request);
    response.once('close', () => {
      this.#slowBodies.delete(request);
      if (response.writableEnded || !request.complete) this.release(request);
      else this.#abandoned.set(response, { sinceMs: performance.now(), request });
    });
    this.#serve(request, response);
  }

  #reject({ request, response, resume }: QueuedRequest): void {
    this.#lastRejectedMs = performance.now();
    this.#options.onRejected();
    if (resume === undefined) this.#sendRejection(request, response);
    else resume(true);
  }
}

/** Stops counting a request that waits for an external event, so that others are admitted. */
export function releaseCapacity(request: AdmittedRequest): void {
  request[ADMITTED]?.release(request);
}

/** Health checks and metrics, which matter most under overload. */
const isExempt = (url: string | undefined): boolean =>
  url !== undefined && (url === '/metrics' || url.startsWith('/v1/health'));

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
