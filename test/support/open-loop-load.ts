import { connect, type Socket } from 'node:net';

/**
 * Open-loop load: this many requests per second, whether or not earlier ones were answered. Plain
 * HTTP/1.1 on sockets, because the clients share the machine with the gateway.
 */
export interface FloodPlan {
  readonly port: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** Keep-alive connections, each with at most one request in progress. */
  readonly connections: number;
  /** The next request, head and body. */
  readonly next: () => string;
}

export interface FloodResult {
  /** The number of sent requests, without those that found no free connection. */
  readonly sent: number;
  readonly unsent: number;
  readonly byStatus: ReadonlyMap<number, number>;
  /** Latencies of responses below 300 in milliseconds, ascending. */
  readonly latencies: readonly number[];
  /** Rejections without Retry-After. */
  readonly withoutRetryAfter: number;
  /** Connections that the server closed. */
  readonly broken: number;
}

const TICK_MS = 5;
const GREETING = 'GET /v1/health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
const HEAD_END = '\r\n\r\n';

export async function flood(plan: FloodPlan): Promise<FloodResult> {
  const idle: Caller[] = [];
  const latencies: number[] = [];
  const byStatus = new Map<number, number>();
  const counts = { sent: 0, unsent: 0, withoutRetryAfter: 0, broken: 0 };
  const all: Caller[] = [];
  for (let number = 0; number < plan.connections; number += 1) {
    const caller = new Caller(plan.port, {
      answered(status, head, ms) {
        byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
        if (status < 300) latencies.push(ms);
        else if (!/\r\nretry-after: \d/i.test(head)) counts.withoutRetryAfter += 1;
        idle.push(caller);
      },
      broke: () => (counts.broken += 1),
    });
    all.push(caller);
  }
  // A connection of the client may not be accepted by the server yet: if its backlog is full, it
  // notices some seconds later.
  await Promise.all(all.map((caller) => caller.greet()));
  idle.push(...all);
  const begun = performance.now();
  let due = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const seconds = (performance.now() - begun) / 1_000;
      if (seconds >= plan.seconds) {
        clearInterval(timer);
        resolve();
        return;
      }
      const wanted = Math.floor(seconds * plan.perSecond);
      for (; due < wanted; due += 1) {
        // In turn, so that the server does not close an idle one.
        const caller = idle.shift();
        if (caller === undefined) counts.unsent += 1;
        else {
          counts.sent += 1;
          caller.send(plan.next());
        }
      }
    }, TICK_MS);
  });
  // Requests in progress are still answered.
  const deadline = performance.now() + 5_000;
  while (idle.length + counts.broken < all.length && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const caller of all) caller.close();
  return { ...counts, byStatus, latencies: latencies.sort((one, other) => one - other) };
}

interface Listener {
  answered(status: number, head: string, ms: number): void;
  broke(): void;
}

class Caller {
  readonly #socket: Socket;
  readonly #listener: Listener;
  #received = '';
  #sentMs = 0;
  #closed = false;
  #greeted: (() => void) | undefined;

  constructor(port: number, listener: Listener) {
    this.#listener = listener;
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true).setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      if (!this.#closed) listener.broke();
    });
  }

  /**
   * Requests a resource that is never rejected, which shows that the server has accepted the
   * connection.
   */
  greet(): Promise<void> {
    return new Promise((resolve) => {
      this.#greeted = resolve;
      this.#socket.write(GREETING, 'latin1');
    });
  }

  send(request: string): void {
    this.#sentMs = performance.now();
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf(HEAD_END);
    if (end === -1) return;
    const head = this.#received.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (this.#received.length < end + HEAD_END.length + length) return;
    this.#received = '';
    if (this.#greeted !== undefined) {
      this.#greeted();
      this.#greeted = undefined;
      return;
    }
    this.#listener.answered(Number(head.slice(9, 12)), head, performance.now() - this.#sentMs);
  }
}
