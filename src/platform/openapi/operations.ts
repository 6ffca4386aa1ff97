import { STATUS_CODES } from 'node:http';

import type { ErrorMessage, NamedExamples } from './route-schema.ts';
import { errorBody, documentedErrorsOf, type DocumentedRoute } from './errors.ts';
import { camelCase } from './camel-case.ts';
import { isNode, toOpenApiSchema, type SchemaNode } from './schemas.ts';

/** What several operations share: written once, under `components`. */
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
    ...(schema.body === undefined
      ? {}
      : {
          requestBody: {
            // An empty body is read as one without members.
            required: [...membersOf(schema.body, shared.schemas)].some(([, , required]) => required),
            content: { 'application/json': mediaType(schema.body, schema.examples?.body, shared) },
          },
        }),
    ...(schema.file === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [schema.file]: mediaType({ type: 'string' }, schema.examples?.body, shared) },
          },
        }),
    responses: { ...successResponsesOf(route, shared), ...errorResponsesOf(route, shared) },
  };
}

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
      'A UUID v4 that names this request. Sent again with the same body it answers the first result again and does nothing; keys live 30 days.',
    schema: { type: 'string', format: 'uuid' },
    example: EXAMPLE_KEY,
  };
}

/** The members of an object schema. One with a default need not be sent. */
function* membersOf(
  schema: unknown,
  schemas: SharedComponents['schemas'],
): Generator<readonly [string, SchemaNode, boolean]> {
  if (!isNode(schema) || !isNode(schema['properties'])) return;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, member] of Object.entries(schema['properties'])) {
    const { description, ...published } = toOpenApiSchema(member, schemas);
    const must = required.includes(name) && published['default'] === undefined;
    yield [name, { ...(description === undefined ? {} : { description }), schema: published }, must];
  }
}

function mediaType(
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

/** What the route's own schemas describe. An answer in several forms names them under `content`. */
function successResponsesOf({ schema, config }: DocumentedRoute, shared: SharedComponents): SchemaNode {
  const answers: Record<string, SchemaNode> = {};
  const described = isNode(schema.response) ? schema.response : {};
  for (const [status, answer] of Object.entries(described)) {
    if (!isNode(answer) || (Number(status) >= 400 && answer['title'] === 'Error')) continue;
    const forms = isNode(answer['content'])
      ? Object.entries(answer['content'])
      : [['application/json', { schema: answer }] as const];
    const isSuccess = Number(status) < 400;
    const content = forms.map(([type, form]) => {
      const fitting = Object.entries(
        (isSuccess ? schema.examples?.answer : schema.examples?.failure) ?? {},
      ).filter(([, value]) => (typeof value === 'string') === type.startsWith('text/'));
      return [
        type,
        mediaType(isNode(form) ? form['schema'] : {}, Object.fromEntries(fitting), shared),
      ] as const;
    });
    const { description } = answer;
    answers[status] = {
      description: typeof description === 'string' ? description : (STATUS_CODES[status] ?? status),
      headers: {
        ...REQUEST_ID,
        ...(isRateLimited(config) ? RATE_LIMIT : {}),
        ...(isSuccess && config.idempotent === true ? IDEMPOTENCY_REPLAYED : {}),
        ...(status === '503' ? RETRY_AFTER : {}),
      },
      content: Object.fromEntries(content),
    };
  }
  return answers;
}

/** Operators are counted against no rate, so that what only they can do answers none. */
function isRateLimited({ access, unlimited }: DocumentedRoute['config']): boolean {
  return unlimited !== true && access?.startsWith('operator:') !== true;
}

function errorResponsesOf(route: DocumentedRoute, shared: SharedComponents): SchemaNode {
  const own = isNode(route.schema.response) ? route.schema.response : {};
  const errors: Record<string, SchemaNode> = {};
  for (const [text, messages] of Object.entries(documentedErrorsOf(route))) {
    const status = Number(text);
    const declared = own[text];
    if (isNode(declared) && declared['title'] !== 'Error') continue;
    // A stranger, and a seller who has no business there, is counted anywhere.
    const limited =
      route.config.unlimited !== true &&
      (isRateLimited(route.config) || status === 401 || status === 403 || status === 429);
    const response = errorResponse(status, messages, limited);
    errors[text] = shareResponse(status, messages, limited, response, shared);
  }
  return errors;
}

const summaryOf = (rules: readonly string[]): string =>
  rules.length === 1 ? String(rules[0]) : 'Broken rules, all at once';

function uniqueName(name: string, taken: object, count = 1): string {
  const candidate = count === 1 ? name : `${name}${count}`;
  return candidate in taken ? uniqueName(name, taken, count + 1) : candidate;
}

function errorResponse(status: number, messages: readonly ErrorMessage[], limited: boolean): SchemaNode {
  const examples: Record<string, SchemaNode> = {};
  for (const message of messages) {
    const summary = typeof message === 'string' ? message : summaryOf(message);
    examples[uniqueName(camelCase(summary), examples)] = { summary, value: errorBody(status, message) };
  }
  return {
    description: STATUS_DESCRIPTIONS[status] ?? STATUS_CODES[status] ?? String(status),
    headers: {
      ...REQUEST_ID,
      ...(limited && status < 500 ? RATE_LIMIT : {}),
      ...(status === 429 || status === 503 ? RETRY_AFTER : {}),
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
  };
}

const STATUS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request breaks a rule. Mend what `message` names and send it again.',
  401: 'The credential is missing, wrong, expired or revoked.',
  403: 'The credential is good and may not do this.',
  404: 'There is no such record, or it is not yours.',
  409: 'The Idempotency-Key was used for another body.',
  413: 'The body is too large.',
  415: 'The body is not of the type that the operation reads.',
  422: 'The request is well-formed, and a rule of the business stands against it.',
  429: 'Too many requests. Wait as many seconds as `Retry-After` says.',
  500: 'The gateway failed. Tell its operator the `requestId`.',
  503: 'The gateway cannot serve at this moment; try again after `Retry-After` seconds. What was asked may have been done all the same: repeated with the same Idempotency-Key it is done once.',
};

/** What many operations answer alike. */
const COMMON_ERRORS: Readonly<Record<string, readonly [number, readonly ErrorMessage[]]>> = {
  Unauthorized: [401, ['Unauthorized']],
  Forbidden: [403, ['Forbidden resource', 'Seller is not active']],
  ForbiddenToRole: [403, ['Forbidden resource']],
  IdempotencyConflict: [409, ['Idempotency-Key already used with a different body']],
  BodyTooLarge: [413, ['Body must not be larger than 256 KiB']],
  NotJson: [415, ['Content-Type must be application/json']],
  TooManyRequests: [429, ['Rate limit exceeded']],
  InternalServerError: [500, ['Internal server error']],
  ServiceUnavailable: [503, ['Service unavailable']],
};

function shareResponse(
  status: number,
  messages: readonly ErrorMessage[],
  limited: boolean,
  response: SchemaNode,
  { responses }: SharedComponents,
): SchemaNode {
  const same = JSON.stringify([status, messages]);
  const name = Object.keys(COMMON_ERRORS).find((key) => JSON.stringify(COMMON_ERRORS[key]) === same);
  if (name === undefined || (!limited && status < 500)) return response;
  responses.set(name, response);
  return { $ref: `#/components/responses/${name}` };
}
