import type { components } from './schema.gen.ts';

type ErrorBody = components['schemas']['Error'];

/** The stable code of an error, as listed in `/docs/errors`. */
export type ErrorCode = ErrorBody['code'];

/** One violated rule of a request. */
export type FieldError = components['schemas']['FieldError'];

/** Every error of this package. */
export class VeredaError extends Error {
  override readonly name: string = 'VeredaError';
}

/**
 * The gateway rejected the request. `C` is known after `isCode`:
 *
 *     if (VeredaApiError.isCode(error, 'insufficient_balance')) …
 */
export class VeredaApiError<C extends ErrorCode = ErrorCode> extends VeredaError {
  override readonly name = 'VeredaApiError';
  /** The HTTP status code. */
  readonly status: number;
  readonly code: C;
  /** Identifies the request in the logs of the gateway. */
  readonly requestId: string;
  /** One entry for each violated rule of a request; otherwise empty. */
  readonly errors: readonly FieldError[];

  constructor(body: ErrorBody & { readonly code: C }) {
    super(Array.isArray(body.message) ? body.message.join('; ') : body.message);
    this.status = body.statusCode;
    this.code = body.code;
    this.requestId = body.requestId;
    this.errors = body.errors ?? [];
  }

  static isCode<C extends ErrorCode>(error: unknown, code: C): error is VeredaApiError<C> {
    return error instanceof VeredaApiError && error.code === code;
  }
}

/** No usable response arrived. Whether the request had an effect is unknown. */
export class VeredaConnectionError extends VeredaError {
  override readonly name: string = 'VeredaConnectionError';
}

/** No response arrived within `timeoutMs`. */
export class VeredaTimeoutError extends VeredaConnectionError {
  override readonly name = 'VeredaTimeoutError';
}

/** The webhook was not signed with this secret, or its timestamp is more than five minutes away. */
export class VeredaSignatureError extends VeredaError {
  override readonly name = 'VeredaSignatureError';
}
