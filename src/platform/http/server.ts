import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type RawServerDefault,
} from 'fastify';

import { AdmissionController, type AdmissionOptions, type RequestHandler } from './admission-control.ts';
import { handleError, HttpError, routeNotFound, serviceUnavailable, toErrorBody } from './errors.ts';
import { limitConcurrency } from './concurrency-limits.ts';
import { ExportLimiter } from './export-limiter.ts';
import { securityHeaders } from './headers.ts';
import { registerJsonParser } from './json-parser.ts';
import { RequestLogger } from './request-logger.ts';
import { serializerCompiler } from './serialization.ts';
import { validatorCompiler } from './validation.ts';

type Headers = Readonly<Record<string, string>>;

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyInstance {
    exportLimiter: ExportLimiter;
  }
}

const BODY_LIMIT = 256 * 1024;

/** How long a client may read nothing of a response before its connection is closed. */
const STALLED_RESPONSE_MS = 60_000;
/** A connection is closed at most one such part later. */
const QUIET_PERIODS = 4;

export interface ServerOptions {
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
  /** The URL for browsers. With `https:`, HSTS is enabled. */
  readonly publicUrl?: string;
  /** Without it, no request is rejected for overload. */
  readonly admission?: AdmissionOptions;
  readonly stalledResponseMs?: number;
}

/** The HTTP server without any route: errors, validation, ids, limits and deadlines. */
export function createServer(
  log: FastifyBaseLogger,
  {
    trustedProxies = [],
    publicUrl = '',
    admission,
    stalledResponseMs = STALLED_RESPONSE_MS,
  }: ServerOptions = {},
): App {
  const headers = securityHeaders(publicUrl);
  const pendingResponses: PendingResponses = new WeakMap();
  const app = fastify({
    loggerInstance: log,
    childLoggerFactory: (logger, bindings, options) => new RequestLogger(logger, bindings, options),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    requestTimeout: 30_000,
    connectionTimeout: stalledResponseMs / QUIET_PERIODS,
    keepAliveTimeout: 72_000,
    // On shutdown, idle connections close at once and busy ones after their response.
    forceCloseConnections: 'idle',
    // Requests that arrive on busy connections during shutdown are served.
    return503OnClosing: false,
    genReqId: resolveRequestId,
    frameworkErrors: (error, request, reply) => {
      void reply.headers(headers).header('x-request-id', request.id);
      void handleError(error, request, reply);
    },
    clientErrorHandler: handleClientError(headers, pendingResponses),
    // The interval is how much later than its timeout a connection is closed at most.
    http: { requireHostHeader: false, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
  }).withTypeProvider<TypeBoxTypeProvider>();
  trackPendingResponses(app, pendingResponses);
  closeStalledConnections(app, pendingResponses);
  registerJsonParser(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  const stopping = { begun: false };
  app.decorate('stopping', stopping);
  app.decorate('exportLimiter', new ExportLimiter());
  limitConcurrency(app);
  closeConnectionsOnShutdown(app);
  if (admission !== undefined)
    installAdmissionControl(
      app,
      new AdmissionController(admission, createRejectionHandler(headers, stopping)),
    );
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    if (stopping.begun) reply.header('connection', 'close');
    done(findFramingError(request.raw, reply));
  });
  rejectExpectations(app, headers);
  if (log.level === 'debug' || log.level === 'trace') logResponses(app);
  app.setNotFoundHandler({ preValidation: [] }, () => {
    throw routeNotFound();
  });
  return app;
}

/** The client's request id, if it cannot inject into log lines; otherwise a new one. */
function resolveRequestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[\w-]{1,64}$/.test(sent) ? sent : randomUUID();
}

/** The outstanding responses of each connection, in request order. */
type PendingResponses = WeakMap<Socket, Set<ServerResponse>>;

function trackPendingResponses(app: App, pendingResponses: PendingResponses): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const pending = pendingResponses.get(socket);
    if (pending === undefined) pendingResponses.set(socket, new Set([reply.raw]));
    else pending.add(reply.raw);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    pendingResponses.get(request.raw.socket)?.delete(reply.raw);
    done();
  });
}

/**
 * Closes connections on which nothing was sent or received for `QUIET_PERIODS` timeouts in
 * succession: idle ones, and those whose client does not read its response. A response that is not
 * ready yet is no reason to close. Node counts a timeout from its last check of the connection,
 * which may be a whole timeout after the last progress, so one long timeout could take twice its
 * time.
 */
function closeStalledConnections(app: App, pendingResponses: PendingResponses): void {
  const quietPeriods = new WeakMap<Socket, { readonly periods: number; readonly at: number }>();
  app.server.on('timeout', (socket: Socket) => {
    const pending = pendingResponses.get(socket)?.size ?? 0;
    if (pending > 0 && socket.writableLength === 0) return;
    // Idle for the whole keep-alive timeout.
    if (socket.timeout !== app.server.timeout) return void socket.destroy();
    const now = performance.now();
    const last = quietPeriods.get(socket);
    const isSuccessive = last !== undefined && now - last.at < 1.5 * app.server.timeout;
    const periods = isSuccessive ? last.periods + 1 : 1;
    quietPeriods.set(socket, { periods, at: now });
    if (periods >= QUIET_PERIODS) socket.destroy();
    else socket.setTimeout(app.server.timeout);
  });
}

/**
 * Whether the client would read an error written now as the response to an earlier request, or as
 * part of it.
 */
