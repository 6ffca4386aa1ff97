import { findConnection, parseBaseUrl, sendJson, readDemo, setting } from './connection.ts';
import { UsageError, type CommonOptions } from './output.ts';

/**
 * Calls an operation of the operator, with VEREDA_ADMIN_EMAIL and VEREDA_ADMIN_PASSWORD or the
 * administrator of a sandbox in DATA_DIR or `.data`.
 */
export async function callAsOperator<T extends object>(
  options: CommonOptions,
  path: string,
  body: object,
  method?: 'POST' | 'DELETE',
): Promise<T> {
  const { baseUrl } = await findConnection(options);
  const credentials = await findCredentials(baseUrl);
  const { accessToken } = await sendJson(`${baseUrl}/v1/login`, credentials);
  if (typeof accessToken !== 'string')
    throw new Error(
      'the operator user has two-factor authentication and cannot sign in with a password alone',
    );
  const headers = { authorization: `Bearer ${accessToken}` };
  const { data } = await sendJson(`${baseUrl}/v1${path}`, body, headers, method);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a record, by the API
  return data as T;
}

async function findCredentials(baseUrl: string): Promise<{ email: string; password: string }> {
  const [email, password] = [setting('VEREDA_ADMIN_EMAIL'), setting('VEREDA_ADMIN_PASSWORD')];
  if (email !== undefined && password !== undefined) return { email, password };
  const demo = await readDemo();
  if (demo !== undefined && parseBaseUrl(demo.baseUrl) === baseUrl) return demo.admin;
  throw new UsageError(
    'this command requires an operator user: set VEREDA_ADMIN_EMAIL and VEREDA_ADMIN_PASSWORD, ' +
      'or DATA_DIR to the data directory of the sandbox',
  );
}
