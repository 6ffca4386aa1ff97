import { IsIdnEmail } from 'typebox/format';

/**
 * Whether the text is an email address of a public host: RFC 6531 without quoted local parts, with
 * a dot in the host, and within the lengths of RFC 5321 (64 and 255 characters). Takes linear time.
 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at > 64 || text.length - at - 1 > 255 || /["\s]/.test(text)) return false;
  return text.includes('.', at) && IsIdnEmail(text);
}
