/** Boleto files: registrations and write-offs go to the bank, their outcomes come back. */
import { invalidLine, type FileProblem, type InvalidLine } from './problems.ts';
import { unformatOurNumber } from '#formats/boleto/agreement.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import { getBank } from './banks.ts';
import type { CollectionRules, MovementKind } from './bank-rules.ts';
import { splitCodes, REJECTION_REASONS } from './codes.ts';
import { companyValues, documentType, buildFileLines, type FileInfo } from './file-writer.ts';
import { segmentOf, type ExchangeFile, type Line } from './file.ts';
import { centsOf, dateOf, parseRecord, textOf, type Values } from './records.ts';
import { splitCheckDigit, type FileSettings } from './settings.ts';

/** A boleto to register or write off at the bank. */
export interface Title {
  readonly movement: 'REGISTER' | 'WRITE_OFF';
  /** As printed on the boleto. */
  readonly ourNumber: string;
  readonly documentNumber: string;
  readonly dueOn: LocalDate;
  readonly issuedOn: LocalDate;
  readonly amountCents: number;
  /** True for a sale of goods, false for services. */
  readonly goods: boolean;
  readonly payer: { readonly name: string; readonly document: string };
}

const MOVEMENT_CODES = { REGISTER: '01', WRITE_OFF: '02' } as const;

/**
 * Builds the lines of a remittance file. Banks require a payer address, which the gateway does not
 * have, so the company's address is sent instead.
 *
 * @throws RangeError naming the field if a value does not fit.
 */
export function buildCollectionLines(
  settings: FileSettings,
  file: FileInfo,
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
  return buildFileLines(rules, file, common, [batch]);
}

function titleValues(rules: CollectionRules, { company }: FileSettings, title: Title): Values {
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

/** What a return file reports about one boleto. */
export interface TitleLine {
  /** Line number of its segment T. */
  readonly line: number;
  /** The bank's movement code. */
  readonly code: string;
  readonly kind: MovementKind;
  /** False if the bank's table of movements lacks the code. */
  readonly known: boolean;
  /** "Nosso número" without its check digit. */
  readonly number: string;
  /** Amount paid, in cents. */
  readonly paid: number;
  /** The bank's fee, in cents. */
  readonly tariff: number;
  /** Null if the bank left it empty. */
  readonly occurredOn: LocalDate | null;
  readonly creditedOn: LocalDate | null;
  /** Why an entry or instruction was rejected; '' otherwise. */
  readonly reason: string;
}

/** Parses the boletos of a return file, in file order. Segments other than T and U are ignored. */
export function parseTitles(
  file: ExchangeFile,
  settings: FileSettings,
): { readonly titles: readonly TitleLine[]; readonly invalid: readonly InvalidLine[] } {
  const rules = getBank(settings.agreement.bankCode).collection;
  const titles: TitleLine[] = [];
  const invalid: InvalidLine[] = [];
  for (const { details } of file.batches) {
    details.forEach((line, index) => {
      if (segmentOf(line) === 'U' && segmentBefore(details, index) !== 'T') {
        invalid.push(invalidLine(line.number, 'segment U has no segment T before it'));
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
  settings: FileSettings,
  line: Line,
  segmentU: Line | undefined,
): TitleLine | InvalidLine {
  const problem = (text: FileProblem): InvalidLine => invalidLine(line.number, text);
  const t = parseRecord(rules.t, line.text);
  if (!t.ok) return { line: line.number, problem: t.errors.join('; ') };
  if (segmentU === undefined) return problem('segment T has no segment U after it');
  const u = parseRecord(rules.u, segmentU.text);
  if (!u.ok) return { line: line.number, problem: `segment U: ${u.errors.join('; ')}` };
  const code = textOf(t.values, 'movement');
  if (textOf(u.values, 'movement') !== code) return problem('segments T and U have different movements');
  if (!isOurs(t.values, settings, rules)) return problem('for another agreement');
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

/** Whether the record carries our agency, account or beneficiary code. Empty fields match. */
function isOurs(values: Values, settings: FileSettings, rules: CollectionRules): boolean {
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
  const descriptions = { ...REJECTION_REASONS, ...(kind === 'REJECTED' ? rules.reasons : {}) };
  const codes = splitCodes(textOf(values, 'reasons')).filter((code) => code !== '00');
  if (codes.length === 0) return 'the bank gave no reason';
  return codes.map((code) => `${descriptions[code] ?? 'unknown code'} (${code})`).join(', ');
}
