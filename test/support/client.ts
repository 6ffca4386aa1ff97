import { randomUUID } from 'node:crypto';

import type { Dispatcher } from 'undici';

import { assertDocumented } from './openapi-conformance.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';

/** A response. `body` is the parsed JSON. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  readonly body: any;
}

export interface CallOptions {
  /** An access token, sent instead of the API key. */
  readonly token?: string;
  /** Another API key, or none. */
  readonly apiKey?: string;
  readonly credential?: 'none';
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Client {
  readonly baseUrl: string;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>;
  get(path: string, options?: CallOptions): Promise<ApiResponse>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<ApiResponse>;
  patch(path: string, body: unknown, options?: CallOptions): Promise<ApiResponse>;
  delete(path: string, options?: CallOptions): Promise<ApiResponse>;
  /** Creates a valid Pix transaction, with members replaced by `changes`. */
  charge(changes?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ApiResponse>;
  /** The status of a transaction. */
  statusOf(id: string): Promise<string>;
}

/** A body that creates a Pix transaction of R$ 15,00. */
export const goodCharge = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...SAMPLE_TRANSACTION,
  ...changes,
});

export interface ClientOptions {
  /** An undici dispatcher for other connections than the default ones. */
  readonly dispatcher?: Dispatcher;
}

/** The runtime's fetch accepts undici's dispatcher; only the types come from two packages. */
export const asGlobal = (dispatcher: Dispatcher): NonNullable<RequestInit['dispatcher']> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- two packages declare one type
  dispatcher as unknown as NonNullable<RequestInit['dispatcher']>;

export function createClient(baseUrl: string, apiKey: string, { dispatcher }: ClientOptions = {}): Client {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<ApiResponse> {
    const headers: Record<string, string> = { ...options.headers };
    if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
    else if (options.credential !== 'none') headers['x-api-key'] = options.apiKey ?? apiKey;
    if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
    if (body !== undefined) headers['content-type'] ??= 'application/json';
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      redirect: 'manual',
      ...(dispatcher === undefined ? {} : { dispatcher: asGlobal(dispatcher) }),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status } = response;
    await assertDocumented({ method, url: baseUrl + path, status, headers: response.headers, text });
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }
  return {
    baseUrl,
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
    charge: (changes, options) =>
      call('POST', '/transactions', goodCharge(changes), { idempotencyKey: randomUUID(), ...options }),
    statusOf: async (id) => (await call('GET', `/transactions/${id}`)).body.data.status,
  };
}

const MAX_TRIES = 30;

/**
 * Repeats a request while the gateway is too busy for it (503), as its clients must. Only for
 * requests that count once however often they are sent.
 */
export async function untilServed(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let tries = 1; ; tries += 1) {
    const response = await send();
    if (response.status !== 503 || tries === MAX_TRIES) return response;
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
