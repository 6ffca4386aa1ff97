import {
  countPaymentsByCreation,
  findRevenue,
  getBlockedBalances,
  getDailyTotals,
  getHourlyTotals,
  type ChargeCosts,
  type GroupedRevenue,
  type OriginTotals,
  type PaymentCount,
  type RevenueGroup,
} from '#accounting/ledger/service.ts';
import type { ProviderCostsService } from '#accounting/provider-costs/service.ts';
import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
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
import { METHODS } from '#payments/transactions/transaction.ts';
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
  readonly providerCosts: ProviderCostsService;
}

export type ReportsService = ReturnType<typeof createReportsService>;

/** Reports over several modules, each from a single database snapshot. */
export const createReportsService = (deps: ReportsDeps) =>
  bindDeps(deps, { releases, releasedSales, summary, revenue, revenueRows });

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

/** Days are inclusive. */
interface RevenueQuery {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly groupBy: RevenueGroup;
}

/** Sellers of a report. */
const MAX_SELLERS = 1_000;
/** Sellers of an export. */
const MAX_EXPORTED_SELLERS = 100_000;
/** More than the days of any report. */
const MAX_ROWS = 2_000;

/** What the gateway earned from all sellers. */
async function revenue({ db, providerCosts }: ReportsDeps, query: RevenueQuery) {
  return readSnapshot(db, async (trx) => {
    const costs = await providerCosts.findForCharges(trx);
    const found = await findRows({ db, trx, costs }, query, MAX_SELLERS);
    // Its groups are three at most, of whatever sellers.
    const all =
      query.groupBy === 'seller'
        ? await findRows({ db, trx, costs }, { ...query, groupBy: 'method' }, MAX_ROWS)
        : found;
    const total = all.map(viewRevenue).reduce(
      (sum, sums) => ({
        charges: sum.charges + sums.charges,
        volume: sum.volume + sums.volume,
        feesEarned: sum.feesEarned + sums.feesEarned,
        providerCosts: sum.providerCosts + sums.providerCosts,
        margin: sum.margin + sums.margin,
        refunds: sum.refunds + sums.refunds,
        chargebacks: sum.chargebacks + sums.chargebacks,
      }),
      NO_REVENUE,
    );
    return { rows: found.map((row) => viewRow(row, query.groupBy)), total };
  });
}

/** The rows of an export. */
async function revenueRows({ db, providerCosts }: ReportsDeps, query: RevenueQuery) {
  return readSnapshot(db, async (trx) => {
    const costs = await providerCosts.findForCharges(trx);
    const found = await findRows({ db, trx, costs }, query, MAX_EXPORTED_SELLERS);
    return found.map((row) => viewRow(row, query.groupBy));
  });
}

interface RevenueHandles {
  readonly db: Db;
  readonly trx: DatabaseTransaction;
  readonly costs: ChargeCosts;
}

const findRows = ({ db, trx, costs }: RevenueHandles, query: RevenueQuery, maxSellers: number) =>
  findRevenue({ db, trx }, { ...query, limit: query.groupBy === 'seller' ? maxSellers : MAX_ROWS }, costs);

const NO_REVENUE = {
  charges: 0,
  volume: 0,
  feesEarned: 0,
  providerCosts: 0,
  margin: 0,
  refunds: 0,
  chargebacks: 0,
};

const viewRevenue = ({ charges, volume, fees, costs, refunds, chargebacks }: GroupedRevenue) => ({
  charges,
  volume,
  feesEarned: fees,
  providerCosts: costs,
  margin: fees - costs,
  refunds,
  chargebacks,
});

const viewRow = (row: GroupedRevenue, groupBy: RevenueGroup) => ({
  ...keyOf(row, groupBy),
  ...viewRevenue(row),
});

function keyOf({ key, sellerName }: GroupedRevenue, groupBy: RevenueGroup) {
  switch (groupBy) {
    case 'day':
      return { day: key };
    case 'month':
      return { month: key };
    case 'seller':
      return { sellerId: key, sellerName };
    case 'method': {
      const method = METHODS.find((one) => ORIGIN_OF[one] === key);
      return method === undefined ? {} : { method };
    }
  }
}
