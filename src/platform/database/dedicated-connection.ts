import type pg from 'pg';

import type { Database } from './connect.ts';
import {
  isDatabaseUnavailable,
  isDeadlock,
  isReadOnly,
  isStatementFailure,
  isWriteFailure,
} from './errors.ts';
import { MAX_DEADLOCK_ATTEMPTS, type NamedStatement, type RunStatement } from './statements.ts';

export interface DedicatedConnectionOptions {
  /** Prepared plans are discarded after this time. Defaults to 5 seconds. */
  readonly planTtlMs?: number;
  /**
   * Whether commits wait until they are on disk. Defaults to true. Without it, a crash of the
   * server may lose the last commits; a crash of this process loses none.
   */
  readonly durable?: boolean;
  /**
   * Whether the planner may scan a table sequentially. Defaults to false, since the statements find
   * their rows by key: the planner cannot know the size of a batch, and its guess of 100 rows makes
   * it read thousands for a handful.
   */
  readonly allowSeqScan?: boolean;
  /**
   * Whether the statements only read, so that their outcome says nothing about the server's ability
   * to write.
   */
  readonly readOnly?: boolean;
  /**
   * How long a statement waits for each lock. Defaults to half a second, so that rows that others
   * have locked do not stop the statements of everybody else.
   */
  readonly lockTimeoutMs?: number;
}

/**
 * Planning the largest statement takes a few milliseconds, so replanning this often costs next to
 * nothing.
 */
const DEFAULT_PLAN_TTL_MS = 5_000;

const DEFAULT_LOCK_TIMEOUT_MS = 500;

/** After a lost connection a statement is sent once more. */
const MAX_ATTEMPTS = 2;

/**
 * Returns a function that runs statements on a connection of its own: see `DedicatedConnection`.
 */
export function dedicatedConnection(
  database: Database,
  name: string,
  options: DedicatedConnectionOptions = {},
): RunStatement {
  const connection = new DedicatedConnection(database, name, options);
  return (statement, values) => connection.query(statement, values);
}

/**
 * A connection for the prepared set-based statements of the hot path. It connects on first use, and
 * again after the connection was lost.
 */
class DedicatedConnection {
  readonly #database: Database;
  readonly #name: string;
  readonly #options: Required<DedicatedConnectionOptions>;
  #client: Promise<pg.Client> | undefined;
  #plansDiscardedAt = 0;

  constructor(database: Database, name: string, options: DedicatedConnectionOptions) {
    this.#database = database;
    this.#name = name;
    this.#options = {
      planTtlMs: DEFAULT_PLAN_TTL_MS,
      durable: true,
      allowSeqScan: false,
      readOnly: false,
      lockTimeoutMs: DEFAULT_LOCK_TIMEOUT_MS,
      ...options,
    };
  }

  /**
   * Runs a statement that is safe to repeat. It is repeated after a deadlock, and once after the
   * connection was lost, when it is unknown whether it was committed.
   */
  async query<Row extends pg.QueryResultRow>(
    statement: NamedStatement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const { durable, readOnly } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const client = await this.#connect();
        await this.#discardOldPlans(client);
        const result = await client.query<Row>({ ...statement, values: [...values] });
        this.#database.responses.record(durable && !readOnly ? this.#name : undefined);
        return result.rows;
      } catch (error) {
        const deadlock = isDeadlock(error);
        if (!isStatementFailure(error)) this.#disconnect();
        if (!readOnly && isWriteFailure(error)) this.#database.responses.recordWriteFailure(this.#name);
        const retryable = deadlock || isDatabaseUnavailable(error) || isReadOnly(error);
        if (!retryable || attempt >= (deadlock ? MAX_DEADLOCK_ATTEMPTS : MAX_ATTEMPTS)) throw error;
      }
    }
  }

  /**
   * PostgreSQL would keep a plan made for an empty table while the table grows to a million rows.
   */
  async #discardOldPlans(client: pg.Client): Promise<void> {
    const now = performance.now();
    if (now - this.#plansDiscardedAt < this.#options.planTtlMs) return;
    this.#plansDiscardedAt = now;
    await client.query('DISCARD PLANS');
  }

  #connect(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client = this.#open();
    this.#client = client;
    const forget = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.then((connected) => connected.once('end', forget), forget);
    return client;
  }

  async #open(): Promise<pg.Client> {
    const client = await this.#database.connectDedicated(this.#name);
    const { lockTimeoutMs, allowSeqScan, durable } = this.#options;
    const settings = [
      `SET lock_timeout = ${lockTimeoutMs}`,
      ...(allowSeqScan ? [] : ['SET enable_seqscan = off', 'SET jit = off']),
      ...(durable ? [] : ['SET synchronous_commit = off']),
    ];
    await client.query(settings.join('; '));
    this.#plansDiscardedAt = performance.now();
    return client;
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.then(
      (connected) => connected.end().catch(() => undefined),
      () => undefined,
    );
  }
}
