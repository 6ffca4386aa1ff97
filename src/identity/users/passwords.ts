import { hash, verify } from '@node-rs/argon2';

/** argon2id, version 1.3, 19 MiB, two passes, parallelism 1: the minimum that OWASP recommends. */
const ARGON2_OPTIONS = { algorithm: 2, version: 1, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const { memoryCost, timeCost, parallelism } = ARGON2_OPTIONS;
const CURRENT_HASH_PREFIX = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;

/** Keyboards write accents in one code point or two (NIST SP 800-63B, 3.1.1.2). */
const normalize = (password: string): string => password.normalize('NFKC');

/** Returns a salted hash, which includes its parameters. */
export const hashPassword = (password: string): Promise<string> => hash(normalize(password), ARGON2_OPTIONS);

/** Verifies a hash of any parameters. */
export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, normalize(password));

/** Whether the hash was made with other parameters than the current ones. */
export const needsRehash = (passwordHash: string): boolean => !passwordHash.startsWith(CURRENT_HASH_PREFIX);
