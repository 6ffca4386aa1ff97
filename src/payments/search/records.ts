import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';

/** What is searched. The modules that own the tables describe their records. */
export type SearchKind = 'TRANSACTION' | 'WITHDRAWAL' | 'CUSTOMER' | 'PAYMENT_LINK';

export interface SearchKey {
  readonly sellerId: string;
  readonly id: string;
}

/** A range of the primary key of a seller's records: ids above `after`, up to `last`. */
export interface SearchRange {
  readonly sellerId: string;
  readonly after: string;
  readonly last: string;
}

/**
 * The values of a record by field, which are read once. No text of several is found across their
 * ends.
 */
export interface SearchRecord {
  readonly id: string;
  readonly fields: Iterable<readonly [field: string, ...values: readonly string[]]>;
}

/** A kind of records, which have columns `seller_id` and `id` as their primary key. */
export interface SearchSource {
  readonly kind: SearchKind;
  readonly table: 'transactions' | 'withdrawals' | 'customers' | 'payment_links';
  /** Reads the first records of a range, in the order of their ids. */
  readonly read: (db: Db, range: SearchRange, limit: number) => Promise<readonly SearchRecord[]>;
}

/** A value that is looked for in a field. */
export interface SearchTerm {
  readonly field: string;
  readonly text: string;
  /** Whether the text is a whole value. Otherwise it is a part of one. */
  readonly whole?: boolean;
}

/**
 * What finds records: an index over most of them, and the same conditions in SQL over the others.
 */
export interface SearchScope {
  /** An id, or SQL for one in a LATERAL subquery. */
  readonly sellerId: string | RawBuilder<unknown>;
  readonly kind: SearchKind;
  /** The table with the alias `r`, and what the conditions join to it. */
  readonly records: RawBuilder<unknown>;
  /** SQL for records that match one of `terms`. */
  readonly matches: RawBuilder<unknown>;
  /** A record matches if one of these does. */
  readonly terms: readonly SearchTerm[];
  /** Conditions on columns of the table besides, which the index does not contain. */
  readonly filter?: RawBuilder<unknown> | undefined;
}

/** The field of a key of `metadata`. */
export const metadataField = (key: string): string => `metadata:${key}`;

/** Longer keys cannot be searched. They would not fit into an index of PostgreSQL. */
const MAX_KEY_LENGTH = 255;

/** SQL for the values of metadata as `->>` returns them, by key; null if there are none. */
export const metadataTexts = (metadata: RawBuilder<unknown>) => sql`
  CASE json_typeof(${metadata}) WHEN 'object' THEN (
    SELECT json_object_agg(key, value) FROM json_each_text(${metadata})
    WHERE value IS NOT NULL AND length(key) <= ${MAX_KEY_LENGTH}) END`;

/** Stands before and after the values of every record of a segment. */
export const SEPARATOR = '\u001e';
/** Separates the values of one record. */
export const VALUE_SEPARATOR = '\u001f';

/**
 * Replaces control characters, so that a value contains no separator. A text is a part of another
 * if and only if that is so after the replacement, whose characters occur nowhere else.
 */
export const escapeControls = (text: string): string =>
  text.replaceAll(
    /\p{Cc}/gu,
    (control) => `\u001d${'\u001c'.repeat(1 + (control.codePointAt(0) ?? 0))}\u001b`,
  );
