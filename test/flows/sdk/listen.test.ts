import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { makePlaceOnServer, type Place, type Program, type Run } from '#test/support/process.ts';

const WAIT = { timeout: 20_000, interval: 50 };

interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  readonly body: any;
}

let place: Place;
let program: Program;
let server: Server;
let hook: string;
const posted: Posted[] = [];
let status = 200;
let state = 0;
/** Requests after this many are not answered. */
let answered = Infinity;

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  posted.push({ headers: request.headers, text: body, body: JSON.parse(body) as unknown });
  if (posted.length > answered) return;
  response.writeHead(status, { location: '/elsewhere' }).end();
}

beforeAll(async () => {
  place = await makePlaceOnServer();
  server = createServer((request, response) => void take(request, response));
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  hook = `http://localhost:${port}/hook`;
  program = await place.start();
}, 60_000);
afterAll(async () => {
  await program.end();
  await place.remove();
  server.closeAllConnections();
  server.close();
}, 30_000);

/** Runs the command line with a state folder of its own. */
const vereda = (args: readonly string[], settings: Record<string, string> = {}): Run =>
  place.runScript('packages/cli/src/main.ts', args, {
    XDG_CONFIG_HOME: join(place.dataDir, 'config'),
    XDG_STATE_HOME: join(place.dataDir, `state-${state}`),
    ...settings,
  });

async function started(command: readonly string[], settings = {}): Promise<Run> {
  const listener = vereda(['listen', ...command], settings);
  await vi.waitFor(() => expect(listener.stdout()).toContain('Ready.'), WAIT);
  return listener;
}

async function paidCharge(): Promise<string> {
  const id = String((await program.client.charge()).body.data.id);
  expect((await program.client.post(`/sandbox/transactions/${id}/pay`)).status).toBe(200);
  return id;
}

const postedIds = (): readonly string[] => posted.map(({ body }) => String(body.data.id));

/** Starts a listener and waits until the receiver holds the request after `count`. */
async function holdAfter(count: number, start: () => Promise<Run>): Promise<Run> {
  answered = count;
  const listener = await start();
  await vi.waitFor(() => expect(posted).toHaveLength(count + 1), WAIT);
  answered = Infinity;
  return listener;
}

beforeEach(() => {
  state += 1;
  status = 200;
  posted.length = 0;
});

