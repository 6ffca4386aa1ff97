import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createClient, type Client } from '#test/support/client.ts';
import {
  descendants,
  makePlace,
  processTable,
  sleep,
  type Place,
  type Program,
} from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const PROCESSES = 3;

let place: Place;
let program: Program;
let receiver: Receiver;
let agents: Agent[];
/** Each has a connection of its own, and connections are dealt out to the processes in turn. */
let clients: Client[];
let token: string;

beforeAll(async () => {
  receiver = await startReceiver();
  place = await makePlace();
  const authority = join(place.dataDir, 'authority.pem');
  await writeFile(authority, receiver.authority);
  program = await place.start({ NODE_EXTRA_CA_CERTS: authority }, ['--processes', String(PROCESSES)]);
  agents = Array.from({ length: 2 * PROCESSES }, () => new Agent({ connections: 1 }));
  const { baseUrl, apiKey, admin } = program.demo;
  clients = agents.map((dispatcher) => createClient(baseUrl, apiKey, { dispatcher }));
  token = (await program.client.post('/login', admin, { credential: 'none' })).body.accessToken;
});

afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.destroy()));
  await place.remove();
  await receiver.close();
});

async function apiProcesses(): Promise<readonly number[]> {
  const table = await processTable();
  const nodes = table.filter(({ parent }) => parent === program.pid);
  const server = await place.postgres();
  // The database's guard is a child of the first process too.
  return nodes.filter(({ pid }) => pid !== server?.guard).map(({ pid }) => pid);
}

const metrics = async () => (await fetch(`http://127.0.0.1:${place.port}/metrics`)).text();

/** Asks through every connection, in turn. */
const turn = (n: number): Client => clients[n % clients.length] ?? program.client;

describe('several processes on one port', () => {
  it('are as many as were asked for', async () => {
    expect(await apiProcesses()).toHaveLength(PROCESSES);
  });

  it('count one allowance together, to the request (C6)', async () => {
    const { id } = program.demo.seller;
    const limit = { requestsPerMinute: 40 };
    await program.client.patch(`/admin/sellers/${id}`, limit, { token });
    // What a process knows of a seller is half a second old at most.
    await sleep(600);
    const made = await program.client.post(`/admin/sellers/${id}/api-keys`, { name: 'rates' }, { token });
    const options = { apiKey: made.body.data.key };
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => turn(n).get('/seller-wallet/gestao', options)),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    await program.client.patch(`/admin/sellers/${id}`, { requestsPerMinute: 1_000_000 }, { token });
    await sleep(600);
  });

  it('make one record of one key, whichever is asked (C4)', async () => {
    const idempotencyKey = crypto.randomUUID();
    const answers = await Promise.all(clients.map((client) => client.charge({}, { idempotencyKey })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 201));
  });

  it('know within a second that a key was deleted (C5)', async () => {
    const { id } = program.demo.seller;
    const made = await program.client.post(`/admin/sellers/${id}/api-keys`, { name: 'short' }, { token });
    const { key, id: keyId } = made.body.data;
    const ask = () =>
      Promise.all(clients.map((client) => client.get('/seller-wallet/gestao', { apiKey: key })));
    expect((await ask()).map(({ status }) => status)).toEqual(clients.map(() => 200));
    await program.client.delete(`/api-keys/${keyId}`);
    await sleep(1_000);
    expect((await ask()).map(({ status }) => status)).toEqual(clients.map(() => 401));
  });

  it('follow the clock that one of them moved (C14)', async () => {
    const charge = await program.client.charge({ expiration: 600 });
    const moved = await turn(1).post('/sandbox/clock', { advanceSeconds: 700 }, { token });
    expect(moved.status).toBe(200);
    await vi.waitFor(
      async () => {
        const answers = await Promise.all(
          clients.map((client) => client.get(`/transactions/${charge.body.data.id}`)),
        );
        expect(answers.map(({ body }) => body.data.status)).toEqual(clients.map(() => 'FAILED'));
      },
      { timeout: 2_000, interval: 50 },
    );
    // Each looks at the clock twice a second; then what it makes begins after the move.
    await vi.waitFor(
      async () => {
        const made = await Promise.all(clients.map((client) => client.charge()));
        for (const { body } of made) {
          const passed = Date.parse(body.data.createdAt) - Date.parse(charge.body.data.createdAt);
          expect(passed).toBeGreaterThan(690_000);
        }
      },
      { timeout: 2_000, interval: 200 },
    );
  });

  it('wake the worker, which runs in another process (C12)', async () => {
    const { body } = await program.client.post('/webhooks', { url: receiver.url, eventType: 'TRANSACTION' });
    const before = receiver.received.length;
    const charges = await Promise.all(clients.map((client) => client.charge()));
    const asked = Date.now();
    await Promise.all(
      charges.map((charge, n) => turn(n).post(`/sandbox/transactions/${charge.body.data.id}/pay`)),
    );
    await receiver.waitFor(before + clients.length, 3_000);
    expect(Date.now() - asked).toBeLessThan(3_000);
    await program.client.delete(`/webhooks/${body.data.id}`);
  });

  it('tell together what they measured', async () => {
    const requests = async () => {
      const text = await metrics();
      const lines = text.split('\n').filter((line) => /_count\{.*route="\/v1\/sellers\/me\/fees"/.test(line));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const before = await requests();
    await Promise.all(clients.map((client) => client.get('/sellers/me/fees')));
    await vi.waitFor(async () => expect(await requests()).toBe(before + clients.length), { timeout: 2_000 });
    // The worker's own figures are among them.
    expect(await metrics()).toContain('webhook_');
  });

  it('go on when one of them is killed, and there are as many again soon', async () => {
    const [victim] = await apiProcesses();
    if (victim === undefined) throw new Error('no process');
    process.kill(victim, 'SIGKILL');
    await vi.waitFor(
      async () => {
        const living = await apiProcesses();
        expect(living).not.toContain(victim);
        expect(living).toHaveLength(PROCESSES);
      },
      { timeout: 15_000, interval: 100 },
    );
    const answers = await Promise.all(clients.map((client) => client.charge().catch(() => client.charge())));
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 201));
  });

  it('end all of them when the first is told to, with what is under way finished', async () => {
    const pids = await apiProcesses();
    const answers = Promise.all(clients.map((client) => client.charge()));
    await answers;
    await Promise.all(agents.map((agent) => agent.close()));
    process.kill(program.pid, 'SIGTERM');
    const exit = await program.exit(10_000);
    expect(exit).toMatchObject({ code: 0, signal: null });
    const living = new Set((await processTable()).map(({ pid }) => pid));
    expect(pids.filter((pid) => living.has(pid))).toEqual([]);
    expect(descendants(await processTable(), program.pid)).toEqual([]);
  });
});

describe('a wrong number of processes', () => {
  it.each(['0', '65', 'many'])('is refused in a line: %s', async (wanted) => {
    const own = await makePlace();
    try {
      const exit = await own.run(['start', '--processes', wanted]).exit(10_000);
      expect(exit.code).toBe(1);
      expect(exit.stderr).toContain(`--processes must be an integer from 1 to 64, got "${wanted}"`);
    } finally {
      await own.remove();
    }
  });
});
