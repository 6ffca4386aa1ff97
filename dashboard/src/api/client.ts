import createClient from 'openapi-fetch';

import { send } from './connection.ts';
import { errorOf } from './errors.ts';
import type { paths } from './schema.gen.ts';
import { currentToken, renewAfter } from './session.ts';

/** A new token, a new sign-in, and one more for luck: a request that is refused every time is not repeated for ever. */
const MAX_ATTEMPTS = 4;

/**
 * Sends with the access token; gets a new one, or waits for the user to sign in again, and repeats the same request. Every
 * answer but a good one is thrown.
 */
async function sendSigned(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const token = await currentToken();
    const signed = request.clone();
    signed.headers.set('authorization', `Bearer ${token}`);
    const answer = await send(signed);
    if (answer.ok) return answer;
    if (answer.status !== 401 || attempt === MAX_ATTEMPTS) throw await errorOf(answer);
    await renewAfter(token);
  }
}

/** The public API, typed from its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: sendSigned });

/** The JSON of a good answer. Others are thrown before they get here, and CSV is downloaded. */
export async function ask<T>(answer: Promise<{ readonly data?: T }>): Promise<Exclude<T, string>> {
  const { data } = await answer;
  if (isJson(data)) return data;
  throw new Error('an answer without JSON');
}

const isJson = <T>(data: T | undefined): data is Exclude<T, string> =>
  data !== undefined && typeof data !== 'string';

/** Saves what is answered, such as a CSV, as a file: a link could not carry the token. */
export async function download(path: string, name: string): Promise<void> {
  const answer = await sendSigned(new Request(new URL(path, location.origin)));
  save(await answer.blob(), name);
}

export function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
