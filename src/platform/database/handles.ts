import type { Kysely, Transaction } from 'kysely';

import type { DB } from './types.gen.ts';

/** Kysely's query builder, with the row types generated from the migrated schema. */
export type Db = Kysely<DB>;

/**
 * The handle of an open transaction. Functions that must run inside one take it instead of `Db`.
 */
export type DatabaseTransaction = Transaction<DB>;
