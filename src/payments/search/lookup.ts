import { sql, type RawBuilder } from 'kysely';

import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { errorCode } from '#platform/kit/errors.ts';

/** The results of a lookup, which serves search boxes. */
export const MAX_LOOKUP_RESULTS = 20;
const DEADLINE_MS = 2_000;
/** PostgreSQL's error code for a statement that exceeds `statement_timeout`. */
const QUERY_CANCELED = '57014';

const HASH_CONTEXT = 'search document';

/**
 * Runs a lookup with its deadline, and makes PostgreSQL read tables along their primary keys, which
 * have the same order. Returns undefined if the deadline is exceeded.
 */
export async function runLookup<T>(
  db: Db,
  lookup: (trx: DatabaseTransaction) => Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<T | undefined> {
  const disabled = ['enable_seqscan', 'enable_hashjoin'].map((name) => sql`set_config(${name}, 'off', true)`);
  const timeout = sql`set_config('statement_timeout', ${String(deadlineMs)}, true)`;
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`SELECT ${sql.join([timeout, ...disabled])}`.execute(trx);
      return lookup(trx);
    });
  } catch (error) {
    if (errorCode(error) === QUERY_CANCELED) return undefined;
    throw error;
  }
}

/** The keyed hash of a document, as the index and tables store it. */
export const searchHash = (secrets: SecretBox, document: string): string =>
  secrets.keyedHash(document, HASH_CONTEXT);

/**
 * The hashes of a document under every key, first the current one: a rotation does not index
 * documents again.
 */
export const searchHashes = (secrets: SecretBox, document: string): readonly string[] =>
  secrets.allKeyedHashes(document, HASH_CONTEXT);

/**
 * The combining marks into which NFD decomposes the accented letters of Portuguese and related
 * languages.
 */
const ACCENTS = '\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327';
const ACCENT = /[\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327]/g;
const ASCII = /^[ -~]*$/;

/** Removes accents and converts to lower case. */
export const normalizeText = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize('NFD').replaceAll(ACCENT, '').toLowerCase();

/**
 * SQL for texts of a record as one, with a separator that cannot be typed. OFFSET 0 prevents
 * inlining.
 */
export const joinedTexts = (...texts: readonly RawBuilder<unknown>[]) =>
  sql`SELECT concat_ws(chr(31), ${sql.join(texts)}) OFFSET 0`;

/**
 * SQL for whether `whole` contains a text that `normalizeText` returned. Only texts that are not
 * ASCII are normalized, which is expensive. strpos has no wildcards, so that no text is slower than
 * another.
 */
export const containsText = (whole: RawBuilder<unknown>, text: string) => sql`
  strpos(CASE WHEN octet_length(${whole}) = length(${whole}) THEN lower(${whole})
    ELSE lower(translate(normalize(${whole}, NFD), ${ACCENTS}, '')) END, ${text}) > 0`;
