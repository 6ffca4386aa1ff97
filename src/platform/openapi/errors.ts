import type { FastifyContextConfig, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';

import type { ErrorCode } from '#platform/http/error-codes.ts';
import { HttpError } from '#platform/http/errors.ts';
import { invalidCursor } from '#platform/http/pagination.ts';
import { validatorCompiler } from '#platform/http/validation.ts';
import { hasPermission, OPERATOR_ROLES, SELLER_ROLES, type Role } from '#platform/kit/permissions.ts';
import type { DocumentedError } from './route-schema.ts';
import { isRecord } from '#platform/kit/records.ts';

/** The part of a route that its documentation is derived from. */
export interface DocumentedRoute {
  readonly method: string;
  readonly schema: FastifySchema;
  readonly config: FastifyContextConfig;
}

/**
 * All errors of an operation: its own, and those that follow from its access, body and idempotency.
 */
export function documentedErrorsOf({ schema, config }: DocumentedRoute): readonly HttpError[] {
  const { access, idempotent, unlimited } = config;
  const errors: readonly DocumentedError[] = [
    ...validationErrors(schema),
    ...(idempotent === true ? IDEMPOTENCY_ERRORS : []),
    ...(schema.body === undefined ? [] : BODY_ERRORS),
    ...(access === 'public' ? [] : [...CREDENTIAL_ERRORS, ...forbiddenErrors(config)]),
    ...(schema.errors ?? []),
    ...(unlimited === true ? [] : (['rate_limited', 'service_unavailable'] as const)),
    'internal_error',
  ];
  const unique = new Map<string, HttpError>();
  for (const documented of errors) {
    const error = typeof documented === 'string' ? new HttpError(documented) : documented;
    unique.set(`${error.code} ${error.message}`, error);
  }
  return [...unique.values()];
}

const IDEMPOTENCY_ERRORS = [
  'idempotency_key_required',
  'idempotency_key_invalid',
  'idempotency_key_reused',
] as const;
const BODY_ERRORS = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_content_encoding',
] as const;
const CREDENTIAL_ERRORS = [
  'missing_credentials',
  'malformed_api_key',
  'revoked_api_key',
  'invalid_access_token',
] as const;

/** The status of the seller is checked only if its role has the permission. */
function forbiddenErrors(config: FastifyContextConfig): readonly ErrorCode[] {
  const { access, anySellerStatus, withoutSecondFactor, stepUp } = config;
  const allows = (role: Role) => access !== undefined && access !== 'public' && hasPermission(role, access);
  const activeOnly = SELLER_ROLES.some(allows) && anySellerStatus !== true;
  const secondFactor = OPERATOR_ROLES.some(allows) && withoutSecondFactor !== true;
  return [
    'permission_denied',
    ...(secondFactor ? (['second_factor_required'] as const) : []),
    ...(activeOnly ? (['seller_not_active'] as const) : []),
    ...(stepUp === true ? (['step_up_required'] as const) : []),
  ];
}

/** Errors of invalid requests, taken from the validator so that they are accurate. */
function validationErrors(schema: FastifySchema): readonly HttpError[] {
  const { body, querystring } = schema;
  const ofBody = !isSchema(body)
    ? []
    : [
        validationErrorFor(body, {}, 'body') ??
          validationErrorFor(body, invalidValues(body), 'body') ??
          validationErrorFor(body, 'none', 'body'),
      ];
  const ofQuery = !isSchema(querystring)
    ? []
    : [validationErrorFor(querystring, invalidValues(querystring), 'querystring')];
  const ofCursor = hasCursor(querystring) ? [invalidCursor()] : [];
  return [...ofBody, ...ofQuery, ...ofCursor].filter((error) => error !== undefined);
}

function validationErrorFor(schema: TSchema, data: unknown, httpPart: string): HttpError | undefined {
  const outcome = validatorCompiler({ schema, httpPart })(structuredClone(data));
  return 'error' in outcome && outcome.error instanceof HttpError ? outcome.error : undefined;
}

/** Invalid values for up to three members, which suffice for an example. */
function invalidValues(schema: TSchema): Record<string, unknown> {
  const { properties }: { readonly properties?: unknown } = schema;
  const members = isRecord(properties) ? Object.entries(properties) : [];
  const nonText = members.filter(([, member]) => isRecord(member) && member['type'] !== 'string');
  return Object.fromEntries(nonText.slice(0, 3).map(([name]) => [name, 'none']));
}

const hasCursor = (querystring: unknown): boolean =>
  isRecord(querystring) && isRecord(querystring['properties']) && 'cursor' in querystring['properties'];

const isSchema = (value: unknown): value is TSchema => isRecord(value);
