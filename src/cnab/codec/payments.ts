/** Payment files: TED, Pix to a key, and transfers to accounts at the same bank. */
import { invalidLine, problemAt, type InvalidLine } from './problems.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { PixKeyType } from '#formats/pix/pix-key.ts';
import { getBank } from './banks.ts';
import type { Occurrence, PaymentRules } from './bank-rules.ts';
import { splitCodes, OCCURRENCES } from './codes.ts';
import {
  companyValues,
  documentType,
  buildFileLines,
  type BatchInput,
  type FileInfo,
} from './file-writer.ts';
import { segmentOf, type ExchangeFile, type Line } from './file.ts';
import { PAYMENT_TRAILER } from './layouts.ts';
import { centsOf, dateOf, parseRecord, textOf } from './records.ts';
import { splitCheckDigit, type FileSettings } from './settings.ts';

/** A destination that files can pay to. */
type PaymentDestination =
  | { readonly method: 'PIX'; readonly pixKeyType: PixKeyType; readonly pixKey: string }
  /** Check digits follow after a hyphen. */
  | {
      readonly method: 'TED';
      readonly bankCode: string;
      readonly branch: string;
      readonly account: string;
      readonly accountType: 'CHECKING' | 'SAVINGS';
    };

export interface Payment {
  /** Our reference, which the bank returns with the outcome; at most 20 characters. */
  readonly reference: string;
  readonly amountCents: number;
  readonly destination: PaymentDestination;
  readonly payee: { readonly name: string | null; readonly document: string | null };
}

/** Codes of Pix key kinds (G100). */
const KEY_KINDS = { PHONE: '01', EMAIL: '02', CPF: '03', CNPJ: '03', EVP: '04' } as const;

/** FEBRABAN's purpose "crédito em conta". */
const TED_PURPOSE = '00010';

/**
 * Builds the lines of a remittance file that pays on a banking day, with one batch for each form of
 * payment.
 *
 * @throws RangeError naming the field if a value does not fit.
 */
export function buildPaymentLines(
  settings: FileSettings,
  file: FileInfo,
  payOn: LocalDate,
  payments: readonly Payment[],
): readonly string[] {
  const bank = getBank(settings.agreement.bankCode);
  const rules = bank.payments;
  const common = {
    ...companyValues(settings),
    bankName: bank.name,
    ...settings.company.address,
    ...rules.values,
    ...rules.valuesOf(settings),
    service: '20',
    debitForm: '01',
    occurrences: '',
  };
  const forms = Map.groupBy(payments, (payment) => paymentFormOf(payment, settings));
  const batches = [...forms]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([form, batch]) => batchOf(rules, form, payOn, batch));
  return buildFileLines(rules, file, common, batches);
}

/** Returns FEBRABAN's form of payment (G029). */
function paymentFormOf({ destination, payee }: Payment, { agreement, company }: FileSettings): string {
  if (destination.method === 'PIX') return '45';
  if (destination.bankCode === agreement.bankCode) {
    return destination.accountType === 'SAVINGS' ? '05' : '01';
  }
  return payee.document === company.document ? '43' : '41';
}

function batchOf(
  rules: PaymentRules,
  form: string,
  payOn: LocalDate,
  payments: readonly Payment[],
): BatchInput {
  const details = payments.flatMap((payment) => {
    const values = paymentValues(payment, form, payOn);
    return [
      { layout: rules.a, values },
      { layout: payment.destination.method === 'PIX' ? rules.b : rules.bOfAccount, values },
    ];
  });
  const amount = payments.reduce((sum, payment) => sum + payment.amountCents, 0);
  return { header: rules.batchHeader, trailer: PAYMENT_TRAILER, values: { form, amount }, details };
}

function paymentValues(
  { reference, amountCents, destination, payee }: Payment,
  form: string,
  payOn: LocalDate,
) {
  const document = payee.document ?? documentInKey(destination);
  const shared = {
    ourReference: reference,
    amount: amountCents,
    payOn,
    paidOn: null,
    paid: 0,
    bankReference: '',
    payeeName: payee.name ?? '',
    payeeDocument: document,
    payeeDocumentType: document === '' ? '0' : documentType(document),
  };
  if (destination.method === 'PIX') {
    const { pixKeyType, pixKey } = destination;
    const account = {
      payeeBank: '0',
      payeeAgency: '0',
      payeeAgencyDigit: '',
      payeeAccount: '0',
      payeeAccountDigit: '',
    };
    const key = { keyKind: KEY_KINDS[pixKeyType], key: pixKey, chamber: '009', transferKind: '04' };
    return { ...shared, ...account, ...key, tedPurpose: '', accountKind: '' };
  }
  const agency = splitCheckDigit(destination.branch);
  const account = splitCheckDigit(destination.account);
  const isTed = form === '41' || form === '43';
  return {
    ...shared,
    payeeBank: destination.bankCode,
    payeeAgency: agency.number,
    payeeAgencyDigit: agency.digit,
    payeeAccount: account.number,
    payeeAccountDigit: account.digit,
    chamber: isTed ? '018' : '0',
    tedPurpose: isTed ? TED_PURPOSE : '',
    accountKind: isTed ? (destination.accountType === 'SAVINGS' ? 'PP' : 'CC') : '',
    keyKind: '',
    key: '',
    transferKind: '',
  };
}

