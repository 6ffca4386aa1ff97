import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pagination.ts';
import {
  countProviderEvents,
  findProviderEvents,
  type StoredProviderEvent,
  type ProviderEventFilter,
} from './store-events.ts';

export type { StoredProviderEvent } from './store-events.ts';

export type ProviderEventLog = ReturnType<typeof createProviderEventLog>;

/** All that providers have told, for the operator. */
export function createProviderEventLog(db: Db) {
  return {
    async list(
      filter: ProviderEventFilter,
      page: Page,
    ): Promise<{ readonly found: readonly StoredProviderEvent[]; readonly count: number }> {
      const [found, count] = await Promise.all([
        findProviderEvents(db, filter, page),
        countProviderEvents(db, filter),
      ]);
      return { found, count };
    },
  };
}
