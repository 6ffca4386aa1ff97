import { hashCredential } from '#platform/kit/ids.ts';

/**
 * An email or id as a part of a counter's key. Hashed, so that a shared counter stores no emails.
 */
export const subjectKey = (subject: string): string =>
  hashCredential(subject.toLowerCase()).toString('base64url');
