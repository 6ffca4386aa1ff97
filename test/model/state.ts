/**
 * The model's state of one seller. Amounts are cents, times are milliseconds; states are immutable.
 */

export const ORIGINS = ['PIX', 'BOLETO', 'CARD'] as const;
export type Origin = (typeof ORIGINS)[number];
export type Method = 'PIX' | 'BOLETO' | 'CREDIT_CARD';

export interface Rule {
  readonly type: 'FIXED' | 'PERCENTAGE';
  readonly value: number;
}

export interface Fees {
  readonly pixIn: Rule;
  readonly pixOut: Rule;
  readonly boleto: Rule;
  readonly card: { readonly type: Rule['type']; readonly values: readonly number[] };
}

export interface Terms extends Fees {
  readonly boletoDelayDays: number;
  readonly cardDelayDays: number;
  readonly autoApproveUpTo: number;
  readonly negativeBalanceUpTo: number;
  readonly chargebackFee: number;
}

/** A part of a payment and the time at which it becomes available. */
export interface Piece {
  readonly dueAt: number;
  readonly amount: number;
}

export interface Charge {
  readonly method: Method;
  readonly status: string;
  readonly amount: number;
  readonly fee: number;
  readonly rule: Rule;
  readonly installments: number;
  readonly refunded: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly paidAt: number | null;
  /** Still retained, the earliest first. */
  readonly retained: readonly Piece[];
  /** The part of the disputed money that was retained before. */
  readonly held: readonly Piece[];
  /** Payments that go back to the payer, in ascending order. */
  readonly returned: readonly number[];
  readonly isPayerErased: boolean;
  /** The state of a boleto at the bank. Null for other methods. */
  readonly boleto: {
    readonly registration: 'PENDING' | 'REGISTERED' | 'REJECTED';
    readonly stage: 'TO_SHIP' | 'AT_BANK' | 'WRITING_OFF' | 'ENDED';
  } | null;
}

export interface Dispute {
  readonly charge: string;
  readonly status: string;
  readonly amount: number;
  readonly appealUntil: number;
}

export interface Withdrawal {
  readonly origin: Origin;
  readonly amount: number;
  readonly fee: number;
  readonly status: string;
  readonly createdAt: number;
  /** Approved by a person, not automatically. */
  readonly decided: boolean;
  /** Whether a file has carried it to the bank. */
  readonly shipped: boolean;
}

export type LineDecision = 'ACCEPTED' | 'DISMISSED';

/**
 * A line of a return file. Equal lines in one file are different events, distinguished by their
 * occurrence, from 1.
 */
export type BankLine =
  | {
      readonly kind: 'boletoLine';
      readonly line: string;
      readonly charge: string;
      readonly report: 'REGISTERED' | 'PAID' | 'REJECTED' | 'WRITTEN_OFF';
      readonly amount: number;
      /** The day in São Paulo that the bank reports, `YYYY-MM-DD`. */
      readonly day: string;
      readonly occurrence: number;
    }
  | {
      readonly kind: 'payoutLine';
      readonly line: string;
      readonly withdrawal: string;
      readonly report: 'PAID' | 'FAILED';
      readonly amount: number;
      readonly occurrence: number;
    };

/** A line of a return file, once imported. */
interface ImportedLine {
  readonly command: BankLine;
  readonly outcome: string;
  readonly decision: LineDecision | null;
}

type Account = 'available' | 'retained' | 'disputed' | 'reserved';
type Wallet = Readonly<Record<Account, number>>;

export interface State {
  /** The time set by the last tick; real time that passes in between is irrelevant. */
  readonly now: number;
  readonly wallets: Readonly<Record<Origin, Wallet>>;
  readonly charges: Readonly<Record<string, Charge>>;
  readonly disputes: Readonly<Record<string, Dispute>>;
  readonly withdrawals: Readonly<Record<string, Withdrawal>>;
  /** The lines of return files by name. */
  readonly lines: Readonly<Record<string, ImportedLine>>;
  /** The identities of the lines that counted. */
  readonly counted: Readonly<Record<string, true>>;
  readonly terms: Terms;
  /** Booked amounts by record, cause and accounts. */
  readonly booked: Readonly<Record<string, number>>;
}

const EMPTY: Wallet = { available: 0, retained: 0, disputed: 0, reserved: 0 };

export const emptyState = (now: number, terms: Terms): State => ({
  now,
  terms,
  wallets: { PIX: EMPTY, BOLETO: EMPTY, CARD: EMPTY },
  charges: {},
  disputes: {},
  withdrawals: {},
  lines: {},
  counted: {},
  booked: {},
});

export const originOf = (method: Method): Origin => (method === 'CREDIT_CARD' ? 'CARD' : method);

/** The key of a movement, in the model and in the statement. */
export const bookedAs = (record: string, cause: string, from: string, to: string): string =>
  `${record} ${cause} ${from}>${to}`;

export interface Move {
  readonly origin: Origin;
  readonly record: string;
  readonly cause: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

/** Moves money between accounts. Accounts that the wallet does not have are external. */
export function book(state: State, moves: readonly Move[]): State {
  const wallets = { ...state.wallets };
  const booked = { ...state.booked };
  for (const { origin, record, cause, from, to, amount } of moves) {
    if (amount === 0) continue;
    const wallet: Record<string, number> = { ...wallets[origin] };
    if (from in wallet) wallet[from] = (wallet[from] ?? 0) - amount;
    if (to in wallet) wallet[to] = (wallet[to] ?? 0) + amount;
    wallets[origin] = { ...EMPTY, ...wallet };
    const key = bookedAs(record, cause, from, to);
    booked[key] = (booked[key] ?? 0) + amount;
  }
  return { ...state, wallets, booked };
}

export const withCharge = (state: State, name: string, charge: Charge): State => ({
  ...state,
  charges: { ...state.charges, [name]: charge },
});

/** Adds a payment to those that go back to the payer. */
export const returning = (charge: Charge, amount: number): Charge => ({
  ...charge,
  returned: [...charge.returned, amount].toSorted((a, b) => a - b),
});

export const withDispute = (state: State, name: string, dispute: Dispute): State => ({
  ...state,
  disputes: { ...state.disputes, [name]: dispute },
});

export const withWithdrawal = (state: State, name: string, withdrawal: Withdrawal): State => ({
  ...state,
  withdrawals: { ...state.withdrawals, [name]: withdrawal },
});

export const sumOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((total, { amount }) => total + amount, 0);

/** Sorts by time and merges pieces of the same time. */
export function tidy(pieces: readonly Piece[]): readonly Piece[] {
  const byTime = new Map<number, number>();
  for (const { dueAt, amount } of pieces) byTime.set(dueAt, (byTime.get(dueAt) ?? 0) + amount);
  return [...byTime]
    .filter(([, amount]) => amount > 0)
    .map(([dueAt, amount]) => ({ dueAt, amount }))
    .toSorted((a, b) => a.dueAt - b.dueAt);
}

/** Takes up to `wanted` cents, the latest money first. */
export function takeLatest(
  pieces: readonly Piece[],
  wanted: number,
): { readonly taken: readonly Piece[]; readonly left: readonly Piece[] } {
  let missing = wanted;
  const taken: Piece[] = [];
  const left: Piece[] = [];
  for (const { dueAt, amount } of pieces.toReversed()) {
    const part = Math.min(amount, missing);
    missing -= part;
    taken.push({ dueAt, amount: part });
    left.push({ dueAt, amount: amount - part });
  }
  return { taken: tidy(taken), left: tidy(left) };
}
