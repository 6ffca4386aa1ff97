import { noteRateLimit, send } from './connection.ts';
import { errorOf } from './errors.ts';
import type { signWithPasskey } from './passkeys.ts';
import type { operations } from './schema.gen.ts';

type ResponseBody<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

type LogIn = ResponseBody<'login'>;
export type SignedIn = Exclude<LogIn, { readonly twoFactorRequired: true }>;
/** The response to a sign-in that requires a second factor. */
export type SecondFactorChallenge = Extract<LogIn, { readonly twoFactorRequired: true }>;
export type Me = ResponseBody<'getMe'>['data'];

/**
 * Token requests. The refresh token is in an HttpOnly cookie; the caller keeps the access token in
 * memory.
 */
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  send(
    new Request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  );

/**
 * Marks in localStorage that the cookie may hold a session, because scripts cannot read the cookie.
 * Without it no renewal is attempted.
 */
const SESSION_HINT_KEY = 'vereda-session';

export const mayHaveSession = (): boolean => localStorage.getItem(SESSION_HINT_KEY) !== null;
export const forgetSession = (): void => localStorage.removeItem(SESSION_HINT_KEY);

async function parseResponse<T>(response: Response): Promise<T> {
  if (!response.ok) throw await errorOf(response);
  return response.json();
}

export async function logIn(email: string, password: string): Promise<LogIn> {
  const response = await parseResponse<LogIn>(
    await post('/v1/login', { email, password, session: 'cookie' }),
  );
  if ('accessToken' in response) localStorage.setItem(SESSION_HINT_KEY, '1');
  return response;
}

/** A code of six digits is from an authenticator; any other is a recovery code. */
export async function verifySecondFactor(challenge: string, code: string): Promise<SignedIn> {
  const shown = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
  const body = { challenge, ...shown, session: 'cookie' };
  const response = await parseResponse<SignedIn>(await post('/v1/login/two-factor', body));
  localStorage.setItem(SESSION_HINT_KEY, '1');
  return response;
}

type PasskeyOptions = ResponseBody<'createPasskeySignInOptions'>['data'];
type PasskeyAssertion = Awaited<ReturnType<typeof signWithPasskey>>;

/** Options for a passkey: with the challenge of the password step as the second factor. */
export async function passkeyOptions(challenge: string | undefined): Promise<PasskeyOptions> {
  const response = await post('/v1/login/passkey/options', challenge === undefined ? {} : { challenge });
  return (await parseResponse<{ readonly data: PasskeyOptions }>(response)).data;
}

/** Signs in with a passkey, after the password or instead of it. */
export async function verifyPasskey(
  challenge: string | undefined,
  passkey: PasskeyAssertion,
): Promise<SignedIn> {
  const path = challenge === undefined ? '/v1/login/passkey' : '/v1/login/two-factor';
  const response = await parseResponse<SignedIn>(await post(path, { challenge, passkey, session: 'cookie' }));
  localStorage.setItem(SESSION_HINT_KEY, '1');
  return response;
}

/** Returns the claims of an access token, and none of what is no JWT. */
export function claimsOf(accessToken: string): Readonly<Record<string, unknown>> {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(atob(payload));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/**
 * Returns a new access token, or undefined if the user must sign in again. The custom header
 * protects against CSRF.
 */
export async function renew(): Promise<string | undefined> {
  const response = await post('/v1/auth/refresh', {}, { 'x-requested-by': 'dashboard' });
  noteRateLimit(response);
  // 400 if the browser has no cookie any more.
  if ([400, 401].includes(response.status)) {
    forgetSession();
    return undefined;
  }
  return (await parseResponse<ResponseBody<'refreshToken'>>(response)).token;
}

const signed = (method: string, path: string, accessToken: string) =>
  send(new Request(path, { method, headers: { authorization: `Bearer ${accessToken}` } }));

export async function whoAmI(accessToken: string): Promise<Me> {
  const response = await signed('GET', '/v1/users/me', accessToken);
  noteRateLimit(response);
  return (await parseResponse<ResponseBody<'getMe'>>(response)).data;
}

/** Ends this session. Sessions of other browsers continue. */
export async function logOut(accessToken: string): Promise<void> {
  forgetSession();
  const response = await signed('GET', '/v1/users/me/sessions', accessToken);
  const sessions = await parseResponse<ResponseBody<'listSessions'>>(response);
  const id = sessions.data.find(({ current }) => current)?.id;
  if (id !== undefined) await signed('DELETE', `/v1/users/me/sessions/${id}`, accessToken);
}
