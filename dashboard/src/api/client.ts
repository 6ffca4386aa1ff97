import createClient from 'openapi-fetch';

import { noteRateLimit, send } from './connection.ts';
import { errorOf } from './errors.ts';
import { noteInactiveSeller } from './inactive-seller.ts';
import type { paths } from './schema.gen.ts';
import { currentToken, renewAfter } from './session.ts';
import { askForStepUp } from './step-up.ts';

/**
 * Covers a token renewal, a new sign-in and a step-up. Bounded, so that a request rejected every
 * time is not repeated forever.
 */
const MAX_ATTEMPTS = 4;

/** Mails that a request causes are in the language of the page. */
const setLanguage = ({ headers }: Request): void =>
  headers.set('accept-language', document.documentElement.lang);

/**
 * Sends a request with the access token. On a 401, renews the token or waits for the user to sign
 * in again, then repeats the request. On a 403 that asks for a step-up, waits for it likewise.
 * Throws ApiError for every other error status.
 */
async function sendSigned(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const token = await currentToken();
    const signed = request.clone();
    signed.headers.set('authorization', `Bearer ${token}`);
    setLanguage(signed);
    const response = await send(signed);
    if (response.ok) return response;
    noteRateLimit(response);
    if (response.status !== 401 || attempt === MAX_ATTEMPTS) {
      const error = await errorOf(response);
      if (error.code === 'seller_not_active') noteInactiveSeller();
      const isStepUp = error.code === 'step_up_required' && attempt < MAX_ATTEMPTS;
      if (!isStepUp || !(await askForStepUp())) throw error;
    } else {
      await renewAfter(token);
    }
  }
}

/** Typed client of the API. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: sendSigned });

/** Sends a request of a visitor who is not signed in. Throws ApiError for every error status. */
async function sendUnsigned(request: Request): Promise<Response> {
  setLanguage(request);
  const response = await send(request);
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** Typed client of what needs no sign-in. */
export const publicApi = createClient<paths>({ baseUrl: location.origin, fetch: sendUnsigned });

/** Unwraps the JSON body of a successful response. Errors are thrown by `sendSigned`. */
export async function unwrap<T>(response: Promise<{ readonly data?: T }>): Promise<Exclude<T, string>> {
  const { data } = await response;
  if (isJson(data)) return data;
  throw new Error('an answer without JSON');
}

const isJson = <T>(data: T | undefined): data is Exclude<T, string> =>
  data !== undefined && typeof data !== 'string';

/** Downloads a response, such as a CSV, as a file. A plain link could not send the token. */
export async function download(path: string, name: string): Promise<void> {
  const response = await sendSigned(new Request(new URL(path, location.origin)));
  save(await response.blob(), name);
}

/** Uploads a file as the field `file`. The path may have a query. */
export async function upload(path: string, file: File): Promise<void> {
  const body = new FormData();
  body.set('file', file);
  await sendSigned(new Request(new URL(path, location.origin), { method: 'POST', body }));
}

export function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
