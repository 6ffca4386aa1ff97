/** Enough for every system of a seller, and for rotating each key. */
export const MAX_API_KEYS = 50;

export const TOO_MANY_KEYS = `A seller can have at most ${MAX_API_KEYS} API keys`;
export const API_KEY_NOT_FOUND = 'API key not found';
