import type { components } from './schema.gen.ts';

export type ErrorCode = components['schemas']['Error']['code'];
export type FieldError = Pick<components['schemas']['FieldError'], 'path' | 'message'>;

/** An error response of the API. `i18n/errors.ts` has its text in the user's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly messages: readonly string[];
  /** Stable, unlike the messages. Undefined if a proxy responded. */
  readonly code: string | undefined;
  /** The invalid fields of the request. */
  readonly fields: readonly FieldError[];
  /** Seconds to wait before a retry, of a 429 or 503. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  /** The existing record, of a 409. */
  readonly recordId: string | undefined;

  constructor(response: Response, body: unknown) {
    const messages = messagesOf(body) ?? [response.statusText];
    super(messages.join('; '));
    this.status = response.status;
    this.messages = messages;
    this.code = codeOf(body);
    this.fields = fieldsOf(body);
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(after) ? after : undefined;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.recordId = recordIdOf(body);
  }
}

/** The gateway is unreachable. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The user closed the browser's dialog, or has no passkey for this address. */
export class PasskeyNotUsedError extends Error {
  override readonly name = 'PasskeyNotUsedError';
}

/** The device has a passkey of this user already. */
export class PasskeyExistsError extends Error {
  override readonly name = 'PasskeyExistsError';
}

/** The user signed out while a request waited for a new sign-in. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}

function messagesOf(body: unknown): readonly string[] | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  const { message } = body;
  if (typeof message === 'string') return [message];
  if (Array.isArray(message)) return message.map(String);
  return undefined;
}

const codeOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
    ? body.code
    : undefined;

const recordIdOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
    ? body.id
    : undefined;

function fieldsOf(body: unknown): readonly FieldError[] {
  if (typeof body !== 'object' || body === null || !('errors' in body)) return [];
  return Array.isArray(body.errors) ? body.errors.filter(isFieldError) : [];
}

const isFieldError = (entry: unknown): entry is FieldError =>
  typeof entry === 'object' &&
  entry !== null &&
  'path' in entry &&
  typeof entry.path === 'string' &&
  'message' in entry &&
  typeof entry.message === 'string';

export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  return new ApiError(response, body);
}
