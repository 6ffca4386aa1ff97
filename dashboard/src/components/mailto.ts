/** The `mailto:` URL of an email without an address, which the user completes. */
export const mailtoDraftUrl = (subject: string, body: string): string =>
  `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;

/** The `mailto:` URL of an email address (RFC 6068), which may itself contain `?` and `&`. */
export function mailtoUrl(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, host] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)];
  return `mailto:${encodeURIComponent(local)}@${encodeURIComponent(host)}`;
}
