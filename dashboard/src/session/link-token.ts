import { ApiError } from '../api/errors.ts';

let token: string | undefined;

/**
 * Takes the one-time token of a mailed link out of the address, so that it is in no history, no
 * screenshot and no shared link.
 */
export function takeLinkToken(): void {
  const url = new URL(location.href);
  const found = url.searchParams.get('token');
  if (found === null) return;
  token = found;
  url.searchParams.delete('token');
  history.replaceState(history.state, '', url);
}

/** The token of the link that opened the dashboard, if any. */
export const linkToken = (): string | undefined => token;

/** Whether the token was refused: it is unknown, has expired or was used before. */
export const isInvalidLink = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'invalid_link';
