/** More callers wait than can be served. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError';
  constructor() {
    super('too many callers wait for the database');
  }
}

/**
 * The database has not answered in the time that a caller waits. What was asked of it may still be
 * done.
 */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';
  constructor() {
    super('the database takes too long');
  }
}

/**
 * There is no connection to the database; nothing was asked of it. The cause is missing where it
 * was known before.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/**
 * Whatever keeps us from connecting, a wrong password even, it is the database that cannot be
 * asked.
 */
export function toConnectionError(cause: unknown): DatabaseUnavailableError {
  const reason = cause instanceof Error ? cause.message : 'unknown';
  return new DatabaseUnavailableError(`there is no connection to the database: ${reason}`, { cause });
}

/**
 * Whether the error says that the database cannot be reached or is going away, and not that the
 * statement was wrong. Classes 08, 53 and 57P of SQLSTATE, and what sockets and the driver say.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  // A name with several addresses fails with one error for each, and no words of its own.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code !== undefined && /^(08|53|57P)/.test(code)) return true;
  if (
    code !== undefined &&
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/.test(code)
  )
    return true;
  return /Connection terminated|timeout expired|timeout exceeded when trying to connect|(Client|Connection) (has|was|is) closed|not queryable|has been discarded/i.test(
    error.message,
  );
}

/**
 * Whether it is the database that fails, and not what was asked of it: away, out of room (53), too
 * slow (57014 is our own statement_timeout), read-only (25006, what a standby says), at odds with
 * its disk (58) or with itself (XX).
 */
export function isDatabaseFailure(error: unknown): boolean {
  if (
    error instanceof OverloadError ||
    error instanceof DeadlineExceededError ||
    isDatabaseUnavailable(error)
  )
    return true;
  return /^(25006|57014|58|XX)/.test(codeOf(error) ?? '');
}

/**
 * What is to be written cannot be, though the server is there: no disk (531), no memory (532),
 * errors of its files (58) or its own (XX), too slow.
 */
export const isWriteFailure = (error: unknown): boolean => /^(53[12]|57014|58|XX)/.test(codeOf(error) ?? '');

/**
 * A server that takes no writes: a standby, or a primary that was told so. A connection to it is of
 * no use.
 */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006';

/** A server that answers, and has no connection left for us. */
export const isConnectionLimitReached = (error: unknown): boolean =>
  codeOf(error instanceof DatabaseUnavailableError ? error.cause : error) === '53300';

export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01' || codeOf(error) === '40001';
}

/** The SQLSTATE, or what the system calls it; undefined where an error has no such code. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
