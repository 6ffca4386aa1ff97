import type { HistoryState } from '@tanstack/react-router';

/** What the browser's history remembers of how far somebody has read on; the first page begins anew. */
export const readOn =
  (cursor: string | undefined) =>
  (before: HistoryState): HistoryState => ({
    ...before,
    page: cursor === undefined ? 0 : (before.page ?? 0) + 1,
  });
