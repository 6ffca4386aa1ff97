import { Type } from 'typebox';

import { HttpError } from './errors.ts';
import { isUuid } from '#platform/kit/ids.ts';

export const MAX_TAKE = 100;

/** The query members of every list. */
export const pageQuery = {
  take: Type.Integer({ minimum: 1, maximum: MAX_TAKE, default: 10, description: 'Page size.' }),
  skip: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 0,
    description: 'Records to pass over; ignored with a cursor.',
  }),
  cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The nextCursor of the page before.' })),
};

export interface Page {
  readonly take: number;
  readonly skip: number;
  /** The id after which the page begins. Ids are ordered by creation, so this is all a cursor must hold. */
  readonly after: string | undefined;
}

export function parsePage(query: { take: number; skip: number; cursor?: string }): Page {
  if (query.cursor === undefined) return { take: query.take, skip: query.skip, after: undefined };
  const after = Buffer.from(query.cursor, 'base64url').toString('latin1');
  if (!isUuid(after)) throw new HttpError(400, ['cursor must be the nextCursor of a previous page']);
  return { take: query.take, skip: 0, after };
}

/** Records of one statement of an export: many enough to be quick, few enough to be held. */
const EXPORT_CHUNK_SIZE = 10 * MAX_TAKE;

/**
 * All of a list, read portion by portion as fast as it is taken; nothing is held in between. `read` answers one record too many where
 * there are more, as for a page.
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

/** Cuts a page from `take + 1` records: the one too many tells that there is a next page. */
export function slicePage<T extends { readonly id: string }>(
  records: readonly T[],
  take: number,
): { readonly records: readonly T[]; readonly nextCursor: string | null } {
  const page = records.slice(0, take);
  const last = page.at(-1);
  const more = records.length > take && last !== undefined;
  return { records: page, nextCursor: more ? Buffer.from(last.id, 'latin1').toString('base64url') : null };
}

/** The answer of a list: the page of what was found, each record as `view` shows it, and how many there are of them all. */
export function pageResponse<T extends { readonly id: string }, View>(
  rows: readonly T[],
  count: number,
  take: number,
  view: (record: T) => View,
) {
  const { records, nextCursor } = slicePage(rows, take);
  return { status: true as const, data: records.map((record) => view(record)), count, nextCursor };
}
