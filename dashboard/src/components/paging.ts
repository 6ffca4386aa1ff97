import type { HistoryState } from '@tanstack/react-router';

/** What the browser's history remembers of how far somebody has read on; the first page begins anew. */
export const readOn =
  (cursor: string | undefined) =>
  (before: HistoryState): HistoryState => ({
    ...before,
    page: cursor === undefined ? 0 : (before.page ?? 0) + 1,
  });

/** Some lists are paged by how many are passed over: that number is their cursor. */
export const skipOf = (cursor: string | undefined): number => Number(cursor ?? 0) || 0;

export const bySkip = <Row>(
  skip: number,
  { data, count }: { readonly data: readonly Row[]; readonly count: number },
): { readonly data: readonly Row[]; readonly count: number; readonly nextCursor: string | null } => ({
  data,
  count,
  nextCursor: skip + data.length < count ? String(skip + data.length) : null,
});
