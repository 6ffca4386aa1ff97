import { send } from './connection.ts';
import { errorOf } from './errors.ts';
import type { components } from './schema.gen.ts';
import type { operations } from './schema.gen.ts';

export type SignedIn = operations['login']['responses'][200]['content']['application/json'];
export type ErrorBody = components['schemas']['Error'];

/**
 * How tokens are got, and the one place that knows where the refresh token is kept: here, in memory, so that nothing of it
 * can be read from the browser's storage. A page that is loaded anew asks for the password.
 */
let refreshToken: string | undefined;

const post = (path: string, body: object | undefined, headers: Record<string, string> = {}) =>
  send(
    new Request(path, {
      method: 'POST',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );

export async function logIn(email: string, password: string): Promise<SignedIn> {
  const answer = await post('/v1/login', { email, password });
  if (!answer.ok) throw await errorOf(answer);
  const signedIn: SignedIn = await answer.json();
  refreshToken = signedIn.refreshToken;
  return signedIn;
}

/** A new access token; undefined where only a password helps. */
export async function renew(): Promise<string | undefined> {
  if (refreshToken === undefined) return undefined;
  const answer = await post('/v1/auth/refresh', { refreshToken });
  if (answer.status === 401 || answer.status === 400) {
    refreshToken = undefined;
    return undefined;
  }
  if (!answer.ok) throw await errorOf(answer);
  const renewed: operations['refreshToken']['responses'][200]['content']['application/json'] =
    await answer.json();
  refreshToken = renewed.refreshToken;
  return renewed.token;
}

/** Ends the tokens on the gateway, too. */
export async function logOut(accessToken: string): Promise<void> {
  refreshToken = undefined;
  await post('/v1/auth/logout', undefined, { authorization: `Bearer ${accessToken}` });
}
