import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  getBlockedBalances,
  getDailyTotals,
  getHourlyTotals,
  type OriginTotals,
} from '#accounting/ledger/service.ts';
import {
  findUpcomingReleases,
  findPaymentRates,
  sumReleasesFrom,
  type PaymentRate,
} from '#payments/transactions/service.ts';
import { sumReserved } from '#payouts/withdrawals/service.ts';
import { splitIntoBuckets, previousPeriod, type DateRange, type Interval } from './periods.ts';

/** Days after today that releases are notified of one by one. */
const RELEASE_DAYS = 90;

export type ReportsService = ReturnType<typeof createReportsService>;

/** What a seller asks first, put together from the folders that keep it; each answer is of one moment. */
export function createReportsService(db: Db, clock: Clock) {
  const snapshot = () => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');

  return {
    /** What is retained by the day of its release, and why the blocked balance is blocked. */
    releases: (sellerId: string) =>
      snapshot().execute(async (trx) => {
        const after = startOfSaoPauloDay(addDays(saoPauloDate(clock.now()), RELEASE_DAYS + 1));
        const upcoming = await findUpcomingReleases(trx, sellerId, after);
        const laterAmount = await sumReleasesFrom(trx, sellerId, after);
        const { retained: retention, disputed: disputes, reserved } = await getBlockedBalances(trx, sellerId);
        const withdrawals = await sumReserved(trx, sellerId);
        const refunds = reserved - withdrawals;
        const total = retention + disputes + reserved;
        return {
          upcoming: [...upcoming],
          laterAmount,
          blocked: { retention, disputes, withdrawals, refunds, total },
        };
      }),

    /** What came in and went back in some days, and in those before. */
    summary: (sellerId: string, days: DateRange, interval: Interval) =>
      snapshot().execute(async (trx) => {
        const period = async (range: DateRange) => {
          const beforeDay = addDays(range.last, 1);
          const span = {
            from: startOfSaoPauloDay(range.first),
            before: startOfSaoPauloDay(beforeDay),
            fromDay: range.first,
            beforeDay,
          };
          const originSums = await (interval === 'hour' ? getHourlyTotals : getDailyTotals)(
            trx,
            sellerId,
            span,
          );
          return summarizePeriod(range, interval, originSums, await findPaymentRates(trx, sellerId, span));
        };
        const current = await period(days);
        return { interval, current, previous: await period(previousPeriod(days, interval)) };
      }),
  };
}

const METHOD_NAMES = ['PIX', 'BOLETO', 'CREDIT_CARD'] as const;

function summarizePeriod(
  days: DateRange,
  interval: Interval,
  originSums: readonly OriginTotals[],
  rates: readonly PaymentRate[],
) {
  const { starts, bucketOf } = splitIntoBuckets(days, interval);
  const buckets = new Map(starts.map((start) => [start, { ...ZERO_TOTALS }]));
  const total = { ...ZERO_TOTALS };
  for (const sums of originSums) {
    for (const into of [buckets.get(bucketOf(sums.start)), total]) {
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

const ZERO_TOTALS = {
  count: 0,
  volume: 0,
  feeAmount: 0,
  netAmount: 0,
  refundedAmount: 0,
  chargedBackAmount: 0,
};
