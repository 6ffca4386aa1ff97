import type { IncomingMessage, ServerResponse } from 'node:http';

/** Requests that are worked on at once. The bound moves between the least and the most, by how they fare. */
const AT_ONCE = { least: 32, usual: 192, most: 1_000 } as const;
/** Requests that wait for their turn, at most. */
const MOST_WAITING = 1_000;
/**
 * How long they wait. A crowd that comes at once is let in one after the other; a line that has not been empty for so long
 * is no crowd but overload, and waiting in it gains nobody anything: then it is kept short.
 */
const LONGEST_WAIT_MS = 1_000;
const STANDING_WAIT_MS = 100;
/** A line that was empty for a moment is no end of an overload: it has ended when nobody was refused for so long. */
const OVERLOADED_MS = 5_000;

/** How often it is looked how they fare. */
const LOOK_EVERY_MS = 50;
/** An event loop that is late by so much in each of so many looks has more to do than it can; once may be a collection of garbage. */
const LATE_MS = 100;
const LATE_LOOKS = 2;
/** So long a wait for the database says the same. */
const LONG_DATABASE_WAIT_MS = 150;
/** Only where nobody waits for the database may more come in. */
const SHORT_DATABASE_WAIT_MS = 50;

/** A request whose caller has gone is worked on all the same; it counts no longer than this. */
const ABANDONED_MS = 30_000;

/**
 * Bodies that were not there by the next look are waited for without a turn. So many at most, since what has come of them is kept:
 * the one that has been waited for longest is cut off for the next.
 */
const MOST_SLOW_BODIES = 1_000;

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export interface AdmissionOptions {
  /** How long the first of those that wait for the database has waited, in milliseconds. */
  readonly databaseWaitMs: () => number;
  /** Told of every request that is refused. */
  readonly onRefused: () => void;
}

interface Waiting {
  readonly since: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set for a request whose body has come late: it has been let in before, and goes on or is refused. */
  readonly resume?: (refused: boolean) => void;
}

const ENTERED = Symbol('entered');
type Entered = IncomingMessage & { [ENTERED]?: Admission };

