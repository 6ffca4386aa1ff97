import { CompiledQuery } from 'kysely';
import type pg from 'pg';

import type { Database, Db } from './connect.ts';
import { isWriteFailure, isDatabaseUnavailable, isDeadlock, isReadOnly } from './errors.ts';

export interface NamedStatement {
  /** Prepared once a connection under this name. */
  readonly name: string;
  readonly text: string;
}

/** Runs a named statement somewhere: on a lane of one's own, or inside a transaction. */
export type RunStatement = <Row extends pg.QueryResultRow>(
  statement: NamedStatement,
  values: readonly unknown[],
) => Promise<readonly Row[]>;

/** Runs statements inside a transaction of the builder's, beside what the builder writes there. */
export function runStatementIn(db: Db): RunStatement {
  return async <Row extends pg.QueryResultRow>(statement: NamedStatement, values: readonly unknown[]) => {
    const result = await db.executeQuery<Row>(CompiledQuery.raw(statement.text, [...values]));
    return result.rows;
  };
}

export interface DedicatedConnectionOptions {
  /** How long a plan is kept: 5 s unless told. */
  readonly planTtlMs?: number;
  /**
   * Whether commits wait until they are on disk; they do unless told. Without it the last of them may be lost with the
   * server, never with the program.
   */
  readonly durable?: boolean;
  /**
   * Whether the planner may read a table from end to end; it may not unless told, since these statements find their rows by key.
   * How many a batch will hold it cannot know: its guess of a hundred makes it read some thousand rows for a handful.
   */
  readonly allowSeqScan?: boolean;
  /** Whether nothing is written: what comes of that says nothing of writing. */
  readonly readOnly?: boolean;
}

/** Planning the largest statement takes a few milliseconds, so this costs next to nothing. */
const PLAN_TTL_MS = 5_000;

/**
 * Connections of their own for the set-based statements of the hot path, one for each lane of a batch.
 * A lane connects when it is first used and again after its connection broke.
 */
export class DedicatedConnections {
  readonly #database: Database;
  readonly #name: string;
  readonly #planTtlMs: number;
  readonly #durable: boolean;
  readonly #allowSeqScan: boolean;
  readonly #readOnly: boolean;
  readonly #clients = new Map<number, Promise<pg.Client>>();
  readonly #plansDiscardedAt = new WeakMap<pg.Client, number>();

  constructor(
    database: Database,
    name: string,
    {
      planTtlMs = PLAN_TTL_MS,
      durable = true,
      allowSeqScan = false,
      readOnly = false,
    }: DedicatedConnectionOptions = {},
  ) {
    this.#database = database;
    this.#name = name;
    this.#planTtlMs = planTtlMs;
    this.#durable = durable;
    this.#allowSeqScan = allowSeqScan;
    this.#readOnly = readOnly;
  }

  /** One lane as a place to run statements. */
  runnerFor(slot: number): RunStatement {
    return (statement, values) => this.#query(slot, statement, values);
  }

  /**
   * Runs a statement that is safe to repeat: it is repeated after a deadlock, and once after the connection broke,
   * when nobody can know whether it was committed.
   */
  async #query<Row extends pg.QueryResultRow>(
    slot: number,
    statement: NamedStatement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const client = await this.#connect(slot);
        await this.#discardOldPlans(client);
        const result = await client.query<Row>({ ...statement, values: [...values] });
        this.#database.recordResponse(this.#durable && !this.#readOnly ? this.#name : undefined);
        return result.rows;
      } catch (error) {
        const deadlock = isDeadlock(error);
        if (!deadlock) this.#disconnect(slot);
        if (!this.#readOnly && isWriteFailure(error)) this.#database.recordWriteFailure(this.#name);
        if (attempt >= (deadlock ? 5 : 2) || !(deadlock || isDatabaseUnavailable(error) || isReadOnly(error)))
          throw error;
      }
    }
  }

  /** A plan made while a table was small would be kept while it grows to a million rows; none lives longer than `planLifeMs`. */
  async #discardOldPlans(client: pg.Client): Promise<void> {
    const now = performance.now();
    const planned = this.#plansDiscardedAt.get(client);
    if (planned !== undefined && now - planned < this.#planTtlMs) return;
    this.#plansDiscardedAt.set(client, now);
    if (planned !== undefined) await client.query('DISCARD PLANS');
  }

  #connect(slot: number): Promise<pg.Client> {
    let client = this.#clients.get(slot);
    if (client === undefined) {
      client = this.#open(slot);
      this.#clients.set(slot, client);
      const forget = () => {
        if (this.#clients.get(slot) === client) this.#clients.delete(slot);
      };
      client.then((connected) => connected.once('end', forget), forget);
    }
    return client;
  }

  async #open(slot: number): Promise<pg.Client> {
    const client = await this.#database.connectDedicated(`${this.#name} ${slot}`);
    if (!this.#allowSeqScan) await client.query('SET enable_seqscan = off; SET jit = off');
    if (!this.#durable) await client.query('SET synchronous_commit = off');
    return client;
  }

  #disconnect(slot: number): void {
    const client = this.#clients.get(slot);
    this.#clients.delete(slot);
    client?.then(
      (connected) => connected.end().catch(() => undefined),
      () => undefined,
    );
  }
}

/** Runs a statement again that PostgreSQL gave up so that others it had met crosswise could go on. It did nothing then. */
export async function retryOnDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= 5 || !isDeadlock(error)) throw error;
    }
  }
}
