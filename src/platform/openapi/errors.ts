import { STATUS_CODES } from 'node:http';

import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';

import { HttpError } from '#platform/http/errors.ts';
import { validatorCompiler } from '#platform/http/validation.ts';
import { hasPermission, SELLER_ROLES } from '#platform/kit/permissions.ts';
import type { ErrorMessage, DocumentedErrors } from './route-schema.ts';
import { isNode } from './schemas.ts';

/** The part of a route that its documentation is derived from. */
export interface DocumentedRoute {
  readonly method: string;
  readonly schema: FastifySchema;
  readonly config: FastifyContextConfig;
}

type MessagesByStatus = Partial<Record<number, readonly ErrorMessage[]>>;

/**
 * All errors of an operation: its own, and those that follow from its access, body and idempotency.
 */
export function documentedErrorsOf({ schema, config }: DocumentedRoute): DocumentedErrors {
  const errors: Record<number, readonly ErrorMessage[]> = {};
  const add = (messagesByStatus: MessagesByStatus): void => {
    for (const [status, messages] of Object.entries(messagesByStatus)) {
      const known = errors[Number(status)] ?? [];
      errors[Number(status)] = [...known, ...(messages ?? []).filter((message) => !known.includes(message))];
    }
  };
  add({ 400: validationMessages(schema) });
  if (config.idempotent === true) {
    add({
      400: ['Idempotency-Key header is required', 'Idempotency-Key must be a UUID'],
      409: ['Idempotency-Key already used with a different body'],
    });
  }
  if (schema.body !== undefined) {
    add({
      400: ['Body must be valid JSON'],
      413: ['Body must not be larger than 256 KiB'],
      415: ['Content-Type must be application/json'],
    });
  }
  if (config.access !== 'public') add({ 401: ['Unauthorized'], 403: forbiddenMessages(config) });
  add(schema.refusals ?? {});
  if (config.unlimited !== true) add({ 429: ['Rate limit exceeded'], 503: ['Service unavailable'] });
  add({ 500: ['Internal server error'] });
  return Object.fromEntries(Object.entries(errors).filter(([, messages]) => messages.length > 0));
}

/** The status of the seller is checked only if its role has the permission. */
function forbiddenMessages({ access, anySellerStatus }: FastifyContextConfig): readonly ErrorMessage[] {
  const forSellers =
    access !== undefined && access !== 'public' && SELLER_ROLES.some((role) => hasPermission(role, access));
  const activeOnly = forSellers && anySellerStatus !== true;
  return ['Forbidden resource', ...(activeOnly ? ['Seller is not active'] : [])];
}

/** Messages for an invalid request, taken from the validator so that they are accurate. */
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

/** Invalid values for up to three members, which suffice for an example. */
function invalidValues(schema: TSchema): Record<string, unknown> {
  const { properties }: { readonly properties?: unknown } = schema;
  const members = isNode(properties) ? Object.entries(properties) : [];
  const nonText = members.filter(([, member]) => isNode(member) && member['type'] !== 'string');
  return Object.fromEntries(nonText.slice(0, 3).map(([name]) => [name, 'none']));
}

const hasCursor = (querystring: unknown): boolean =>
  isNode(querystring) && isNode(querystring['properties']) && 'cursor' in querystring['properties'];

const isSchema = (value: unknown): value is TSchema => isNode(value);

/** The response body of an error. */
export function errorBody(statusCode: number, message: ErrorMessage) {
  const body = { statusCode, message, error: STATUS_CODES[statusCode] };
  return statusCode === 500 ? { ...body, requestId: 'd2f3a7c4-5a0e-4f0b-9c1d-6f1f5e0b7a21' } : body;
}
