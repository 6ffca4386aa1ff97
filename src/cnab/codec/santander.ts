/** Santander's agencies take four columns and its accounts nine, which shifts other fields. */
import type { Bank } from './bank-rules.ts';
import {
  blanks,
  cents,
  constant,
  date,
  digits,
  document,
  layout,
  text,
  textOf,
  overrideFields,
  zeros,
  type Field,
} from './records.ts';
import { COLLECTION, PAYMENTS } from './febraban.ts';
import { splitCheckDigit } from './settings.ts';

const accountAt = (from: number): readonly Field[] => [
  digits('agency', from, from + 3),
  text('agencyDigit', from + 4, from + 4),
  digits('account', from + 5, from + 13),
  text('accountDigit', from + 14, from + 14),
];

export const SANTANDER: Bank = {
  name: 'BANCO SANTANDER',
  agencyDigit: false,
  boletoAgreement: true,
  paymentAgreement: true,
  walletVariation: false,
  collection: {
    ...COLLECTION,
    fileHeader: overrideFields(
      COLLECTION.fileHeader,
      digits('documentType', 17, 17),
      document('document', 18, 32),
      digits('transmission', 33, 47),
      blanks(48, 72),
      blanks(152, 157),
      blanks(167, 171),
    ),
    batchHeader: overrideFields(
      COLLECTION.batchHeader,
      blanks(34, 53),
      digits('transmission', 54, 68),
      blanks(69, 73),
      blanks(200, 207),
    ),
    p: overrideFields(
      COLLECTION.p,
      ...accountAt(18),
      // The credited account, which is the same.
      digits('account', 33, 41),
      text('accountDigit', 42, 42),
      blanks(43, 44),
      digits('ourNumber', 45, 57),
      blanks(61, 62),
      constant(228, 229, '00'),
      blanks(230, 240),
    ),
    q: overrideFields(COLLECTION.q, zeros(213, 221)),
    t: layout(
      ...COLLECTION.t.filter(({ kind, to }) => to <= 17 && kind !== 'constant'),
      constant(8, 8, '3'),
      constant(14, 14, 'T'),
      ...accountAt(18),
      digits('ourNumber', 41, 53),
      text('portfolio', 54, 54),
      text('documentNumber', 55, 69),
      date('dueOn', 70, 77),
      cents('amount', 78, 92),
      digits('collectingBank', 93, 95),
      digits('collectingAgency', 96, 99),
      text('companyUse', 101, 125),
      document('payerDocument', 129, 143),
      text('payerName', 144, 183),
      cents('tariff', 194, 208),
      text('reasons', 209, 218),
    ),
    trailer: overrideFields(COLLECTION.trailer, blanks(24, 240)),
    fileTrailer: overrideFields(COLLECTION.fileTrailer, blanks(30, 35)),
    values: {
      fileVersion: '040',
      batchVersion: '030',
      // Quick collection with registration.
      portfolio: '5',
      registrationForm: '1',
      documentForm: '2',
      interestKind: '0',
      protestKind: '0',
      protestDays: '0',
      writeOffKind: '2',
      writeOffDays: '0',
    },
    valuesOf: ({ agreement: { agency, agreement } }) => ({
      // "Código de transmissão": agency, zeros, beneficiary code.
      transmission: `${splitCheckDigit(agency).number}0000${agreement}`,
      agencyDigit: splitCheckDigit(agency).digit || '0',
    }),
    formatOurNumber: ({ bare, digit }) => bare + digit,
    parseOurNumber: (values) => textOf(values, 'ourNumber').slice(0, 12),
  },
  payments: {
    ...PAYMENTS,
    values: { fileVersion: '060', batchVersion: '031', density: '0', currency: 'BRL' },
    valuesOf: ({ paymentAgreement }) => ({ agreement: paymentAgreement.padStart(20, '0') }),
  },
};
