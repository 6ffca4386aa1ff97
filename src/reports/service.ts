import {
  countPaymentsByCreation,
  getBlockedBalances,
  getDailyTotals,
  getHourlyTotals,
  type OriginTotals,
  type PaymentCount,
} from '#accounting/ledger/service.ts';
import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import {
  countUnpaid,
  findReleasedSales,
  findUpcomingReleases,
  ORIGIN_OF,
  sumReleasesFrom,
  totalReleases,
  type ReleaseDays,
  type UnpaidCount,
} from '#payments/transactions/service.ts';
import { sumReserved } from '#payouts/withdrawals/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { readSnapshot } from '#platform/database/read-snapshot.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { previousPeriod, splitIntoBuckets, type DateRange, type Interval } from './periods.ts';

/** Days after today whose releases are listed by day. */
const RELEASE_DAYS = 90;

interface ReportsDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export type ReportsService = ReturnType<typeof createReportsService>;

/** Reports of a seller over several modules, each from a single database snapshot. */
export const createReportsService = (deps: ReportsDeps) =>
  bindDeps(deps, { releases, releasedSales, summary });

/** The retained amounts by release day, and the parts of the blocked balance. */
function releases({ db, clock }: ReportsDeps, sellerId: string) {
  const laterFrom = addDays(saoPauloDate(clock.now()), RELEASE_DAYS + 1);
  return readSnapshot(db, async (trx) => {
    const upcoming = await findUpcomingReleases(trx, sellerId, laterFrom);
    const laterAmount = await sumReleasesFrom(trx, sellerId, laterFrom);
    const { retained: retention, disputed: disputes, reserved } = await getBlockedBalances(trx, sellerId);
    const withdrawals = await sumReserved(trx, sellerId);
    const refunds = reserved - withdrawals;
    const total = retention + disputes + reserved;
    return {
      upcoming: [...upcoming],
      laterAmount,
      blocked: { retention, disputes, withdrawals, refunds, total },
    };
  });
}

/**
 * The sales whose money becomes available on these days, earliest first, with the sum of all pages.
 */
function releasedSales(
  { db }: ReportsDeps,
  sellerId: string,
  days: ReleaseDays,
  page: { readonly take: number; readonly skip: number },
) {
  return readSnapshot(db, async (trx) => ({
    sales: await findReleasedSales(trx, sellerId, days, page),
    ...(await totalReleases(trx, sellerId, days)),
  }));
}

/** Payments, fees and refunds of a period and of the previous one. */
function summary({ db }: ReportsDeps, sellerId: string, range: DateRange, interval: Interval) {
  return readSnapshot(db, async (trx) => ({
    interval,
    current: await summarizePeriod(trx, sellerId, range, interval),
    previous: await summarizePeriod(trx, sellerId, previousPeriod(range, interval), interval),
  }));
}

async function summarizePeriod(
  trx: DatabaseTransaction,
  sellerId: string,
  range: DateRange,
  interval: Interval,
) {
  const beforeDay = addDays(range.last, 1);
  const span = {
    from: startOfSaoPauloDay(range.first),
    before: startOfSaoPauloDay(beforeDay),
    fromDay: range.first,
    beforeDay,
  };
  const totals = await (interval === 'hour' ? getHourlyTotals : getDailyTotals)(trx, sellerId, span);
  const paid = await countPaymentsByCreation(trx, sellerId, span);
  const unpaid = await countUnpaid(trx, sellerId, span);
  return {
    startDate: range.first,
    endDate: range.last,
    ...addTotals(range, interval, totals),
    success: {
      PIX: successOf('PIX', paid, unpaid),
      BOLETO: successOf('BOLETO', paid, unpaid),
      CREDIT_CARD: successOf('CREDIT_CARD', paid, unpaid),
    },
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

function addTotals(range: DateRange, interval: Interval, totals: readonly OriginTotals[]) {
  const { starts, bucketOf } = splitIntoBuckets(range, interval);
  const buckets = new Map(starts.map((start) => [start, { ...ZERO_TOTALS }]));
  const total = { ...ZERO_TOTALS };
  for (const row of totals) {
    for (const sums of [buckets.get(bucketOf(row.start)), total]) {
      if (sums === undefined) throw new Error('a ledger total is outside of its period');
      sums.count += row.payments;
      sums.volume += row.volume;
      sums.feeAmount += row.fees;
      sums.netAmount += row.volume - row.fees;
      sums.refundedAmount += row.refunded;
      sums.chargedBackAmount += row.chargedBack;
    }
  }
  return { total, buckets: [...buckets].map(([start, sums]) => ({ start, ...sums })) };
}

function successOf(
  method: UnpaidCount['method'],
  paidCounts: readonly PaymentCount[],
  unpaidCounts: readonly UnpaidCount[],
) {
  const paid = paidCounts.find(({ origin }) => origin === ORIGIN_OF[method])?.payments ?? 0;
  const ended = paid + (unpaidCounts.find((unpaid) => unpaid.method === method)?.count ?? 0);
  return { ended, paid, rate: ended === 0 ? null : Math.round((paid / ended) * 10_000) / 10_000 };
}
