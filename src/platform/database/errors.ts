import { errorCode, errorMessage } from '#platform/kit/errors.ts';

/** Too many callers are waiting. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError';
  constructor() {
    super('too many callers are waiting for the database');
  }
}

/** The database did not respond within the deadline. The statement may still be executed. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';
  constructor() {
    super('the database did not respond within the deadline');
  }
}

/** No statement was sent. Without a cause, the database was known to be unavailable before. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Any failure to connect, even a wrong password, means that the database is unavailable. */
export function toConnectionError(cause: unknown): DatabaseUnavailableError {
  return new DatabaseUnavailableError(`there is no connection to the database: ${errorMessage(cause)}`, {
    cause,
  });
}

/**
 * Whether the database cannot be reached or is shutting down, by SQLSTATE classes 08, 53 and 57P
 * and the errors of sockets and the driver.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  // A host name with several addresses fails with one error for each address.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (code !== undefined && /^(08|53|57P)/.test(code)) return true;
  if (
    code !== undefined &&
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/.test(code)
  )
    return true;
  return (
    /Connection terminated|timeout expired|timeout exceeded when trying to connect/i.test(error.message) ||
    /(Client|Connection) (has|was|is) closed|not queryable|has been discarded/i.test(error.message)
  );
}

/**
 * Whether the database failed, not the statement: unavailable, out of resources (53), too slow
 * (57014, statement_timeout; 55P03, lock_timeout), read-only (25006), with a system (58) or
 * internal (XX) error, or aborted because of a conflict with another transaction (40).
 */
export function isDatabaseFailure(error: unknown): boolean {
  if (
    error instanceof OverloadError ||
    error instanceof DeadlineExceededError ||
    isDatabaseUnavailable(error)
  )
    return true;
  return /^(25006|40|55P03|57014|58|XX)/.test(errorCode(error) ?? '');
}

/**
 * Whether a reachable server cannot write: no disk (531), no memory (532), a system (58) or
 * internal (XX) error, or a timeout.
 */
export const isWriteFailure = (error: unknown): boolean =>
  /^(53[12]|57014|58|XX)/.test(errorCode(error) ?? '');

/** The server rejects writes: it is a standby, or a primary that is set to read-only. */
export const isReadOnly = (error: unknown): boolean => errorCode(error) === '25006';

/** The server responds, but has no connection left. */
export const isConnectionLimitReached = (error: unknown): boolean =>
  errorCode(error instanceof DatabaseUnavailableError ? error.cause : error) === '53300';

/** The statement waited too long for rows that others have locked. It has changed nothing. */
export const isLockTimeout = (error: unknown): boolean => errorCode(error) === '55P03';

/**
 * Whether a statement failed because of its data (22), a constraint (23), a conflict with another
 * transaction (40), a limit (54) or a lock (55). Its connection can be used further.
 */
export const isStatementFailure = (error: unknown): boolean =>
  /^(22|23|40|54|55)/.test(errorCode(error) ?? '');

export function isDeadlock(error: unknown): boolean {
  return errorCode(error) === '40P01' || errorCode(error) === '40001';
}