/**
 * The door, before anything is known of a request. So many are worked on at once; the next wait for their turn, not for long,
 * and whoever would wait longer is refused at once, which costs a fraction of serving them late. Whoever is let in is answered soon, whatever the load.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #answerRefused: Serve;
  readonly #line: Waiting[] = [];
  readonly #abandoned = new Map<ServerResponse, { readonly sinceMs: number; readonly request: Entered }>();
  /** Let in since the last look, with a body that had not come. */
  #reading: Entered[] = [];
  /** Those whose body is waited for without a turn, the oldest first. */
  readonly #slow = new Set<IncomingMessage>();
  #serve: Serve = () => undefined;
  #bound: number = AT_ONCE.usual;
  #entered = 0;
  #hadToWait = false;
  /** When there was nobody in line last. */
  #emptyMs = performance.now();
  #refusedMs = -Infinity;
  #lateLooks = 0;
  #lookedMs = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** @param refuse answers a request that is refused, at the least possible price. */
  constructor(options: AdmissionOptions, refuse: Serve) {
    this.#options = options;
    this.#answerRefused = refuse;
  }

  /** How many are worked on. */
  get entered(): number {
    return this.#entered;
  }

  /** How many may be. */
  get bound(): number {
    return this.#bound;
  }

  /** How many bodies are waited for without a turn. */
  get slow(): number {
    return this.#slow.size;
  }

  /** The door in front of `serve`. */
  before(serve: Serve): Serve {
    this.#serve = serve;
    this.#timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
    return (request, response) => {
      if (this.#entered < this.#bound) this.#enter(request, response);
      else if (isAlwaysServed(request.url) && !hasBody(request)) serve(request, response);
      else this.#queue({ since: performance.now(), request, response });
    };
  }

  /**
   * To be called when the body of a request has been read. One that lost its turn while its body was waited for gets another,
   * perhaps in line; every other goes on at once.
   */
  bodyRead(request: Entered, response: ServerResponse, resume: (refused: boolean) => void): void {
    if (!this.#slow.delete(request)) resume(false);
    else if (this.#entered < this.#bound) {
      this.#count(request);
      resume(false);
    } else this.#queue({ since: performance.now(), request, response, resume });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** One look at how requests fare, which moves the bound. */
  look(nowMs: number): void {
    const lateMs = nowMs - this.#lookedMs - LOOK_EVERY_MS;
    this.#lookedMs = nowMs;
    this.#lateLooks = lateMs > LATE_MS ? this.#lateLooks + 1 : 0;
    const databaseWaitMs = this.#options.databaseWaitMs();
    const strained = this.#lateLooks >= LATE_LOOKS || databaseWaitMs > LONG_DATABASE_WAIT_MS;
    if (strained) {
      this.#bound = Math.max(AT_ONCE.least, Math.floor(Math.min(this.#bound, this.#entered) * 0.7));
    } else if (this.#hadToWait) {
      // They wait although there is room: for others, such as a provider that takes its time.
      const room = this.#lateLooks === 0 && databaseWaitMs < SHORT_DATABASE_WAIT_MS;
      if (room) this.#bound = Math.min(AT_ONCE.most, Math.ceil(this.#bound * 1.1));
    } else if (this.#entered < this.#bound / 2) {
      const step = Math.sign(AT_ONCE.usual - this.#bound) * 8;
      this.#bound = Math.abs(AT_ONCE.usual - this.#bound) <= 8 ? AT_ONCE.usual : this.#bound + step;
    }
    this.#hadToWait = this.#line.length > 0;
    this.#leaveSlowBodies();
    for (const [response, { sinceMs, request }] of this.#abandoned) {
      if (!response.writableEnded && nowMs - sinceMs < ABANDONED_MS) continue;
      this.#abandoned.delete(response);
      this.leave(request);
    }
    this.#callNext(nowMs);
  }

  /** A request counts no longer: it has been answered, or waits for something that nobody here can hurry. */
  leave(request: Entered): void {
    if (request[ENTERED] !== this) return;
    delete request[ENTERED];
    this.#entered -= 1;
    if (this.#line.length > 0) this.#callNext(performance.now());
  }

  /** Whose body has not come by now is none of ours to hurry. */
  #leaveSlowBodies(): void {
    const reading = this.#reading;
    this.#reading = [];
    for (const request of reading) {
      if (request.complete || request[ENTERED] !== this) continue;
      this.#slow.add(request);
      this.leave(request);
      if (this.#slow.size <= MOST_SLOW_BODIES) continue;
      const [oldest] = this.#slow;
      if (oldest === undefined) continue;
      this.#slow.delete(oldest);
      this.#options.onRefused();
      oldest.socket.destroy();
    }
  }

  #queue(waiting: Waiting): void {
    if (this.#line.length >= MOST_WAITING) {
      this.#refuse(waiting);
      return;
    }
    if (this.#line.length === 0) this.#emptyMs = waiting.since;
    this.#hadToWait = true;
    this.#line.push(waiting);
  }

  #callNext(nowMs: number): void {
    // A short line moves on by itself, however long there has been one.
    const stood = nowMs - this.#emptyMs > LONGEST_WAIT_MS || nowMs - this.#refusedMs < OVERLOADED_MS;
    const standing = stood && this.#line.length > this.#bound;
    const longest = standing ? STANDING_WAIT_MS : LONGEST_WAIT_MS;
    for (let next = this.#line[0]; next !== undefined; next = this.#line[0]) {
      const late = nowMs - next.since > longest;
      if (!late && this.#entered >= this.#bound) return;
      this.#line.shift();
      if (next.response.destroyed) continue;
      if (late) this.#refuse(next);
      else if (next.resume === undefined) this.#enter(next.request, next.response);
      else {
        this.#count(next.request);
        next.resume(false);
      }
    }
  }

  #count(request: Entered): void {
    this.#entered += 1;
    request[ENTERED] = this;
  }

  #enter(request: Entered, response: ServerResponse): void {
    this.#count(request);
    if (!request.complete && hasBody(request)) this.#reading.push(request);
    response.once('close', () => {
      this.#slow.delete(request);
      if (response.writableEnded || !request.complete) this.leave(request);
      else this.#abandoned.set(response, { sinceMs: performance.now(), request });
    });
    this.#serve(request, response);
  }

  #refuse({ request, response, resume }: Waiting): void {
    this.#refusedMs = performance.now();
    this.#options.onRefused();
    if (resume === undefined) this.#answerRefused(request, response);
    else resume(true);
  }
}

/** A request that from now on waits for what nobody here can hurry, such as an event that has not happened, makes room for others. */
export function makeRoom(request: Entered): void {
  request[ENTERED]?.leave(request);
}

/** Probes and figures: when they are needed most, the least else is served. */
const isAlwaysServed = (url: string | undefined): boolean =>
  url !== undefined && (url === '/metrics' || url.startsWith('/v1/health'));

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
