import { hash, verify } from '@node-rs/argon2';

/** argon2id in version 1.3 with 19 MiB, two passes and one lane, as OWASP advises at the least. */
const ARGON2_OPTIONS = { algorithm: 2, version: 1, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const CURRENT_HASH_PREFIX = `$argon2id$v=19$m=${ARGON2_OPTIONS.memoryCost},t=${ARGON2_OPTIONS.timeCost},p=${ARGON2_OPTIONS.parallelism}$`;

/** A hash with a salt of its own; it says how it was made. */
export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2_OPTIONS);

/** However the hash was made. */
export const verifyPassword = (hashed: string, password: string): Promise<boolean> =>
  verify(hashed, password);

/** Whether the hash was made at another cost than passwords are hashed at now. */
export const needsRehash = (hashed: string): boolean => !hashed.startsWith(CURRENT_HASH_PREFIX);
