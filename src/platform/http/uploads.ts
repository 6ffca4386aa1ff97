import type { FastifyRequest } from 'fastify';

import { Type } from 'typebox';

import { detectFileType, FILE_EXTENSIONS, isFileType, type FileType } from '#formats/file-type.ts';
import { ValidationError } from './errors.ts';
import { fileBodyErrors } from './file-errors.ts';
import type { Rule } from './rules.ts';
import type { App } from './server.ts';

const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
/** The boundaries and headers of the parts. */
const MULTIPART_BYTES = 16 * 1024;
const MAX_NAME_LENGTH = 100;
const MEDIA_TYPE = 'multipart/form-data';

/** An uploaded file. Its type is that of its bytes. */
export interface UploadedFile {
  readonly name: string;
  readonly type: FileType;
  readonly bytes: Uint8Array;
}

const violation = (rule: Rule): ValidationError => new ValidationError([{ path: ['file'], rule }]);
const NO_UPLOAD_TYPE: Rule = 'must be a PDF, PNG or JPEG file';

const bodyErrors = fileBodyErrors(MEDIA_TYPE, MAX_UPLOAD_BYTES);

/** The errors of operations that take an uploaded file, for the API reference. */
export const UPLOAD_ERRORS = [violation(NO_UPLOAD_TYPE), ...bodyErrors.documented];

/** The body limit of a route that takes an uploaded file. */
export const UPLOAD_BODY_LIMIT = MAX_UPLOAD_BYTES + MULTIPART_BYTES;

/**
 * Makes a scope accept `multipart/form-data` only, whose field `file` is the body of its requests.
 * The whole file is in memory: its routes set `config.file`.
 */
export function acceptUploads(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer' }, parseUpload);
  scope.setErrorHandler(bodyErrors.handle);
}

/** The file of a request in a scope that accepts uploads. */
export function uploadOf({ body }: FastifyRequest): UploadedFile {
  if (!isUpload(body)) throw violation('should not be empty');
  return body;
}

const isUpload = (body: unknown): body is UploadedFile =>
  typeof body === 'object' && body !== null && 'bytes' in body;

async function parseUpload({ headers }: FastifyRequest, body: string | Buffer): Promise<UploadedFile> {
  const file = await readField(body, headers['content-type'] ?? '');
  if (!(file instanceof File) || file.size === 0) throw violation('should not be empty');
  if (file.size > MAX_UPLOAD_BYTES) throw bodyErrors.tooLarge;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = detectFileType(bytes);
  // A type that contradicts the bytes would mislead whoever opens the file.
  const contradicts = isFileType(file.type) && file.type !== type;
  if (type === undefined || contradicts) throw violation(NO_UPLOAD_TYPE);
  return { name: toFileName(file.name), type, bytes };
}

async function readField(body: string | Buffer, type: string): Promise<ReturnType<FormData['get']>> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return form.get('file');
  } catch {
    throw violation('is malformed');
  }
}

/** The last part of a path, without control characters and those that direct text. */
function toFileName(name: string): string {
  const [last = ''] = name.split(/[/\\]/).slice(-1);
  const printable = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '').trim();
  return printable.slice(-MAX_NAME_LENGTH).toWellFormed() || 'file';
}

/**
 * The headers of a response with an uploaded file: browsers save it and never show or run it.
 */
export const downloadHeaders = (name: string): Readonly<Record<string, string>> => ({
  'content-disposition': `attachment; filename="${toAscii(name)}"; filename*=UTF-8''${toExtendedValue(name)}`,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
});

const toAscii = (name: string): string => name.replaceAll(/[^\w. -]/g, '_');

/** RFC 8187, section 3.2. */
const toExtendedValue = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);

/** The response of an operation that returns an uploaded file. */
export const fileResponse = {
  description: 'The file, to be saved.',
  content: Object.fromEntries(
    Object.keys(FILE_EXTENSIONS).map((type) => [
      type,
      { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
    ]),
  ),
};
