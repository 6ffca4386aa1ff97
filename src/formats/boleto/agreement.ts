/**
 * A collection agreement ("convênio de cobrança") with a bank, and the 25 digits of a barcode that
 * the bank defines itself. Each bank documents its layout in its manual of collection ("Layout de
 * cobrança").
 *
 * To add a bank, start from Banco do Brasil's layout with an agreement of seven digits, the
 * simplest one: zeros, agreement, sequence, wallet. Other banks are refused: a boleto with another
 * bank's free field is paid, but not credited to an account.
 */
import { modulo10, weightedSum } from './check-digits.ts';

export interface BoletoAgreement {
  /** The bank's three-digit clearing code (COMPE): 001, 033, 104, 237 or 341. */
  readonly bankCode: string;
  /** Four digits; the check digit may follow after a hyphen, for print only. */
  readonly agency: string;
  /**
   * Digits, at most as many as the layout has; the check digit may follow after a hyphen, for print
   * only.
   */
  readonly account: string;
  /**
   * The number of the agreement ("convênio", at Santander and Caixa "código do beneficiário"); ''
   * where the bank has none.
   */
  readonly agreement: string;
  /** The collection wallet ("carteira"), digits. */
  readonly wallet: string;
}

type AgreementField = 'account' | 'agreement' | 'wallet';

interface Layout {
  readonly bankName: string;
  /** Digits that each member has in this bank's layout; shorter ones are filled with zeros. */
  readonly lengths: Readonly<Record<AgreementField | 'sequence', number>>;
  /** A member whose value must have all its digits. */
  readonly fixedLength: readonly AgreementField[];
  /** Wallets whose free field is built otherwise. */
  readonly unsupportedWallets: readonly string[];
  freeField(parts: PaddedFields): string;
  /** As it is printed. */
  ourNumber(parts: PaddedFields): string;
  /** The text after the agency in the beneficiary code. */
  beneficiary: 'account' | 'agreement';
}

/** Members filled with zeros, without check digits. */
type PaddedFields = Readonly<Record<AgreementField | 'agency' | 'sequence', string>>;

const LAYOUTS: Readonly<Record<string, Layout>> = {
  '001': {
    bankName: 'Banco do Brasil',
    lengths: { account: 8, agreement: 7, wallet: 2, sequence: 10 },
    fixedLength: ['agreement'],
    unsupportedWallets: [],
    freeField: (it) => `000000${it.agreement}${it.sequence}${it.wallet}`,
    ourNumber: (it) => it.agreement + it.sequence,
    beneficiary: 'account',
  },
  '033': {
    bankName: 'Santander',
    lengths: { account: 8, agreement: 7, wallet: 3, sequence: 12 },
    fixedLength: ['agreement'],
    unsupportedWallets: [],
    freeField: (it) => `9${it.agreement}${it.sequence}${santanderDigit(it)}0${it.wallet}`,
    ourNumber: (it) => `${it.sequence}-${santanderDigit(it)}`,
    beneficiary: 'agreement',
  },
  // SIGCB: the number has 17 digits, of which the first two (the wallet: who registers, who prints)
  // stand apart in the field.
  '104': {
    bankName: 'Caixa',
    lengths: { account: 12, agreement: 7, wallet: 2, sequence: 15 },
    fixedLength: ['wallet'],
    // Not registered: no bank takes such a boleto any more.
    unsupportedWallets: ['21', '24'],
    freeField: (it) => {
      const { sequence, wallet } = it;
      const field =
        caixaBeneficiary(it) +
        `${sequence.slice(0, 3)}${wallet.slice(0, 1)}` +
        `${sequence.slice(3, 6)}${wallet.slice(1)}${sequence.slice(6)}`;
      return field + modulo11(field);
    },
    ourNumber: (it) => `${it.wallet}${it.sequence}-${modulo11(it.wallet + it.sequence)}`,
    beneficiary: 'agreement',
  },
  '237': {
    bankName: 'Bradesco',
    lengths: { account: 7, agreement: 0, wallet: 2, sequence: 11 },
    fixedLength: [],
    unsupportedWallets: [],
    freeField: (it) => `${it.agency}${it.wallet}${it.sequence}${it.account}0`,
    ourNumber: (it) => `${it.wallet}/${it.sequence}-${bradescoDigit(it)}`,
    beneficiary: 'account',
  },
  '341': {
    bankName: 'Itaú',
    lengths: { account: 5, agreement: 0, wallet: 3, sequence: 8 },
    fixedLength: [],
    // Those with a number of 15 positions, and those whose digit leaves agency and account out.
    unsupportedWallets: ['107', '122', '142', '143', '196', '198', '126', '131', '146', '150', '168'],
    freeField: (it) => {
      const account = it.agency + it.account;
      return `${it.wallet}${it.sequence}${itauDigit(it)}${account}${modulo10(account)}000`;
    },
    ourNumber: (it) => `${it.wallet}/${it.sequence}-${itauDigit(it)}`,
    beneficiary: 'account',
  },
};

/**
 * Returns why an agreement is invalid, beginning with the member's name, or null. Settings are
 * checked with it before the first boleto is created.
 */
