/** The code of a system error, a library's error or a database error (SQLSTATE). */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * The message of an error. A failed connection to a name with several addresses has none of its own,
 * but one error for each address.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError) return errorMessage(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message : 'unknown error';
}