describe('vereda listen', { timeout: 60_000 }, () => {
  it('forwards new events, signed and in order, and prints the responses', async () => {
    await paidCharge();
    const listener = await started(['--forward-to', hook]);
    const ids = [await paidCharge(), await paidCharge()];
    await vi.waitFor(() => expect(postedIds()).toEqual(ids), WAIT);
    const secret = /whsec_\S+/.exec(listener.stdout())?.[0] ?? '';
    for (const { text: body, headers } of posted) {
      const named = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        headers[name],
      ]);
      expect(new Webhook(secret).verify(body, Object.fromEntries(named))).toMatchObject({
        event: 'TRANSACTION_UPDATED',
      });
    }
    status = 302;
    const third = await paidCharge();
    await vi.waitFor(() => expect(listener.stdout()).toContain(`${third}  → 302 in `), WAIT);
    expect(listener.stdout()).toContain(`TRANSACTION_UPDATED  ${ids[0]}  → 200 in `);
    expect(listener.stdout() + listener.stderr()).not.toContain(program.demo.apiKey);

    const asked = performance.now();
    listener.signal('SIGINT');
    expect(await listener.exit()).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - asked).toBeLessThan(1_000);
  });

  it('loses no events over kills of itself and of the gateway, and keeps the order', async () => {
    const command = ['--forward-to', hook, '--url', `http://127.0.0.1:${place.port}/`];
    const settings = { VEREDA_API_KEY: program.demo.apiKey };
    let listener = await started(command, settings);
    const ids = [await paidCharge()];
    await vi.waitFor(() => expect(postedIds()).toEqual(ids), WAIT);
    // Payments just before the kill of the gateway are reported after the restart.
    ids.push(await paidCharge(), await paidCharge());
    await program.killAll();
    await vi.waitFor(() => expect(listener.stdout()).toContain('does not respond'), WAIT);
    program = await place.start();
    ids.push(await paidCharge());
    await vi.waitFor(() => expect(postedIds()).toEqual(ids), WAIT);
    expect(listener.stdout()).toContain('Reconnected. No events were missed.');

    const secret = /whsec_\S+/.exec(listener.stdout())?.[0];
    listener.signal('SIGKILL');
    await listener.exit();
    ids.push(await paidCharge(), await paidCharge());
    listener = await started(command, settings);
    await vi.waitFor(() => expect(new Set(postedIds())).toEqual(new Set(ids)), WAIT);
    expect(/whsec_\S+/.exec(listener.stdout())?.[0]).toBe(secret);
    // The event that was being forwarded at the kill may have been posted twice.
    expect(postedIds().filter((id, at, all) => all.indexOf(id) === at)).toEqual(ids);
    listener.signal('SIGTERM');
    expect((await listener.exit()).code).toBe(0);
  });

  it('forwards the rest of a page after a kill between its events', async () => {
    const first = await started(['--forward-to', hook, '--json']);
    first.signal('SIGKILL');
    await first.exit();
    const ids = [await paidCharge(), await paidCharge(), await paidCharge()];
    const second = await holdAfter(1, () => started(['--forward-to', hook, '--json']));
    second.signal('SIGKILL');
    await second.exit();
    const third = await started(['--forward-to', hook, '--json']);
    await vi.waitFor(() => expect(new Set(postedIds())).toEqual(new Set(ids)), WAIT);
    // The second event was held when the listener was killed, so it is posted again, the first not.
    expect(postedIds()).toEqual([ids[0], ids[1], ids[1], ids[2]]);
    third.signal('SIGTERM');
    await third.exit();
  });

  it('waits for a receiver that is down, and then forwards all events once, in order', async () => {
    const port = await freePort();
    const listener = await started(['--forward-to', `http://127.0.0.1:${port}/hook`]);
    const ids = [await paidCharge(), await paidCharge()];
    await vi.waitFor(
      () => expect(listener.stdout()).toContain(`${ids[0]}  → no response (ECONNREFUSED); retrying`),
      WAIT,
    );
    const late = createServer((request, response) => void take(request, response));
    late.listen(port, '127.0.0.1');
    try {
      await vi.waitFor(() => expect(postedIds()).toEqual(ids), WAIT);
      await vi.waitFor(() => expect(listener.stdout()).toContain(`${ids[1]}  → 200 in `), WAIT);
    } finally {
      late.closeAllConnections();
      late.close();
    }
    listener.signal('SIGINT');
    expect((await listener.exit()).code).toBe(0);
  });

  it('--latest skips the events since the last run', async () => {
    const first = await started(['--forward-to', hook]);
    first.signal('SIGTERM');
    await first.exit();
    await paidCharge();
    const second = await started(['--forward-to', hook, '--latest']);
    const id = await paidCharge();
    await vi.waitFor(() => expect(postedIds()).toEqual([id]), WAIT);
    second.signal('SIGTERM');
    await second.exit();
  });

  it.each([
    [[], {}, 2, '--forward-to'],
    [['--forward-to', 'localhost:3000'], {}, 2, '--forward-to must be a URL'],
    [['--forward-to', 'http://localhost:3000', '--sk_test_x'], {}, 2, 'unknown option'],
    [['--forward-to', 'http://localhost:3000', '--url', 'x'], {}, 2, '--url must be a URL'],
    [['--forward-to', 'http://localhost:3000'], { DATA_DIR: '/none' }, 2, 'an API key is required'],
    [['--forward-to', 'http://localhost:3000'], { VEREDA_API_KEY: 'sk_test_wrong' }, 1, 'this API key'],
  ] as const)('reports invalid usage: %j', async (args, settings, code, words) => {
    const url = 'VEREDA_API_KEY' in settings ? { VEREDA_URL: program.baseUrl } : {};
    const exit = await vereda(['listen', ...args], { ...settings, ...url }).exit();
    expect(exit.code).toBe(code);
    expect(exit.stderr).toContain(words);
    expect(exit.stderr).not.toMatch(/sk_test_(x|wrong)/);
  });
});
