import type { RiskCharge } from '#payments/transactions/risk-port.ts';
import type { Method } from '#payments/transactions/transaction.ts';

export const SIGNAL_KINDS = ['card', 'document', 'email', 'address', 'link'] as const;
/** The values by which charges are counted. */
export type SignalKind = (typeof SIGNAL_KINDS)[number];

export const ACTIONS = ['ALLOW', 'REVIEW', 'REFUSE'] as const;
type RiskAction = (typeof ACTIONS)[number];

export const SCOPES = ['SELLER', 'ALL_SELLERS'] as const;
/** SELLER: the charges of the seller of the charge that is decided. */
export type Scope = (typeof SCOPES)[number];

interface Window {
  readonly by: SignalKind;
  readonly windowSeconds: number;
}

interface CountCondition extends Window {
  readonly of: 'charges' | 'declines';
  /** The condition matches above this count. */
  readonly above: number;
}

interface SumCondition extends Window {
  /** Cents. */
  readonly above: number;
}

/** All of them must match. Amounts in cents. */
interface Conditions {
  readonly amountAbove?: number;
  readonly amountBelow?: number;
  readonly methods?: Method[];
  readonly cardCountries?: string[];
  /** Only charges whose payer's address is known. */
  readonly payerPresent?: boolean;
  readonly count?: CountCondition;
  readonly sum?: SumCondition;
  /**
   * Whose charges are counted. SELLER for a rule of one seller; by default ALL_SELLERS for others.
   */
  readonly scope?: Scope;
}

export interface RiskRule {
  readonly id: string;
  readonly position: number;
  readonly name: string;
  readonly when: Conditions;
  readonly action: RiskAction;
  readonly enabled: boolean;
  /** Null: the rule is for all sellers. */
  readonly sellerId: string | null;
  readonly publicReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a rule counts: recent charges of one seller or of all, which have a value in common. */
interface Tally {
  readonly kind: SignalKind;
  readonly of: 'charges' | 'declines';
  readonly scope: Scope;
  /** Equal in all rules that count the same charges. */
  readonly name: string;
}

/** A rule as every process caches it. */
export interface LoadedRule extends RiskRule {
  /** The counts that it needs. */
  readonly tallies: readonly Tally[];
  /** Whether it counts charges of one seller, and not only declines. */
  readonly countsOfSeller: boolean;
}

/** A charge that was made before. */
export interface CountedCharge {
  readonly amount: number;
  readonly createdAt: Date;
}

/** The charges of a tally, newest first. */
export type FindCounted = (tally: Tally) => readonly CountedCharge[];

/** Charges of which one tally reads at most this many. Counts and sums are exact up to it. */
export const MAX_COUNTED = 1_000;

/** Whether a rule may apply to a charge, before anything is counted. */
export function isCandidate(
  { enabled, sellerId, when }: RiskRule,
  charge: RiskCharge,
  country: string | null,
): boolean {
  if (!enabled || (sellerId !== null && sellerId !== charge.sellerId)) return false;
  const { amountAbove, amountBelow, methods, cardCountries, payerPresent } = when;
  if (payerPresent === true && charge.address === null) return false;
  if (amountAbove !== undefined && charge.amount <= amountAbove) return false;
  if (amountBelow !== undefined && charge.amount >= amountBelow) return false;
  if (methods !== undefined && !methods.includes(charge.method)) return false;
  return cardCountries === undefined || (country !== null && cardCountries.includes(country));
}

export function toLoadedRule(rule: RiskRule): LoadedRule {
  const { count, sum, scope: chosen } = rule.when;
  const scope = rule.sellerId === null ? (chosen ?? 'ALL_SELLERS') : 'SELLER';
  const tally = (kind: SignalKind, of: Tally['of']) => ({ kind, of, scope, name: `${kind} ${of} ${scope}` });
  const tallies = [
    ...(count === undefined ? [] : [tally(count.by, count.of)]),
    ...(sum === undefined ? [] : [tally(sum.by, 'charges')]),
  ];
  const countsOfSeller = scope === 'SELLER' && tallies.some(({ of }) => of === 'charges');
  return { ...rule, tallies, countsOfSeller };
}

/**
 * Whether the counts and sums of a rule match. Charges and sums include the charge itself; it has
 * not been declined.
 */
export function countsMatch(rule: LoadedRule, charge: RiskCharge, find: FindCounted): boolean {
  const { tallies } = rule;
  const { count, sum } = rule.when;
  const within = (tally: Tally | undefined, windowSeconds: number) => {
    const since = charge.createdAt.getTime() - windowSeconds * 1_000;
    return tally === undefined ? [] : find(tally).filter(({ createdAt }) => createdAt.getTime() > since);
  };
  if (count !== undefined) {
    const others = within(tallies[0], count.windowSeconds).length;
    if (others + (count.of === 'charges' ? 1 : 0) <= count.above) return false;
  }
  if (sum !== undefined) {
    const others = within(tallies.at(-1), sum.windowSeconds);
    if (others.reduce((total, { amount }) => total + amount, charge.amount) <= sum.above) return false;
  }
  return true;
}
