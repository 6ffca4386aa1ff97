import { Type } from 'typebox';

import { ValidationError } from './errors.ts';
import { isUuid } from '#platform/kit/ids.ts';

export const MAX_TAKE = 100;

/** The query parameters of every list. */
export const pageQuery = {
  take: Type.Integer({ minimum: 1, maximum: MAX_TAKE, default: 10, description: 'Page size.' }),
  skip: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 0,
    description: 'Number of records to skip.',
  }),
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: 'The `nextCursor` of the previous page. Overrides `skip`.' }),
  ),
};

export interface Page {
  readonly take: number;
  readonly skip: number;
  /**
   * The last id of the previous page. Ids sort by creation time, so a cursor holds nothing else.
   */
  readonly after: string | undefined;
}

export const invalidCursor = (): ValidationError =>
  new ValidationError([{ path: ['cursor'], rule: 'must be the nextCursor of a previous page' }]);

export function parsePage(query: { take: number; skip: number; cursor?: string }): Page {
  if (query.cursor === undefined) return { take: query.take, skip: query.skip, after: undefined };
  const after = Buffer.from(query.cursor, 'base64url').toString('latin1');
  if (!isUuid(after)) throw invalidCursor();
  return { take: query.take, skip: 0, after };
}

/** Counting stops here where an exact count would read every match. */
export const COUNT_CAP = 10_000;

/** The number of records that match the filters of a list; `COUNT_CAP` if capped. */
export interface ListCount {
  readonly count: number;
  /** True: more than `count` records match. */
  readonly countCapped?: true;
}

/** @param counted the matches, of which at most `COUNT_CAP + 1` were counted. */
export const cappedCount = (counted: number): ListCount =>
  counted > COUNT_CAP ? { count: COUNT_CAP, countCapped: true } : { count: counted };

/**
 * The number of matching records, if this page contains the last of them. `found` records were
 * read.
 */
export function countShownBy({ take, skip, after }: Page, found: number): ListCount | undefined {
  const showsLast = after === undefined && found <= take && (found > 0 || skip === 0);
  return showsLast ? cappedCount(skip + found) : undefined;
}

/** Records that an export reads with one statement. */
const EXPORT_CHUNK_SIZE = 10 * MAX_TAKE;

/**
 * Iterates over all records of a list, one chunk in memory at a time.
 *
 * @param read returns up to `take + 1` records, as for a page.
 */
export async function* paginate<T extends { readonly id: string }>(
  read: (page: Page) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  for (let after: string | undefined; ;) {
    const chunk = await read({ take: EXPORT_CHUNK_SIZE, skip: 0, after });
    yield* chunk.slice(0, EXPORT_CHUNK_SIZE);
    after = chunk[EXPORT_CHUNK_SIZE - 1]?.id;
    if (chunk.length <= EXPORT_CHUNK_SIZE) return;
  }
}

/**
 * Cuts a page from up to `take + 1` records: one more than `take` means that there is a next page.
 */
export function slicePage<T extends { readonly id: string }>(
  records: readonly T[],
  take: number,
): { readonly records: readonly T[]; readonly nextCursor: string | null } {
  const page = records.slice(0, take);
  const last = page.at(-1);
  const hasMore = records.length > take && last !== undefined;
  return { records: page, nextCursor: hasMore ? Buffer.from(last.id, 'latin1').toString('base64url') : null };
}

/**
 * The response of a paginated list.
 *
 * @param rows up to `take + 1` records.
 * @param total the number of matching records on all pages.
 */
export function pageResponse<T extends { readonly id: string }, View>(
  rows: readonly T[],
  total: ListCount,
  take: number,
  view: (record: T) => View,
) {
  const { records, nextCursor } = slicePage(rows, take);
  return { status: true as const, data: records.map((record) => view(record)), ...total, nextCursor };
}
