import type { HistoryState } from '@tanstack/react-router';

/** Counts the pages read, kept in the history state. The first page resets it. */
export const countPages =
  (cursor: string | undefined) =>
  (before: HistoryState): HistoryState => ({
    ...before,
    page: cursor === undefined ? 0 : (before.page ?? 0) + 1,
  });

/** For lists with `skip` pagination, whose cursor is the number of skipped rows. */
export const skipOf = (cursor: string | undefined): number => Number(cursor ?? 0) || 0;

export const bySkip = <Row>(
  skip: number,
  { data, count }: { readonly data: readonly Row[]; readonly count: number },
): { readonly data: readonly Row[]; readonly count: number; readonly nextCursor: string | null } => ({
  data,
  count,
  nextCursor: skip + data.length < count ? String(skip + data.length) : null,
});
