import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { handleError, HttpError } from '#platform/http/errors.ts';
import { MAX_FILE_BYTES } from './settlement-file.ts';

/** Nothing of a settlement file was imported. Each problem is one sentence. */
export class InvalidSettlementFileError extends HttpError {
  constructor(problems: readonly string[]) {
    super(400, problems);
  }
}

/** Errors of Fastify's body parser for a body that is a file: status and message by error code. */
export const BODY_ERRORS: Readonly<Record<string, readonly [number, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Content-Type must be text/csv'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, `Body must not be larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`],
};

export function sendImportError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = 'code' in error ? BODY_ERRORS[error.code] : undefined;
  return handleError(known === undefined ? error : new HttpError(known[0], known[1]), request, reply);
}
