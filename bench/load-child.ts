/**
 * The load generator. Writes HTTP/1.1 to bare sockets: a client library would cost as much as the
 * server under test, on the same cores.
 */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';

import type { Call, LoadPlan, LoadReply, LoadResult, Work } from './load.ts';

/** Grace period after the round. Then the process exits, whatever the server does. */
const PATIENCE_MS = 30_000;

const HEAD_END = Buffer.from('\r\n\r\n');

interface HttpResponse {
  readonly status: number;
  readonly text: () => string;
}

/** A keep-alive connection with at most one request in flight. */
class Connection {
  readonly #socket: Socket;
  #received: Buffer | undefined;
  #answered: ((response: HttpResponse) => void) | undefined;
  #broken: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#broken?.(error));
    socket.on('close', () => this.#broken?.(new Error('the server closed a connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  ask(request: string): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#broken = reject;
      this.#socket.write(request, 'latin1');
    });
  }

  close(): void {
    this.#broken = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const received = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk]);
    const response = parse(received);
    this.#received = response === undefined ? received : undefined;
    if (response !== undefined) this.#answered?.(response);
  }
}

/** Parses the status line and Content-Length; undefined until the response is complete. */
function parse(received: Buffer): HttpResponse | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`);
  const start = headEnd + HEAD_END.length;
  if (received.length < start + Number(length)) return undefined;
  return { status: Number(head.slice(9, 12)), text: () => received.toString('utf8', start) };
}

/** Returns the text of the next request; undefined if there are no more. */
function requestsOf(work: Work): () => string | undefined {
  let next = 0;
  if (work.kind === 'create' || work.kind === 'create-card') {
    const createBody = work.kind === 'create' ? pixBody : cardBody;
    const heads = work.apiKeys.map((apiKey) => postHead('transactions', apiKey, createBody(100_000)));
    return () => {
      const n = next++;
      // Six digits, so that the length is constant.
      return `${heads[n % heads.length]}${randomUUID()}\r\n\r\n${createBody(100_000 + (n % 900_000))}`;
    };
  }
  if (work.kind === 'withdraw') {
    const body = JSON.stringify({
      amount: work.amount,
      method: 'PIX',
      pixKey: '529.982.247-25',
      pixKeyType: 'CPF',
    });
    const heads = work.apiKeys.map((apiKey) => postHead('withdrawals', apiKey, body));
    return () => `${heads[next++ % heads.length]}${randomUUID()}\r\n\r\n${body}`;
  }
  const texts = work.calls.map(callText);
  return work.kind === 'once' ? () => texts[next++] : () => texts[next++ % texts.length];
}

const pixBody = (amount: number): string => bodyOf(amount, '"method":"PIX"');

const cardBody = (amount: number): string =>
  bodyOf(
    amount,
    '"method":"CREDIT_CARD","installments":1,"card":{"number":"4111111111111111","holderName":"ANA SOUZA",' +
      '"expirationMonth":12,"expirationYear":2049,"cvv":"123","ip":"203.0.113.7"}',
  );

const bodyOf = (amount: number, payment: string): string =>
  `{"amount":${amount},${payment},"customer":{"name":"Ana Souza","email":"ana@example.com",` +
  `"phone":"11987654321","documentType":"CPF","document":"52998224725"},` +
  `"items":[{"title":"Caneca","amount":${amount},"quantity":1,"tangible":true}]}`;

/** The head of a request without its key. All bodies have the same length. */
const postHead = (path: string, apiKey: string, body: string): string =>
  `POST /v1/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n` +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\nidempotency-key: `;

const callText = ({ method, path, apiKey }: Call): string =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n` +
  `${method === 'POST' ? 'content-length: 0\r\n' : ''}\r\n`;

async function run(plan: LoadPlan): Promise<LoadResult> {
  const next = requestsOf(plan.work);
  const ports = [plan.port].flat();
  const connections = await Promise.all(
    Array.from({ length: plan.callers }, (_, n) => Connection.open(ports[n % ports.length] ?? 0)),
  );
  const latencies: number[] = [];
  let asked = 0;
  let refused = 0;
  let done = 0;
  let errors = 0;
  let firstError: string | undefined;
  const start = performance.now();
  const end = start + plan.seconds * 1000;
  let last = start;

  async function call(connection: Connection): Promise<void> {
    for (let sent = performance.now(); sent < end; sent = last) {
      const request = asked < (plan.limit ?? Infinity) ? next() : undefined;
      if (request === undefined) return;
      asked += 1;
      const response = await connection.ask(request);
      const now = performance.now();
      last = now;
      if (response.status === plan.status) {
        done += 1;
        if (now <= end) latencies.push(now - sent);
      } else if (response.status === plan.refusal) {
        refused += 1;
      } else {
        errors += 1;
        firstError ??= `${response.status} ${response.text()}`;
      }
    }
  }

  try {
    await Promise.all(connections.map(call));
  } finally {
    for (const connection of connections) connection.close();
  }
  return {
    answered: latencies.length,
    refused,
    done,
    seconds: (Math.min(last, end) - start) / 1000,
    latencies: Float64Array.from(latencies),
    errors,
    firstError,
  };
}

async function serve(plan: LoadPlan): Promise<void> {
  const cutOff = setTimeout(() => process.exit(1), plan.seconds * 1000 + PATIENCE_MS);
  let reply: LoadReply;
  try {
    reply = { result: await run(plan) };
  } catch (error) {
    reply = { failure: error instanceof Error ? error.message : 'unknown' };
  }
  clearTimeout(cutOff);
  process.send?.(reply);
}

process.on('message', (plan: LoadPlan) => void serve(plan));
// The parent process has exited.
process.on('disconnect', () => process.exit());
