import { sql, type RawBuilder } from 'kysely';

import { partHashes } from './ngram-filter.ts';
import { escapeControls, SEPARATOR, type SearchScope, type SearchTerm } from './records.ts';
import { lastIndexed } from './store.ts';
import { MAX_ID } from '#platform/kit/ids.ts';

/**
 * SQL for the ids of the records that match, newest first, at most `limit` (which may be SQL).
 * Reads the index, and the records themselves where it has none. Every part stops at the limit, so
 * that a frequent value costs no more than a rare one.
 */
export function matchingIds(
  scope: SearchScope,
  limit: number,
  before: string = MAX_ID,
): RawBuilder<{ readonly id: string }> {
  const parts = [
    ...unindexedParts(scope, before, limit),
    ...scope.terms.map(
      (term) => sql`${indexedPart(scope, term, before)}
      ORDER BY t.after_id DESC, v.id DESC LIMIT ${limit}`,
    ),
  ];
  return sql`
    SELECT DISTINCT id FROM (${union(parts)}) AS matching (id) ORDER BY id DESC LIMIT ${limit}`;
}

/**
 * SQL for the number of records that match the term of a scope, which has one, a part of values;
 * above `max` it is any greater number.
 */
export function countMatching(scope: SearchScope, max: number): RawBuilder<number> {
  const indexed = scope.terms.map((term) =>
    scope.filter === undefined
      ? countIndexed(scope, term, max)
      : count(sql`${indexedPart(scope, term, MAX_ID)} LIMIT ${max + 1}`),
  );
  return sql.join([...unindexedParts(scope, MAX_ID, max + 1).map(count), ...indexed], sql` + `);
}

const count = (part: RawBuilder<unknown>) => sql`(SELECT count(*) FROM (${part}) AS matching)`;

/**
 * The records after all segments, and those of stale ones. The order and the comparison of complete
 * keys make PostgreSQL read the primary key: there may be an index of the ids of all sellers.
 */
function unindexedParts(
  { sellerId, kind, records, matches, filter = sql`true` }: SearchScope,
  before: string,
  limit: number,
): readonly RawBuilder<unknown>[] {
  const inRange = (after: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
    SELECT r.id FROM ${records}
    WHERE (r.seller_id, r.id) > (${sellerId}::uuid, ${after}) AND ${end}
      AND (r.seller_id, r.id) < (${sellerId}::uuid, ${before}::uuid) AND ${matches} AND ${filter}
    ORDER BY r.seller_id DESC, r.id DESC LIMIT ${limit}`;
  return [
    inRange(lastIndexed(sql`${sellerId}::uuid`, kind), sql`true`),
    sql`
      SELECT s.id FROM search_segments g
      CROSS JOIN LATERAL (
        ${inRange(sql`g.after_id`, sql`(r.seller_id, r.id) <= (${sellerId}::uuid, g.last_id)`)}
      ) AS s
      WHERE g.seller_id = ${sellerId} AND g.kind = ${kind} AND g.stale
      ORDER BY s.id DESC LIMIT ${limit}`,
  ];
}

/** The matching records of all segments. The filter is a subquery so that it is checked last. */
function indexedPart(
  { sellerId, kind, filter, records }: SearchScope,
  term: SearchTerm,
  before: string,
): RawBuilder<unknown> {
  const text = escapeControls(term.text);
  const matches = term.whole === true ? sql`u.term = ${text}` : sql`strpos(u.term, ${text}) > 0`;
  const filtered =
    filter === undefined
      ? sql`true`
      : sql`EXISTS (SELECT FROM ${records}
          WHERE r.seller_id = ${sellerId} AND r.id = u.id AND ${filter} OFFSET 0)`;
  return sql`
    SELECT v.id FROM search_terms t
    CROSS JOIN LATERAL (
      SELECT u.id FROM unnest(t.ids, (string_to_array(t.terms, ${SEPARATOR}))[2:]) AS u (id, term)
      WHERE u.id < ${before}::uuid AND ${matches} AND ${filtered}
    ) AS v
    WHERE t.seller_id = ${sellerId} AND t.kind = ${kind} AND t.field = ${term.field}
      AND t.after_id < ${before}::uuid AND ${mayContain(term, text)}`;
}

/**
 * Counts without reading the values one by one: cut at the text, every piece but the last that
 * contains a separator ends in a value with the text, and the others repeat it in the same value.
 * What the filter accepts is cut at once: to look for the text before would read the values twice.
 * The pieces are no join, whose results PostgreSQL would keep for equal ones.
 */
function countIndexed({ sellerId, kind }: SearchScope, term: SearchTerm, max: number): RawBuilder<unknown> {
  const text = escapeControls(term.text);
  const ofField = sql`t.seller_id = ${sellerId} AND t.kind = ${kind} AND t.field = ${term.field}`;
  if (text === '')
    return sql`(SELECT coalesce(sum(t.records), 0)::bigint FROM search_terms t WHERE ${ofField})`;
  return sql`(SELECT count(*) FROM (
    SELECT FROM (
      SELECT unnest(trim_array(pieces, 1)) AS piece FROM (
        SELECT string_to_array(t.terms, ${text}) AS pieces FROM search_terms t
        WHERE ${ofField} AND ${passesFilter(text)} OFFSET 0
      ) AS segments
    ) AS cut WHERE strpos(piece, ${SEPARATOR}) > 0
    LIMIT ${max + 1}) AS matching)`;
}

/**
 * Rejects segments: first by the filter, and then by their text as a whole, which is read from
 * elsewhere. A CASE keeps the order.
 */
function mayContain({ whole }: SearchTerm, text: string): RawBuilder<unknown> {
  const contains = sql`strpos(t.terms, ${whole === true ? SEPARATOR + text + SEPARATOR : text}) > 0`;
  return text === '' ? contains : sql`CASE WHEN ${passesFilter(text)} THEN ${contains} ELSE false END`;
}

/** Whether the filter of a segment has all parts of a text that is not empty. */
const passesFilter = (text: string) =>
  sql.join(
    partHashes(text).map(
      (hash) => sql`get_bit(t.ngrams, ${hash}::bigint & (octet_length(t.ngrams)::bigint * 8 - 1)) = 1`,
    ),
    sql` AND `,
  );

const union = (parts: readonly RawBuilder<unknown>[]) =>
  sql.join(
    parts.map((part) => sql`(${part})`),
    sql` UNION ALL `,
  );
