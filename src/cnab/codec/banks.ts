/**
 * The supported banks. Sources: each bank's CNAB 240 manuals for collection and payments
 * (Banco do Brasil "Particularidades BB", Bradesco MP, Caixa SIGCB 67.119, Itaú Cobrança and
 * SISPAG, Santander).
 */
import type { Bank } from './bank-rules.ts';
import { ITAU } from './itau.ts';
import { blanks, digits, text, textOf, overrideFields, zeros } from './records.ts';
import { SANTANDER } from './santander.ts';
import { COLLECTION, PAYMENTS } from './febraban.ts';

/**
 * Registered collection, printed and sent by the company, without interest or protest. The company
 * writes boletos off itself.
 */
const SIMPLE_COLLECTION = {
  portfolio: '1',
  registrationForm: '1',
  documentForm: '1',
  printedBy: '2',
  sentBy: '2',
  interestKind: '3',
  protestKind: '3',
  protestDays: '0',
  writeOffKind: '2',
  writeOffDays: '0',
} as const;

const BRASIL: Bank = {
  name: 'BANCO DO BRASIL S.A.',
  agencyDigit: true,
  boletoAgreement: true,
  paymentAgreement: true,
  walletVariation: true,
  collection: {
    ...COLLECTION,
    values: {
      ...SIMPLE_COLLECTION,
      fileVersion: '083',
      batchVersion: '042',
      density: '0',
      // Zero or blank: the wallet's contract decides.
      registrationForm: '0',
      documentForm: '0',
      printedBy: '0',
      sentBy: '',
      writeOffKind: '0',
    },
    valuesOf: ({ agreement: { agreement, wallet }, walletVariation }) => ({
      agreement: `${agreement.padStart(9, '0')}0014${wallet.padStart(2, '0')}${walletVariation}`,
      // Wallet 17 is simple collection printed by the company.
      portfolio: wallet === '17' ? '7' : '1',
    }),
    formatOurNumber: ({ bare }) => bare,
    parseOurNumber: (values) => textOf(values, 'ourNumber').slice(0, 17),
  },
  payments: {
    ...PAYMENTS,
    values: { fileVersion: '103', batchVersion: '045', density: '0', currency: 'BRL' },
    valuesOf: ({ paymentAgreement, test }) => ({
      agreement: `${paymentAgreement.padStart(9, '0')}0126${' '.repeat(5)}${test ? 'TS' : ''}`,
    }),
  },
};

const BRADESCO: Bank = {
  name: 'BRADESCO',
  agencyDigit: true,
  boletoAgreement: true,
  paymentAgreement: true,
  walletVariation: false,
  collection: {
    ...COLLECTION,
    p: overrideFields(COLLECTION.p, digits('wallet', 38, 40), zeros(41, 45), text('ourNumber', 46, 57)),
    t: overrideFields(COLLECTION.t, digits('wallet', 38, 40), text('ourNumber', 46, 57)),
    values: { ...SIMPLE_COLLECTION, fileVersion: '084', batchVersion: '042', density: '1600' },
    valuesOf: ({ agreement: { agreement, wallet } }) => ({ agreement: agreement.padStart(20, '0'), wallet }),
    // The check digit may be the letter P.
    formatOurNumber: ({ bare, digit }) => bare + digit,
    parseOurNumber: (values) => textOf(values, 'ourNumber').slice(0, 11),
  },
  payments: {
    ...PAYMENTS,
    values: { fileVersion: '089', batchVersion: '045', density: '1600', currency: 'BRL' },
    valuesOf: ({ paymentAgreement }) => ({ agreement: paymentAgreement }),
  },
};

/** Caixa's boleto files carry the beneficiary code instead of account numbers. */
const CAIXA: Bank = {
  name: 'CAIXA ECONOMICA FEDERAL',
  agencyDigit: true,
  boletoAgreement: true,
  paymentAgreement: true,
  walletVariation: false,
  collection: {
    ...COLLECTION,
    fileHeader: overrideFields(
      COLLECTION.fileHeader,
      zeros(33, 52),
      digits('beneficiary', 59, 65),
      zeros(66, 72),
      text('phase', 192, 211),
    ),
    batchHeader: overrideFields(
      COLLECTION.batchHeader,
      zeros(12, 13),
      digits('beneficiary', 34, 40),
      zeros(41, 53),
      digits('oldBeneficiary', 60, 65),
      zeros(66, 73),
    ),
    p: overrideFields(
      COLLECTION.p,
      digits('beneficiary', 24, 30),
      zeros(31, 39),
      digits('ourNumber', 40, 57),
      text('documentNumber', 63, 73),
    ),
    t: overrideFields(
      COLLECTION.t,
      digits('beneficiary', 24, 30),
      blanks(31, 38),
      digits('ourNumber', 39, 56),
      text('documentNumber', 59, 69),
    ),
    fileTrailer: overrideFields(COLLECTION.fileTrailer, blanks(30, 35)),
    // The bank writes a boleto off on the day after its due date.
    values: {
      ...SIMPLE_COLLECTION,
      fileVersion: '101',
      batchVersion: '060',
      density: '0',
      documentForm: '2',
      sentBy: '0',
      writeOffKind: '1',
    },
    valuesOf: ({ agreement: { agreement }, test }) => ({
      beneficiary: agreement,
      // A seven-digit code does not fit here and is in the other field only.
      oldBeneficiary: agreement.length > 6 ? '0' : agreement,
      phase: test ? 'REMESSA-TESTE' : 'REMESSA-PRODUCAO',
    }),
    formatOurNumber: ({ bare }) => bare,
    parseOurNumber: (values) => textOf(values, 'ourNumber').padStart(18, '0').slice(1),
  },
  payments: {
    ...PAYMENTS,
    values: { fileVersion: '080', batchVersion: '041', density: '1600', currency: 'BRL' },
    // The agreement, whose last two digits are the transmission parameter.
    valuesOf: ({ paymentAgreement, test }) => ({ agreement: `${paymentAgreement}${test ? 'T' : 'P'}` }),
  },
};

const BANKS: Readonly<Record<string, Bank>> = {
  '001': BRASIL,
  '033': SANTANDER,
  '104': CAIXA,
  '237': BRADESCO,
  '341': ITAU,
};

/**
 * Returns the rules of a bank.
 *
 * @throws RangeError if the bank is not supported. Settings are validated before.
 */
export function getBank(code: string): Bank {
  const bank = Object.hasOwn(BANKS, code) ? BANKS[code] : undefined;
  if (bank === undefined) throw new RangeError(`no files are exchanged with bank ${code}`);
  return bank;
}

export const BANK_CODES = Object.keys(BANKS).toSorted();
