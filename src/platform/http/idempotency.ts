import { hash } from 'node:crypto';

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { handleError, HttpError } from './errors.ts';
import { callingSeller, idempotencyKey } from './guard.ts';

/** How long a key answers its first result again; after it the key is free. */
export const IDEMPOTENCY_KEY_TTL_MS = 30 * 24 * 3_600_000;

/**
 * A hash that is equal for bodies that are equal as parsed JSON: members in any order, numbers in any spelling,
 * white space anywhere. Used to tell a repeat from a different request with the same Idempotency-Key.
 */
export function hashBody(body: unknown): Buffer {
  return hash('sha256', canonicalJson(body), 'buffer');
}

/** The body has been checked for depth when it was read, so the recursion is bounded. Kept hashes were made of this very text. */
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

export const keyReusedError = (): HttpError =>
  new HttpError(409, 'Idempotency-Key already used with a different body');

/**
 * The error handler of a route that needs a key: a body that breaks rules is not the one that a used key was used with,
 * and that is what its caller must learn. Whoever mends the body and keeps the key would be refused all the same.
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
