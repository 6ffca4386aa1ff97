import { addDays } from '#calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#calendar/sao-paulo.ts';
import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import { blockedOf } from '#ledger/service.ts';
import { dueReleases, releasesFrom } from '#transactions/service.ts';
import { reservedFor } from '#withdrawals/service.ts';

/** Days after today that releases are told of one by one. */
const RELEASE_DAYS = 90;

export type ReportsService = ReturnType<typeof createReportsService>;

/** What a seller asks first, put together from the folders that keep it; each answer is of one moment. */
export function createReportsService(db: Db, clock: Clock) {
  const snapshot = () => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');

  return {
    /** What is retained by the day of its release, and why the blocked balance is blocked. */
    releases: (sellerId: string) =>
      snapshot().execute(async (within) => {
        const after = startOfSaoPauloDay(addDays(saoPauloDate(clock.now()), RELEASE_DAYS + 1));
        const upcoming = await dueReleases(within, sellerId, after);
        const laterAmount = await releasesFrom(within, sellerId, after);
        const { retained: retention, disputed: disputes, reserved } = await blockedOf(within, sellerId);
        const withdrawals = await reservedFor(within, sellerId);
        const refunds = reserved - withdrawals;
        const total = retention + disputes + reserved;
        return {
          upcoming: [...upcoming],
          laterAmount,
          blocked: { retention, disputes, withdrawals, refunds, total },
        };
      }),
  };
}
