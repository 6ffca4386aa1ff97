import * as chain from '#accounting/ledger/store-chain.ts';
import * as marks from '#accounting/ledger/store-check-marks.ts';
import * as runs from '#accounting/ledger/store-check-runs.ts';
import * as totals from '#accounting/ledger/store-daily-totals.ts';
import * as movements from '#accounting/ledger/store-movement-totals.ts';
import * as revenue from '#accounting/ledger/store-revenue.ts';
import * as costs from '#accounting/provider-costs/store.ts';
import * as discrepancies from '#accounting/ledger/store-discrepancies.ts';
import * as differences from '#accounting/ledger/store-entry-differences.ts';
import * as statement from '#accounting/ledger/store-statement.ts';
import * as wallets from '#accounting/ledger/store.ts';
import * as storedDays from '#accounting/reconciliation/store-reconciled-days.ts';
import * as matching from '#accounting/reconciliation/store-matching.ts';
import * as missing from '#accounting/reconciliation/store-missing.ts';
import { useIndexes } from '#accounting/reconciliation/use-indexes.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import * as files from '#accounting/reconciliation/store.ts';
import { MIN_ID } from '#platform/kit/ids.ts';
import { ANY_TIME, call, callOutside, PAGE, type Call } from './call.ts';
import { DATE, DAY, idOf, LARGE, NOW, SMALL } from './fill.ts';

const NONE = { pix: null, boleto: null, card: null };
/** Entries of about fifty charges. */
const PIX_ENTRIES = { pix: idOf('entry', 10_050), boleto: null, card: null };
const RANGE = { sellerId: LARGE, after: { ...NONE, pix: idOf('entry', 10_000) }, upTo: PIX_ENTRIES };
const RECORDS = discrepancies.between(LARGE, idOf('transaction', 10_000), idOf('transaction', 10_050));
const ALL = { origin: undefined, cause: undefined, recordId: undefined, period: ANY_TIME };
const RECORD = idOf('transaction', 10_001);
const SPAN = { ...DAY, fromDay: DATE, beforeDay: '2026-01-17' };
const SCOPE = { provider: undefined, from: DATE, to: DATE, defaultProviders: {} };
const STORED_DAY = { day: DATE, before: NOW, entries: 0, files: 0, settings: '{}', rows: [] };
const SUMS = differences.EMPTY_SUMS.map((sums) => ({ ...sums, entryId: idOf('entry', 10_000) }));

export const CHAIN_CALLS: readonly Call[] = [
  call(100, chain.findChainStates, MIN_ID, 10, {}),
  call(20, chain.findChainHeads, [LARGE]),
  call(20, chain.hashEntries, [RANGE]),
  call(75, chain.findSellersWithOtherHeadKey, 'key', MIN_ID, 10),
  call(200, chain.findRecomputedChainEntries, LARGE, undefined, 100),
  call(30, chain.findEntriesFrom, new Map([[LARGE, PIX_ENTRIES]]), 10),
  call(20, chain.findSellersWithProofs, [
    {
      sellerId: LARGE,
      origin: 'PIX',
      from: idOf('entry', 10_000),
      to: idOf('entry', 10_050),
      proofs: ['no'],
    },
  ]),
  call(20, chain.findImpossibleRecords, [{ sellerId: LARGE, recordId: RECORD }]),
  call(20, chain.findWithdrawalEntries, LARGE, RECORD),
  call(20, chain.findHolds, 10),
  call(20, chain.countHeldSellers),
  call(20, chain.releaseSeller, LARGE),
  call(75, chain.findHeads, MIN_ID, 10),
  call(20, chain.findMac, LARGE, 5),
];

export const CHECK_CALLS: readonly Call[] = [
  call(75, marks.findMarks, MIN_ID, 10),
  call(20, runs.findLatestCheck, 'NEW'),
  call(20, runs.findCheckById, RECORD),
  call(50, runs.findCheckSummary),
  call(20, runs.resumeCheck, 'NEW', LARGE),
  call(200, discrepancies.findSellerRowCounts, { after: MIN_ID }, 10),
  call(75, discrepancies.countStoredRows),
  call(1_000, discrepancies.findRecordSlice, LARGE, idOf('transaction', 10_000), 50),
  call(100, discrepancies.findTransactionDifferences, RECORDS, 10),
  call(20, discrepancies.findWithdrawalDifferences, RECORDS, 10),
  call(30, differences.findEntrySlice, LARGE, SUMS, { limit: 50, withRecords: true }),
  call(20, differences.findBalanceDifferences, differences.sumsOfSeller(LARGE, SUMS), 10),
  call(20, differences.findEntryCountDifferences, differences.sumsOfSeller(LARGE, SUMS), 10),
  // These compare all rows of a seller. The check calls them for sellers with few rows only.
  call(20, discrepancies.countLedger, { only: SMALL }),
  call(30, discrepancies.findCountDifferences, { only: SMALL }, 10),
  call(30, discrepancies.findUnpaidDifferences, { only: SMALL }, 10),
  call(20, differences.findEntryDifferences, { only: SMALL }, 10),
  call(50, differences.findBalanceDifferences, differences.sumsOfRange({ only: SMALL }), 10),
];

