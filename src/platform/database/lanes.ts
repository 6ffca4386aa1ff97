import { CompiledQuery } from 'kysely';
import type pg from 'pg';

import type { Database, Db } from './connect.ts';
import { cannotWrite, isDatabaseAway, isDeadlock, isReadOnly } from './errors.ts';

export interface NamedStatement {
  /** Prepared once a connection under this name. */
  readonly name: string;
  readonly text: string;
}

/** Runs a named statement somewhere: on a lane of one's own, or inside a transaction. */
export type Query = <Row extends pg.QueryResultRow>(
  statement: NamedStatement,
  values: readonly unknown[],
) => Promise<readonly Row[]>;

/** Runs statements inside a transaction of the builder's, beside what the builder writes there. */
export function queryWithin(db: Db): Query {
  return async <Row extends pg.QueryResultRow>(statement: NamedStatement, values: readonly unknown[]) => {
    const result = await db.executeQuery<Row>(CompiledQuery.raw(statement.text, [...values]));
    return result.rows;
  };
}

export interface LaneOptions {
  /** How long a plan is kept: 5 s unless told. */
  readonly planLifeMs?: number;
  /**
   * Whether commits wait until they are on disk; they do unless told. Without it the last of them may be lost with the
   * server, never with the program.
   */
  readonly durable?: boolean;
  /**
   * Whether the planner may read a table from end to end; it may not unless told, since these statements find their rows by key.
   * How many a batch will hold it cannot know: its guess of a hundred makes it read some thousand rows for a handful.
   */
  readonly wholeTables?: boolean;
  /** Whether nothing is written: what comes of that says nothing of writing. */
  readonly readsOnly?: boolean;
}

/** Planning the largest statement takes a few milliseconds, so this costs next to nothing. */
const PLAN_LIFE_MS = 5_000;

/**
 * Connections of their own for the set-based statements of the hot path, one for each lane of a batch.
 * A lane connects when it is first used and again after its connection broke.
 */
export class Lanes {
  readonly #database: Database;
  readonly #name: string;
  readonly #planLifeMs: number;
  readonly #durable: boolean;
  readonly #wholeTables: boolean;
  readonly #readsOnly: boolean;
  readonly #clients = new Map<number, Promise<pg.Client>>();
  readonly #planned = new WeakMap<pg.Client, number>();

  constructor(
    database: Database,
    name: string,
    { planLifeMs = PLAN_LIFE_MS, durable = true, wholeTables = false, readsOnly = false }: LaneOptions = {},
  ) {
    this.#database = database;
    this.#name = name;
    this.#planLifeMs = planLifeMs;
    this.#durable = durable;
    this.#wholeTables = wholeTables;
    this.#readsOnly = readsOnly;
  }

  /** One lane as a place to run statements. */
  on(lane: number): Query {
    return (statement, values) => this.#query(lane, statement, values);
  }

  /**
   * Runs a statement that is safe to repeat: it is repeated after a deadlock, and once after the connection broke,
   * when nobody can know whether it was committed.
   */
  async #query<Row extends pg.QueryResultRow>(
    lane: number,
    statement: NamedStatement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const client = await this.#connect(lane);
        await this.#planAnew(client);
        const result = await client.query<Row>({ ...statement, values: [...values] });
        this.#database.heard(this.#durable && !this.#readsOnly ? this.#name : undefined);
        return result.rows;
      } catch (error) {
        const deadlock = isDeadlock(error);
        if (!deadlock) this.#drop(lane);
        if (!this.#readsOnly && cannotWrite(error)) this.#database.failed(this.#name);
        if (attempt >= (deadlock ? 5 : 2) || !(deadlock || isDatabaseAway(error) || isReadOnly(error)))
          throw error;
      }
    }
  }

  /** A plan made while a table was small would be kept while it grows to a million rows; none lives longer than `planLifeMs`. */
  async #planAnew(client: pg.Client): Promise<void> {
    const now = performance.now();
    const planned = this.#planned.get(client);
    if (planned !== undefined && now - planned < this.#planLifeMs) return;
    this.#planned.set(client, now);
    if (planned !== undefined) await client.query('DISCARD PLANS');
  }

  #connect(lane: number): Promise<pg.Client> {
    let client = this.#clients.get(lane);
    if (client === undefined) {
      client = this.#open(lane);
      this.#clients.set(lane, client);
      const forget = () => {
        if (this.#clients.get(lane) === client) this.#clients.delete(lane);
      };
      client.then((connected) => connected.once('end', forget), forget);
    }
    return client;
  }

  async #open(lane: number): Promise<pg.Client> {
    const client = await this.#database.connectLane(`${this.#name} ${lane}`);
    if (!this.#wholeTables) await client.query('SET enable_seqscan = off; SET jit = off');
    if (!this.#durable) await client.query('SET synchronous_commit = off');
    return client;
  }

  #drop(lane: number): void {
    const client = this.#clients.get(lane);
    this.#clients.delete(lane);
    client?.then(
      (connected) => connected.end().catch(() => undefined),
      () => undefined,
    );
  }
}

/** Runs a statement again that PostgreSQL gave up so that others it had met crosswise could go on. It did nothing then. */
export async function retryingDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= 5 || !isDeadlock(error)) throw error;
    }
  }
}
