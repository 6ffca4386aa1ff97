import { randomBytes } from 'node:crypto';

import { recoverAdmin } from '#identity/users/recovery.ts';
import { openClock } from '#app/runtime.ts';
import type { Database } from '#platform/database/connect.ts';

/** @throws Error that shows the form of the argument. */
export function parseRecoverAdmin([email, ...more]: readonly string[]): string {
  if (email === undefined || !email.includes('@') || more.length > 0) {
    throw new Error(
      'Usage: npm run recover-admin EMAIL, the email address of an ADMIN, who is created if unknown',
    );
  }
  return email;
}

/** Makes an ADMIN who can sign in and approve at once, with a password that is printed once. */
export async function runRecoverAdmin(
  email: string,
  { db }: Database,
  printLine: (line: string) => void,
): Promise<void> {
  const password = randomBytes(18).toString('base64url');
  const clock = await openClock(db);
  await recoverAdmin(db, { email, password }, clock.now());
  printLine(`ADMIN ${email} can sign in with the password ${password}`);
  printLine(
    'All sessions and the second factor were removed. Change the password and set up a second factor.',
  );
}
