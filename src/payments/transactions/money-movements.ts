import { addBusinessDays } from '#formats/calendar/business-days.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { EntryCause, LedgerAccount, LedgerEntry, Origin } from '#accounting/ledger/service.ts';
import type { Method, Release, Transaction } from './transaction.ts';

/** Where the money of a charge moves: entries and releases, pure. Amounts in cents. */
export interface MoneyMovement {
  readonly entries: readonly LedgerEntry[];
  readonly releases: readonly Release[];
}

const DAY_MS = 24 * 3_600_000;

const ORIGIN_OF: Readonly<Record<Method, Origin>> = { PIX: 'PIX', BOLETO: 'BOLETO', CREDIT_CARD: 'CARD' };

interface Paid {
  readonly method: Method;
  readonly amount: number;
  readonly feeAmount: number;
  readonly installments: number | null;
}

/**
 * A payment: it comes whole from the provider, and the fee is taken from it, so that the seller's statement shows both. PIX is available at once; a boleto is retained until
 * its business day has come, a card payment instalment by instalment.
 */
export function paymentMovement(
  paid: Paid,
  paidAt: Date,
  terms: { readonly boletoDelayDays: number; readonly cardDelayDays: number },
): MoneyMovement {
  const net = paid.amount - paid.feeAmount;
  const releases = releasesOf(paid, net, paidAt, terms);
  const account = releases.length === 0 ? 'available' : 'retained';
  const entries = [entry(paid.method, 'provider', account, paid.amount, 'PAYMENT')];
  if (paid.feeAmount > 0) entries.push(entry(paid.method, account, 'fees', paid.feeAmount, 'PAYMENT_FEE'));
  return { entries, releases };
}

function releasesOf(
  { method, installments }: Paid,
  net: number,
  paidAt: Date,
  terms: { readonly boletoDelayDays: number; readonly cardDelayDays: number },
): readonly Release[] {
  if (method === 'PIX') return [];
  if (method === 'BOLETO') {
    if (terms.boletoDelayDays === 0) return [];
    const day = addBusinessDays(saoPauloDate(paidAt), terms.boletoDelayDays);
    return [{ number: 1, amount: net, status: 'PENDING', dueAt: startOfSaoPauloDay(day) }];
  }
  if (terms.cardDelayDays === 0) return [];
  const parts = Math.min(installments ?? 1, net);
  const share = Math.floor(net / parts);
  return Array.from({ length: parts }, (_, index) => ({
    number: index + 1,
    // The cents that do not divide come with the first instalment.
    amount: index === 0 ? net - share * (parts - 1) : share,
    status: 'PENDING' as const,
    dueAt: new Date(paidAt.getTime() + terms.cardDelayDays * (index + 1) * DAY_MS),
  }));
}

/** Retained money whose day has come becomes available, one entry for each instalment. */
export function releaseMovement({ method, releases }: Transaction, now: Date): MoneyMovement {
  const due = releases.filter(({ status, dueAt }) => status === 'PENDING' && dueAt <= now);
  return {
    entries: due
      .filter(({ amount }) => amount > 0)
      .map(({ amount }) => entry(method, 'retained', 'available', amount, 'RELEASE')),
    releases: due.map((release) => ({ ...release, status: 'RELEASED' })),
  };
}

/** Money that goes back to the payer: from what the payment still has retained, the rest from the available balance. */
export function returnToPayerMovement(
  { method, releases }: Transaction,
  amount: number,
  cause: 'REFUND' | 'CHARGEBACK',
): MoneyMovement {
  const taken = takeRetained(releases, amount);
  return {
    entries: parts(method, taken.sum, amount - taken.sum, 'provider', cause),
    releases: taken.left.map((release) => (release.amount === 0 ? { ...release, status: 'TAKEN' } : release)),
  };
}

/** What of a refund was still retained, and until when. */
export interface RetainedPart {
  readonly amount: number;
  readonly dueAt: Date;
}

/** A refund that a provider of others is given: its money is set aside, what is still retained first. */
export function refundReservedMovement({ method, releases }: Transaction, amount: number): MoneyMovement {
  const taken = takeRetained(releases, amount);
  return {
    entries: parts(method, taken.sum, amount - taken.sum, 'reserved', 'REFUND_RESERVED'),
    releases: taken.left.map((release) => (release.amount === 0 ? { ...release, status: 'TAKEN' } : release)),
  };
}

/** What of a refund of this amount would be taken from retained money. */
export const retainedPartsOf = ({ releases }: Transaction, amount: number): readonly RetainedPart[] =>
  takeRetained(releases, amount).parts.map((part) => ({ amount: part.amount, dueAt: part.release.dueAt }));

/** The provider has returned it. */
export function refundCompletedMovement({ method }: Transaction, amount: number): MoneyMovement {
  return { entries: [entry(method, 'reserved', 'provider', amount, 'REFUND')], releases: [] };
}

/** The provider will not return it: what was retained is retained again, unless its day has come meanwhile. */
export const refundFailedMovement = (
  transaction: Transaction,
  amount: number,
  retained: readonly RetainedPart[],
  now: Date,
): MoneyMovement => restoreRefund(transaction, amount, retained, now, ['reserved', 'REFUND_RETURNED']);

