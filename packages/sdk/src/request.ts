import { VeredaApiError, VeredaConnectionError, VeredaTimeoutError } from './errors.ts';

export interface VeredaOptions {
  /** An API key, `sk_…`. */
  readonly apiKey: string;
  /** The URL of the gateway, with or without `/v1`. */
  readonly baseUrl: string;
  /** The timeout of each attempt, in milliseconds. 30 seconds by default. */
  readonly timeoutMs?: number;
  /** How many times a failed request is retried. 3 by default. */
  readonly maxRetries?: number;
  /** Replaces the runtime's `fetch`, for example to use a proxy. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  /** A UUID v4. By default, each call generates one and uses it for all its attempts. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
}

interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Sent as the field `file` of a form, instead of a body. */
  readonly file?: File | undefined;
  /** How the response is read if the request succeeds. JSON by default. */
  readonly as?: 'text' | 'bytes' | undefined;
  /** The operation requires an idempotency key. */
  readonly keyed?: boolean | undefined;
}

export type Send = (request: Request, options?: RequestOptions) => Promise<unknown>;

interface Attempt {
  readonly response: Response;
  readonly content: string | Uint8Array;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Creates the function that sends requests. GET, PATCH, DELETE and requests with an idempotency key
 * are repeated after failed connections, timeouts and responses with 429 or 5xx. Other POST
 * requests are repeated after 429 only, because their effect is unknown otherwise.
 */
export function createSend(client: VeredaOptions): Send {
  requireOption('apiKey', client.apiKey, 'an API key, sk_…');
  const base = parseBaseUrl(client.baseUrl);
  return async (request, options = {}) => {
    const url = `${base}/v1${request.path}${toQuery(request.query)}`;
    const init = toInit(client.apiKey, request, options);
    const isSafe = request.method !== 'POST' || request.keyed === true;
    const maxRetries = options.maxRetries ?? client.maxRetries ?? 3;
    for (let retries = 0; ; retries += 1) {
      const attempt = await attemptOnce(client, url, init, { ...options, as: request.as });
      const isLast = retries >= maxRetries;
      if (attempt instanceof VeredaConnectionError) {
        if (isLast || !isSafe) throw attempt;
      } else {
        const { status } = attempt.response;
        const canRetry = status === 429 || (status >= 500 && isSafe);
        if (isLast || !canRetry) return readAnswer(attempt, request.as);
      }
      await sleep(delayMs(retries, attempt), options.signal);
    }
  };
}

/** Programs without types pass settings that are not set. */
function requireOption(name: keyof VeredaOptions, value: unknown, meaning: string): void {
  if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is required: ${meaning}`);
}

/** The URL without `/v1`. */
function parseBaseUrl(baseUrl: string): string {
  requireOption('baseUrl', baseUrl, 'the URL of a gateway');
  let base = baseUrl;
  while (base.endsWith('/')) base = base.slice(0, -1);
  if (base.endsWith('/v1')) base = base.slice(0, -'/v1'.length);
  const isHttp = URL.canParse(base) && ['http:', 'https:'].includes(new URL(base).protocol);
  if (!isHttp) throw new TypeError('baseUrl must be a URL that begins with http:// or https://');
  return base;
}

const ACCEPT = { json: 'application/json', text: 'text/csv', bytes: '*/*' } as const;

function toInit(apiKey: string, request: Request, options: RequestOptions): RequestInit {
  const { method, body, file, keyed } = request;
  const headers: Record<string, string> = { accept: ACCEPT[request.as ?? 'json'], 'x-api-key': apiKey };
  if (keyed === true) headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
  if (file !== undefined) {
    const form = new FormData();
    form.set('file', file);
    return { method, headers, redirect: 'error', body: form };
  }
  if (body === undefined) return { method, headers, redirect: 'error' };
  headers['content-type'] = 'application/json';
  return { method, headers, redirect: 'error', body: JSON.stringify(body) };
}

/** Fields without a value are omitted; dates are sent in ISO 8601. */
function toQuery(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(
    given.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

async function attemptOnce(
  client: VeredaOptions,
  url: string,
  init: RequestInit,
  options: RequestOptions & Pick<Request, 'as'>,
): Promise<Attempt | VeredaConnectionError> {
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 30_000;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  try {
    const response = await (client.fetch ?? fetch)(url, { ...init, signal });
    const isFile = options.as === 'bytes' && response.ok;
    const content = isFile ? new Uint8Array(await response.arrayBuffer()) : await response.text();
    return { response, content };
  } catch (cause) {
    // The caller's own reason is thrown as it is.
    options.signal?.throwIfAborted();
    if (timeout.aborted) return new VeredaTimeoutError(`no response within ${timeoutMs} ms`, { cause });
    return new VeredaConnectionError(`the gateway at ${new URL(url).origin} does not respond`, { cause });
  }
}

function readAnswer({ response, content }: Attempt, as: Request['as']): unknown {
  if (response.ok && as !== undefined) return content;
  const body = parseJson(String(content));
  if (typeof body === 'object' && body !== null) {
    if (response.ok) return body;
    if ('code' in body && 'statusCode' in body) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has the members of an error
      throw new VeredaApiError(body as ConstructorParameters<typeof VeredaApiError>[0]);
    }
  }
  throw new VeredaConnectionError(`unexpected response with status ${response.status}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Exponential backoff with jitter, or the delay in `Retry-After`. */
function delayMs(retries: number, attempt: Attempt | VeredaConnectionError): number {
  const asked = 'response' in attempt ? Number(attempt.response.headers.get('retry-after') ?? 0) * 1000 : 0;
  const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (0.5 + Math.random() / 2);
  return Math.max(backoff, Number.isFinite(asked) ? Math.min(asked, MAX_RETRY_AFTER_MS) : 0);
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
