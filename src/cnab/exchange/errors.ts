import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { handleError, HttpError } from '#platform/http/errors.ts';
import { MAX_FILE_BYTES } from '#cnab/codec/file.ts';

/** Every way an exchange of files is refused, with its HTTP form. */
export const REFUSALS = {
  NOT_SET_UP: [422, 'No files are exchanged for this: see BOLETO_PROVIDER and PAYOUT_PROVIDER'],
  NOTHING: [422, 'Nothing to ship'],
} as const satisfies Record<string, readonly [number, string]>;

export const SHIPMENT_NOT_FOUND = 'Shipment not found';
export const RETURN_NOT_FOUND = 'Return file not found';

/** Where the body, which is no JSON, is refused by the framework. */
export const BODY_ERRORS: Readonly<Record<string, readonly [number, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Content-Type must be text/plain'],
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
