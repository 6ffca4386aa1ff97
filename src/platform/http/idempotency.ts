import { hash } from 'node:crypto';

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { answerError, HttpError } from './errors.ts';
import { callingSeller, idempotencyKey } from './guard.ts';

/** How long a key answers its first result again; after it the key is free. */
export const IDEMPOTENCY_LIFE_MS = 30 * 24 * 3_600_000;

/**
 * A hash that is equal for bodies that are equal as parsed JSON: members in any order, numbers in any spelling,
 * white space anywhere. Used to tell a repeat from a different request with the same Idempotency-Key.
 */
export function bodyHash(body: unknown): Buffer {
  return hash('sha256', canonical(body), 'buffer');
}

/** The body has been checked for depth when it was read, so the recursion is bounded. Kept hashes were made of this very text. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const member of value) text += `${text === '' ? '' : ','}${canonical(member)}`;
    return `[${text}]`;
  }
  for (const name of Object.keys(value).toSorted()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(Reflect.get(value, name))}`;
  }
  return `{${text}}`;
}

export const keyReused = (): HttpError =>
  new HttpError(409, 'Idempotency-Key already used with a different body');

/**
 * The error handler of a route that needs a key: a body that breaks rules is not the one that a used key was used with,
 * and that is what its caller must learn. Whoever mends the body and keeps the key would be refused all the same.
 */
export function orKeyReused(
  isUsed: (sellerId: string, key: string, request: FastifyRequest) => Promise<boolean>,
) {
  const judge = async (found: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      const used = await isUsed(callingSeller(request).id, idempotencyKey(request), request);
      answerError(used ? keyReused() : found, request, reply);
    } catch (failure) {
      answerError(failure instanceof Error ? failure : found, request, reply);
    }
  };
  return (found: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    if ('validationContext' in found) void judge(found, request, reply);
    else answerError(found, request, reply);
  };
}
