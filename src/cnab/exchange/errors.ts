import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { handleError, HttpError } from '#platform/http/errors.ts';
import { MAX_FILE_BYTES } from '#cnab/codec/file.ts';

/** Business errors of the file exchange: status and message. */
export const REFUSALS = {
  NOT_CONFIGURED: [422, 'No files are exchanged for this: see BOLETO_PROVIDER and PAYOUT_PROVIDER'],
  NOTHING_TO_SHIP: [422, 'Nothing to ship'],
} as const satisfies Record<string, readonly [number, string]>;

export const SHIPMENT_NOT_FOUND = 'Shipment not found';
export const RETURN_NOT_FOUND = 'Return file not found';

/** Fastify's errors about a body that is not JSON, by error code. */
export const BODY_ERRORS: Readonly<Record<string, readonly [number, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Content-Type must be text/plain'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, `Body must not be larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`],
};

export function sendImportError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const bodyError = 'code' in error ? BODY_ERRORS[error.code] : undefined;
  return handleError(bodyError === undefined ? error : new HttpError(...bodyError), request, reply);
}
