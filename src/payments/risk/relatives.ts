import type { FoundOfSeller, Transaction } from '#payments/transactions/service.ts';
import type { Db } from '#platform/database/connect.ts';
import { SIGNAL_KINDS } from './rule.ts';
import { findRelatives, MAX_RELATIVES, type Relative, type Signals } from './store-signals.ts';

/** A charge that has a value in common with another. */
export type RelatedCharge = Omit<Relative, 'number'>;

export interface RelativesDeps {
  readonly db: Db;
  /** Finds charges of all sellers by a text; undefined if that takes too long. */
  readonly lookUp: (text: string) => Promise<readonly FoundOfSeller[] | undefined>;
  /** Older charges are left out. */
  readonly since: Date;
}

/**
 * The charges of all sellers that are related to a charge, grouped by the value in common. Charges
 * that no rule concerned have no signals: those of the same payer are looked up by document and
 * email.
 */
export async function findRelated(
  deps: RelativesDeps,
  charge: Transaction,
  signals: Signals,
): Promise<readonly RelatedCharge[]> {
  const groups: (readonly RelatedCharge[])[] = [];
  for (const kind of SIGNAL_KINDS) {
    const value = signals[kind];
    const signaled = value === undefined ? [] : await findRelatives(deps.db, [kind, value], charge);
    const found = kind === 'document' || kind === 'email' ? await findOfPayer(deps, charge, kind) : [];
    const byId = new Map([...found, ...signaled].map((related) => [related.id, related]));
    const newest = [...byId.values()].toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    groups.push(newest.slice(0, MAX_RELATIVES));
  }
  return groups.flat();
}

async function findOfPayer(
  { lookUp, since }: RelativesDeps,
  { id, customer }: Transaction,
  by: 'document' | 'email',
): Promise<readonly RelatedCharge[]> {
  const found = (await lookUp(customer[by])) ?? [];
  return found
    .filter((charge) => charge.id !== id && charge.createdAt >= since)
    .filter(
      (charge) => by === 'document' || charge.customer.email.toLowerCase() === customer.email.toLowerCase(),
    )
    .map(({ sellerId, sellerName, id: relatedId, method, status, amount, createdAt }) => ({
      sellerId,
      sellerName,
      id: relatedId,
      method,
      status,
      amount,
      createdAt,
      by,
    }));
}
