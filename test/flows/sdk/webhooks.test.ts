import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { makePlace, type Place, type Program } from '#test/support/process.ts';

import { Vereda, VeredaSignatureError, type WebhookEvent } from '../../../packages/sdk/src/index.ts';

const WAIT = { timeout: 20_000, interval: 50 };

let place: Place;
let program: Program;
let vereda: Vereda;
let server: FastifyInstance;
let hook: string;
let secret = '';
const verified: { readonly fastify: WebhookEvent; readonly fetch: WebhookEvent; readonly forged: unknown }[] =
  [];

/** A route handler of Next.js and of other frameworks with the Request of fetch. */
async function handleRequest(request: Request): Promise<WebhookEvent> {
  return vereda.webhooks.verify(await request.text(), request.headers, secret);
}

function verifyForged(body: Buffer, headers: Record<string, string | string[] | undefined>): unknown {
  try {
    return vereda.webhooks.verify(`${body.toString()} `, headers, secret);
  } catch (error) {
    return error;
  }
}

beforeAll(async () => {
  place = await makePlace();
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
    const request = new Request('https://shop.example/hook', {
      method: 'POST',
      headers: signed,
      body: body.toString(),
    });
    verified.push({
      fastify: vereda.webhooks.verify(body, headers, secret),
      fetch: await handleRequest(request),
      forged: verifyForged(body, headers),
    });
    return {};
  });
  hook = `${await server.listen({ host: '127.0.0.1', port: 0 })}/hook`;
}, 60_000);
afterAll(async () => {
  await server.close();
  await program.end();
  await place.remove();
}, 30_000);

it(
  'verifies events that the gateway signed, with the raw bodies of Fastify and of fetch',
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
    expect(event?.forged).toBeInstanceOf(VeredaSignatureError);
  },
);
