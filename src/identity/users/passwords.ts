import { hash, verify } from '@node-rs/argon2';

/** argon2id in version 1.3 with 19 MiB, two passes and one lane, as OWASP advises at the least. */
const COST = { algorithm: 2, version: 1, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const SHAPE = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** A hash with a salt of its own; it says how it was made. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** However the hash was made. */
export const isPassword = (hashed: string, password: string): Promise<boolean> => verify(hashed, password);

/** Whether the hash was made at another cost than passwords are hashed at now. */
export const isOfOtherCost = (hashed: string): boolean => !hashed.startsWith(SHAPE);
