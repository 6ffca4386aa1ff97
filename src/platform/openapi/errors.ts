import { STATUS_CODES } from 'node:http';

import { HttpError } from '#platform/http/errors.ts';
import { validatorCompiler } from '#platform/http/validation.ts';
import { hasPermission, SELLER_ROLES } from '#platform/kit/permissions.ts';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';

import type { ErrorMessage, DocumentedErrors } from './route-schema.ts';
import { isNode } from './schemas.ts';

/** What of a route its description follows from. */
export interface DocumentedRoute {
  readonly method: string;
  readonly schema: FastifySchema;
  readonly config: FastifyContextConfig;
}

type MessagesByStatus = Partial<Record<number, readonly ErrorMessage[]>>;

/** Every refusal of an operation: its own, and those that follow from who may call it and with what. */
export function documentedErrorsOf({ schema, config }: DocumentedRoute): DocumentedErrors {
  const guarded = config.access !== 'public';
  const body = schema.body !== undefined;
  const all: Record<number, readonly ErrorMessage[]> = {};
  const add = (messagesByStatus: MessagesByStatus): void => {
    for (const [status, messages] of Object.entries(messagesByStatus)) {
      const known = all[Number(status)] ?? [];
      all[Number(status)] = [...known, ...(messages ?? []).filter((message) => !known.includes(message))];
    }
  };
  add({ 400: validationMessages(schema) });
  if (config.idempotent === true) {
    add({
      400: ['Idempotency-Key header is required', 'Idempotency-Key must be a UUID'],
      409: ['Idempotency-Key already used with a different body'],
    });
  }
  if (body) {
    add({
      400: ['Body must be valid JSON'],
      413: ['Body must not be larger than 256 KiB'],
      415: ['Content-Type must be application/json'],
    });
  }
  if (guarded) add({ 401: ['Unauthorized'], 403: forbiddenMessages(config) });
  add(schema.refusals ?? {});
  if (config.unlimited !== true) add({ 429: ['Rate limit exceeded'], 503: ['Service unavailable'] });
  add({ 500: ['Internal server error'] });
  return Object.fromEntries(Object.entries(all).filter(([, messages]) => messages.length > 0));
}

/** A seller that is not active is told so only where its role would have been let in. */
function forbiddenMessages({ access, anySellerStatus }: FastifyContextConfig): readonly ErrorMessage[] {
  const forSellers =
    access !== undefined && access !== 'public' && SELLER_ROLES.some((role) => hasPermission(role, access));
  const activeOnly = forSellers && anySellerStatus !== true;
  return ['Forbidden resource', ...(activeOnly ? ['Seller is not active'] : [])];
}

/** What the validator says of a request that breaks many rules: asked of the validator itself, so that it is true. */
function validationMessages(schema: FastifySchema): readonly ErrorMessage[] {
  const { body, querystring } = schema;
  const bodyMessages = !isSchema(body)
    ? []
    : [validationMessageFor(body, {}, 'body') ?? validationMessageFor(body, invalidValues(body), 'body')];
  const queryMessages = !isSchema(querystring)
    ? []
    : [validationMessageFor(querystring, invalidValues(querystring), 'querystring')];
  const cursor = hasCursor(querystring) ? [['cursor must be the nextCursor of a previous page']] : [];
  return [...bodyMessages, ...queryMessages, ...cursor].filter((message) => message !== undefined);
}

function validationMessageFor(schema: TSchema, data: unknown, httpPart: string): ErrorMessage | undefined {
  const outcome = validatorCompiler({ schema, httpPart })(structuredClone(data));
  return 'error' in outcome && outcome.error instanceof HttpError ? outcome.error.body : undefined;
}

/** A value for each member that it cannot have; three are enough to show what such an answer looks like. */
function invalidValues(schema: TSchema): Record<string, unknown> {
  const { properties }: { readonly properties?: unknown } = schema;
  const members = isNode(properties) ? Object.entries(properties) : [];
  const wrong = members.filter(([, member]) => isNode(member) && member['type'] !== 'string');
  return Object.fromEntries(wrong.slice(0, 3).map(([name]) => [name, 'none']));
}

const hasCursor = (querystring: unknown): boolean =>
  isNode(querystring) && isNode(querystring['properties']) && 'cursor' in querystring['properties'];

const isSchema = (value: unknown): value is TSchema => isNode(value);

/** An error's body as it is answered. */
export function errorBody(statusCode: number, message: ErrorMessage) {
  const body = { statusCode, message, error: STATUS_CODES[statusCode] };
  return statusCode === 500 ? { ...body, requestId: 'd2f3a7c4-5a0e-4f0b-9c1d-6f1f5e0b7a21' } : body;
}
