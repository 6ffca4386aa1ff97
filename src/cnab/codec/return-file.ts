/** A file of the bank, what its lines tell, and what came of it. */
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

export interface NewReturnLine {
  /** Of the file, counted from 1. */
  readonly number: number;
  readonly kind: LineKind;
  /** The bank's. */
  readonly code: string;
  /** Our number or our reference, as the line has it. */
  readonly record: string;
  readonly amount: number;
  readonly tariff: number;
  readonly occurredOn: LocalDate | null;
  readonly creditedOn: LocalDate | null;
  readonly bankReference: string | null;
  /** The bank's, in words. */
  readonly reason: string | null;
  /** Names the happening, whichever file tells of it. */
  readonly identity: string | null;
  /** Null where it is yet to be worked on. */
  readonly outcome: LineOutcome | null;
  /** Why it changed nothing. */
  readonly detail: string | null;
}

export interface ReturnLine extends NewReturnLine {
  readonly returnId: string;
  readonly sellerId: string | null;
  readonly recordId: string | null;
}

export interface ReturnFile {
  readonly id: string;
  readonly bankCode: string;
  readonly sha256: Buffer;
  readonly bytes: number;
  /** The bank's own number of it. */
  readonly number: number;
  readonly takenBy: string | null;
  readonly takenAt: Date;
  /** Null while lines of it wait. */
  readonly completedAt: Date | null;
}

/** How many lines of a kind came to an outcome, and what they are about in cents. */
export interface ReturnCount {
  readonly kind: LineKind;
  readonly outcome: LineOutcome | null;
  readonly lines: number;
  readonly amount: number;
  readonly tariff: number;
}
