import { STATUS_CODES } from 'node:http';

import { expect } from 'vitest';

import { ERRORS, type ErrorCode } from '#platform/http/error-codes.ts';

/** The body of an error. A list of messages makes a validation error. */
export const errorBody = (
  code: ErrorCode,
  message: string | readonly string[] = ERRORS[code].message,
): object => ({ ...bodyOf(ERRORS[code].status, message), code });

/** The body of an error with any code. */
export const bodyOf = (statusCode: number, message: unknown): object => ({
  statusCode,
  message,
  error: STATUS_CODES[statusCode],
  code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
  requestId: expect.stringMatching(/^[\w-]{1,64}$/),
  ...(Array.isArray(message) ? { errors: message.map(fieldError) } : {}),
});

const fieldError = (message: unknown) => ({
  path: expect.any(String),
  code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
  message,
});
