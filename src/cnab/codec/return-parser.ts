/** A return file as lines to be kept: what it tells, each happening under a name that another file gives it too. */
import type { LocalDate } from '#formats/calendar/local-date.ts';
import { parseTitles, type InvalidLine, type TitleLine } from './collection.ts';
import { parseFile } from './file.ts';
import { parsePayments, type PaymentLine } from './payments.ts';
import { parseRecord, dateOf, digits, date, layout, textOf } from './records.ts';
import type { NewReturnLine } from './return-file.ts';
import type { CnabSettings } from '#cnab/exchange/settings.ts';

/** What of a header every bank places alike. */
const HEADER = layout(
  digits('bank', 1, 3),
  digits('direction', 143, 143),
  date('madeOn', 144, 151),
  digits('number', 158, 163),
);

export type ReturnParseResult =
  | {
      readonly ok: true;
      readonly bankCode: string;
      readonly number: number;
      readonly lines: readonly NewReturnLine[];
    }
  /** Nothing of it can be taken: one sentence for each thing that is wrong, by line number. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a return file under the settings of one bank. */
export function parseReturnFile(bytes: Buffer, settings: CnabSettings): ReturnParseResult {
  const parsed = parseFile(bytes);
  if (!parsed.ok) return parsed;
  const header = parseRecord(HEADER, parsed.file.header.text);
  if (!header.ok) return { ok: false, problems: header.errors.map((wrong) => `line 1: ${wrong}`) };
  const bankCode = textOf(header.values, 'bank');
  const ours = settings.agreement.bankCode;
  if (bankCode !== ours) {
    return { ok: false, problems: [`line 1: the file is of bank ${bankCode}, the settings are for ${ours}`] };
  }
  if (textOf(header.values, 'direction') !== '2') {
    return { ok: false, problems: ['line 1: must be a return file (code 2 in column 143)'] };
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

function titleLine(title: TitleLine, bankCode: string, madeOn: LocalDate | null): NewReturnLine {
  const occurredOn = title.occurredOn ?? madeOn;
  const isInformational = title.kind === 'NOTE' || title.kind === 'TARIFF';
  // Money must not pass unseen because a bank calls it something new.
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
    identity:
      title.kind === 'NOTE' ? null : `${bankCode} ${title.number} ${title.kind} ${title.code} ${occurredOn}`,
    outcome: unknownMoney ? 'UNMATCHED' : isInformational ? 'NOTED' : null,
    detail: unknownMoney ? 'money under a movement without a meaning here: ask the bank' : null,
  };
}

function paymentLine(payment: PaymentLine, bankCode: string, madeOn: LocalDate | null): NewReturnLine {
  const isFinal = payment.kind === 'PAID' || payment.kind === 'FAILED';
  const kind = `PAYOUT_${payment.kind}` as const;
  return {
    number: payment.line,
    kind,
    code: payment.code,
    record: payment.reference,
    amount: payment.amount,
    tariff: 0,
    occurredOn: payment.paidOn ?? madeOn,
    creditedOn: null,
    bankReference: payment.bankReference === '' ? null : payment.bankReference,
    reason: payment.reason,
    identity: isFinal ? `${bankCode} payment ${payment.reference} ${payment.kind}` : null,
    outcome: isFinal ? null : payment.kind === 'WAITING' ? 'NOTED' : 'UNMATCHED',
    detail: payment.kind === 'UNCLEAR' ? 'ask the bank what became of it' : null,
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
 * Two lines of one file that tell the same are two happenings (a boleto paid twice on a day), and the first and the second of them
 * in another file are the same two.
 */
function withOccurrenceNumbers(lines: readonly NewReturnLine[]): readonly NewReturnLine[] {
  const seen = new Map<string, number>();
  return lines
    .toSorted((one, other) => one.number - other.number)
    .map((line) => {
      if (line.identity === null) return line;
      const occurrence = (seen.get(line.identity) ?? 0) + 1;
      seen.set(line.identity, occurrence);
      return { ...line, identity: `${line.identity} ${occurrence}` };
    });
}
