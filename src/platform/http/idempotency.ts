import { hash } from 'node:crypto';

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { handleError, HttpError } from './errors.ts';
import { callingSeller, idempotencyKey } from './guard.ts';

/** How long a key replays its first result. A later request with the key is a new one. */
export const IDEMPOTENCY_KEY_TTL_MS = 30 * 24 * 3_600_000;

/**
 * A hash that is equal for bodies that are equal as parsed JSON: it ignores the order of members,
 * the spelling of numbers and white space. Distinguishes a replay from another request with the
 * same key.
 */
export function hashBody(body: unknown): Buffer {
  return hash('sha256', canonicalJson(body), 'buffer');
}

/** The JSON parser bounds the depth of the recursion. Stored hashes depend on this exact text. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text === '' ? '' : ','}${canonicalJson(member)}`;
    return `[${text}]`;
  }
  for (const name of Object.keys(value).toSorted()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(Reflect.get(value, name))}`;
  }
  return `{${text}}`;
}

export const keyReusedError = (): HttpError => new HttpError('idempotency_key_reused');

/**
 * The error handler of an idempotent route. An invalid body with a used key is a reused key, and is
 * reported as that: the client must choose a new key before it fixes the body.
 */
export function handleReusedKey(
  isUsed: (sellerId: string, key: string, request: FastifyRequest) => Promise<boolean>,
) {
  const checkKey = async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      const used = await isUsed(callingSeller(request).id, idempotencyKey(request), request);
      handleError(used ? keyReusedError() : error, request, reply);
    } catch (failure) {
      handleError(failure instanceof Error ? failure : error, request, reply);
    }
  };
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    if ('validationContext' in error) void checkKey(error, request, reply);
    else handleError(error, request, reply);
  };
}
