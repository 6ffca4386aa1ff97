import { randomBytes } from 'node:crypto';

import { hashCredential } from '#platform/kit/ids.ts';

/** The token of a mailed link. The database has only its hash. */
export function newLinkToken(): { readonly text: string; readonly hash: Buffer } {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: hashCredential(text) };
}
