import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type pg from 'pg';
import { expect, vi } from 'vitest';

import type { FailPoint } from '#platform/kit/fail-points.ts';
import type { ApiResponse, CallOptions, Client } from '#test/support/client.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import {
  makePlace,
  sleep,
  type Place,
  type Program,
  type Run,
  type Settings,
} from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

export const SOON = { timeout: 40_000, interval: 50 };

/**
 * A scenario: the steps to a fail point, and what must hold once the next process has taken over.
 */
export type Scenario<On extends Stage = Stage> = (stage: On) => Promise<() => Promise<void>>;

/** One database and one data directory, on which a process dies at one point after another. */
export class Stage {
  readonly database: TestDatabase;
  readonly receiver: Receiver;
  readonly #place: Place;
  #program: Program | undefined;

  private constructor(database: TestDatabase, receiver: Receiver, place: Place) {
    this.database = database;
    this.receiver = receiver;
    this.#place = place;
  }

  static async set(settings: Settings): Promise<Stage> {
    const [database, receiver] = await Promise.all([cloneDatabase(), startReceiver()]);
    const place = await makePlace({ DATABASE_URL: database.url, MODE: 'sandbox', ...settings });
    const authority = join(place.dataDir, 'receiver.pem');
    await writeFile(authority, receiver.authority);
    const stage = new Stage(database, receiver, {
      ...place,
      start: (extra) => place.start({ NODE_EXTRA_CA_CERTS: authority, ...extra }),
    });
    await stage.start();
    const limits = {
      requestsPerMinute: 10_000_000,
      creationsPerMinute: 10_000_000,
      negativeBalanceUpTo: 1_000_000,
    };
    await stage.operate('PATCH', `/admin/sellers/${stage.program.demo.seller.id}`, limits);
    return stage;
  }

  get program(): Program {
    if (this.#program === undefined) throw new Error('no process is running');
    return this.#program;
  }

  get client(): Client {
    return this.program.client;
  }

  async start(settings: Settings = {}): Promise<void> {
    this.#program = await this.#place.start(settings);
  }

  /** Runs a command of the program in addition to the running process. */
  command(words: readonly string[], settings: Settings): ReturnType<Run['exit']> {
    return this.#place.run(words, settings).exit(60_000);
  }

  /** Waits until the chain covers every entry. */
  untilSealed(): Promise<void> {
    return vi.waitFor(async () => {
      const [found] = await this.query<{ booked: number; chained: number }>(
        `SELECT (SELECT sum(entries) FROM wallets)::integer AS booked,
          (SELECT coalesce(sum(entries), 0)
            FROM (SELECT max(entries) AS entries FROM ledger_chain GROUP BY seller_id) s
          )::integer AS chained`,
      );
      expect(found?.booked).toBeGreaterThan(0);
      expect(found?.chained).toBe(found?.booked);
    }, SOON);
  }

  /** Stops the running process, and starts one that dies when it reaches the point. */
  async arm(point: FailPoint): Promise<void> {
    await this.program.end();
    try {
      await this.start({ FAIL_POINT: point });
    } catch {
      // Pending work of an earlier scenario reached the point. A process without it completes that
      // work.
      await this.start();
      await sleep(2_000);
      await this.program.end();
      await this.start({ FAIL_POINT: point });
    }
  }

  /**
   * Waits until the process has been killed at its point, and starts the next one; returns how the
   * first one ended.
   */
  async dead(): Promise<NodeJS.Signals | null> {
    const { signal } = await this.program.exit(40_000);
    await this.start();
    return signal;
  }

  async clear(): Promise<void> {
    await this.#place.remove();
    await this.database.drop();
    await this.receiver.close();
  }

  /** A request that the killed process may leave without a response. */
  lost(call: Promise<unknown>): void {
    call.catch(() => undefined);
  }

  async adminToken(): Promise<string> {
    const { client, demo } = this.program;
    const signedIn = await client.post('/login', demo.admin, { credential: 'none' });
    return String(signedIn.body.accessToken);
  }

  /** Sends a request as the operator. */
  async operate(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<ApiResponse> {
    return this.client.call(method, path, body, { ...options, token: await this.adminToken() });
  }

  async advance(advanceSeconds: number): Promise<void> {
    const moved = await this.operate('POST', '/sandbox/clock', { advanceSeconds });
    expect(moved.status).toBe(200);
  }

  query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return this.database.query<Row>(text, values);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  async read(path: string): Promise<any> {
    const response = await this.client.get(path);
    expect(response.status).toBe(200);
    return response.body.data;
  }

  async charge(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const made = await this.client.charge(changes);
    expect(made.status).toBe(201);
    return String(made.body.data.id);
  }

  pay = (id: string): Promise<ApiResponse> => this.client.post(`/sandbox/transactions/${id}/pay`);

  async paid(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const id = await this.charge(changes);
    expect((await this.pay(id)).status).toBe(200);
    return id;
  }

  until(path: string, wanted: Readonly<Record<string, unknown>>): Promise<void> {
    return vi.waitFor(async () => expect(await this.read(path)).toMatchObject(wanted), SOON);
  }

  /**
   * The statement lines of a charge or a withdrawal: how often each cause moved money, oldest
   * first.
   */
  async causesOf(recordId: string): Promise<readonly string[]> {
    const lines = await this.read(`/seller-wallet/entries?recordId=${recordId}&take=100`);
    return lines.map(({ cause }: { readonly cause: string }) => cause).toReversed();
  }

  /** The same request again returns the committed response, twice with the same bytes. */
  async repeats(again: () => Promise<ApiResponse>, status: number): Promise<ApiResponse> {
    const responses = [await again(), await again()];
    for (const response of responses) {
      expect(response.status).toBe(status);
      expect(response.headers.get('idempotency-replayed')).toBe('true');
      expect(response.text).toBe(responses[0]?.text);
    }
    return responses[1] ?? again();
  }

  async expectBalanced(): Promise<void> {
    const check = await this.operate('GET', '/admin/ledger/check');
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
  }

  /** The idempotency key of a request and the marker by which its records are counted. */
  marked(): { readonly idempotencyKey: string; readonly metadata: { readonly mark: string } } {
    return { idempotencyKey: randomUUID(), metadata: { mark: randomUUID() } };
  }

  async expectOne(what: 'transactions' | 'withdrawals', { mark }: { readonly mark: string }): Promise<void> {
    const { data } = (await this.client.get(`/${what}?metadataKey=mark&metadataValue=${mark}`)).body;
    expect(data).toHaveLength(1);
  }

  /** A separate endpoint. Its deliveries are counted by record. */
  async hook(eventType = 'TRANSACTION'): Promise<{ readonly id: string; readonly secret: string }> {
    const made = await this.client.post('/webhooks', { url: this.receiver.url, eventType });
    expect(made.status).toBe(201);
    return made.body.data;
  }

  callsOf(recordId: string) {
    return this.receiver.received.filter((call) => call.body.data.id === recordId);
  }

  /** The record has this many calls, all of one event, and the delivery succeeded. */
  async expectDelivered(recordId: string, calls: number): Promise<void> {
    await vi.waitFor(async () => {
      const [delivery] = await this.read(`/webhooks/deliveries?recordId=${recordId}`);
      expect(delivery).toMatchObject({ status: 'DELIVERED' });
    }, SOON);
    const reported = this.callsOf(recordId);
    expect(reported).toHaveLength(calls);
    expect(new Set(reported.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(reported.map(({ text }) => text)).size).toBe(1);
  }
}
