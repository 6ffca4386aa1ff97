import { randomUUID } from 'node:crypto';

import helmet from 'helmet';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawServerDefault,
} from 'fastify';
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';

import { answerError, HttpError } from './errors.ts';
import { readJson } from './json.ts';
import { RequestLogger } from './request-logger.ts';
import { validatorCompiler } from './validation.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const BODY_LIMIT = 256 * 1024;

/** An id the caller sent is taken over only if it cannot forge a log line. */
function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[\w-]{1,64}$/.test(sent) ? sent : randomUUID();
}

/** What is no HTTP gets the same error body, and its connection ends. */
function refuseNoise(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const statusCode = tooLong ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const message = tooLong ? 'Header fields are too large' : 'Request is not valid HTTP';
  const body = JSON.stringify({ statusCode, message, error: STATUS_CODES[statusCode] });
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\nx-request-id: ${randomUUID()}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Requests get this long to end by themselves when the server stops. */
const STOP_GRACE_MS = 2_500;

/**
 * A connection that was busy when the stop began is idle after its answer, and would then be waited for until its
 * keep-alive ends: so idle ones are looked for until the server is closed. Callers that are never done sending are cut off.
 */
function closeConnectionsAtStop(app: App): { readonly begun: boolean } {
  const stop = { begun: false };
  app.addHook('preClose', async () => {
    stop.begun = true;
    const sweep = setInterval(() => app.server.closeIdleConnections(), 25);
    const cut = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS);
    app.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cut);
    });
  });
  return stop;
}

/**
 * The HTTP server without any route: errors, validation, ids, limits and deadlines.
 *
 * @param trustedProxies addresses and networks whose `X-Forwarded-For` is believed.
 */
export function createServer(log: FastifyBaseLogger, trustedProxies: readonly string[] = []): App {
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
    genReqId: requestIdOf,
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      void answerError(error, request, reply);
    },
    clientErrorHandler: refuseNoise,
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
  }).withTypeProvider<TypeBoxTypeProvider>();
  readJson(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler(answerError);
  const headers = securityHeaders();
  const stop = closeConnectionsAtStop(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    reply.header('x-request-id', request.id);
    if (stop.begun) reply.header('connection', 'close');
    done();
  });
  if (log.level === 'debug' || log.level === 'trace') logAnswers(app);
  app.setNotFoundHandler({ preValidation: [] }, () => {
    throw new HttpError(404, 'Route not found');
  });
  return app;
}

/**
 * What helmet sets, asked once: it is the same for every answer. Answers carry secrets and personal data and change, so
 * nobody keeps them; the few routes whose answers may be kept say so.
 */
function securityHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers[name.toLowerCase()] = String(value);
    return response;
  };
  const setHeaders = helmet({
    contentSecurityPolicy: {
      directives: { defaultSrc: ["'self'"], imgSrc: ["'self'", 'data:'], upgradeInsecureRequests: null },
    },
    // The gateway may be reached by plain HTTP on one's own machine; a browser must not remember otherwise.
    strictTransportSecurity: false,
  });
  setHeaders(response.req, response, () => undefined);
  return headers;
}

/** One line a request, where somebody wants to read them. */
function logAnswers(app: App): void {
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
