import { createSecureContext } from 'node:tls';

import { Agent, buildConnector, type Dispatcher } from 'undici';

import { RecentCache } from '#platform/kit/recent-cache.ts';
import { bodyText, firstHeader, MAX_BODY_BYTES, retryAfterSeconds } from './response.ts';
import { captureCertificates } from './certificates.ts';
import {
  CANCELLED,
  DeliveryError,
  failureMessage,
  safeRedirectUrl,
  statusMessage,
  timeoutMessage,
  type RequestPhase,
} from './error-messages.ts';
import { ConcurrencyLimiter, type PendingDelivery } from './concurrency-limiter.ts';
import {
  type AddressPolicy,
  ForbiddenAddressError,
  isHostAllowed,
  createGuardedLookup,
  parseTarget,
  type Resolve,
} from './target-url.ts';

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_USER_AGENT = 'Vereda-Webhooks/1';
const MAX_POSTS_PER_ENDPOINT = 8;
// Node's and Apache's servers close idle connections after 5 s, and a post on a closing connection is lost.
const IDLE_CONNECTION_MS = 4000;
// Node's 250 ms gives up on servers across an ocean while it tries the other address family.
const ADDRESS_ATTEMPT_MS = 2000;
// Our own deadline ends a post; the connect timeout comes later and only frees the socket.
const SOCKET_GRACE_MS = 1000;
/** Addresses whose form was judged a short while ago. What they resolve to is judged for each connection. */
const MAX_CACHED_TARGETS = 16_384;
const TARGET_CACHE_TTL_MS = 10 * 60_000;

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
  /** Ends all posts under way and refuses further ones. */
  cancel(): void;
  /** Lets running posts end, then closes all connections. */
  close(): Promise<void>;
}

/**
 * Makes the client that posts webhooks. It calls only HTTPS URLs that `parseTarget` takes, and only addresses
 * that `addressAllowed` takes. Each endpoint has up to 8 posts under way, so further ones wait, within
 * their deadline.
 */
export function createSender(options: SenderOptions): Sender {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const agent = createAgent(options, timeoutMs);
  const limiter = new ConcurrencyLimiter(MAX_POSTS_PER_ENDPOINT);
  const targets = new RecentCache<string, Target>(MAX_CACHED_TARGETS, TARGET_CACHE_TTL_MS);
  const running = new Set<Post>();
  const userAgent = options.userAgent ?? DEFAULT_USER_AGENT;
  let refusing = false;
  let closing: Promise<void> | null = null;
  let onIdle: (() => void) | undefined;

  function post(request: PostRequest): Promise<SendResult> {
    return new Promise((resolve) => {
      const one = new Post(request, userAgent, agent, limiter, timeoutMs, (result) => {
        running.delete(one);
        resolve(result);
        if (running.size === 0) onIdle?.();
      });
      running.add(one);
      if (refusing) one.abort(CANCELLED);
      else one.start(targets.get(request.url, (url) => resolveTarget(url, options)));
    });
  }

  function cancel(): void {
    refusing = true;
    for (const one of running) one.abort(CANCELLED);
  }

  async function closeWhenIdle(): Promise<void> {
    refusing = true;
    if (running.size > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    }
    // The agent's own close would wait for connections that nobody is waiting for any more.
    await agent.destroy();
  }

  return { post, cancel, close: () => (closing ??= closeWhenIdle()) };
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
    connect: captureCertificates(
      buildConnector({
        allowH2: false,
        timeout: timeoutMs + SOCKET_GRACE_MS,
        lookup: createGuardedLookup(options, options.lookup),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
        // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the checks off.
        rejectUnauthorized: true,
        // One for all connections; reading the authorities for each of them anew is dear.
        secureContext: createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
      }),
    ),
  });
}

/** Where a URL leads, or why it may not be called. */
type Target = { readonly origin: string; readonly path: string } | { readonly refused: Error };