/** The CPF or CNPJ that a Pix key consists of; '' for other destinations. */
function documentInKey(destination: PaymentDestination): string {
  const isDocument =
    destination.method === 'PIX' && (destination.pixKeyType === 'CPF' || destination.pixKeyType === 'CNPJ');
  return isDocument ? destination.pixKey : '';
}

/** What a return file reports about one payment. */
export interface PaymentLine {
  /** Line number of its segment A. */
  readonly line: number;
  /** UNCLEAR if a code is unknown or two are contradictory. The operator must ask the bank. */
  readonly kind: Occurrence['outcome'] | 'UNCLEAR';
  /** The bank's occurrence codes, verbatim. */
  readonly code: string;
  readonly reference: string;
  /** In cents. The smaller one if the bank paid another amount than it repeats from the order. */
  readonly amount: number;
  readonly paidOn: LocalDate | null;
  /** The bank's own reference of the payment. */
  readonly bankReference: string;
  readonly reason: string;
}

/** Parses the payments of a return file, in file order. */
export function parsePayments(
  file: ExchangeFile,
  settings: FileSettings,
): {
  readonly payments: readonly PaymentLine[];
  readonly invalid: readonly InvalidLine[];
  /** Batches whose declared total differs from the sum of their payments. */
  readonly problems: readonly string[];
} {
  const rules = getBank(settings.agreement.bankCode).payments;
  const payments: PaymentLine[] = [];
  const invalid: InvalidLine[] = [];
  const problems: string[] = [];
  for (const { header, details, trailer } of file.batches) {
    const lines = details.filter((line) => segmentOf(line) === 'A');
    if (lines.length === 0) continue;
    const ours = isOurs(rules, settings, header);
    for (const line of lines) {
      const parsed = ours ? parsePayment(rules, line) : otherAgreementLine(line);
      if ('problem' in parsed) invalid.push(parsed);
      else payments.push(parsed);
    }
    const problem = checkBatchTotal(lines, trailer);
    if (problem !== undefined) problems.push(problem);
  }
  return { payments, invalid, problems };
}

const otherAgreementLine = ({ number }: Line): InvalidLine => invalidLine(number, 'for another agreement');

/** Whether the batch is paid from our account. Empty fields match. */
function isOurs(rules: PaymentRules, { agreement }: FileSettings, header: Line): boolean {
  const read = parseRecord(rules.batchHeader, header.text);
  if (!read.ok) return false;
  return (['agency', 'account'] as const).every((name) => {
    const reported = textOf(read.values, name).replace(/^0+/, '');
    return reported === '' || reported === splitCheckDigit(agreement[name]).number.replace(/^0+/, '');
  });
}

/** Compares the trailer's total with the sum of its payments. A total of zero counts as absent. */
function checkBatchTotal(lines: readonly Line[], trailer: Line): string | undefined {
  const read = parseRecord(PAYMENT_TRAILER, trailer.text);
  if (!read.ok) return `line ${trailer.number}: ${read.errors.join('; ')}`;
  const declared = centsOf(read.values, 'amount');
  const sum = lines.reduce((total, { text }) => total + Number(text.slice(119, 134)), 0);
  if (declared === 0 || declared === sum) return undefined;
  return problemAt(trailer.number, `states a sum of ${declared}, the batch adds up to ${sum}`);
}

function parsePayment(rules: PaymentRules, line: Line): PaymentLine | InvalidLine {
  const a = parseRecord(rules.a, line.text);
  if (!a.ok) return { line: line.number, problem: a.errors.join('; ') };
  const field = textOf(a.values, 'occurrences');
  const outcome = outcomeOf(rules, field);
  const ordered = centsOf(a.values, 'amount');
  // Zero if the bank does not report the paid amount.
  const paid = outcome.kind === 'PAID' ? centsOf(a.values, 'paid') : 0;
  return {
    line: line.number,
    ...outcome,
    code: field.trim(),
    reference: textOf(a.values, 'ourReference').trim(),
    amount: paid === 0 ? ordered : Math.min(ordered, paid),
    paidOn: dateOf(a.values, 'paidOn'),
    bankReference: textOf(a.values, 'bankReference').trim(),
  };
}

/** Whether the codes of an outcome include one that reports the payment as paid. */
export function includesPaidCode(bankCode: string, codes: string): boolean {
  const { occurrences } = getBank(bankCode).payments;
  return splitCodes(codes).some((code) => (occurrences?.[code] ?? OCCURRENCES[code])?.outcome === 'PAID');
}

function outcomeOf(rules: PaymentRules, field: string): Pick<PaymentLine, 'kind' | 'reason'> {
  const codes = splitCodes(field);
  const occurrences = codes.map((code) => rules.occurrences?.[code] ?? OCCURRENCES[code]);
  const descriptions = codes.map(
    (code, index) => `${occurrences[index]?.description ?? 'unknown code'} (${code})`,
  );
  const reason = codes.length === 0 ? 'the bank reported no outcome' : descriptions.join(', ');
  const outcomes = new Set(occurrences.map((occurrence) => occurrence?.outcome));
  const unclear =
    codes.length === 0 || outcomes.has(undefined) || (outcomes.has('PAID') && outcomes.has('FAILED'));
  if (unclear) return { kind: 'UNCLEAR', reason };
  if (outcomes.has('FAILED')) return { kind: 'FAILED', reason };
  return { kind: outcomes.has('PAID') ? 'PAID' : 'WAITING', reason };
}
