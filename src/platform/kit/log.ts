import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

import { errorCode } from './errors.ts';
import { standardOutput } from './standard-output.ts';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Members that are redacted in logs, up to two levels deep. They are the second defense: nothing
 * logs bodies, headers or URLs with a query.
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

/** Logs one JSON object per line, by default to standard output. */
export function createLogger(level: LogLevel, destination: DestinationStream = standardOutput()): Logger {
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
  return pino(options, destination);
}

/**
 * Serializes an error without row values, which `detail`, `where` and `parameters` of database
 * errors quote. Their messages name columns and constraints only.
 */
function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'a value that is not an Error was thrown' };
  const code = errorCode(error);
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
