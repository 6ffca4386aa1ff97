import { findConnection, parseBaseUrl, sendJson, readDemo, setting, type Method } from './connection.ts';
import { UsageError, type CommonOptions } from './output.ts';

/**
 * Calls an operation of the operator, with VEREDA_ADMIN_EMAIL and VEREDA_ADMIN_PASSWORD or the
 * administrator of a sandbox in DATA_DIR or `.data`.
 */
export async function callAsOperator<T extends object>(
  options: CommonOptions,
  path: string,
  body: object,
  method?: Method,
): Promise<T> {
  const { baseUrl } = await findConnection(options);
  const call = await signIn(baseUrl, await findCredentials(baseUrl));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a record, by the API
  return (await call(path, body, method)) as T;
}

/** Moves the clock of the sandbox forward. */
export const advanceClock = (options: CommonOptions, advanceSeconds: number): Promise<object> =>
  callAsOperator(options, '/sandbox/clock', { advanceSeconds });

/** Calls an operation as a user. Returns the data of the response. */
type Call = (path: string, body: object, method?: Method) => Promise<unknown>;

export async function signIn(baseUrl: string, credentials: Credentials): Promise<Call> {
  const { accessToken } = await sendJson(`${baseUrl}/v1/login`, credentials);
  if (typeof accessToken !== 'string')
    throw new Error('the user has two-factor authentication and cannot sign in with a password alone');
  const headers = { authorization: `Bearer ${accessToken}` };
  return async (path, body, method) =>
    (await sendJson(`${baseUrl}/v1${path}`, body, headers, method))['data'];
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function findCredentials(baseUrl: string): Promise<Credentials> {
  const [email, password] = [setting('VEREDA_ADMIN_EMAIL'), setting('VEREDA_ADMIN_PASSWORD')];
  if (email !== undefined && password !== undefined) return { email, password };
  const demo = await readDemo();
  if (demo !== undefined && parseBaseUrl(demo.baseUrl) === baseUrl) return demo.admin;
  throw new UsageError(
    'this command requires an operator user: set VEREDA_ADMIN_EMAIL and VEREDA_ADMIN_PASSWORD, ' +
      'or DATA_DIR to the data directory of the sandbox',
  );
}
