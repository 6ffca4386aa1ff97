import { HttpError } from '#platform/http/errors.ts';

/** Enough for every system of a seller, and for rotating each key. */
export const MAX_API_KEYS = 50;

export const tooManyApiKeys = (): HttpError =>
  new HttpError('too_many_api_keys', { message: `A seller can have at most ${MAX_API_KEYS} API keys` });
