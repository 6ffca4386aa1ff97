import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { makePlace, type Place, type Program, type Run } from '#test/support/process.ts';

const WAIT = { timeout: 20_000, interval: 50 };

interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

let place: Place;
let program: Program;
let server: Server;
let hook: string;
const posted: Posted[] = [];
let status = 200;

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  posted.push({ headers: request.headers, text: body, body: JSON.parse(body) as unknown });
  response.writeHead(status, { location: '/elsewhere' }).end();
}

beforeAll(async () => {
  place = await makePlace();
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

async function started(command: readonly string[], settings = {}): Promise<Run> {
  const listener = place.run(['listen', ...command], settings);
  await vi.waitFor(() => expect(listener.stdout()).toContain('Ready.'), WAIT);
  return listener;
}

async function paidCharge(): Promise<string> {
  const id = String((await program.client.charge()).body.data.id);
  expect((await program.client.post(`/sandbox/transactions/${id}/pay`)).status).toBe(200);
  return id;
}

const postedIds = (): readonly string[] => posted.map(({ body }) => String(body.data.id));

describe('npm run listen', () => {
  it(
    'forwards new events, signed and in order, and prints the responses (C12)',
    { timeout: 60_000 },
    async () => {
      await paidCharge();
      posted.length = 0;
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
      status = 200;
      expect(listener.stdout()).toContain(`TRANSACTION_UPDATED  ${ids[0]}  → 200 in `);
      expect(listener.stdout() + listener.stderr()).not.toContain(program.demo.apiKey);

      const asked = performance.now();
      listener.signal('SIGINT');
      expect(await listener.exit()).toMatchObject({ code: 0, stderr: '' });
      expect(performance.now() - asked).toBeLessThan(1_000);
    },
  );

  it(
    'loses no events while the gateway is unavailable, and keeps the order (C12)',
    { timeout: 120_000 },
    async () => {
      posted.length = 0;
      const listener = await started(['--forward-to', hook, '--url', `http://127.0.0.1:${place.port}/`], {
        VEREDA_API_KEY: program.demo.apiKey,
      });
      const ids = [await paidCharge()];
      await vi.waitFor(() => expect(postedIds()).toEqual(ids), WAIT);
      // Payments just before the stop are reported after the restart.
      ids.push(await paidCharge(), await paidCharge());
      await program.killAll();
      await vi.waitFor(() => expect(listener.stdout()).toContain('does not respond'), WAIT);
      program = await place.start();
      for (let i = 0; i < 5; i += 1) ids.push(await paidCharge());
      await vi.waitFor(() => expect(postedIds()).toEqual(ids), WAIT);
      expect(listener.stdout()).toContain('Reconnected. No events were missed.');
      await program.end();
      program = await place.start();
      ids.push(await paidCharge());
      await vi.waitFor(() => expect(postedIds()).toEqual(ids), WAIT);
      listener.signal('SIGTERM');
      expect((await listener.exit()).code).toBe(0);
    },
  );

  it('reports a refused connection and continues (C12)', { timeout: 60_000 }, async () => {
    const listener = await started(['--forward-to', `http://127.0.0.1:${await freePort()}/`]);
    const id = await paidCharge();
    const failed = 'no response (ECONNREFUSED)';
    await vi.waitFor(() => expect(listener.stdout()).toContain(`${id}  → ${failed}; 4 attempts`), WAIT);
    const lines = listener.stdout().split('\n');
    const reported = lines.filter((line) => line.includes(id)).map((line) => line.replace(/^.*→ /, ''));
    const retries = ['0.5', '1', '2'].map((seconds) => `${failed}; retrying in ${seconds} s`);
    expect(reported).toEqual([...retries, `${failed}; 4 attempts`]);
    // After a failure, later events are tried only once.
    const next = await paidCharge();
    await vi.waitFor(
      () => expect(listener.stdout()).toMatch(new RegExp(`${next}  → .*REFUSED\\)$`, 'm')),
      WAIT,
    );
    listener.signal('SIGINT');
    expect((await listener.exit()).code).toBe(0);
  });

  it(
    'retries events that arrived while the receiver restarted, once and in order (C12)',
    {
      timeout: 60_000,
    },
    async () => {
      posted.length = 0;
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
    },
  );

  it.each([
    [[], {}, '--forward-to is required'],
    [['--forward-to', 'localhost:3000'], {}, '--forward-to must be a URL'],
    [['--forward-to', 'http://localhost:3000', '--sk_test_x'], {}, 'unknown argument'],
    [['--forward-to', 'http://localhost:3000', '--url', 'x'], {}, '--url must be a URL'],
    [['--forward-to', 'http://localhost:3000'], { DATA_DIR: '/nonexistent' }, 'VEREDA_API_KEY is required'],
    [
      ['--forward-to', 'http://localhost:3000'],
      { VEREDA_API_KEY: 'sk_test_wrong' },
      'does not accept this API key',
    ],
  ] as const)('reports invalid usage: %j', { timeout: 30_000 }, async (args, settings, words) => {
    const url = 'VEREDA_API_KEY' in settings ? { VEREDA_URL: program.baseUrl } : {};
    const exit = await place.run(['listen', ...args], { ...settings, ...url }).exit();
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain(words);
    expect(exit.stderr).not.toMatch(/sk_test_(x|wrong)/);
  });
});
