import { STATUS_CODES } from 'node:http';

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { isDatabaseFailure, DatabaseUnavailableError, OverloadError } from '#platform/database/errors.ts';

/**
 * An error with its HTTP response. `body` is an array only for validation errors, with one sentence
 * for each violated rule.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  readonly body: string | readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    body: string | readonly string[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof body === 'string' ? body : body.join('; '));
    this.statusCode = statusCode;
    this.body = body;
    this.headers = headers;
  }
}

/** The error of an entry in a module's error table: status and message. */
export const businessError = ([statusCode, message]: readonly [number, string]): HttpError =>
  new HttpError(statusCode, message);

export const unauthorized = (): HttpError => new HttpError(401, 'Unauthorized');
export const forbidden = (): HttpError => new HttpError(403, 'Forbidden resource');

export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'The HTTP status code.' }),
    message: Type.Unsafe<string | readonly string[]>({
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    }),
    error: Type.String({ description: 'The name of the status.' }),
    requestId: Type.Optional(Type.String({ description: 'Only in a 500: report it to the operator.' })),
  },
  {
    title: 'Error',
    description: '`message` is an array for validation errors, with one entry for each violated rule.',
  },
);

/** The messages of Fastify's own errors. */
const FRAMEWORK_MESSAGES: Readonly<Record<string, readonly [number, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Content-Type must be application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'Body must not be larger than 256 KiB'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'Body does not have the length that Content-Length tells'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'Body must be valid JSON'],
  FST_ERR_BAD_URL: [400, 'Address is malformed'],
};

/**
 * Sends every error with the same body. Logs only errors that an operator must investigate, and
 * exposes nothing internal.
 */
export function handleError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof HttpError) return sendError(reply, error.statusCode, error.body, error.headers);
  const known = 'code' in error ? FRAMEWORK_MESSAGES[error.code] : undefined;
  if (known !== undefined) return sendError(reply, known[0], known[1]);
  // A connection that closes while its body is read raises an error that looks like a database
  // failure.
  if (isClientGone(request))
    return sendError(reply, 400, 'Body does not have the length that Content-Length tells');
  if (isDatabaseFailure(error)) {
    logThrottled(error, request);
    return sendError(reply, 503, 'Service unavailable', { 'retry-after': '1' });
  }
  if ('statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500) {
    return sendError(reply, error.statusCode, STATUS_CODES[error.statusCode] ?? 'Bad Request');
  }
  request.log.error({ err: error }, 'request failed');
  return reply.code(500).type('application/json; charset=utf-8').serializer(JSON.stringify).send({
    statusCode: 500,
    message: 'Internal server error',
    error: STATUS_CODES[500],
    requestId: request.id,
  });
}

/** Whether the connection closed before the request was complete. The response is not read. */
const isClientGone = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;

const LOG_INTERVAL_MS = 1_000;
let lastLoggedMs = -Infinity;
let suppressed = 0;

/**
 * Logs at most one line a second, since a database failure fails thousands of requests at once. The
 * outage itself is logged where it is detected.
 */
function logThrottled(error: Error, request: FastifyRequest): void {
  if (error instanceof OverloadError || (error instanceof DatabaseUnavailableError && !error.cause)) return;
  const now = performance.now();
  if (now - lastLoggedMs < LOG_INTERVAL_MS) {
    suppressed += 1;
    return;
  }
  lastLoggedMs = now;
  request.log.error({ err: error, suppressed }, 'database failure');
  suppressed = 0;
}

export function sendError(
  reply: FastifyReply,
  statusCode: number,
  message: string | readonly string[],
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  return reply
    .code(statusCode)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ statusCode, message, error: STATUS_CODES[statusCode] });
}
