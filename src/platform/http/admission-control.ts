import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests that are worked on at once. The bound moves between the least and the most, by how they fare. */
const CONCURRENCY_LIMIT = { min: 32, initial: 192, max: 1_000 } as const;
/** Requests that wait for their turn, at most. */
const MAX_QUEUED = 1_000;
/**
 * How long they wait. A crowd that comes at once is let in one after the other; a line that has not been empty for so long
 * is no crowd but overload, and waiting in it gains nobody anything: then it is kept short.
 */
const MAX_WAIT_MS = 1_000;
const OVERLOAD_WAIT_MS = 100;
/** A line that was empty for a moment is no end of an overload: it has ended when nobody was refused for so long. */
const OVERLOAD_COOLDOWN_MS = 5_000;

/** How often it is looked how they fare. */
const SAMPLE_INTERVAL_MS = 50;
/** An event loop that is late by so much in each of so many looks has more to do than it can; once may be a collection of garbage. */
const EVENT_LOOP_DELAY_LIMIT_MS = 100;
const MIN_DELAYED_SAMPLES = 2;
/** So long a wait for the database says the same. */
const DATABASE_WAIT_DECREASE_MS = 150;
/** Only where nobody waits for the database may more come in. */
const DATABASE_WAIT_INCREASE_MS = 50;

/** A request whose caller has gone is worked on all the same; it counts no longer than this. */
const ABANDONED_MS = 30_000;

/**
 * Bodies that were not there by the next look are waited for without a turn. So many at most, since what has come of them is kept:
 * the one that has been waited for longest is cut off for the next.
 */
const MAX_SLOW_BODIES = 1_000;

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface AdmissionOptions {
  /** How long the first of those that wait for the database has waited, in milliseconds. */
  readonly databaseWaitMs: () => number;
  /** Told of every request that is refused. */
  readonly onRejected: () => void;
}

interface QueuedRequest {
  readonly queuedAtMs: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set for a request whose body has come late: it has been let in before, and goes on or is refused. */
  readonly resume?: (rejected: boolean) => void;
}

const ADMITTED = Symbol('entered');
type AdmittedRequest = IncomingMessage & { [ADMITTED]?: AdmissionController };

/**
 * The door, before anything is known of a request. So many are worked on at once; the next wait for their turn, not for long,
 * and whoever would wait longer is refused at once, which costs a fraction of serving them late. Whoever is let in is answered soon, whatever the load.
 */
export class AdmissionController {
  readonly #options: AdmissionOptions;
  readonly #sendRejection: RequestHandler;
  readonly #waitQueue: QueuedRequest[] = [];
  readonly #abandoned = new Map<
    ServerResponse,
    { readonly sinceMs: number; readonly request: AdmittedRequest }
  >();
  /** Let in since the last look, with a body that had not come. */
  #reading: AdmittedRequest[] = [];
  /** Those whose body is waited for without a turn, the oldest first. */
  readonly #slowBodies = new Set<IncomingMessage>();
  #serve: RequestHandler = () => undefined;
  #limit: number = CONCURRENCY_LIMIT.initial;
  #inFlight = 0;
  #hadQueue = false;
  /** When there was nobody in line last. */
  #queueEmptyAtMs = performance.now();
  #lastRejectedMs = -Infinity;
  #delayedSamples = 0;
  #lastSampleMs = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** @param sendRejection answers a request that is refused, at the least possible price. */
  constructor(options: AdmissionOptions, sendRejection: RequestHandler) {
    this.#options = options;
    this.#sendRejection = sendRejection;
  }

  /** How many are worked on. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many may be. */
  get limit(): number {
    return this.#limit;
  }

  /** How many bodies are waited for without a turn. */
  get slowBodies(): number {
    return this.#slowBodies.size;
  }

  /** The door in front of `serve`. */
  wrap(serve: RequestHandler): RequestHandler {
    this.#serve = serve;
    this.#timer = setInterval(() => this.adjustLimit(performance.now()), SAMPLE_INTERVAL_MS).unref();
    return (request, response) => {
      if (this.#inFlight < this.#limit) this.#admit(request, response);
      else if (isExempt(request.url) && !hasBody(request)) serve(request, response);
      else this.#enqueue({ queuedAtMs: performance.now(), request, response });
    };
  }

  /**
   * To be called when the body of a request has been read. One that lost its turn while its body was waited for gets another,
   * perhaps in line; every other goes on at once.
   */
  onBodyRead(request: AdmittedRequest, response: ServerResponse, resume: (rejected: boolean) => void): void {
    if (!this.#slowBodies.delete(request)) resume(false);
    else if (this.#inFlight < this.#limit) {
      this.#count(request);
      resume(false);
    } else this.#enqueue({ queuedAtMs: performance.now(), request, response, resume });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** One look at how requests fare, which moves the bound. */
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
      // They wait although there is room: for others, such as a provider that takes its time.
      const hasCapacity = this.#delayedSamples === 0 && databaseWaitMs < DATABASE_WAIT_INCREASE_MS;
      if (hasCapacity) this.#limit = Math.min(CONCURRENCY_LIMIT.max, Math.ceil(this.#limit * 1.1));
    } else if (this.#inFlight < this.#limit / 2) {
      const step = Math.sign(CONCURRENCY_LIMIT.initial - this.#limit) * 8;
      this.#limit =
        Math.abs(CONCURRENCY_LIMIT.initial - this.#limit) <= 8
          ? CONCURRENCY_LIMIT.initial
          : this.#limit + step;
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

  /** A request counts no longer: it has been answered, or waits for something that nobody here can hurry. */
  release(request: AdmittedRequest): void {
    if (request[ADMITTED] !== this) return;
    delete request[ADMITTED];
    this.#inFlight -= 1;
    if (this.#waitQueue.length > 0) this.#admitNext(performance.now());
  }

  /** Whose body has not come by now is none of ours to hurry. */
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

  #enqueue(waiting: QueuedRequest): void {
    if (this.#waitQueue.length >= MAX_QUEUED) {
      this.#reject(waiting);
      return;
    }
    if (this.#waitQueue.length === 0) this.#queueEmptyAtMs = waiting.queuedAtMs;
    this.#hadQueue = true;
    this.#waitQueue.push(waiting);
  }

  #admitNext(nowMs: number): void {
    // A short line moves on by itself, however long there has been one.
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

/** A request that from now on waits for what nobody here can hurry, such as an event that has not happened, makes room for others. */
export function releaseCapacity(request: AdmittedRequest): void {
  request[ADMITTED]?.release(request);
}

/** Probes and figures: when they are needed most, the least else is served. */
const isExempt = (url: string | undefined): boolean =>
  url !== undefined && (url === '/metrics' || url.startsWith('/v1/health'));

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
