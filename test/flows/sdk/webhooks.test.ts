import { createServer, type Server } from 'node:http';

import express from 'express';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { freePort } from '#test/support/free-port.ts';
import { makePlaceOnServer, type Place, type Program } from '#test/support/process.ts';

import { Vereda, VeredaSignatureError, type WebhookEvent } from '../../../packages/sdk/src/index.ts';

const WAIT = { timeout: 20_000, interval: 50 };

let place: Place;
let program: Program;
let vereda: Vereda;
let server: FastifyInstance;
let expressServer: Server;
let expressHook: string;
let hook: string;
let secret = '';

interface Verified {
  readonly fastify: WebhookEvent;
  readonly fetch: WebhookEvent;
  readonly express: unknown;
  readonly forged: unknown;
}

const verified: Verified[] = [];

/** A route handler of Next.js and of other frameworks with the Request of fetch. */
async function handleRequest(request: Request): Promise<WebhookEvent> {
  return vereda.webhooks.verify(await request.text(), request.headers, secret);
}

async function startExpress(): Promise<void> {
  const app = express().post('/hook', express.raw({ type: 'application/json' }), (request, response) => {
    response.json(vereda.webhooks.verify(request.body, request.headers, secret));
  });
  const port = await freePort();
  expressServer = createServer(app).listen(port, '127.0.0.1');
  expressHook = `http://127.0.0.1:${port}/hook`;
}

async function postToExpress(body: string, signed: Headers): Promise<unknown> {
  const headers = new Headers(signed);
  headers.set('content-type', 'application/json');
  return (await fetch(expressHook, { method: 'POST', headers, body })).json();
}

function verifyForged(body: Buffer, headers: Record<string, string | string[] | undefined>): unknown {
  try {
    return vereda.webhooks.verify(`${body.toString()} `, headers, secret);
  } catch (error) {
    return error;
  }
}

beforeAll(async () => {
  place = await makePlaceOnServer();
  program = await place.start();
  vereda = new Vereda({ apiKey: program.demo.apiKey, baseUrl: program.baseUrl });
  server = fastify();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  server.post<{ Body: Buffer }>('/hook', async ({ body, headers }) => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = new Headers(names.map((name): [string, string] => [name, String(headers[name])]));
    const init = { method: 'POST', headers: signed, body: body.toString() };
    verified.push({
      fastify: vereda.webhooks.verify(body, headers, secret),
      fetch: await handleRequest(new Request('https://shop.example/hook', init)),
      express: await postToExpress(init.body, signed),
      forged: verifyForged(body, headers),
    });
    return {};
  });
  await startExpress();
  hook = `${await server.listen({ host: '127.0.0.1', port: 0 })}/hook`;
}, 60_000);
afterAll(async () => {
  await server.close();
  expressServer.close();
  await program.end();
  await place.remove();
}, 30_000);

it(
  'verifies events that the gateway signed, with the raw bodies of Fastify, Express and fetch',
  { timeout: 60_000 },
  async () => {
    const listener = place.runScript('packages/cli/src/main.ts', ['listen', '--forward-to', hook], {
      XDG_STATE_HOME: place.dataDir,
      XDG_CONFIG_HOME: place.dataDir,
    });
    await vi.waitFor(() => expect(listener.stdout()).toContain('Ready.'), WAIT);
    secret = /whsec_\S+/.exec(listener.stdout())?.[0] ?? '';
    const { id } = await vereda.transactions.create({
      amount: 1500,
      method: 'PIX',
      customer: {
        name: 'Ana Conceição',
        email: 'ana@example.com',
        phone: '11987654321',
        documentType: 'CPF',
        document: '52998224725',
      },
      items: [{ title: 'Caneca', amount: 1500, quantity: 1, tangible: true }],
    });
    await vereda.sandbox.payTransaction(id);
    await vi.waitFor(() => expect(verified).toHaveLength(1), WAIT);
    const [event] = verified;
    expect(event?.fastify).toMatchObject({ event: 'TRANSACTION_UPDATED', data: { id, status: 'PAID' } });
    expect(event?.fetch).toEqual(event?.fastify);
    expect(event?.express).toEqual(event?.fastify);
    expect(event?.forged).toBeInstanceOf(VeredaSignatureError);
  },
);