function wouldDesyncResponses(pendingResponses: PendingResponses, socket: Socket): boolean {
  const [first, ...others] = pendingResponses.get(socket) ?? [];
  // If the malformed bytes are the body of the only outstanding request, the error is its response.
  return first !== undefined && (others.length > 0 || first.req.complete || first.headersSent);
}

/** Answers malformed HTTP with the usual error body and headers, and closes the connection. */
function handleClientError(headers: Headers, pendingResponses: PendingResponses) {
  const headerLines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    if (wouldDesyncResponses(pendingResponses, socket)) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const body = toErrorBody(clientError(error.code), requestId);
    const text = JSON.stringify(body);
    socket.end(
      `HTTP/1.1 ${body.statusCode} ${body.error}\r\nx-request-id: ${requestId}\r\n` +
        `${headerLines}content-type: application/json; charset=utf-8\r\n` +
        `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
    );
  };
}

function clientError(code: string | undefined): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError('headers_too_large');
  return new HttpError(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request');
}

/** Answers unsupported expectations with our headers, which Node's own response lacks. */
function rejectExpectations(app: App, headers: Headers): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const requestId = resolveRequestId(request);
    const body = toErrorBody(new HttpError('expectation_failed'), requestId);
    const type = { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(417, { ...headers, ...type, 'x-request-id': requestId });
    response.end(JSON.stringify(body));
  });
}

/**
 * The error of a request that a proxy could read differently. Node's own checks are fewer, and
 * respond without our headers.
 */
function findFramingError(
  { httpVersion, headers, rawHeaders }: IncomingMessage,
  reply: FastifyReply,
): HttpError | undefined {
  // RFC 9112, section 3.2.
  const { host } = headers;
  const isHostValid = host === undefined ? httpVersion !== '1.1' : HOST.test(host);
  if (!isHostValid || rawHeaders.filter(isHostName).length > 1) {
    reply.header('connection', 'close');
    return new HttpError('malformed_request');
  }
  const codings = headers['transfer-encoding'];
  if (codings === undefined || /^chunked$/i.test(codings)) return undefined;
  reply.header('connection', 'close');
  // RFC 9112, sections 6.1 and 6.3: `chunked` is the last coding, and is applied once.
  const isForeign = /,\s*chunked$/i.test(codings) && !/^\s*chunked\s*,/i.test(codings);
  return new HttpError(isForeign ? 'unsupported_transfer_encoding' : 'malformed_request');
}

/** A host and an optional port as in RFC 3986, section 3.2. The host may be empty. */
const HOST = /^(?:\[[\da-f:.v]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** `rawHeaders` has names and values in turn. */
const isHostName = (text: string, index: number): boolean =>
  index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';

/** How long requests may take to complete after shutdown begins. */
const SHUTDOWN_GRACE_MS = 2_500;

/** How long open connections may still deliver a request after shutdown begins. */
const LAST_REQUESTS_MS = 200;

/**
 * Accepts no more connections after a drain, and serves requests that are on their way on open
 * ones: closing an idle connection resets it if a load balancer has just sent a request.
 */
async function serveLastRequests(app: App): Promise<void> {
  // Right after the event loop has accepted what waits. Closing the listener resets what came
  // later.
  await setImmediate();
  TcpServer.prototype.close.call(app.server);
  await sleep(LAST_REQUESTS_MS);
}

/**
 * Closes connections as they become idle until the server is closed. Otherwise a connection that
 * was busy when shutdown began would delay it until its keep-alive timeout. Connections that are
 * still busy after the grace period are closed too.
 */
function closeConnectionsOnShutdown(app: App): void {
  app.addHook('preClose', async () => {
    if (app.stopping.begun) await serveLastRequests(app);
    app.stopping.begun = true;
    const sweep = setInterval(() => app.server.closeIdleConnections(), 25);
    const deadline = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(deadline);
    });
  });
}

/**
 * Runs admission control before Fastify, so that a rejected request costs only the parsing of its
 * headers.
 */
function installAdmissionControl(app: App, admission: AdmissionController): void {
  const served = app.server.listeners('request');
  app.server.removeAllListeners('request');
  app.server.on(
    'request',
    admission.wrap((request, response) => {
      for (const serve of served) serve.call(app.server, request, response);
    }),
  );
  app.addHook('preValidation', (request, reply, done) => {
    admission.onBodyRead(request.raw, reply.raw, (rejected) => {
      done(rejected ? serviceUnavailable() : undefined);
    });
  });
  app.addHook('onClose', async () => admission.stop());
}

function createRejectionHandler(headers: Headers, stopping: { readonly begun: boolean }): RequestHandler {
  const error = new HttpError('service_unavailable');
  // Without the headers that protect pages: a rejection must be as cheap as possible.
  const rejectionHeaders = {
    'cache-control': headers['cache-control'],
    'x-content-type-options': headers['x-content-type-options'],
    'content-type': 'application/json; charset=utf-8',
    'retry-after': '1',
  };
  return (request, response) => {
    if (stopping.begun) response.setHeader('connection', 'close');
    const requestId = resolveRequestId(request);
    const text = JSON.stringify(toErrorBody(error, requestId));
    response
      .writeHead(503, {
        ...rejectionHeaders,
        'content-length': Buffer.byteLength(text),
        'x-request-id': requestId,
      })
      .end(text);
  };
}

/** Logs one line for each request, for the log levels `debug` and `trace`. */
function logResponses(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    // The route instead of the URL, since query strings may contain personal data.
    const fields = {
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log.debug(fields, 'request completed');
    done();
  });
}