export function validateAgreement(agreement: BoletoAgreement): string | null {
  const layout = layoutOfBank(agreement.bankCode);
  if (layout === undefined) return `bankCode must be one of ${Object.keys(LAYOUTS).sort().join(', ')}`;
  if (!/^\d{4}(-[\dXP])?$/.test(agreement.agency)) return 'agency must be 4 digits';
  for (const member of ['account', 'agreement', 'wallet'] as const) {
    const length = layout.lengths[member];
    const digits = member === 'account' ? withoutCheckDigit(agreement.account) : agreement[member];
    if (length === 0) continue;
    if (!/^\d+$/.test(digits) || digits.length > length) return `${member} must be at most ${length} digits`;
    if (layout.fixedLength.includes(member) && digits.length !== length)
      return `${member} must be ${length} digits`;
  }
  if (layout.unsupportedWallets.includes(agreement.wallet))
    return `wallet ${agreement.wallet} is not supported`;
  return null;
}

/**
 * The largest sequence number of an agreement. Beyond it, our numbers would repeat.
 *
 * @throws RangeError if the agreement is invalid.
 */
export function maxSequence(agreement: BoletoAgreement): number {
  return 10 ** layoutOf(agreement).lengths.sequence - 1;
}

/**
 * The number by which bank and beneficiary know a boleto ("nosso número"), as it is printed.
 *
 * @param sequence 1 to `maximumSequence`, each one used once in an agreement.
 * @throws RangeError when the agreement or the sequence is wrong.
 */
export function ourNumber(agreement: BoletoAgreement, sequence: number): string {
  return layoutOf(agreement).ourNumber(paddedFieldsOf(agreement, sequence));
}

/**
 * The free field of the barcode.
 *
 * @param sequence 1 to `maxSequence`, each one used once in an agreement.
 * @returns 25 digits.
 * @throws RangeError if the agreement or the sequence is invalid.
 */
export function freeField(agreement: BoletoAgreement, sequence: number): string {
  return layoutOf(agreement).freeField(paddedFieldsOf(agreement, sequence));
}

/**
 * What is printed as "Agência / Código do beneficiário", check digits as they were given.
 *
 * @throws RangeError when the agreement is wrong.
 */
export function beneficiaryCode(agreement: BoletoAgreement): string {
  return `${agreement.agency} / ${agreement[layoutOf(agreement).beneficiary]}`;
}

/**
 * The name of the agreement's bank, for print.
 *
 * @throws RangeError when the agreement is wrong.
 */
export function bankName(agreement: BoletoAgreement): string {
  return layoutOf(agreement).bankName;
}

/**
 * A printed number as files of the bank carry it: digits, without the wallet before a slash and the
 * digit after a hyphen.
 *
 * @param printed see `ourNumber`.
 */
export function unformatOurNumber(printed: string): string {
  return printed.replace(/^.*\//, '').replace(/-.$/, '');
}

function layoutOf(agreement: BoletoAgreement): Layout {
  const failure = validateAgreement(agreement);
  const layout = layoutOfBank(agreement.bankCode);
  if (failure !== null || layout === undefined) throw new RangeError(`Boleto agreement: ${failure}`);
  return layout;
}

function layoutOfBank(bankCode: string): Layout | undefined {
  return Object.hasOwn(LAYOUTS, bankCode) ? LAYOUTS[bankCode] : undefined;
}

function paddedFieldsOf(agreement: BoletoAgreement, sequence: number): PaddedFields {
  if (!Number.isSafeInteger(sequence) || sequence < 1 || sequence > maxSequence(agreement)) {
    throw new RangeError(`${sequence} is no sequence number of this agreement`);
  }
  const { lengths } = layoutOf(agreement);
  return {
    agency: withoutCheckDigit(agreement.agency),
    account: withoutCheckDigit(agreement.account).padStart(lengths.account, '0'),
    agreement: agreement.agreement.padStart(lengths.agreement, '0'),
    wallet: agreement.wallet.padStart(lengths.wallet, '0'),
    sequence: String(sequence).padStart(lengths.sequence, '0'),
  };
}

function withoutCheckDigit(text: string): string {
  return text.replace(/-[\dXP]$/, '');
}

function santanderDigit({ sequence }: PaddedFields): string {
  return modulo11(sequence);
}

/**
 * Codes of six digits are followed by their digit; those of seven, which the bank gives out since
 * 2018, have none.
 */
function caixaBeneficiary({ agreement }: PaddedFields): string {
  const six = agreement.slice(1);
  return agreement.startsWith('0') ? six + modulo11(six) : agreement;
}

/** Modulo 11 with weights 2 to 9; remainders 0 and 1 give 0. */
function modulo11(digits: string): string {
  const digit = 11 - (weightedSum(digits, 9) % 11);
  return String(digit > 9 ? 0 : digit);
}

/**
 * Modulo 11 with weights 2 to 7 over wallet and sequence; remainder 0 gives 0, remainder 1 the
 * letter P.
 */
function bradescoDigit({ wallet, sequence }: PaddedFields): string {
  const remainder = weightedSum(wallet + sequence, 7) % 11;
  if (remainder === 0) return '0';
  return remainder === 1 ? 'P' : String(11 - remainder);
}

function itauDigit({ agency, account, wallet, sequence }: PaddedFields): string {
  return modulo10(agency + account + wallet + sequence);
}
