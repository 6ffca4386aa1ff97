import { getDailyTotals } from '#accounting/ledger/service.ts';
import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Notifier } from '#notifications/notifier.ts';
import {
  findSummaryReaders,
  markSummarized,
  type SummaryReader,
} from '#notifications/notifications-service.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';

/** Users of one run. */
const CHUNK_SIZE = 50;

interface DailySummaryDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly notifier: Notifier;
}

/**
 * Creates the job that mails the charges paid on the day before to the users who want that, once
 * for each user and day. It returns true if more users may be waiting. A day without payments is
 * not mailed.
 */
export function createDailySummaryJob(deps: DailySummaryDeps): () => Promise<boolean> {
  return async () => {
    const day = addDays(saoPauloDate(deps.clock.now()), -1);
    const readers = await findSummaryReaders(deps.db, day, CHUNK_SIZE);
    for (const reader of readers) await summarize(deps, reader, day);
    return readers.length === CHUNK_SIZE;
  };
}

async function summarize(
  { db, clock, notifier }: DailySummaryDeps,
  { userId, sellerId, email, locale }: SummaryReader,
  day: string,
): Promise<void> {
  const beforeDay = addDays(day, 1);
  const span = {
    fromDay: day,
    beforeDay,
    from: startOfSaoPauloDay(day),
    before: startOfSaoPauloDay(beforeDay),
  };
  await db.transaction().execute(async (trx) => {
    if (!(await markSummarized(trx, userId, day))) return;
    const totals = await getDailyTotals(trx, sellerId, span);
    const count = totals.reduce((sum, { payments }) => sum + payments, 0);
    const amount = totals.reduce((sum, { volume }) => sum + volume, 0);
    if (count === 0) return;
    const user = { id: userId, sellerId, email, locale };
    const params = { date: day, count, amount };
    await notifier.notifyUser(trx, user, { kind: 'daily-summary', params, at: clock.now() });
  });
}
