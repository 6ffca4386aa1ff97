import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { blockedOf, daySums, hourSums, type OriginSums } from '#accounting/ledger/service.ts';
import { dueReleases, ratesOf, releasesFrom, type Rate } from '#payments/transactions/service.ts';
import { reservedFor } from '#payouts/withdrawals/service.ts';
import { cutInto, periodBefore, type Days, type Interval } from './periods.ts';

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

    /** What came in and went back in some days, and in those before. */
    summary: (sellerId: string, days: Days, interval: Interval) =>
      snapshot().execute(async (within) => {
        const period = async (part: Days) => {
          const beforeDay = addDays(part.last, 1);
          const span = {
            from: startOfSaoPauloDay(part.first),
            before: startOfSaoPauloDay(beforeDay),
            fromDay: part.first,
            beforeDay,
          };
          const found = await (interval === 'hour' ? hourSums : daySums)(within, sellerId, span);
          return periodOf(part, interval, found, await ratesOf(within, sellerId, span));
        };
        const current = await period(days);
        return { interval, current, previous: await period(periodBefore(days, interval)) };
      }),
  };
}

const METHOD_NAMES = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;

function periodOf(days: Days, interval: Interval, found: readonly OriginSums[], rates: readonly Rate[]) {
  const { starts, spanOf } = cutInto(days, interval);
  const buckets = new Map(starts.map((start) => [start, { ...NOTHING }]));
  const total = { ...NOTHING };
  for (const sums of found) {
    for (const into of [buckets.get(spanOf(sums.start)), total]) {
      if (into === undefined) throw new Error('a sum lies outside its period');
      into.count += sums.payments;
      into.volume += sums.volume;
      into.feeAmount += sums.fees;
      into.netAmount += sums.volume - sums.fees;
      into.refundedAmount += sums.refunded;
      into.chargedBackAmount += sums.chargedBack;
    }
  }
  const [PIX, BOLETO, CREDIT_CARD] = METHOD_NAMES.map((method) => {
    const { ended = 0, paid = 0 } = rates.find((rate) => rate.method === method) ?? {};
    return { ended, paid, rate: ended === 0 ? null : Math.round((paid / ended) * 10_000) / 10_000 };
  });
  if (PIX === undefined || BOLETO === undefined || CREDIT_CARD === undefined)
    throw new Error('a method has no rate');
  return {
    startDate: days.first,
    endDate: days.last,
    total,
    buckets: [...buckets].map(([start, sums]) => ({ start, ...sums })),
    success: { PIX, BOLETO, CREDIT_CARD },
  };
}

const NOTHING = {
  count: 0,
  volume: 0,
  feeAmount: 0,
  netAmount: 0,
  refundedAmount: 0,
  chargedBackAmount: 0,
};
