import { STATUS_CODES } from 'node:http';

import type { FastifySchema } from 'fastify';

import { ERRORS, type ErrorCode } from '#platform/http/error-codes.ts';
import { toErrorBody, type HttpError } from '#platform/http/errors.ts';
import type { NamedExamples } from './route-schema.ts';
import { documentedErrorsOf, type DocumentedRoute } from './errors.ts';
import { camelCase } from './camel-case.ts';
import { isRecord } from '#platform/kit/records.ts';
import { toOpenApiSchema, type SchemaNode } from './schemas.ts';

/** Components that operations refer to. */
export interface SharedComponents {
  readonly schemas: Map<string, SchemaNode>;
  readonly responses: Map<string, SchemaNode>;
}

/** One operation of the document. */
export function describeOperation(route: DocumentedRoute, shared: SharedComponents): SchemaNode {
  const { schema, config } = route;
  const parameters = [...parametersOf(route, shared)];
  return {
    operationId: schema.operationId,
    summary: schema.summary,
    ...(schema.description === undefined ? {} : { description: schema.description }),
    tags: schema.tags,
    ...(config.access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(schema, shared),
    responses: { ...successResponsesOf(route, shared), ...errorResponsesOf(route, shared) },
  };
}

const UPLOAD = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'A PDF, PNG or JPEG file of at most 5 MiB.' },
  },
};

function requestBodyOf(
  { operationId, body, file, examples }: FastifySchema,
  shared: SharedComponents,
): SchemaNode {
  if (file !== undefined) {
    const body = file === 'multipart/form-data' ? UPLOAD : { type: 'string' };
    const content = { [file]: mediaType(body, examples?.body, shared) };
    return { requestBody: { required: true, content } };
  }
  if (body === undefined) return {};
  // An empty body is equivalent to an object without members.
  const required = [...membersOf(body, shared.schemas)].some(([, , isRequired]) => isRequired);
  return {
    requestBody: {
      required,
      content: { 'application/json': mediaType(named(body, operationId, 'Request'), examples?.body, shared) },
    },
  };
}

/** A body without a title is named after its operation, so that every body is a component. */
function named(schema: unknown, operationId: string | undefined, suffix: string): unknown {
  if (!isRecord(schema) || operationId === undefined || schema['title'] !== undefined) return schema;
  return { ...schema, title: operationId.replace(/^./, (first) => first.toUpperCase()) + suffix };
}

const EXAMPLE_REQUEST_ID = 'd2f3a7c4-5a0e-4f0b-9c1d-6f1f5e0b7a21';
const EXAMPLE_KEY = '6f1c1a7e-3f0e-4b7a-9b51-0d6a5c1f2e34';

function* parametersOf(
  { schema, config }: DocumentedRoute,
  { schemas }: SharedComponents,
): Generator<SchemaNode> {
  for (const [name, published] of membersOf(schema.params, schemas)) {
    yield { name, in: 'path', required: true, description: `The record's id, a UUID.`, ...published };
  }
  for (const [name, published, required] of membersOf(schema.querystring, schemas)) {
    yield { name, in: 'query', required, ...published };
  }
  if (config.idempotent !== true) return;
  yield {
    name: 'idempotency-key',
    in: 'header',
    required: true,
    description:
      'A UUID v4 that identifies this request. A repeated request with the same key and body returns ' +
      'the first result and has no effect. Keys expire after 30 days.',
    schema: { type: 'string', format: 'uuid' },
    example: EXAMPLE_KEY,
  };
}

/** Name, schema and whether it is required, for each member of an object schema. */
function* membersOf(
  schema: unknown,
  schemas: SharedComponents['schemas'],
): Generator<readonly [string, SchemaNode, boolean]> {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, member] of Object.entries(schema['properties'])) {
    const { description, ...published } = toOpenApiSchema(member, schemas);
    const isRequired = required.includes(name) && published['default'] === undefined;
    yield [name, { ...(description === undefined ? {} : { description }), schema: published }, isRequired];
  }
}

