import { problemAt, type InvalidLine } from '#cnab/codec/problems.ts';
import type { LineDetail } from './line-details.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import { parseTitles, type TitleLine } from '#cnab/codec/collection.ts';
import { parseFile } from '#cnab/codec/file.ts';
import { parsePayments, type PaymentLine } from '#cnab/codec/payments.ts';
import { parseRecord, dateOf, digits, date, layout, textOf } from '#cnab/codec/records.ts';
import type { FileSettings } from '#cnab/codec/settings.ts';
import type { NewReturnLine } from './return-file.ts';

/** Header fields that have the same columns at every bank. */
const HEADER = layout(
  digits('bank', 1, 3),
  digits('direction', 143, 143),
  date('madeOn', 144, 151),
  digits('number', 158, 163),
);

export interface ParsedReturn {
  readonly bankCode: string;
  /** The bank's own number of the file. */
  readonly number: number;
  readonly lines: readonly NewReturnLine[];
}

export type ReturnParseResult =
  | ({ readonly ok: true } & ParsedReturn)
  /** The file is rejected as a whole. Each problem names its line. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses a return file of the bank in the settings. */
export function parseReturnFile(bytes: Buffer, settings: FileSettings): ReturnParseResult {
  const parsed = parseFile(bytes);
  if (!parsed.ok) return parsed;
  const header = parseRecord(HEADER, parsed.file.header.text);
  if (!header.ok) return { ok: false, problems: header.errors.map((error) => problemAt(1, error)) };
  const bankCode = textOf(header.values, 'bank');
  const configured = settings.agreement.bankCode;
  if (bankCode !== configured) {
    const problem = `the file is from bank ${bankCode}, the gateway is configured for ${configured}` as const;
    return { ok: false, problems: [problemAt(1, problem)] };
  }
  if (textOf(header.values, 'direction') !== '2') {
    return { ok: false, problems: [problemAt(1, 'must be a return file (code 2 in column 143)')] };
  }
  const { titles, invalid } = parseTitles(parsed.file, settings);
  const payments = parsePayments(parsed.file, settings);
  if (payments.problems.length > 0) return { ok: false, problems: payments.problems };
  const madeOn = dateOf(header.values, 'madeOn');
  const lines = [
    ...titles.map((title) => titleLine(title, bankCode, madeOn)),
    ...payments.payments.map((payment) => paymentLine(payment, bankCode, madeOn)),
    ...[...invalid, ...payments.invalid].map(invalidLine),
  ];
  const number = Number(textOf(header.values, 'number'));
  return { ok: true, bankCode, number, lines: withOccurrenceNumbers(lines) };
}

const UNKNOWN_MOVEMENT: LineDetail = 'payment with an unknown movement code: ask the bank';
const UNKNOWN_OUTCOME: LineDetail = 'outcome unknown: ask the bank';

function titleLine(title: TitleLine, bankCode: string, madeOn: LocalDate | null): NewReturnLine {
  const occurredOn = title.occurredOn ?? madeOn;
  const isInformational = title.kind === 'NOTE' || title.kind === 'TARIFF';
  // A payment under an unknown movement code must reach the operator.
  const unknownMoney = !title.known && title.paid > 0;
  return {
    number: title.line,
    kind: title.kind,
    code: title.code,
    record: title.number,
    amount: title.paid,
    tariff: title.tariff,
    occurredOn,
    creditedOn: title.creditedOn,
    bankReference: null,
    reason: title.reason === '' ? null : title.reason,
    identity: title.kind === 'NOTE' ? null : titleIdentity(title, bankCode, occurredOn),
    outcome: unknownMoney ? 'UNMATCHED' : isInformational ? 'NOTED' : null,
    detail: unknownMoney ? UNKNOWN_MOVEMENT : null,
  };
}

/**
 * A correction has a different amount and is a line of its own. A fee is identified by its amount.
 */
function titleIdentity(
  { number, kind, code, paid, tariff }: TitleLine,
  bankCode: string,
  occurredOn: LocalDate | null,
): string {
  return `${bankCode} ${number} ${kind} ${code} ${occurredOn} ${kind === 'TARIFF' ? tariff : paid}`;
}

function paymentLine(payment: PaymentLine, bankCode: string, madeOn: LocalDate | null): NewReturnLine {
  const isFinal = payment.kind === 'PAID' || payment.kind === 'FAILED';
  // A bank may write the number with more or fewer zeros than it was sent.
  const isNumber = /^\d+$/.test(payment.reference);
  const digits = isNumber ? payment.reference.replace(/^0+/, '') : payment.reference;
  const record = digits.padStart(12, '0');
  const kind = `PAYOUT_${payment.kind}` as const;
  return {
    number: payment.line,
    kind,
    code: payment.code,
    record,
    amount: payment.amount,
    tariff: 0,
    occurredOn: payment.paidOn ?? madeOn,
    creditedOn: null,
    bankReference: payment.bankReference === '' ? null : payment.bankReference,
    reason: payment.reason,
    identity: isFinal ? `${bankCode} payment ${record} ${payment.kind} ${payment.amount}` : null,
    outcome: isFinal ? null : payment.kind === 'WAITING' ? 'NOTED' : 'UNMATCHED',
    detail: payment.kind === 'UNCLEAR' ? UNKNOWN_OUTCOME : null,
  };
}

function invalidLine({ line, problem }: InvalidLine): NewReturnLine {
  return {
    number: line,
    kind: 'UNREADABLE',
    code: '',
    record: '',
    amount: 0,
    tariff: 0,
    occurredOn: null,
    creditedOn: null,
    bankReference: null,
    reason: null,
    identity: null,
    outcome: 'REJECTED',
    detail: problem,
  };
}

/**
 * Numbers the lines of a file that have the same identity. They report separate events, such as a
 * boleto paid twice on one day, and keep their numbers if another file repeats them.
 */
function withOccurrenceNumbers(lines: readonly NewReturnLine[]): readonly NewReturnLine[] {
  const occurrences = new Map<string, number>();
  return lines
    .toSorted((one, other) => one.number - other.number)
    .map((line) => {
      if (line.identity === null) return line;
      const occurrence = (occurrences.get(line.identity) ?? 0) + 1;
      occurrences.set(line.identity, occurrence);
      return { ...line, identity: `${line.identity} ${occurrence}` };
    });
}
