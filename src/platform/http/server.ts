import { randomUUID } from 'node:crypto';

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawServerDefault,
} from 'fastify';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { AdmissionController, type AdmissionOptions, type RequestHandler } from './admission-control.ts';
import { handleError, HttpError } from './errors.ts';
import { securityHeaders } from './headers.ts';
import { registerJsonParser } from './json-parser.ts';
import { RequestLogger } from './request-logger.ts';
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
    /** Set when the process is about to stop: it still serves, and asks its callers to come back by another connection. */
    stopping: { begun: boolean };
  }
}

const BODY_LIMIT = 256 * 1024;

/** An id the caller sent is taken over only if it cannot forge a log line. */
function resolveRequestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[\w-]{1,64}$/.test(sent) ? sent : randomUUID();
}

/** Answers that a connection still waits for, in the order of their requests. */
type PendingResponses = WeakMap<Socket, Set<ServerResponse>>;

/** Keeps what `refuseNoise` must know of a connection. */
function trackPendingResponses(app: App, pendingResponses: PendingResponses): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const waiting = pendingResponses.get(socket);
    if (waiting === undefined) pendingResponses.set(socket, new Set([reply.raw]));
    else waiting.add(reply.raw);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    pendingResponses.get(request.raw.socket)?.delete(reply.raw);
    done();
  });
}

/** Whether a refusal written now would be read as the answer to an earlier request, or as part of one. */
function wouldDesyncResponses(pendingResponses: PendingResponses, socket: Socket): boolean {
  const [first, ...others] = pendingResponses.get(socket) ?? [];
  // The one request whose body is what is no HTTP is answered by the refusal.
  return first !== undefined && (others.length > 0 || first.req.complete || first.headersSent);
}

/** What is no HTTP gets the same error body and headers, and its connection ends. */
function handleClientError(headers: Headers, pendingResponses: PendingResponses) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    if (wouldDesyncResponses(pendingResponses, socket)) {
      socket.destroy();
      return;
    }
    const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
    const statusCode = tooLong ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    const message = tooLong ? 'Header fields are too large' : 'Request is not valid HTTP';
    const body = JSON.stringify({ statusCode, message, error: STATUS_CODES[statusCode] });
    socket.end(
      `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\nx-request-id: ${randomUUID()}\r\n${lines.join('')}` +
        `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  };
}

/** Node would answer this by itself, and without any header of ours. */
function rejectExpectations(app: App, headers: Headers): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const body = { statusCode: 417, message: 'Expectation cannot be met', error: STATUS_CODES[417] };
    const type = { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(417, { ...headers, ...type, 'x-request-id': resolveRequestId(request) });
    response.end(JSON.stringify(body));
  });
}

/** RFC 9112, 3.2. Node would refuse it by itself, and without any header of ours. */
const lacksHostHeader = ({ httpVersion, headers }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === '1.1';

/** Requests get this long to end by themselves when the server stops. */
const SHUTDOWN_GRACE_MS = 2_500;

/**
 * A connection that was busy when the stop began is idle after its answer, and would then be waited for until its
 * keep-alive ends: so idle ones are looked for until the server is closed. Callers that are never done sending are cut off.
 */
function closeConnectionsOnShutdown(app: App): void {
  app.addHook('preClose', async () => {
    app.stopping.begun = true;
    const sweep = setInterval(() => app.server.closeIdleConnections(), 25);
    const cut = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cut);
    });
  });
}

export interface ServerOptions {
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /** Where browsers reach it. With `https:` they are told to remember that. */
  readonly publicUrl?: string;
  /** What overload is known by; without it everybody is let in. */
  readonly admission?: AdmissionOptions;
}

/** The HTTP server without any route: errors, validation, ids, limits and deadlines. */
export function createServer(
  log: FastifyBaseLogger,
  { trustedProxies = [], publicUrl = '', admission }: ServerOptions = {},
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
    keepAliveTimeout: 72_000,
    // On shutdown idle connections end at once and busy ones after their answer.
    forceCloseConnections: 'idle',
    // What still arrives on a busy connection is answered like any other request.
    return503OnClosing: false,
    genReqId: resolveRequestId,
    frameworkErrors: (error, request, reply) => {
      void reply.headers(headers).header('x-request-id', request.id);
      void handleError(error, request, reply);
    },
    clientErrorHandler: handleClientError(headers, pendingResponses),
    // Who is never done sending is cut off so much later at most.
    http: { requireHostHeader: false, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
  }).withTypeProvider<TypeBoxTypeProvider>();
  trackPendingResponses(app, pendingResponses);
  registerJsonParser(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler(handleError);
  const stopping = { begun: false };
  app.decorate('stopping', stopping);
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
    done(lacksHostHeader(request.raw) ? new HttpError(400, 'Request is not valid HTTP') : undefined);
  });
  rejectExpectations(app, headers);
  if (log.level === 'debug' || log.level === 'trace') logResponses(app);
  app.setNotFoundHandler({ preValidation: [] }, () => {
    throw new HttpError(404, 'Route not found');
  });
  return app;
}

/** Puts the door in front of everything else: what it refuses costs no more than the parsing of its head. */
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
      done(rejected ? new HttpError(503, 'Service unavailable', { 'retry-after': '1' }) : undefined);
    });
  });
  app.addHook('onClose', async () => admission.stop());
}

function createRejectionHandler(headers: Headers, stopping: { readonly begun: boolean }): RequestHandler {
  const text = JSON.stringify({ statusCode: 503, message: 'Service unavailable', error: STATUS_CODES[503] });
  // No page and no script is ever made of it, so it goes without what protects those.
  const all = {
    'cache-control': headers['cache-control'],
    'x-content-type-options': headers['x-content-type-options'],
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'retry-after': '1',
  };
  return (request, response) => {
    if (stopping.begun) response.setHeader('connection', 'close');
    response.writeHead(503, { ...all, 'x-request-id': resolveRequestId(request) }).end(text);
  };
}

/** One line a request, where somebody wants to read them. */
function logResponses(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    // The route and not the address: a query may carry personal data.
    const answer = {
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log.debug(answer, 'answered');
    done();
  });
}
