import { isAscii } from 'node:buffer';

/** The maximum number of bytes that are read and stored of a response body. */
export const MAX_BODY_BYTES = 1024;

/**
 * The start of a body as text of at most `MAX_BODY_BYTES` in UTF-8, without NUL, which PostgreSQL
 * does not store.
 */
export function bodyText(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  if (first === undefined) return '';
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
  const isCut = bytes.length >= MAX_BODY_BYTES;
  const truncated = isCut ? bytes.subarray(0, MAX_BODY_BYTES) : bytes;
  // Most responses are ASCII, which UTF-8 does not make longer.
  if (isAscii(truncated)) return truncated.toString('latin1').replaceAll('\0', '');
  // In stream mode, which drops a character that the cut divides.
  const text = new TextDecoder().decode(truncated, { stream: isCut });
  const storable = text.replaceAll('\0', '');
  // Each invalid byte has become three bytes, so the limit is applied again.
  const { read } = new TextEncoder().encodeInto(storable, new Uint8Array(MAX_BODY_BYTES));
  return storable.slice(0, read);
}

/**
 * The delay of a `Retry-After` header in seconds from now (RFC 9110, 10.2.3). Null if it is missing
 * or invalid.
 */
export function retryAfterSeconds(header: string | string[] | undefined): number | null {
  const value = firstHeader(header)?.trim();
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Only the date form of RFC 9110 ends in GMT. `Date.parse` alone accepts almost any text.
  const date = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** The first value of a header. */
export const firstHeader = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
