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
  page: Counted & { readonly data: readonly Row[] },
): Counted & { readonly data: readonly Row[]; readonly nextCursor: string | null } => {
  const next = skip + page.data.length;
  const hasNext = page.data.length > 0 && (page.countCapped === true || next < page.count);
  return { ...page, nextCursor: hasNext ? String(next) : null };
};

interface Counted {
  readonly count: number;
  /** More than `count` match. */
  readonly countCapped?: true;
}
