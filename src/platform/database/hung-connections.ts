import { alignedPauseMs } from '#platform/kit/aligned-pause.ts';

/** How often the connections are checked. */
const CHECK_INTERVAL_MS = 250;
/** A statement without any response for this long is checked at the server. */
const SUSPICION_MS = 1_000;
/** A statement that the server was executing is checked again after this time. */
const NEXT_LOOKUP_MS = 2_000;
/**
 * Longer than the server lets a statement run. Applies while the server cannot be queried, for
 * example because it has no connection left.
 */
const DEADLINE_MS = 35_000;

/** A connection that statements are sent on. */
export interface ObservedConnection {
  /** The process id of its backend. */
  readonly backendPid: number;
  /** Identifies the statement in progress; undefined if there is none. */
  readonly statement: object | undefined;
  /** The number of bytes received. */
  readonly bytesRead: number;
  /** Closes it without waiting. Its statement fails, and its owner opens another one. */
  destroy(): void;
}

/** A server, with the open connections to it. */
export interface ObservedServer {
  readonly all: Iterable<ObservedConnection>;
  /**
   * Returns which of these backends are executing a statement. Must end within seconds, and throw
   * if the server does not respond.
   */
  findExecuting(backendPids: readonly number[]): Promise<ReadonlySet<number>>;
}

export interface HungConnectionMonitorOptions {
  readonly servers: () => Iterable<ObservedServer>;
  /** Called for each connection before it is destroyed. */
  readonly onHung: (backendPid: number, ms: number) => void;
}

interface Observation {
  readonly statement: object;
  readonly bytesRead: number;
  /** In milliseconds of `performance.now()`. */
  readonly since: number;
  lookUpAt: number;
}

/**
 * Finds connections whose packets are lost while the server and all other connections work: behind
 * a proxy or firewall that has forgotten them, TCP reports nothing for minutes, and a statement
 * waits for as long. A statement that the server is not executing will get no response, so its
 * connection is destroyed. One that the server executes continues, however long it takes.
 *
 * If the server does not respond to anybody, `HealthMonitor` closes all connections.
 */
export class HungConnectionMonitor {
  readonly #options: HungConnectionMonitorOptions;
  readonly #observations = new WeakMap<ObservedConnection, Observation>();
  /** Those that are being queried. */
  readonly #queried = new Set<ObservedServer>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HungConnectionMonitorOptions) {
    this.#options = options;
  }

  start(): void {
    const checkAgain = (): void => {
      void this.check();
      this.start();
    };
    this.#timer = setTimeout(checkAgain, alignedPauseMs(CHECK_INTERVAL_MS)).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Destroys the connections that hang. Never rejects. */
  async check(): Promise<void> {
    await Promise.all(Array.from(this.#options.servers(), (server) => this.#checkServer(server)));
  }

  async #checkServer(server: ObservedServer): Promise<void> {
    if (this.#queried.has(server)) return;
    const suspects = this.#findSuspects(server);
    if (suspects.length === 0) return;
    this.#queried.add(server);
    const executing = await lookUp(server, suspects);
    this.#queried.delete(server);
    for (const connection of suspects) this.#closeIfHung(connection, executing);
  }

  #findSuspects({ all }: ObservedServer): readonly ObservedConnection[] {
    const now = performance.now();
    const suspects: ObservedConnection[] = [];
    for (const connection of all) {
      const { statement, bytesRead } = connection;
      if (statement === undefined) continue;
      const observation = this.#currentObservation(connection);
      if (observation === undefined) {
        const lookUpAt = now + SUSPICION_MS;
        this.#observations.set(connection, { statement, bytesRead, since: now, lookUpAt });
      } else if (observation.lookUpAt <= now) suspects.push(connection);
    }
    return suspects;
  }

  /** The observation of a statement that has had no response since; undefined if it had one. */
  #currentObservation(connection: ObservedConnection): Observation | undefined {
    const observation = this.#observations.get(connection);
    const { statement, bytesRead } = connection;
    return observation?.statement === statement && observation?.bytesRead === bytesRead
      ? observation
      : undefined;
  }

  #closeIfHung(connection: ObservedConnection, executing: ReadonlySet<number> | undefined): void {
    // The response may have arrived meanwhile.
    const observation = this.#currentObservation(connection);
    if (observation === undefined) return;
    const { backendPid } = connection;
    const now = performance.now();
    const isHung =
      executing === undefined ? now - observation.since > DEADLINE_MS : !executing.has(backendPid);
    if (isHung) {
      this.#options.onHung(backendPid, now - observation.since);
      connection.destroy();
    } else if (executing !== undefined) observation.lookUpAt = now + NEXT_LOOKUP_MS;
  }
}

/** Returns undefined if the server cannot be queried. */
async function lookUp(
  server: ObservedServer,
  suspects: readonly ObservedConnection[],
): Promise<ReadonlySet<number> | undefined> {
  try {
    return await server.findExecuting(suspects.map(({ backendPid }) => backendPid));
  } catch {
    return undefined;
  }
}
