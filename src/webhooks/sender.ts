import { Agent, buildConnector, type Dispatcher } from 'undici';
import { namingCertificates } from './certificates.ts';
import {
  CANCELLED,
  DeliveryError,
  failureError,
  redirectTarget,
  statusError,
  timeoutError,
  type Progress,
} from './failures.ts';
import {
  type AddressPolicy,
  ForbiddenAddressError,
  hostAllowed,
  judgedLookup,
  parseTarget,
  type Resolve,
} from './target.ts';

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_USER_AGENT = 'Vereda-Webhooks/1';
const MAX_BODY_BYTES = 1024;
const POSTS_PER_ENDPOINT = 8;
// Node's and Apache's servers close idle connections after 5 s, and a post on a closing connection is lost.
const IDLE_CONNECTION_MS = 4000;
// Node's 250 ms gives up on servers across an ocean while it tries the other address family.
const ADDRESS_ATTEMPT_MS = 2000;
// Our own deadline ends a post; the connect timeout comes later and only frees the socket.
const SOCKET_GRACE_MS = 1000;

export interface SenderOptions extends AddressPolicy {
  /** Limit for one whole post (waiting for a connection, connecting, headers and body), 15000 unless told. */
  readonly timeoutMs?: number;
  readonly userAgent?: string;
  /** Replaces the system's resolver, for tests. */
  readonly lookup?: Resolve;
  /** Replaces the trusted certificate authorities, in PEM, for tests. */
  readonly ca?: string;
}

export interface PostRequest {
  readonly url: string;
  /** Posts of one endpoint share a few connections and wait for each other; its origin unless told. */
  readonly endpoint?: string;
  /** Sent as it is, as `application/json` unless the headers say otherwise. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the post early. */
  readonly signal?: AbortSignal;
}

export interface SendResult {
  /** Whether a 2xx answer came in time; then, and only then, `error` is null. */
  readonly ok: boolean;
  /** The answer's status, also when its body broke off. Null when there was no answer. */
  readonly statusCode: number | null;
  readonly latencyMs: number;
  /** The start of the answer, at most 1024 bytes in UTF-8, without NUL. Null when there was no answer. */
  readonly responseBody: string | null;
  /** What went wrong, in words for a seller. Never holds a secret, body, header or address. */
  readonly error: string | null;
  /** How long the answer's `Retry-After` header asks to wait, in seconds from now. Null when it does not. */
  readonly retryAfterSeconds: number | null;
}

export interface Sender {
  /** Posts once, without following redirects or trying again. Never rejects. */
  post(request: PostRequest): Promise<SendResult>;
  /** Lets running posts end, then closes all connections. */
  close(): Promise<void>;
}

type Answer = { -readonly [K in 'statusCode' | 'responseBody' | 'retryAfterSeconds']: SendResult[K] };

/**
 * Makes the client that posts webhooks. It calls only HTTPS URLs that `parseTarget` takes, and only addresses
 * that `addressAllowed` takes. Each endpoint has up to 8 posts under way, so further ones wait, within
 * their deadline.
 */
export function createSender(options: SenderOptions): Sender {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const agent = createAgent(options, timeoutMs);
  const telling = agent.compose(tellWhenSent);
  const slots = createSlots(POSTS_PER_ENDPOINT);
  const running = new Set<Promise<SendResult>>();
  let closing: Promise<void> | null = null;

  async function run(request: PostRequest): Promise<SendResult> {
    const started = performance.now();
    const answer: Answer = { statusCode: null, responseBody: null, retryAfterSeconds: null };
    const redirect: Redirect = { location: undefined };
    const deadline = startDeadline(timeoutMs, request.signal);
    let error: string | null;
    try {
      if (closing !== null) throw new DeliveryError(CANCELLED);
      const target = buildRequest(request, options);
      await exchange(telling, slots, target, request.endpoint ?? target.origin, deadline, answer, redirect);
      error = statusError(answer.statusCode, redirectTarget(redirect.location, request.url));
    } catch (cause) {
      error = failureError(cause);
    } finally {
      deadline.clear();
    }
    const latencyMs = Math.round(performance.now() - started);
    return { ok: error === null, ...answer, latencyMs, error };
  }

  function post(request: PostRequest): Promise<SendResult> {
    const result = run(request);
    running.add(result);
    return result.finally(() => running.delete(result));
  }

  function close(): Promise<void> {
    // The agent's own close would wait for connections that nobody is waiting for any more.
    closing ??= Promise.all(running).then(() => agent.destroy());
    return closing;
  }

  return { post, close };
}

function createAgent(options: SenderOptions, timeoutMs: number): Agent {
  return new Agent({
    // Endpoints at one origin must not wait for each other; each is limited by its own slots.
    connections: null,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    // Without this limit a server's Keep-Alive header could hold our connections for ten minutes.
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: namingCertificates(
      buildConnector({
        allowH2: false,
        timeout: timeoutMs + SOCKET_GRACE_MS,
        lookup: judgedLookup(options, options.lookup),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
        // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the checks off.
        rejectUnauthorized: true,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      }),
    ),
  });
}

interface TargetRequest extends Dispatcher.RequestOptions {
  readonly origin: string;
}

function buildRequest(request: PostRequest, options: SenderOptions): TargetRequest {
  const target = parseTarget(request.url);
  if (!target.ok) throw new DeliveryError(target.reason);
  if (!hostAllowed(target.url, options)) throw new ForbiddenAddressError();
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': options.userAgent ?? DEFAULT_USER_AGENT,
  };
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  const { origin, pathname, search } = target.url;
  return { origin, path: pathname + search, method: 'POST', headers, body: request.body };
}

interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects with the signal's reason once it is aborted. */
  readonly passed: Promise<never>;
  readonly clear: () => void;
  /** Set as the post gets a connection slot, and as it is sent. */
  progress: Progress;
}

function startDeadline(timeoutMs: number, cancel: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { promise: passed, reject } = Promise.withResolvers<never>();
  // The post may have ended before anybody waits for the promise.
  passed.catch(() => {});
  const end = (words: string): void => {
    const reason = new DeliveryError(words);
    controller.abort(reason);
    reject(reason);
  };
  const onTimeout = (): void => end(timeoutError(timeoutMs / 1000, deadline.progress));
  const onCancel = (): void => end(CANCELLED);
  const timer = setTimeout(onTimeout, timeoutMs);
  cancel?.addEventListener('abort', onCancel, { once: true });
  const clear = (): void => {
    clearTimeout(timer);
    cancel?.removeEventListener('abort', onCancel);
  };
  const deadline: Deadline = { signal: controller.signal, passed, clear, progress: 'waiting' };
  if (cancel?.aborted === true) onCancel();
  return deadline;
}

interface Slots {
  /** Waits for a free slot; rejects when the deadline passes first. */
  take(endpoint: string, deadline: Deadline): Promise<void>;
  free(endpoint: string): void;
}

/**
 * Limits the posts to each endpoint. The agent's own queue would do it too, but it heeds no signal: posts long
 * given up would each open a connection later, and to a server that hangs they would pile up faster than they
 * fail.
 */
function createSlots(limit: number): Slots {
  const endpoints = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();

  async function take(endpoint: string, deadline: Deadline): Promise<void> {
    const slots = endpoints.get(endpoint) ?? { taken: 0, waiting: [] };
    endpoints.set(endpoint, slots);
    if (slots.taken < limit) {
      slots.taken += 1;
      return;
    }
    const { promise: turn, resolve: onTurn } = Promise.withResolvers<void>();
    slots.waiting.push(onTurn);
    try {
      await Promise.race([turn, deadline.passed]);
    } catch (error) {
      const index = slots.waiting.indexOf(onTurn);
      if (index === -1) free(endpoint);
      else slots.waiting.splice(index, 1);
      throw error;
    }
  }

  function free(endpoint: string): void {
    const slots = endpoints.get(endpoint);
    if (slots === undefined) return;
    const next = slots.waiting.shift();
    if (next !== undefined) return next();
    slots.taken -= 1;
    if (slots.taken === 0) endpoints.delete(endpoint);
  }

  return { take, free };
}

interface ToldRequest extends TargetRequest {
  /** Called when the request goes out on a connection. */
  readonly onSent: () => void;
}

/** Tells when a request has its connection, which undici keeps to itself until the answer. */
const tellWhenSent: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const onSent = 'onSent' in options ? options.onSent : undefined;
  return dispatch(options, {
    onRequestStart: (...args) => {
      if (typeof onSent === 'function') onSent();
      handler.onRequestStart?.(...args);
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};

interface Redirect {
  location: string | undefined;
}

async function exchange(
  agent: Dispatcher,
  slots: Slots,
  request: TargetRequest,
  endpoint: string,
  deadline: Deadline,
  answer: Answer,
  redirect: Redirect,
): Promise<void> {
  deadline.signal.throwIfAborted();
  await slots.take(endpoint, deadline);
  deadline.progress = 'connecting';
  const onSent = (): void => {
    deadline.progress = 'sent';
  };
  const told: ToldRequest = { ...request, signal: deadline.signal, onSent };
  const pending = agent.request(told);
  try {
    // Undici heeds its signal only once a connection is made. It will not send an aborted request afterwards.
    const response = await Promise.race([pending, deadline.passed]);
    answer.statusCode = response.statusCode;
    answer.retryAfterSeconds = retryAfterSeconds(response.headers['retry-after']);
    const { location } = response.headers;
    redirect.location = Array.isArray(location) ? location[0] : location;
    await readBody(response.body, answer);
  } finally {
    // A request given up while it connects keeps its slot until undici has let go of it.
    void Promise.allSettled([pending]).then(() => slots.free(endpoint));
  }
}

async function readBody(body: Dispatcher.ResponseData['body'], answer: Answer): Promise<void> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop destroys the body and its connection, so an endless answer ends here.
      if (length >= MAX_BODY_BYTES) break;
    }
  } finally {
    answer.responseBody = bodyText(Buffer.concat(chunks));
  }
}

function bodyText(bytes: Buffer): string {
  // As a stream, because the cut may fall within a character, which is then left out instead of garbled.
  const decoder = new TextDecoder();
  const text = decoder.decode(bytes.subarray(0, MAX_BODY_BYTES), { stream: bytes.length >= MAX_BODY_BYTES });
  const storable = text.replaceAll('\0', '');
  // Bytes that are no UTF-8 became three bytes each, so the limit has to be drawn once more.
  const { read } = new TextEncoder().encodeInto(storable, new Uint8Array(MAX_BODY_BYTES));
  return storable.slice(0, read);
}

function retryAfterSeconds(header: string | string[] | undefined): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Only the date form of RFC 9110 ends in GMT; `Date.parse` alone would make a date of almost any words.
  const date = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
