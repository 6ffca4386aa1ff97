import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Demo } from '#app/demo.ts';
import { makePlace, sleep, type Place, type Run } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { startSystemDatabase, type SystemDatabase } from './system-database.ts';

export const PARTS = ['api', 'worker', 'database'] as const;
export type Part = (typeof PARTS)[number];

const TIMEOUT_MS = 90_000;

/**
 * API, worker and database as three programs, and a webhook receiver that outlives them. Whatever
 * ends is restarted, as by a supervisor; the database returns at the same address.
 */
export class System {
  readonly receiver: Receiver;
  readonly #place: Place;
  readonly #directory: string;
  readonly #database: SystemDatabase;
  readonly #runs = new Map<'api' | 'worker', Run>();
  #wanted = true;
  #supervision: Promise<void> = Promise.resolve();
  /** The number of starts of each part, including the first. */
  readonly starts: Record<Part, number> = { api: 0, worker: 0, database: 0 };

  private constructor(receiver: Receiver, place: Place, directory: string, database: SystemDatabase) {
    this.receiver = receiver;
    this.#place = place;
    this.#directory = directory;
    this.#database = database;
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<System> {
    const [receiver, directory] = await Promise.all([
      startReceiver(),
      mkdtemp(join(tmpdir(), 'gateway-system-')),
    ]);
    const authority = join(directory, 'receiver.pem');
    await writeFile(authority, receiver.authority);
    const database = await startSystemDatabase();
    const place = await makePlace({
      DATABASE_URL: database.url,
      MODE: 'sandbox',
      NODE_EXTRA_CA_CERTS: authority,
      ...settings,
    });
    const system = new System(receiver, place, directory, database);
    system.starts.database += 1;
    system.#supervision = system.#supervise();
    await system.untilHealthy();
    return system;
  }

  async demo(): Promise<Demo> {
    const demo: Demo = JSON.parse(await readFile(join(this.#place.dataDir, 'demo.json'), 'utf8'));
    return demo;
  }

  /** Sends SIGKILL to all processes of a part at once. */
  async kill(part: Part): Promise<void> {
    if (part === 'database') await this.#database.kill();
    else this.#runs.get(part)?.signal('SIGKILL');
  }

  async #supervise(): Promise<void> {
    while (this.#wanted) {
      for (const part of ['api', 'worker'] as const) {
        if (this.#runs.get(part)?.isAlive() === true) continue;
        this.#runs.set(part, this.#place.run([part]));
        this.starts[part] += 1;
      }
      if (await this.#database.revive()) this.starts.database += 1;
      await sleep(50);
    }
  }

  /** Resolves when the API is healthy and the worker has polled. */
  async untilHealthy(): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    const runs = (part: 'api' | 'worker'): boolean => {
      const run = this.#runs.get(part);
      return run?.isAlive() === true && run.stdout().includes('is running');
    };
    for (;;) {
      if (runs('api') && runs('worker')) {
        const response = await fetch(`http://127.0.0.1:${this.#place.port}/v1/health`).catch(() => undefined);
        await response?.body?.cancel();
        if (response?.status === 200) return;
      }
      if (performance.now() > deadline) {
        const said = [...this.#runs].map(([part, run]) => `${part}: ${run.stderr()}`).join('\n');
        throw new Error(`the system does not come back: ${said}`);
      }
      await sleep(20);
    }
  }

  async end(): Promise<void> {
    this.#wanted = false;
    await this.#supervision;
    await this.#place.remove();
    await this.#database.stop();
    await this.receiver.close();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
