import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Members that never reach a log, wherever they stand in what is logged (two levels deep). The
 * first defence is that nothing logs bodies, headers or addresses with a query; this is the second.
 */
const REDACTED_MEMBERS = [
  'password',
  'passwordHash',
  'secret',
  'authorization',
  'x-api-key',
  'apiKey',
  'key',
  'token',
  'accessToken',
  'refreshToken',
  'cookie',
  'document',
  'email',
  'phone',
  'name',
  'holderName',
  'holderDocument',
  'number',
  'cvv',
  'pixKey',
  'body',
  'headers',
  'payload',
  'connectionString',
  'databaseUrl',
  'detail',
  'parameters',
];

/** One JSON object a line, on standard output unless told. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: REDACTED_MEMBERS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
    serializers: { err: serializeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * What of an error may be logged. A database error's `detail`, `where` and `parameters` quote row
 * values, so only its code and message stand; the message of PostgreSQL names columns and
 * constraints, not values, for the statements used here.
 */
function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a value that is no Error was thrown' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const quotesValues = code !== undefined && /^(22|23)/.test(code);
  return {
    type: error.constructor.name,
    code,
    message: quotesValues ? 'a value did not fit its column' : error.message,
    stack: quotesValues ? stackFrames(error) : error.stack,
  };
}

function stackFrames(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
