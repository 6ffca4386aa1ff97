import { Secret, TOTP } from 'otpauth';

import type { Client } from '#test/support/client.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Signs an operator in outside the sandbox. The first time, sets up the second factor, with the
 * password alone; after that, with one of the recovery codes. Returns an access token.
 */
export async function signInOperator(
  client: Client,
  { email, password }: Credentials,
  recoveryCodes: string[],
): Promise<string> {
  const signedIn = await client.post('/login', { email, password }, { credential: 'none' });
  const { accessToken, challenge } = signedIn.body;
  if (accessToken === undefined) {
    const proof = { challenge, recoveryCode: recoveryCodes.pop() };
    const second = await client.post('/login/two-factor', proof, { credential: 'none' });
    return String(second.body.accessToken);
  }
  const as = { token: String(accessToken) };
  const begun = await client.post('/users/me/two-factor', { password }, as);
  const code = new TOTP({ secret: Secret.fromBase32(String(begun.body.data.secret)) }).generate();
  const confirmed = await client.post('/users/me/two-factor/confirm', { code }, as);
  recoveryCodes.push(...confirmed.body.data.recoveryCodes);
  return as.token;
}
