import {
  getBlockedBalances,
  getDailyTotals,
  getHourlyTotals,
  type OriginTotals,
} from '#accounting/ledger/service.ts';
import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import {
  findPaymentRates,
  findUpcomingReleases,
  sumReleasesFrom,
  type PaymentRate,
} from '#payments/transactions/service.ts';
import { sumReserved } from '#payouts/withdrawals/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
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
export const createReportsService = (deps: ReportsDeps) => bindDeps(deps, { releases, summary });

/** The retained amounts by release day, and the parts of the blocked balance. */
function releases({ db, clock }: ReportsDeps, sellerId: string) {
  const laterFrom = startOfSaoPauloDay(addDays(saoPauloDate(clock.now()), RELEASE_DAYS + 1));
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

/** Payments, fees and refunds of a period and of the previous one. */
function summary({ db }: ReportsDeps, sellerId: string, range: DateRange, interval: Interval) {
  return readSnapshot(db, async (trx) => ({
    interval,
    current: await summarizePeriod(trx, sellerId, range, interval),
    previous: await summarizePeriod(trx, sellerId, previousPeriod(range, interval), interval),
  }));
}

const readSnapshot = <Result>(db: Db, read: (trx: DatabaseTransaction) => Promise<Result>): Promise<Result> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

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
  const rates = await findPaymentRates(trx, sellerId, span);
  return {
    startDate: range.first,
    endDate: range.last,
    ...addTotals(range, interval, totals),
    success: {
      PIX: successOf('PIX', rates),
      BOLETO: successOf('BOLETO', rates),
      CREDIT_CARD: successOf('CREDIT_CARD', rates),
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

function successOf(method: PaymentRate['method'], rates: readonly PaymentRate[]) {
  const { ended = 0, paid = 0 } = rates.find((rate) => rate.method === method) ?? {};
  return { ended, paid, rate: ended === 0 ? null : Math.round((paid / ended) * 10_000) / 10_000 };
}
