import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pages.ts';
import { countReports, findReports, type KeptReport, type ReportFilter } from './store-events.ts';

export type { KeptReport } from './store-events.ts';

export type ReportLog = ReturnType<typeof createReportLog>;

/** All that providers have told, for the operator. */
export function createReportLog(db: Db) {
  return {
    async list(
      filter: ReportFilter,
      page: Page,
    ): Promise<{ readonly found: readonly KeptReport[]; readonly count: number }> {
      const [found, count] = await Promise.all([findReports(db, filter, page), countReports(db, filter)]);
      return { found, count };
    },
  };
}
