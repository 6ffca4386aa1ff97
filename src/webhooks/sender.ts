import { createSecureContext } from 'node:tls';

import { Agent, buildConnector, type Dispatcher } from 'undici';

import { parseHttpsUrl } from '#platform/kit/https-url.ts';
import { RecentCache } from '#platform/kit/recent-cache.ts';
import {
  type AddressPolicy,
  ForbiddenAddressError,
  isHostAllowed,
  createGuardedLookup,
} from './address-policy.ts';
import { captureCertificates } from './certificates.ts';
import {
  CANCELED,
  DeliveryError,
  failureMessage,
  safeRedirectUrl,
  statusMessage,
  timeoutMessage,
  type DeliveryErrorText,
} from './error-messages.ts';
import type { Resolve } from './resolver.ts';
import { bodyText, firstHeader, MAX_BODY_BYTES, retryAfterSeconds } from './response.ts';

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_USER_AGENT = 'Vereda-Webhooks/1';
/**
 * Node's and Apache's servers close idle connections after 5 s, and a request on a closing
 * connection is lost.
 */
const IDLE_CONNECTION_MS = 4000;
/** Node's default of 250 ms abandons distant servers while it tries the other address family. */
const ADDRESS_ATTEMPT_MS = 2000;
/**
 * The sender's own deadline ends a request. The connect timeout comes later and only frees the
 * socket.
 */
const SOCKET_GRACE_MS = 1000;
/**
 * URLs whose form was checked recently. The addresses that they resolve to are checked for each
 * connection.
 */
const MAX_CACHED_TARGETS = 16_384;
const TARGET_CACHE_TTL_MS = 10 * 60_000;

export interface SenderOptions extends AddressPolicy {
  /** Deadline for a whole request: connecting, headers and body. Defaults to 15000. */
  readonly timeoutMs?: number;
  readonly userAgent?: string;
  /** Replaces the resolver, for tests. */
  readonly lookup?: Resolve;
  /** Replaces the trusted certificate authorities, in PEM, for tests. */
  readonly ca?: string;
}

export interface PostRequest {
  readonly url: string;
  /** Sent unchanged, as `application/json` unless `headers` has another content type. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The span in which the event was written. It is not sent. */
  readonly traceParent?: string | null;
}

export interface SendResult {
  /** Whether a complete 2xx response arrived in time. Exactly then `error` is null. */
  readonly ok: boolean;
  /** The status of the response, also if its body was cut off. Null without a response. */
  readonly statusCode: number | null;
  readonly latencyMs: number;
  /**
   * The start of the response body, at most 1024 bytes in UTF-8, without NUL. Null without a
   * response.
   */
  readonly responseBody: string | null;
  /**
   * The reason for the failure, as shown to the seller. Never contains a secret, body, header or
   * address.
   */
  readonly error: DeliveryErrorText | null;
  /**
   * The delay that the `Retry-After` header of the response asks for, in seconds. Null without that
   * header.
   */
  readonly retryAfterSeconds: number | null;
}

export interface Sender {
  /** Sends one POST request, without redirects and retries. Never rejects. */
  post(request: PostRequest): Promise<SendResult>;
  /** Aborts all running requests and rejects new ones. */
  cancel(): void;
  /** Waits for the running requests, then closes all connections. */
  close(): Promise<void>;
}

/**
 * Creates the HTTP client for webhooks. It connects only to HTTPS URLs that `parseHttpsUrl` accepts,
 * and only to addresses that `isAddressAllowed` accepts. It does not limit concurrency: the claim
 * of deliveries does, per endpoint and seller.
 */
