import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';

/** Tests of response handling by browsers, for all responses. */

export const TIMEOUT = { timeout: 60_000 };

export let gateway: TestGateway;

/** The same gateway behind TLS. */
export let behindTls: TestNode;

export let origin: string;

export let boletoToken: string;

export let pixAddress: string;

/** The requests per minute of an anonymous client's address. */
const ANONYMOUS_REQUESTS_PER_MINUTE = 100;

let asked = 0;

/** Anonymous clients are counted by the system clock, so this resets their limit. */
function nextMinute(): void {
  asked = 0;
  vi.setSystemTime(Date.now() + 61_000);
}

/** Sends a request as an anonymous client that never reaches its rate limit. */
export async function fetched(path: string, init: RequestInit): Promise<Response> {
  asked += 1;
  if (asked > ANONYMOUS_REQUESTS_PER_MINUTE) nextMinute();
  const response = await fetch(origin + path, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response;
}

export interface Kind {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly type: RegExp;
  /** The expected Cache-Control, unless it is no-store. */
  readonly kept?: string;
  /** The expected policy for scripts, for HTML pages. */
  readonly runs?: string;
}

export const key = (): Readonly<Record<string, string>> => ({ 'x-api-key': gateway.demo.apiKey });

export const json = { 'content-type': 'application/json' };

export async function ask(
  base: string,
  { path, method = 'GET', headers = {}, body }: Kind,
): Promise<Response> {
  const response = await fetch(base + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  await response.arrayBuffer();
  return response;
}

/** Sends bytes and reads until the other side closes the connection. */
export function raw(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const done = () => {
      socket.destroy();
      resolve(response);
    };
    socket.setEncoding('utf8').setTimeout(2_000, done);
    socket.on('data', (part: string) => (response += part));
    socket.on('end', done);
    socket.on('error', (error) => (response === '' ? reject(error) : done()));
  });
}

/** Registers the hooks of a test file. */
export function setUp(): void {
  beforeAll(async () => {
    gateway = await startTestGateway({ environment: SHARED_SECRETS });
    const apiKey = gateway.demo.apiKey;
    behindTls = await startNode({
      databaseUrl: gateway.database.url,
      apiKey,
      environment: { PUBLIC_URL: 'https://pay.example.com' },
    });
    origin = new URL(gateway.baseUrl).origin;
    const charge = await gateway.charge();
    const boleto = await gateway.charge({ method: 'BOLETO' });
    boletoToken = new URL(String(boleto.body.data.boleto.url)).pathname.slice('/boletos/'.length);
    pixAddress = new URL(String(charge.body.data.pix.qrcodeUrl)).pathname;
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    nextMinute();
  });
  afterAll(async () => {
    vi.useRealTimers();
    await behindTls.stop();
    await gateway.stop();
  });
}
