import { STATUS_CODES } from 'node:http';

import type { Rule } from './rules.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';

import { isDatabaseFailure, DatabaseUnavailableError, OverloadError } from '#platform/database/errors.ts';
import {
  ERROR_CODES,
  ERRORS,
  FIELD_ERROR_CODES,
  type ErrorCode,
  type FieldErrorCode,
} from './error-codes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** `begun` is set before shutdown. Requests are still served, with `Connection: close`. */
    stopping: { begun: boolean };
  }
}

/** A violated rule, for example at `['items', '0', 'quantity']`: `must not be less than 1`. */
export interface Violation {
  readonly path: readonly string[];
  readonly rule: Rule;
  readonly code?: FieldErrorCode;
}

/** What is wrong with one field, in `errors` of the response. */
export interface FieldError {
  /** The path of the member: `items.0.quantity`. */
  readonly path: string;
  readonly code: FieldErrorCode;
  readonly message: string;
}

export interface HttpErrorOptions {
  /** Replaces the message of the table. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly FieldError[];
  /** The existing record that prevents the request: `id` of the response. */
  readonly recordId?: string;
}

/** An error with its HTTP response. `error-codes.ts` has the status and message of each code. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** If present, the response's message is the list of their messages. */
  readonly errors: readonly FieldError[] | undefined;
  readonly recordId: string | undefined;

  constructor(code: ErrorCode, { message, headers = {}, errors, recordId }: HttpErrorOptions = {}) {
    super(message ?? errors?.map((error) => error.message).join('; ') ?? ERRORS[code].message);
    this.code = code;
    this.statusCode = ERRORS[code].status;
    this.headers = headers;
    this.errors = errors;
    this.recordId = recordId;
  }

  /** The message of the response. */
  get body(): string | readonly string[] {
    return this.errors?.map(({ message }) => message) ?? this.message;
  }
}

/** An invalid request, with all violated rules. */
export class ValidationError extends HttpError {
  constructor(violations: readonly Violation[]) {
    super('validation_failed', { errors: violations.map(toFieldError) });
  }
}

const toFieldError = ({ path, rule, code = 'invalid_value' }: Violation): FieldError => {
  const joined = path.join('.');
  return { path: joined, code, message: `${joined} ${rule}` };
};

/** An imported file of which nothing was imported. A problem is `line 3: …`, or about the file. */
export class InvalidFileError extends HttpError {
  constructor(problems: readonly string[]) {
    super('invalid_file', { errors: problems.map(toLineError) });
  }
}

const toLineError = (message: string): FieldError => ({
  path: /^line \d+(?=: )/.exec(message)?.[0] ?? 'file',
  code: 'invalid_line',
  message,
});

export const forbidden = (): HttpError => new HttpError('permission_denied');
export const routeNotFound = (): HttpError => new HttpError('route_not_found');
export const serviceUnavailable = (): HttpError =>
  new HttpError('service_unavailable', { headers: { 'retry-after': '1' } });

const FieldErrorSchema = Type.Object(
  {
    path: Type.String({ description: 'The path of the field: `customer.email`, `items.0.quantity`.' }),
    code: Type.Enum([...FIELD_ERROR_CODES], { description: 'What is wrong. Listed at `/docs/errors`.' }),
    message: Type.String({ description: 'The violated rule, with the path.' }),
  },
  { title: 'FieldError' },
);

export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'The HTTP status code.' }),
    message: Type.Unsafe<string | readonly string[]>({
      description: 'Human-readable. If the response has `errors`, an array with one entry for each.',
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    }),
    error: Type.String({ description: 'The name of the HTTP status.' }),
    code: Type.Enum([...ERROR_CODES], {
      description: 'Machine-readable and stable. `/docs/errors` lists the cause and remedy of each code.',
    }),
    requestId: Type.String({ description: 'Identifies the request in the logs, as `x-request-id` does.' }),
    id: Type.Optional(
      Type.String({ description: 'Only with the code `customer_exists`: the id of the existing record.' }),
    ),
    errors: Type.Optional(
      Type.Array(FieldErrorSchema, {
        description:
          'Only with the codes `validation_failed` and `invalid_file`: one entry for each violation.',
      }),
    ),
  },
  { title: 'Error', description: 'The body of every error.' },
);

/** The response body of an error. */
export function toErrorBody(error: HttpError, requestId: string): Static<typeof ErrorBody> {
  const { statusCode, body: message, code, errors, recordId: id } = error;
  const common = { statusCode, message, error: STATUS_CODES[statusCode] ?? '', code, requestId };
  const members = id === undefined ? common : { ...common, id };
  return errors === undefined ? members : { ...members, errors: [...errors] };
}

/** Fastify's own errors. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'incomplete_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_BAD_URL: 'malformed_url',
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
  const sent = toHttpError(error, request);
  if (sent.statusCode === 413) keepConnection(request, reply);
  return reply
    .code(sent.statusCode)
    .headers(sent.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toErrorBody(sent, request.id));
}

/**
 * Undoes that Fastify closes the connection. Closing it while the client still sends its body would
 * reset it, often before the client has read the response. Node reads the rest and discards it,
 * until the request timeout.
 */
function keepConnection({ server }: FastifyRequest, reply: FastifyReply): void {
  if (!server.stopping.begun) reply.removeHeader('connection');
}

function toHttpError(error: FastifyError | Error, request: FastifyRequest): HttpError {
  if (error instanceof HttpError) return error;
  const known = 'code' in error ? FRAMEWORK_ERRORS[error.code] : undefined;
  if (known !== undefined) return new HttpError(known);
  // A connection that closes while its body is read raises an error that looks like a database
  // failure.
  if (isClientGone(request)) return new HttpError('incomplete_body');
  if (isDatabaseFailure(error)) {
    logThrottled(error, request);
    return serviceUnavailable();
  }
  if ('statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500) {
    return new HttpError(error.statusCode === 404 ? 'route_not_found' : 'bad_request');
  }
  request.log.error({ err: error }, 'request failed');
  return new HttpError('internal_error');
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
