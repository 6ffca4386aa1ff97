import { send } from './connection.ts';
import { errorOf } from './errors.ts';
import type { operations } from './schema.gen.ts';

type Answer<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

type LogIn = Answer<'login'>;
export type SignedIn = Exclude<LogIn, { readonly twoFactorRequired: true }>;
/** What the second step of a sign-in is answered with, beside the code. */
export type Challenged = Extract<LogIn, { readonly twoFactorRequired: true }>;
export type Me = Answer<'getMe'>['data'];

/**
 * How tokens are got: the one place that knows. The refresh token is in a cookie that no script can read; the access token is
 * answered, and kept in memory by who asked.
 */
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  send(
    new Request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  );

/** Says that there may be a session in the cookie, which cannot be looked at: without it nobody is asked for one. */
const MARK = 'vereda-session';

export const mayHaveSession = (): boolean => localStorage.getItem(MARK) !== null;
export const forgetSession = (): void => localStorage.removeItem(MARK);

async function good<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw await errorOf(answer);
  return answer.json();
}

export async function logIn(email: string, password: string): Promise<LogIn> {
  const answer = await good<LogIn>(await post('/v1/login', { email, password, session: 'cookie' }));
  if ('accessToken' in answer) localStorage.setItem(MARK, '1');
  return answer;
}

/** An authenticator shows six digits; anything else is a recovery code. */
export async function secondStep(challenge: string, code: string): Promise<SignedIn> {
  const shown = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
  const body = { challenge, ...shown, session: 'cookie' };
  const answer = await good<SignedIn>(await post('/v1/login/two-factor', body));
  localStorage.setItem(MARK, '1');
  return answer;
}

/** A new access token; undefined where only a password helps. The header tells that no foreign page sends this. */
export async function renew(): Promise<string | undefined> {
  const answer = await post('/v1/auth/refresh', {}, { 'x-requested-by': 'dashboard' });
  if ([400, 401, 403].includes(answer.status)) {
    forgetSession();
    return undefined;
  }
  return (await good<Answer<'refreshToken'>>(answer)).token;
}

const signed = (method: string, path: string, accessToken: string) =>
  send(new Request(path, { method, headers: { authorization: `Bearer ${accessToken}` } }));

export const whoAmI = async (accessToken: string): Promise<Me> =>
  (await good<Answer<'getMe'>>(await signed('GET', '/v1/users/me', accessToken))).data;

/** Ends this session on the gateway; those of other browsers go on. */
export async function logOut(accessToken: string): Promise<void> {
  forgetSession();
  const answer = await signed('GET', '/v1/users/me/sessions', accessToken);
  const sessions = await good<Answer<'listSessions'>>(answer);
  const id = sessions.data.find(({ current }) => current)?.id;
  if (id !== undefined) await signed('DELETE', `/v1/users/me/sessions/${id}`, accessToken);
}
