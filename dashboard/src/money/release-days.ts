import type { Releases } from '../api/queries.ts';

/** Causes of blocked balance, with the list that explains each. */
export const BLOCKED_BY = [
  ['retention', '/receivables'],
  ['disputes', '/disputes?status=OPEN,UNDER_REVIEW'],
  ['withdrawals', '/withdrawals?status=PENDING,APPROVED,PROCESSING'],
  ['refunds', '/charges?refunding=true'],
] as const;

type Upcoming = Releases['upcoming'];

export const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);

/** The releases of each day over all origins, in the order of the days. */
export function releaseDays(upcoming: Upcoming) {
  const days = new Map<string, Upcoming>();
  for (const part of upcoming) days.set(part.day, [...(days.get(part.day) ?? []), part]);
  return [...days].map(([day, parts]) => ({
    day,
    origins: parts.map(({ origin }) => origin),
    amount: sumOf(parts),
  }));
}
