import { sql, type RawBuilder } from 'kysely';

import { ALL_TIME, type Period } from '#platform/http/date-filters.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { ALL_METHOD_STATUSES, methodStatusesOf, type MethodStatus } from './summary.ts';
import type { Status } from './transaction.ts';

/** The references by which a seller finds its transactions. Each has a partial index. */
const REFERENCES = {
  externalRef: 'external_ref',
  customerId: 'customer_id',
  paymentLinkId: 'payment_link_id',
  subscriptionId: 'subscription_id',
} as const;

export interface TransactionFilter {
  readonly statuses: readonly Status[];
  readonly method: string | undefined;
  readonly transactionId: string | undefined;
  readonly metadataKey: string | undefined;
  readonly metadataValue: string | undefined;
  readonly references: Readonly<Partial<Record<keyof typeof REFERENCES, string | undefined>>>;
  /** Only transactions with a refund in progress. */
  readonly refunding: boolean;
  /** Of the creation. */
  readonly period: Period;
  /** Of the payment. */
  readonly paidPeriod: Period;
}

export const ALL_TRANSACTIONS: TransactionFilter = {
  statuses: [],
  method: undefined,
  transactionId: undefined,
  metadataKey: undefined,
  metadataValue: undefined,
  references: {},
  refunding: false,
  period: ALL_TIME,
  paidPeriod: ALL_TIME,
};

/** The statuses of transactions that have been paid. */
const PAID_STATUSES: ReadonlySet<Status> = new Set(['PAID', 'REFUNDED', 'CHARGEDBACK', 'DISPUTE']);

const isBounded = ({ from, before }: Period): boolean => from !== undefined || before !== undefined;

/** Every pair of a method and a status that a filter accepts. */
export function kindsOf(filter: TransactionFilter): readonly MethodStatus[] {
  const kinds = methodStatusesOf(filter);
  return isBounded(filter.paidPeriod) ? kinds.filter(({ status }) => PAID_STATUSES.has(status)) : kinds;
}

/** The references that a filter names, with their columns. */
export const referencesOf = ({ references }: TransactionFilter) =>
  Object.entries(REFERENCES).flatMap(([name, column]) => {
    const value = Object.entries(references).find(([key]) => key === name)?.[1];
    return value === undefined ? [] : [{ column, value }];
  });

/** Whether the filter accepts all transactions. */
export const isUnfiltered = (filter: TransactionFilter): boolean =>
  isByStatusOnly(filter) &&
  !isBounded(filter.period) &&
  kindsOf(filter).length === ALL_METHOD_STATUSES.length;

/** Whether the filter names statuses, methods and days of creation only. */
export const isByStatusOnly = (filter: TransactionFilter): boolean =>
  filter.transactionId === undefined &&
  filter.metadataKey === undefined &&
  referencesOf(filter).length === 0 &&
  !filter.refunding &&
  !isBounded(filter.paidPeriod);

export const isByPeriod = ({ period }: TransactionFilter): boolean => isBounded(period);

const DAY_MS = 24 * 3_600_000;
/** A transaction can be paid for a year and a few bank days after its creation. */
const MAX_PAYABLE_MS = 400 * DAY_MS;

/**
 * The conditions of a filter, except for status, method and metadata. Those of references come
 * first. Ids begin with the time of creation, so that a period is a range of ids. The time of
 * payment has no index, which every payment would have to write; it bounds the ids too.
 */
export function conditionsOf(filter: TransactionFilter, alias: string): readonly RawBuilder<unknown>[] {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const { transactionId, period, paidPeriod } = filter;
  const conditions: RawBuilder<unknown>[] = referencesOf(filter).map(
    (reference) => sql`${column(reference.column)} = ${reference.value}`,
  );
  if (transactionId !== undefined) conditions.push(sql`${column('id')} = ${transactionId}::uuid`);
  const { from: paidFrom, before: paidBefore } = paidPeriod;
  if (filter.refunding) conditions.push(sql`${column('refunding_amount')} > 0`);
  if (paidFrom !== undefined) conditions.push(sql`${column('paid_at')} >= ${paidFrom}`);
  if (paidBefore !== undefined) conditions.push(sql`${column('paid_at')} < ${paidBefore}`);
  const from = Math.max(
    period.from?.getTime() ?? -Infinity,
    paidFrom === undefined ? -Infinity : paidFrom.getTime() - MAX_PAYABLE_MS,
  );
  // The clock of a provider may be behind ours.
  const before = Math.min(
    period.before?.getTime() ?? Infinity,
    paidBefore === undefined ? Infinity : paidBefore.getTime() + DAY_MS,
  );
  if (from !== -Infinity) conditions.push(sql`${column('id')} >= ${minIdAt(Math.max(from, 0))}::uuid`);
  if (before !== Infinity) conditions.push(sql`${column('id')} < ${minIdAt(Math.max(before, 0))}::uuid`);
  return conditions;
}