function resolveTarget(url: string, policy: AddressPolicy): Target {
  const target = parseTarget(url);
  if (!target.ok) return { refused: new DeliveryError(target.reason) };
  if (!isHostAllowed(target.url, policy)) return { refused: new ForbiddenAddressError() };
  const { origin, pathname, search } = target.url;
  return { origin, path: pathname + search };
}

/**
 * One post, from waiting for its turn to the end of its answer. It is the client's handler itself: a stream, a signal and
 * a handful of promises for each post would cost more than the post.
 */
class Post implements PendingDelivery, Dispatcher.DispatchHandler {
  endpoint: string;
  readonly #request: PostRequest;
  readonly #userAgent: string;
  readonly #agent: Dispatcher;
  readonly #limiter: ConcurrencyLimiter;
  readonly #timeoutMs: number;
  readonly #onEnd: (result: SendResult) => void;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #origin = '';
  #path = '';
  #phase: RequestPhase = 'waiting';
  #controller: Dispatcher.DispatchController | undefined;
  #ended = false;
  #statusCode: number | null = null;
  #retryAfterSeconds: number | null = null;
  #location: string | undefined;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(
    request: PostRequest,
    userAgent: string,
    agent: Dispatcher,
    limiter: ConcurrencyLimiter,
    timeoutMs: number,
    onEnd: (result: SendResult) => void,
  ) {
    this.#request = request;
    this.endpoint = request.endpoint ?? '';
    this.#userAgent = userAgent;
    this.#agent = agent;
    this.#limiter = limiter;
    this.#timeoutMs = timeoutMs;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(onTimeout, timeoutMs, this);
  }

  start(target: Target): void {
    if ('refused' in target) {
      this.#end(target.refused);
      return;
    }
    this.#origin = target.origin;
    this.#path = target.path;
    if (this.endpoint === '') this.endpoint = target.origin;
    this.#limiter.acquire(this);
  }

  /** It has its slot, which is free again when the client is done with it, in `onResponseEnd` or `onResponseError`. */
  dispatch(): void {
    this.#phase = 'connecting';
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': this.#userAgent,
    };
    const { headers: given, body } = this.#request;
    for (const name of Object.keys(given)) headers[name.toLowerCase()] = given[name] ?? '';
    this.#agent.dispatch({ origin: this.#origin, path: this.#path, method: 'POST', headers, body }, this);
  }

  timeOut(): void {
    this.abort(timeoutMessage(this.#timeoutMs / 1000, this.#phase));
  }

  /** Ends it, however far it has come. One that is still connecting keeps its slot until the client has let go of it. */
  abort(message: string): void {
    if (this.#ended) return;
    const reason = new DeliveryError(message);
    if (this.#phase === 'waiting') this.#limiter.cancel(this);
    this.#end(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#phase = 'sent';
    // Given up while it waited for its connection, so it is not sent.
    if (this.#ended) controller.abort(new DeliveryError(CANCELLED));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // What comes before the answer, such as 103, is none.
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#retryAfterSeconds = retryAfterSeconds(headers['retry-after']);
    this.#location = firstHeader(headers['location']);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < MAX_BODY_BYTES) return;
    // The rest may be endless, so its connection ends here.
    this.#end(null);
    controller.abort(new DeliveryError(CANCELLED));
  }

  onResponseEnd(): void {
    this.#limiter.release(this.endpoint);
    this.#end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#limiter.release(this.endpoint);
    this.#end(error);
  }

  #end(cause: Error | null): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    const statusCode = this.#statusCode;
    const error =
      cause === null
        ? statusMessage(statusCode, safeRedirectUrl(this.#location, this.#request.url))
        : failureMessage(cause);
    this.#onEnd({
      ok: error === null,
      statusCode,
      latencyMs: Math.round(performance.now() - this.#startedMs),
      responseBody: statusCode === null ? null : bodyText(this.#chunks),
      error,
      retryAfterSeconds: this.#retryAfterSeconds,
    });
    this.#chunks = [];
  }
}

function onTimeout(post: Post): void {
  post.timeOut();
}
