import { randomUUID } from 'node:crypto';

import { Agent } from 'undici';

import type { LoadOptions, Operation } from './options.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** Charges that reads choose from, and that wait for a payment. */
const MAX_STORED = 100_000;

const CUSTOMER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
};

interface Charge {
  readonly id: string;
  readonly apiKey: string;
}

/** The result of one request: its status code, or why there is none. */
export type Outcome = number | 'timeout' | 'connection' | 'nothing to do';

export interface Operations {
  run(operation: Operation): Promise<Outcome>;
  close(): Promise<void>;
}

/** Sends the requests of each operation over keep-alive connections. */
export function createOperations({ url, apiKeys, connections, ca }: LoadOptions): Operations {
  const agent = new Agent({
    connections,
    pipelining: 1,
    connect: { timeout: REQUEST_TIMEOUT_MS, ...(ca !== undefined && { ca }) },
    headersTimeout: REQUEST_TIMEOUT_MS,
    bodyTimeout: REQUEST_TIMEOUT_MS,
  });
  const unpaid: Charge[] = [];
  const made: Charge[] = [];
  let turn = 0;

  async function send(method: 'GET' | 'POST', path: string, apiKey: string, body?: object) {
    const response = await agent.request({
      origin: url,
      path: `/v1${path}`,
      method,
      headers: {
        'x-api-key': apiKey,
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: response.statusCode, text: await response.body.text() };
  }

  const nextKey = (): string => apiKeys[turn++ % apiKeys.length] ?? '';

  const requests: Readonly<Record<Operation, () => Promise<number> | undefined>> = {
    async creations() {
      const apiKey = nextKey();
      const amount = 1_000 + (turn % 9_000);
      const items = [{ title: 'Caneca', amount, quantity: 1, tangible: true }];
      const body = { amount, method: 'PIX', customer: CUSTOMER, items };
      const { status, text } = await send('POST', '/transactions', apiKey, body);
      if (status !== 201) return status;
      const charge = { id: idOf(text), apiKey };
      if (unpaid.length < MAX_STORED) unpaid.push(charge);
      made[made.length < MAX_STORED ? made.length : turn % MAX_STORED] = charge;
      return status;
    },
    payments() {
      const charge = unpaid.shift();
      if (charge === undefined) return undefined;
      const sent = send('POST', `/sandbox/transactions/${charge.id}/pay`, charge.apiKey);
      return sent.then(({ status }) => status);
    },
    reads() {
      const charge = made[Math.floor(Math.random() * made.length)];
      if (charge === undefined) return undefined;
      return send('GET', `/transactions/${charge.id}`, charge.apiKey).then(({ status }) => status);
    },
    lists: () => send('GET', '/transactions', nextKey()).then(({ status }) => status),
  };

  return {
    async run(operation) {
      try {
        return (await requests[operation]()) ?? 'nothing to do';
      } catch (error) {
        return isTimeout(error) ? 'timeout' : 'connection';
      }
    },
    close: () => agent.destroy(),
  };
}

function idOf(text: string): string {
  const body: unknown = JSON.parse(text);
  return String(Object(Object(body).data).id);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.message.includes('imeout'));
}
