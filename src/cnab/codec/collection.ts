/** Files of boletos: what is registered and written off goes to the bank, what became of it comes back. */
import { unformatOurNumber } from '#formats/boleto/agreement.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import { getBank } from './banks.ts';
import type { CollectionRules, MovementKind } from './bank-rules.ts';
import { splitCodes, REJECTION_REASONS } from './codes.ts';
import { companyValues, documentType, buildFileLines, type FileInfo } from './file-writer.ts';
import { segmentOf, type ExchangeFile, type Line } from './file.ts';
import { centsOf, dateOf, parseRecord, textOf, type Values } from './records.ts';
import { splitCheckDigit, type CnabSettings } from '#cnab/exchange/settings.ts';

/** A boleto of which the bank must be told. */
export interface Title {
  readonly movement: 'REGISTER' | 'WRITE_OFF';
  /** As it is printed. */
  readonly ourNumber: string;
  readonly documentNumber: string;
  readonly dueOn: LocalDate;
  readonly issuedOn: LocalDate;
  readonly amountCents: number;
  /** Of goods, or of services. */
  readonly goods: boolean;
  readonly payer: { readonly name: string; readonly document: string };
}

const MOVEMENT_CODES = { REGISTER: '01', WRITE_OFF: '02' } as const;

/**
 * The lines of a shipment file. Payers have no address here, and no bank registers a boleto without one, so the company's
 * own stands in its place.
 *
 * @throws RangeError, by the field's name, where a value does not fit.
 */
export function buildCollectionLines(
  settings: CnabSettings,
  stamp: FileInfo,
  titles: readonly Title[],
): readonly string[] {
  const bank = getBank(settings.agreement.bankCode);
  const rules = bank.collection;
  const common = {
    ...companyValues(settings),
    bankName: bank.name,
    ...rules.values,
    ...rules.valuesOf(settings),
  };
  const details = titles.flatMap((title) => {
    const values = titleValues(rules, settings, title);
    return [
      { layout: rules.p, values },
      { layout: rules.q, values },
    ];
  });
  const amount = titles.reduce((sum, title) => sum + title.amountCents, 0);
  const batch = {
    header: rules.batchHeader,
    trailer: rules.trailer,
    values: { titles: titles.length, amount },
    details,
  };
  return buildFileLines(rules, stamp, common, [batch]);
}

function titleValues(rules: CollectionRules, { company }: CnabSettings, title: Title): Values {
  const bare = unformatOurNumber(title.ourNumber);
  const digit = /-(.)$/.exec(title.ourNumber)?.[1] ?? '';
  const { address } = company;
  return {
    movement: MOVEMENT_CODES[title.movement],
    ourNumber: rules.formatOurNumber({ bare, digit }),
    documentNumber: title.documentNumber,
    dueOn: title.dueOn,
    amount: title.amountCents,
    documentKind: title.goods ? rules.kinds.goods : rules.kinds.services,
    issuedOn: title.issuedOn,
    companyUse: title.documentNumber,
    payerDocumentType: documentType(title.payer.document),
    payerDocument: title.payer.document,
    payerName: title.payer.name,
    ...address,
  };
}

/** What a return file tells of one boleto. */
export interface TitleLine {
  /** Where its segment T stands. */
  readonly line: number;
  /** The bank's movement code. */
  readonly code: string;
  readonly kind: MovementKind;
  /** Whether the bank's table of movements has the code. */
  readonly known: boolean;
  /** See `bareNumber`. */
  readonly number: string;
  /** What was paid, in cents. */
  readonly paid: number;
  readonly tariff: number;
  /** Null where the bank has not filled it. */
  readonly occurredOn: LocalDate | null;
  readonly creditedOn: LocalDate | null;
  /** Why something was rejected, in words; '' where nothing was. */
  readonly reason: string;
}

/** A detail that cannot be read, or is none of ours. */
export interface InvalidLine {
  readonly line: number;
  readonly problem: string;
}

/** The boletos that a return file tells of, in its order. Records of other segments tell nothing that is asked. */
export function parseTitles(
  file: ExchangeFile,
  settings: CnabSettings,
): { readonly titles: readonly TitleLine[]; readonly invalid: readonly InvalidLine[] } {
  const rules = getBank(settings.agreement.bankCode).collection;
  const titles: TitleLine[] = [];
  const invalid: InvalidLine[] = [];
  for (const { details } of file.batches) {
    details.forEach((line, index) => {
      if (segmentOf(line) === 'U' && segmentBefore(details, index) !== 'T') {
        invalid.push({ line: line.number, problem: 'segment U has no segment T before it' });
      }
      if (segmentOf(line) !== 'T') return;
      const next = details[index + 1];
      const u = next !== undefined && segmentOf(next) === 'U' ? next : undefined;
      const parsed = parseTitle(rules, settings, line, u);
      if ('problem' in parsed) invalid.push(parsed);
      else titles.push(parsed);
    });
  }
  return { titles, invalid };
}

const segmentBefore = (lines: readonly Line[], index: number): string => {
  const before = lines[index - 1];
  return before === undefined ? '' : segmentOf(before);
};

function parseTitle(
  rules: CollectionRules,
  settings: CnabSettings,
  line: Line,
  segmentU: Line | undefined,
): TitleLine | InvalidLine {
  const problem = (message: string): InvalidLine => ({ line: line.number, problem: message });
  const t = parseRecord(rules.t, line.text);
  if (!t.ok) return problem(t.errors.join('; '));
  if (segmentU === undefined) return problem('segment T has no segment U behind it');
  const u = parseRecord(rules.u, segmentU.text);
  if (!u.ok) return problem(`segment U: ${u.errors.join('; ')}`);
  const code = textOf(t.values, 'movement');
  if (textOf(u.values, 'movement') !== code) return problem('segments T and U have two movements');
  if (!isOurs(t.values, settings, rules)) return problem('of another agreement');
  const kind = rules.movements[code] ?? 'NOTE';
  return {
    line: line.number,
    code,
    kind,
    known: Object.hasOwn(rules.movements, code),
    number: rules.parseOurNumber(t.values),
    paid: centsOf(u.values, 'paid'),
    tariff: centsOf(t.values, 'tariff'),
    occurredOn: dateOf(u.values, 'occurredOn'),
    creditedOn: dateOf(u.values, 'creditedOn'),
    reason: kind === 'REJECTED' || kind === 'ORDER_REJECTED' ? reasonOf(rules, kind, t.values) : '',
  };
}

/** Whose account the record is of. What a bank leaves empty tells nothing. */
function isOurs(values: Values, settings: CnabSettings, rules: CollectionRules): boolean {
  const ours: Values = {
    agency: splitCheckDigit(settings.agreement.agency).number,
    account: splitCheckDigit(settings.agreement.account).number,
    beneficiary: textOf(rules.valuesOf(settings), 'beneficiary'),
  };
  return ['agency', 'account', 'beneficiary'].every((name) => {
    const reported = textOf(values, name).replace(/^0+/, '');
    return reported === '' || reported === textOf(ours, name).replace(/^0+/, '');
  });
}

function reasonOf(rules: CollectionRules, kind: MovementKind, values: Values): string {
  const words = { ...REJECTION_REASONS, ...(kind === 'REJECTED' ? rules.reasons : {}) };
  const codes = splitCodes(textOf(values, 'reasons')).filter((code) => code !== '00');
  if (codes.length === 0) return 'the bank tells no reason';
  return codes.map((code) => `${words[code] ?? 'no words for this code'} (${code})`).join(', ');
}