export const LEDGER_CALLS: readonly Call[] = [
  call(1_500, totals.findBalancesBehindTotals, 1, 10),
  call(20, totals.addNextEntriesToTotals, { sellerId: LARGE, origin: 'PIX' }, 10),
  call(30, totals.findDailyTotals, LARGE, SPAN),
  call(100, totals.findHourlyTotals, LARGE, SPAN),
  call(30, totals.countPaymentsByCreation, LARGE, SPAN),
  call(300, statement.findMovements, LARGE, ALL, PAGE),
  call(200, statement.findMovements, LARGE, { ...ALL, origin: 'PIX' }, PAGE),
  call(300, statement.findMovements, LARGE, { ...ALL, cause: 'PAYMENT' }, PAGE),
  call(3_000, statement.findMovements, LARGE, { ...ALL, cause: 'PAYMENT' }, { ...PAGE, skip: 1_000 }),
  call(30, statement.findMovements, LARGE, { ...ALL, recordId: RECORD }, PAGE),
  call(300, statement.findMovements, LARGE, { ...ALL, period: DAY }, PAGE),
  call(20, statement.countMovements, LARGE, ALL),
  call(20, statement.countMovements, LARGE, { ...ALL, recordId: RECORD }),
  call(50, statement.countMovements, LARGE, { ...ALL, period: DAY }),
  call(30, statement.countMovements, LARGE, { ...ALL, cause: 'PAYMENT' }),
  call(20, wallets.lockWallets, LARGE),
  call(20, wallets.findWallets, LARGE),
];

/** Some seconds with a payment of the large seller, as between two runs of the worker. */
const RECENT = { from: new Date(DAY.from), before: new Date(DAY.from.getTime() + 240_000) };

const COSTS = {
  rates: [
    { provider: 'sandbox', origin: 'PIX', fixedCents: 15, basisPoints: 0, from: DAY.from, before: null },
  ],
  defaultProviders: {},
} as const;
const REVENUE = { from: DATE, to: DATE, groupBy: 'day', limit: 1_000 } as const;
const STORED = { stored: true, recent: undefined };
const COST = { provider: 'sandbox', method: 'PIX', fixed: 15, percentage: 0, since: NOW } as const;

/** Sums by day do not grow with the sellers, sums by seller not with their charges. */
export const REVENUE_CALLS: readonly Call[] = [
  call(1_500, revenue.addToRevenueTotals, RECENT, COSTS),
  call(75, revenue.removeRevenueTotals, DATE, DATE),
  call(20, revenue.sumRevenue, REVENUE, COSTS, STORED),
  call(100, revenue.sumRevenue, { ...REVENUE, groupBy: 'seller' }, COSTS, STORED),
  call(1_500, revenue.sumRevenue, REVENUE, COSTS, { stored: true, recent: RECENT }),
  call(20, costs.findCosts),
  call(20, costs.findRates),
  call(10, costs.lockCosts),
  call(20, costs.insertCost, COST),
];

export const MOVEMENT_CALLS: readonly Call[] = [
  call(20, movements.findTotalsCursor),
  call(20, movements.lockTotalsCursor),
  call(20, movements.saveTotalsCursor, { before: NOW, entries: 0, missing: 0 }),
  call(100, movements.countNewEntries, NOW, NOW),
  call(1_000, movements.addToMovementTotals, RECENT, 1_000),
  call(20, movements.removeMovementTotals, DATE, DATE),
  // Reads the ledger since a day. The worker calls it after an entry was committed late.
  call(1_000, movements.findDifferingDays, DATE, DAY.before),
  call(50, movements.findStoredSlice, SCOPE, 1_000),
  call(50, movements.sumMovements, SCOPE, undefined),
  call(1_000, movements.sumMovements, SCOPE, RECENT),
];

/** A call in a transaction that uses indexes. Its arguments name no seller. */
const callWithIndexes = <Args extends readonly unknown[]>(
  maxPages: number,
  read: (trx: DatabaseTransaction, ...args: Args) => Promise<unknown>,
  ...args: Args
): Call => ({
  ...call(maxPages, read, ...args),
  run: async (trx) => {
    await useIndexes(trx);
    return read(trx, ...args);
  },
  forSmallSeller: () => callWithIndexes(maxPages, read, ...args),
});

export const RECONCILIATION_CALLS: readonly Call[] = [
  call(20, files.countFilesByDay, DATE, DATE),
  call(20, files.findFirstFileDay),
  call(20, storedDays.findStoredDays, SCOPE),
  call(20, storedDays.saveStoredDays, [STORED_DAY]),
  call(20, storedDays.findIncludedEntries, SCOPE),
  call(100, storedDays.countEntriesSince, NOW, NOW),
  call(1_500, storedDays.sumNewMovements, { ...RECENT, defaultProviders: {} }),
  callOutside(400_000, matching.findDays, SCOPE),
  call(400_000, matching.findDaysIn, SCOPE),
  call(100, matching.findHasLines, SCOPE),
  callWithIndexes(100, missing.countProviderEntries, RECENT, 100),
  callWithIndexes(1_500, missing.findMovements, { ...RECENT, defaultProviders: {} }, undefined),
  callOutside(400_000, matching.findDifferences, SCOPE, undefined, { take: 10, skip: 0 }),
  call(20, files.findFileByHash, 'sandbox', Buffer.from('none')),
  call(50, files.findFileProviders),
  call(50, files.findFiles, { provider: undefined, from: undefined, to: undefined }, PAGE),
  call(20, files.findFiles, { provider: 'sandbox', from: DATE, to: DATE }, PAGE),
];
