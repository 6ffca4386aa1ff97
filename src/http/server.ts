import { randomUUID } from 'node:crypto';

import helmet from '@fastify/helmet';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawServerDefault,
} from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { answerError, HttpError } from './errors.ts';
import { readJson } from './json.ts';
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

/** The HTTP server without any route: errors, validation, ids, limits and deadlines. */
export async function createServer(log: FastifyBaseLogger): Promise<App> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // On shutdown idle connections end at once and busy ones after their answer.
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  }).withTypeProvider<TypeBoxTypeProvider>();
  readJson(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler(answerError);
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: { defaultSrc: ["'self'"], imgSrc: ["'self'", 'data:'], upgradeInsecureRequests: null },
    },
    // The gateway may be reached by plain HTTP on one's own machine; a browser must not remember otherwise.
    strictTransportSecurity: false,
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    // The route and not the address: a query may carry personal data.
    request.log.debug(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
  app.setNotFoundHandler({ preValidation: [] }, () => {
    throw new HttpError(404, 'Route not found');
  });
  return app;
}
