import { hash } from 'node:crypto';

/** How long a key answers its first result again; after it the key is free. */
export const IDEMPOTENCY_LIFE_MS = 30 * 24 * 3_600_000;

/**
 * A hash that is equal for bodies that are equal as parsed JSON: members in any order, numbers in any spelling,
 * white space anywhere. Used to tell a repeat from a different request with the same Idempotency-Key.
 */
export function bodyHash(body: unknown): Buffer {
  return hash('sha256', canonical(body), 'buffer');
}

/** The body has been checked for depth when it was read, so the recursion is bounded. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
