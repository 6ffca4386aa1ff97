/**
 * Whether a text can be an e-mail address: local part, one @, a host with a dot in it; bounded as RFC 5321 bounds them
 * (64 and 255 characters). Every step is linear in the length of the text.
 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 64 || text.length - at - 1 > 255) return false;
  const local = text.slice(0, at);
  const host = text.slice(at + 1);
  return (
    /^[^\s@"(),:;<>[\]\\]+$/.test(local) &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !text.includes('..') &&
    /^[\p{L}\p{N}.-]+$/u.test(host) &&
    host.includes('.') &&
    host.split('.').every((label) => label !== '' && !label.startsWith('-') && !label.endsWith('-'))
  );
}
