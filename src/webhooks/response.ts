import { isAscii } from 'node:buffer';

/** Of an answer's body, no more than this many bytes are read and kept. */
export const MAX_BODY_BYTES = 1024;

/** The start of a body as text of at most `MAX_BODY_BYTES` in UTF-8, without NUL, which PostgreSQL does not store. */
export function bodyText(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  if (first === undefined) return '';
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
  const cut = bytes.length >= MAX_BODY_BYTES;
  const truncated = cut ? bytes.subarray(0, MAX_BODY_BYTES) : bytes;
  // Most answers: as long in UTF-8 as they came.
  if (isAscii(truncated)) return truncated.toString('latin1').replaceAll('\0', '');
  // As a stream, because the cut may fall within a character, which is then left out instead of garbled.
  const text = new TextDecoder().decode(truncated, { stream: cut });
  const storable = text.replaceAll('\0', '');
  // Bytes that are no UTF-8 became three bytes each, so the limit has to be drawn once more.
  const { read } = new TextEncoder().encodeInto(storable, new Uint8Array(MAX_BODY_BYTES));
  return storable.slice(0, read);
}

/** How long a `Retry-After` header asks to wait, in seconds from now (RFC 9110, 10.2.3). Null where it does not, legibly. */
export function retryAfterSeconds(header: string | string[] | undefined): number | null {
  const value = firstHeader(header)?.trim();
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Only the date form of RFC 9110 ends in GMT; `Date.parse` alone would make a date of almost any words.
  const date = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** The first of the headers of one name. */
export const firstHeader = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
