import { expect } from 'vitest';

import type { TestDatabase } from './database.ts';

/**
 * Resolves when every database transaction of the server that has written until now has ended. The
 * index waits for them, also for those of other tests.
 */
export async function untilTransactionsEnd(database: Pick<TestDatabase, 'query'>): Promise<void> {
  const [row] = await database.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
  const hasEnded = async (): Promise<boolean | undefined> => {
    const [response] = await database.query<{ ended: boolean }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 AS ended',
      [row?.id],
    );
    return response?.ended;
  };
  await expect.poll(hasEnded, { timeout: 120_000, interval: 100 }).toBe(true);
}
