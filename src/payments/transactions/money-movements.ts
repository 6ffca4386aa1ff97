import type { EntryCause, LedgerAccount, LedgerEntry, Origin } from '#accounting/ledger/service.ts';
import { addBusinessDays } from '#formats/calendar/business-days.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { sumAmounts } from '#platform/kit/money.ts';
import type { Method, Release, Transaction } from './transaction.ts';

/**
 * Ledger entries and changed releases of a transaction. All functions here are pure; amounts in
 * cents.
 */
export interface MoneyMovement {
  readonly entries: readonly LedgerEntry[];
  readonly releases: readonly Release[];
}

const DAY_MS = 24 * 3_600_000;

export const ORIGIN_OF: Readonly<Record<Method, Origin>> = {
  PIX: 'PIX',
  BOLETO: 'BOLETO',
  CREDIT_CARD: 'CARD',
};

type PaidAmounts = Pick<Transaction, 'method' | 'amount' | 'feeAmount' | 'installments'>;

interface ReleaseDelays {
  readonly boletoDelayDays: number;
  readonly cardDelayDays: number;
}

/**
 * A payment. The whole amount comes from the provider and the fee is taken from it, so that the
 * seller's statement shows both. Pix is available immediately; a boleto is retained until its
 * business day, and a card payment is released installment by installment.
 */
export function paymentMovement(
  { method, amount, feeAmount, installments }: PaidAmounts,
  paidAt: Date,
  delays: ReleaseDelays,
): MoneyMovement {
  const releases = releasesOf({ method, installments, netAmount: amount - feeAmount }, paidAt, delays);
  const account = releases.length === 0 ? 'available' : 'retained';
  const movements: Movement[] = [{ debit: 'provider', credit: account, amount, cause: 'PAYMENT' }];
  if (feeAmount > 0)
    movements.push({ debit: account, credit: 'fees', amount: feeAmount, cause: 'PAYMENT_FEE' });
  return { entries: toEntries(method, movements), releases };
}

function releasesOf(
  { method, installments, netAmount }: Pick<PaidAmounts, 'method' | 'installments'> & { netAmount: number },
  paidAt: Date,
  { boletoDelayDays, cardDelayDays }: ReleaseDelays,
): readonly Release[] {
  if (method === 'PIX') return [];
  if (method === 'BOLETO') {
    if (boletoDelayDays === 0) return [];
    const day = addBusinessDays(saoPauloDate(paidAt), boletoDelayDays);
    return [{ number: 1, amount: netAmount, status: 'PENDING', dueAt: startOfSaoPauloDay(day) }];
  }
  if (cardDelayDays === 0) return [];
  const count = Math.min(installments ?? 1, netAmount);
  const share = Math.floor(netAmount / count);
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    // The first installment includes the remainder of the division.
    amount: index === 0 ? netAmount - share * (count - 1) : share,
    status: 'PENDING',
    dueAt: new Date(paidAt.getTime() + cardDelayDays * (index + 1) * DAY_MS),
  }));
}

/** Makes retained money available that is due, with one entry for each release. */
export function releaseMovement({ method, releases }: Transaction, now: Date): MoneyMovement {
  const due = releases.filter(({ status, dueAt }) => status === 'PENDING' && dueAt <= now);
  const movements = due.map(
    ({ amount }) => ({ debit: 'retained', credit: 'available', amount, cause: 'RELEASE' }) as const,
  );
  return {
    entries: toEntries(method, movements),
    releases: due.map((release) => ({ ...release, status: 'RELEASED' })),
  };
}

/**
 * Returns money to the payer: retained money of the payment first, the rest from the available
 * balance.
 */
export function returnToPayerMovement(
  transaction: Transaction,
  amount: number,
  cause: 'REFUND' | 'CHARGEBACK',
): MoneyMovement {
  return takeFromSeller(transaction, amount, { credit: 'provider', cause });
}

/** Reserves the money of a refund at an external provider: retained money first. */
export function refundReservedMovement(transaction: Transaction, amount: number): MoneyMovement {
  return takeFromSeller(transaction, amount, { credit: 'reserved', cause: 'REFUND_RESERVED' });
}

function takeFromSeller(
  { method, releases }: Transaction,
  amount: number,
  target: { readonly credit: LedgerAccount; readonly cause: EntryCause },
): MoneyMovement {
  const taken = takeRetained(releases, amount);
  return {
    entries: toEntries(method, [
      { debit: 'retained', amount: taken.sum, ...target },
      { debit: 'available', amount: amount - taken.sum, ...target },
    ]),
    releases: taken.reduced.map((release) =>
      release.amount === 0 ? { ...release, status: 'TAKEN' } : release,
    ),
  };
}

/** A part of a refund that was taken from retained money, and when that money was due. */
export interface RetainedPart {
  readonly amount: number;
  readonly dueAt: Date;
}

/** The parts that a refund of this amount would take from retained money. */
export const retainedPartsOf = ({ releases }: Transaction, amount: number): readonly RetainedPart[] =>
  takeRetained(releases, amount).parts.map((part) => ({ amount: part.amount, dueAt: part.release.dueAt }));

/** The provider has completed the refund. */
export function refundCompletedMovement({ method }: Transaction, amount: number): MoneyMovement {
  const movement = { debit: 'reserved', credit: 'provider', amount, cause: 'REFUND' } as const;
  return { entries: toEntries(method, [movement]), releases: [] };
}

/** A refund to give back to the seller. */
export interface RefundedMoney {
  readonly amount: number;
  readonly retained: readonly RetainedPart[];
}

/** The provider has not executed the refund. */
export const refundFailedMovement = (
  transaction: Transaction,
  refund: RefundedMoney,
  now: Date,
): MoneyMovement => giveToSeller(transaction, refund, now, { debit: 'reserved', cause: 'REFUND_RETURNED' });

