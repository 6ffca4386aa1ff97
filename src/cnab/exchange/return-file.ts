import type { LocalDate } from '#formats/calendar/local-date.ts';

export const LINE_KINDS = [
  'REGISTERED',
  'REJECTED',
  'PAID',
  'WRITTEN_OFF',
  'ORDER_REJECTED',
  'TARIFF',
  'NOTE',
  'PAYOUT_PAID',
  'PAYOUT_FAILED',
  'PAYOUT_WAITING',
  'PAYOUT_UNCLEAR',
  'UNREADABLE',
] as const;
export type LineKind = (typeof LINE_KINDS)[number];

export const LINE_OUTCOMES = ['APPLIED', 'NOTED', 'REPEATED', 'LATE', 'REJECTED', 'UNMATCHED'] as const;
export type LineOutcome = (typeof LINE_OUTCOMES)[number];

/** A line of a return file before it is stored. */
export interface NewReturnLine {
  /** Line number in the file, counted from 1. */
  readonly number: number;
  readonly kind: LineKind;
  /** The bank's movement or occurrence codes. */
  readonly code: string;
  /** "Nosso número" of a boleto or our reference of a payment, as in the line. */
  readonly record: string;
  /** Cents. */
  readonly amount: number;
  /** The bank's fee, in cents. */
  readonly tariff: number;
  readonly occurredOn: LocalDate | null;
  readonly creditedOn: LocalDate | null;
  readonly bankReference: string | null;
  /** The bank's reason as text. */
  readonly reason: string | null;
  /** Identifies the reported event across files; null if the line reports none. */
  readonly identity: string | null;
  /** Null until the line is applied. */
  readonly outcome: LineOutcome | null;
  /** Why the line changed nothing. */
  readonly detail: string | null;
}

export const LINE_DECISIONS = ['ACCEPTED', 'DISMISSED'] as const;
/** ACCEPTED lines are applied by the operator's decision, DISMISSED lines stay without effect. */
export type LineDecision = (typeof LINE_DECISIONS)[number];

export interface ReturnLine extends NewReturnLine {
  readonly returnId: string;
  readonly sellerId: string | null;
  readonly recordId: string | null;
  /** Null until the operator decides about a line that needs a review. */
  readonly decision: LineDecision | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}

/** A return file of the bank, without its lines. */
export interface ReturnFile {
  readonly id: string;
  readonly bankCode: string;
  readonly sha256: Buffer;
  readonly bytes: number;
  /** The bank's own number of the file. */
  readonly number: number;
  /** The operator's user; null for the command line. */
  readonly takenBy: string | null;
  readonly takenAt: Date;
  /** Null until all lines are applied. */
  readonly completedAt: Date | null;
}

export interface ReviewedReturnFile extends ReturnFile {
  /** Number of lines that the operator should review. */
  readonly problemCount: number;
}

/** Number and totals of the lines with one kind and outcome. */
export interface ReturnCount {
  readonly kind: LineKind;
  readonly outcome: LineOutcome | null;
  readonly lines: number;
  /** Cents. */
  readonly amount: number;
  /** Cents. */
  readonly tariff: number;
}