export function createSender(options: SenderOptions): Sender {
  const context: SenderContext = {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    userAgent: options.userAgent ?? DEFAULT_USER_AGENT,
    agent: createAgent(options),
  };
  const targets = new RecentCache<string, Target>(MAX_CACHED_TARGETS, TARGET_CACHE_TTL_MS);
  const running = new Set<OutgoingRequest>();
  let rejecting = false;
  let closing: Promise<void> | null = null;
  let onIdle: (() => void) | undefined;

  function post(request: PostRequest): Promise<SendResult> {
    return new Promise((resolve) => {
      const outgoing = new OutgoingRequest(context, request, (result) => {
        running.delete(outgoing);
        resolve(result);
        if (running.size === 0) onIdle?.();
      });
      running.add(outgoing);
      if (rejecting) outgoing.abort(CANCELED);
      else outgoing.start(targets.get(request.url, (url) => resolveTarget(url, options)));
    });
  }

  function cancel(): void {
    rejecting = true;
    for (const outgoing of running) outgoing.abort(CANCELED);
  }

  async function closeWhenIdle(): Promise<void> {
    rejecting = true;
    if (running.size > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    }
    // Not `close`, which would wait for connections that no request needs any more.
    await context.agent.destroy();
  }

  return { post, cancel, close: () => (closing ??= closeWhenIdle()) };
}

interface SenderContext {
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly agent: Agent;
}

function createAgent(options: SenderOptions): Agent {
  return new Agent({
    // No limit per origin, so that endpoints of the same origin do not wait for each other.
    connections: null,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    // Without this limit, a Keep-Alive header of the server could hold a connection open for ten
    // minutes.
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: captureCertificates(
      buildConnector({
        allowH2: false,
        timeout: (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) + SOCKET_GRACE_MS,
        lookup: createGuardedLookup(options, options.lookup),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
        // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot disable verification.
        rejectUnauthorized: true,
        // One context for all connections: loading the certificate authorities is expensive.
        secureContext: createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
      }),
    ),
  });
}

/** Where a URL leads, or the reason it must not be called. */
type Target = { readonly origin: string; readonly path: string } | { readonly refused: Error };

function resolveTarget(url: string, policy: AddressPolicy): Target {
  const target = parseHttpsUrl(url);
  if (!target.ok) return { refused: new DeliveryError(target.reason) };
  if (!isHostAllowed(target.url, policy)) return { refused: new ForbiddenAddressError() };
  const { origin, pathname, search } = target.url;
  return { origin, path: pathname + search };
}

/**
 * One request, from its dispatch to the end of its response. It is the client's dispatch handler
 * itself: a stream, an abort signal and several promises for each request would cost more than the
 * request.
 */
class OutgoingRequest implements Dispatcher.DispatchHandler {
  readonly #context: SenderContext;
  readonly #request: PostRequest;
  readonly #onEnd: (result: SendResult) => void;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  /** Undefined until the request has a connection. */
  #controller: Dispatcher.DispatchController | undefined;
  #ended = false;
  #statusCode: number | null = null;
  #retryAfterSeconds: number | null = null;
  #location: string | undefined;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(context: SenderContext, request: PostRequest, onEnd: (result: SendResult) => void) {
    this.#context = context;
    this.#request = request;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(onTimeout, context.timeoutMs, this);
  }

  start(target: Target): void {
    if ('refused' in target) {
      this.#end(target.refused);
      return;
    }
    const { agent, userAgent } = this.#context;
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': userAgent,
    };
    const { headers: given, body } = this.#request;
    for (const name of Object.keys(given)) headers[name.toLowerCase()] = given[name] ?? '';
    agent.dispatch({ origin: target.origin, path: target.path, method: 'POST', headers, body }, this);
  }

  timeOut(): void {
    this.abort(timeoutMessage(this.#context.timeoutMs / 1000, this.#controller !== undefined));
  }

  /**
   * Ends the request in any phase. While it connects, the client keeps its socket until the
   * connection is made or fails.
   */
  abort(message: DeliveryErrorText): void {
    if (this.#ended) return;
    const reason = new DeliveryError(message);
    this.#end(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Aborted while it connected, so it must not be sent.
    if (this.#ended) controller.abort(new DeliveryError(CANCELED));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Informational responses such as 103 precede the response.
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
    // The rest may be endless, so the connection is closed.
    this.#end(null);
    controller.abort(new DeliveryError(CANCELED));
  }

  onResponseEnd(): void {
    this.#end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
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

function onTimeout(outgoing: OutgoingRequest): void {
  outgoing.timeOut();
}
