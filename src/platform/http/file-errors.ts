import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { handleError, HttpError } from './errors.ts';

/** The maximum size of return files and settlement files. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** The errors of a body that is a file, with the media type of the operation. */
export function fileBodyErrors(mediaType: string) {
  const unsupported = new HttpError('unsupported_media_type', {
    message: `Content-Type must be ${mediaType}`,
  });
  const tooLarge = new HttpError('body_too_large', {
    message: `Body must not be larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`,
  });
  const byFastifyCode: Readonly<Record<string, HttpError>> = {
    FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupported,
    FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  };
  return {
    /** For the API reference. */
    documented: [unsupported, tooLarge],
    /** The error handler of the route. */
    handle: (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      handleError(('code' in error ? byFastifyCode[error.code] : undefined) ?? error, request, reply),
  };
}