/** The payer's bank has returned the refund to the provider. */
export const refundReversedMovement = (
  transaction: Transaction,
  refund: RefundedMoney,
  now: Date,
): MoneyMovement => giveToSeller(transaction, refund, now, { debit: 'provider', cause: 'REFUND_REVERSED' });

/** Money that was retained is retained again, unless it has become due meanwhile. */
function giveToSeller(
  { method, releases }: Transaction,
  { amount, retained }: RefundedMoney,
  now: Date,
  source: { readonly debit: LedgerAccount; readonly cause: EntryCause },
): MoneyMovement {
  const lastNumber = highestNumber(releases);
  const restored = retained
    .filter(({ dueAt }) => dueAt > now)
    .map((part, index) => ({ ...part, number: lastNumber + index + 1, status: 'PENDING' as const }));
  const restoredAmount = sumAmounts(restored);
  return {
    entries: toEntries(method, [
      { credit: 'retained', amount: restoredAmount, ...source },
      { credit: 'available', amount: amount - restoredAmount, ...source },
    ]),
    releases: restored,
  };
}

/**
 * Holds the money of a dispute: retained money of the payment first, the rest from the available
 * balance.
 */
export function disputeOpenedMovement({ method, releases }: Transaction, amount: number): MoneyMovement {
  const taken = takeRetained(releases, amount);
  const lastNumber = highestNumber(releases);
  // Held money has its own releases, so that it can be retained again with its due dates.
  const held = taken.parts.map((part, index) => ({
    ...part.release,
    number: part.isWhole ? part.release.number : lastNumber + index + 1,
    amount: part.amount,
    status: 'HELD' as const,
  }));
  const reduced = taken.reduced.filter((release) => release.amount > 0);
  const target = { credit: 'disputed', cause: 'DISPUTE_HELD' } as const;
  return {
    entries: toEntries(method, [
      { debit: 'retained', amount: taken.sum, ...target },
      { debit: 'available', amount: amount - taken.sum, ...target },
    ]),
    releases: [...reduced, ...held],
  };
}

/**
 * A dispute that the seller won. Money that was retained is retained again, unless it has become
 * due meanwhile.
 */
export function disputeWonMovement(
  { method, releases }: Transaction,
  amount: number,
  now: Date,
): MoneyMovement {
  const resumed = releases
    .filter(({ status }) => status === 'HELD')
    .map((release) => ({
      ...release,
      status: release.dueAt <= now ? ('RELEASED' as const) : ('PENDING' as const),
    }));
  const retainedAmount = sumAmounts(resumed.filter(({ status }) => status === 'PENDING'));
  const source = { debit: 'disputed', cause: 'DISPUTE_RELEASED' } as const;
  return {
    entries: toEntries(method, [
      { credit: 'retained', amount: retainedAmount, ...source },
      { credit: 'available', amount: amount - retainedAmount, ...source },
    ]),
    releases: resumed,
  };
}

/** A dispute that the seller lost. The held money goes to the payer. */
export function disputeLostMovement({ method, releases }: Transaction, amount: number): MoneyMovement {
  const movement = { debit: 'disputed', credit: 'provider', amount, cause: 'DISPUTE_LOST' } as const;
  return {
    entries: toEntries(method, [movement]),
    releases: releases
      .filter(({ status }) => status === 'HELD')
      .map((release) => ({ ...release, amount: 0, status: 'TAKEN' })),
  };
}

/** Money that a bank has taken back is held and lost at once. */
export function furtherLossMovement(transaction: Transaction, amount: number): MoneyMovement {
  const held = disputeOpenedMovement(transaction, amount);
  const lost = disputeLostMovement({ ...transaction, releases: held.releases }, amount);
  return {
    entries: [...held.entries, ...lost.entries],
    releases: [...held.releases.filter(({ status }) => status !== 'HELD'), ...lost.releases],
  };
}

/** The operator's fee for a chargeback. It may take the available balance below zero. */
export function chargebackFeeEntries({ method }: Transaction, fee: number): readonly LedgerEntry[] {
  return toEntries(method, [{ debit: 'available', credit: 'fees', amount: fee, cause: 'CHARGEBACK_FEE' }]);
}

interface TakenMoney {
  readonly sum: number;
  /** The affected releases with their remaining amounts. */
  readonly reduced: readonly Release[];
  readonly parts: readonly {
    readonly release: Release;
    readonly amount: number;
    readonly isWhole: boolean;
  }[];
}

/**
 * Takes retained money, the last release first, so that the next releases of the seller stay as
 * announced.
 */
function takeRetained(releases: readonly Release[], amount: number): TakenMoney {
  const pending = releases.filter((release) => release.status === 'PENDING' && release.amount > 0);
  let remaining = amount;
  const reduced: Release[] = [];
  const parts: { release: Release; amount: number; isWhole: boolean }[] = [];
  for (const release of pending.toSorted((a, b) => b.dueAt.getTime() - a.dueAt.getTime())) {
    if (remaining === 0) break;
    const part = Math.min(remaining, release.amount);
    remaining -= part;
    reduced.push({ ...release, amount: release.amount - part });
    parts.push({ release, amount: part, isWhole: part === release.amount });
  }
  return { sum: amount - remaining, reduced, parts };
}

const highestNumber = (releases: readonly Release[]): number =>
  Math.max(0, ...releases.map(({ number }) => number));

type Movement = Omit<LedgerEntry, 'origin'>;

/** The entries of the movements that move any money. */
const toEntries = (method: Method, movements: readonly Movement[]): readonly LedgerEntry[] =>
  movements
    .filter(({ amount }) => amount > 0)
    .map((movement) => ({ origin: ORIGIN_OF[method], ...movement }));