export function mediaType(
  schema: unknown,
  examples: NamedExamples | undefined,
  { schemas }: SharedComponents,
): SchemaNode {
  const named = Object.entries(examples ?? {}).map(
    ([summary, value]) => [camelCase(summary), { summary, value }] as const,
  );
  return {
    schema: toOpenApiSchema(schema, schemas),
    ...(named.length === 0 ? {} : { examples: Object.fromEntries(named) }),
  };
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const REQUEST_ID = { 'x-request-id': header('RequestId') };
const RATE_LIMIT = {
  'RateLimit-Limit': header('RateLimitLimit'),
  'RateLimit-Remaining': header('RateLimitRemaining'),
  'RateLimit-Reset': header('RateLimitReset'),
};
const RETRY_AFTER = { 'Retry-After': header('RetryAfter') };
const IDEMPOTENCY_REPLAYED = { 'Idempotency-Replayed': header('IdempotencyReplayed') };

/** The responses with a schema in the route. Several media types are listed under `content`. */
function successResponsesOf({ schema, config }: DocumentedRoute, shared: SharedComponents): SchemaNode {
  const responses: Record<string, SchemaNode> = {};
  const described = isRecord(schema.response) ? schema.response : {};
  for (const [status, response] of Object.entries(described)) {
    if (!isRecord(response) || (Number(status) >= 400 && response['title'] === 'Error')) continue;
    const isSuccess = Number(status) < 400;
    const examples = Object.entries(schema.examples?.[exampleKindOf(status)] ?? {});
    const mediaTypes = isRecord(response['content'])
      ? Object.entries(response['content'])
      : [['application/json', { schema: response }] as const];
    const content = mediaTypes.map(([type, media]) => {
      const isText = type.startsWith('text/');
      const matching = examples.filter(([, value]) => (typeof value === 'string') === isText);
      const inline = isRecord(media) ? media['schema'] : {};
      const component = isText ? inline : named(inline, schema.operationId, 'Response');
      const described = mediaType(component, Object.fromEntries(matching), shared);
      return [type, described] as const;
    });
    const { description } = response;
    responses[status] = {
      description: typeof description === 'string' ? description : (STATUS_CODES[status] ?? status),
      headers: {
        ...REQUEST_ID,
        ...(config.unlimited === true ? {} : RATE_LIMIT),
        ...(isSuccess && config.idempotent === true ? IDEMPOTENCY_REPLAYED : {}),
        ...(status === '503' ? RETRY_AFTER : {}),
      },
      content: Object.fromEntries(content),
    };
  }
  return responses;
}

function exampleKindOf(status: string): 'accepted' | 'failure' | 'response' {
  if (status === '202') return 'accepted';
  return Number(status) < 400 ? 'response' : 'failure';
}

function errorResponsesOf(route: DocumentedRoute, shared: SharedComponents): SchemaNode {
  const own = isRecord(route.schema.response) ? route.schema.response : {};
  const errors: Record<string, SchemaNode> = {};
  for (const [text, found] of Object.entries(groupByStatus(documentedErrorsOf(route)))) {
    const status = Number(text);
    const declared = own[text];
    if (isRecord(declared) && declared['title'] !== 'Error') continue;
    const hasRateLimit = route.config.unlimited !== true;
    errors[text] = errorResponse({ status, errors: found, hasRateLimit }, shared);
  }
  return errors;
}

function groupByStatus(errors: readonly HttpError[]): Readonly<Record<string, readonly HttpError[]>> {
  const groups: Record<string, HttpError[]> = {};
  for (const error of errors) (groups[error.statusCode] ??= []).push(error);
  return groups;
}

function uniqueName(name: string, taken: object, count = 1): string {
  const candidate = count === 1 ? name : `${name}${count}`;
  return candidate in taken ? uniqueName(name, taken, count + 1) : candidate;
}

interface ErrorResponse {
  readonly status: number;
  readonly errors: readonly HttpError[];
  /** Whether the response has rate limit headers. */
  readonly hasRateLimit: boolean;
}

/** Refers to a component if the error is common to many operations. */
function errorResponse(error: ErrorResponse, { responses }: SharedComponents): SchemaNode {
  const { status, errors, hasRateLimit } = error;
  const response = describeError(error);
  const key = errors.map(({ code, message }) => (message === ERRORS[code].message ? code : message)).join();
  const name = Object.keys(COMMON_ERRORS).find((one) => COMMON_ERRORS[one]?.join() === key);
  if (name === undefined || (!hasRateLimit && status < 500)) return response;
  responses.set(name, response);
  return { $ref: `#/components/responses/${name}` };
}

function describeError({ status, errors, hasRateLimit }: ErrorResponse): SchemaNode {
  const examples: Record<string, SchemaNode> = {};
  for (const error of errors) {
    const name = uniqueName(camelCase(error.code.replaceAll('_', ' ')), examples);
    examples[name] = { summary: ERRORS[error.code].cause, value: toErrorBody(error, EXAMPLE_REQUEST_ID) };
  }
  return {
    description: STATUS_DESCRIPTIONS[status] ?? STATUS_CODES[status] ?? String(status),
    headers: {
      ...REQUEST_ID,
      ...(hasRateLimit && status < 500 ? RATE_LIMIT : {}),
      ...(status === 429 || status === 503 ? RETRY_AFTER : {}),
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
  };
}

const STATUS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400:
    'The request is invalid. `errors` lists the invalid fields, if any. Correct the request and send it ' +
    'again.',
  401: 'The credential is missing, invalid, expired or revoked.',
  403: 'The credential is valid but lacks the permission.',
  404: 'The record does not exist or belongs to another seller.',
  409: 'The request conflicts with an existing record or a running operation.',
  413: 'The body is too large.',
  415: 'The operation does not accept the media type or the encoding of the body.',
  422: 'The request is valid, but it violates a business rule.',
  429: 'Too many requests. Retry after the number of seconds in `Retry-After`.',
  500: 'The gateway failed. Report the `requestId` to its operator.',
  503:
    'The gateway is unavailable. Wait the number of seconds in `Retry-After`, then retry with the ' +
    'same Idempotency-Key. The first request may have been processed; the operation still takes ' +
    'effect only once.',
};

/** Errors that many operations share, by the name of the component. */
const COMMON_ERRORS: Readonly<Record<string, readonly ErrorCode[]>> = {
  Unauthorized: ['missing_credentials', 'malformed_api_key', 'revoked_api_key', 'invalid_access_token'],
  Forbidden: ['permission_denied', 'seller_not_active'],
  ForbiddenToRole: ['permission_denied'],
  ForbiddenToOperator: ['permission_denied', 'second_factor_required'],
  IdempotencyConflict: ['idempotency_key_reused'],
  BodyTooLarge: ['body_too_large'],
  NotJson: ['unsupported_media_type', 'unsupported_content_encoding'],
  TooManyRequests: ['rate_limited'],
  InternalServerError: ['internal_error'],
  ServiceUnavailable: ['service_unavailable'],
};