/** What the provider had returned has come back to it, and to the seller in the same way. */
export const refundReversedMovement = (
  transaction: Transaction,
  amount: number,
  retained: readonly RetainedPart[],
  now: Date,
): MoneyMovement => restoreRefund(transaction, amount, retained, now, ['provider', 'REFUND_REVERSED']);

function restoreRefund(
  { method, releases }: Transaction,
  amount: number,
  retained: readonly RetainedPart[],
  now: Date,
  [from, cause]: readonly [LedgerAccount, EntryCause],
): MoneyMovement {
  const waiting = retained.filter(({ dueAt }) => dueAt > now);
  const highest = Math.max(0, ...releases.map(({ number }) => number));
  const restored = waiting.map((part, index) => ({
    number: highest + index + 1,
    amount: part.amount,
    status: 'PENDING' as const,
    dueAt: part.dueAt,
  }));
  const entries: LedgerEntry[] = [];
  const again = sumOf(restored);
  if (again > 0) entries.push(entry(method, from, 'retained', again, cause));
  if (amount > again) entries.push(entry(method, from, 'available', amount - again, cause));
  return { entries, releases: restored };
}

/** Money that a dispute holds: what is retained of the payment first, the rest from the available balance. */
export function disputeOpenedMovement({ method, releases }: Transaction, amount: number): MoneyMovement {
  const taken = takeRetained(releases, amount);
  const highest = Math.max(0, ...releases.map(({ number }) => number));
  // What is held is kept as rows of its own, so that it can go back to where it came from.
  const held = taken.parts.map((part, index) => ({
    ...part.release,
    number: part.whole ? part.release.number : highest + index + 1,
    amount: part.amount,
    status: 'HELD' as const,
  }));
  const reduced = taken.left.filter(({ amount: rest }) => rest > 0);
  return {
    entries: parts(method, taken.sum, amount - taken.sum, 'disputed', 'DISPUTE_HELD'),
    releases: [...reduced, ...held],
  };
}

/** A dispute won: what was retained is retained again, unless its day has come meanwhile; the rest is available again. */
export function disputeWonMovement(
  { method, releases }: Transaction,
  amount: number,
  now: Date,
): MoneyMovement {
  const held = releases.filter(({ status }) => status === 'HELD');
  const resumed = held.map((release) => ({
    ...release,
    status: release.dueAt <= now ? ('RELEASED' as const) : ('PENDING' as const),
  }));
  const retained = sumOf(resumed.filter(({ status }) => status === 'PENDING'));
  const entries: LedgerEntry[] = [];
  if (retained > 0) entries.push(entry(method, 'disputed', 'retained', retained, 'DISPUTE_RELEASED'));
  const available = amount - retained;
  if (available > 0) entries.push(entry(method, 'disputed', 'available', available, 'DISPUTE_RELEASED'));
  return { entries, releases: resumed };
}

/** A dispute lost: what it held goes to the payer. */
export function disputeLostMovement({ method, releases }: Transaction, amount: number): MoneyMovement {
  return {
    entries: [entry(method, 'disputed', 'provider', amount, 'DISPUTE_LOST')],
    releases: releases
      .filter(({ status }) => status === 'HELD')
      .map((release) => ({ ...release, amount: 0, status: 'TAKEN' })),
  };
}

/** What the operator takes for a chargeback, however little is left. */
export function chargebackFeeEntries({ method }: Transaction, fee: number): readonly LedgerEntry[] {
  return fee === 0 ? [] : [entry(method, 'available', 'fees', fee, 'CHARGEBACK_FEE')];
}

interface Taken {
  readonly sum: number;
  /** The releases that were touched, with what is left of them. */
  readonly left: readonly Release[];
  readonly parts: readonly { readonly release: Release; readonly amount: number; readonly whole: boolean }[];
}

/** Takes from what is still retained, the latest instalment first: the seller's next releases stay as promised. */
function takeRetained(releases: readonly Release[], amount: number): Taken {
  const pending = releases.filter(({ status, amount: rest }) => status === 'PENDING' && rest > 0);
  let remaining = amount;
  const left: Release[] = [];
  const taken: { release: Release; amount: number; whole: boolean }[] = [];
  for (const release of pending.toSorted((a, b) => b.dueAt.getTime() - a.dueAt.getTime())) {
    if (remaining === 0) break;
    const part = Math.min(remaining, release.amount);
    remaining -= part;
    left.push({ ...release, amount: release.amount - part });
    taken.push({ release, amount: part, whole: part === release.amount });
  }
  return { sum: amount - remaining, left, parts: taken };
}

function parts(
  method: Method,
  retained: number,
  available: number,
  to: LedgerAccount,
  cause: EntryCause,
): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  if (retained > 0) entries.push(entry(method, 'retained', to, retained, cause));
  if (available > 0) entries.push(entry(method, 'available', to, available, cause));
  return entries;
}

const sumOf = (releases: readonly { readonly amount: number }[]): number =>
  releases.reduce((sum, { amount }) => sum + amount, 0);

function entry(
  method: Method,
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: number,
  cause: EntryCause,
): LedgerEntry {
  return { origin: ORIGIN_OF[method], debit, credit, amount, cause };
}
