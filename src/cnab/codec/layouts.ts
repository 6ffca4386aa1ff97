/**
 * The records as FEBRABAN defines them ("Layout Padrão FEBRABAN 240 posições", version 10). Banks
 * override fields in files of their own.
 */
import {
  blanks,
  cents,
  constant,
  cut,
  date,
  digits,
  document,
  exact,
  layout,
  text,
  time,
  zeros,
  type Field,
  type Layout,
} from './records.ts';

/**
 * The first columns of a record of a batch: 1 for its header, 3 for a detail, 5 for its trailer.
 */
const batchRecord = (type: string): readonly Field[] => [
  digits('bank', 1, 3),
  digits('batch', 4, 7),
  constant(8, 8, type),
];

/** Agency and account. */
const accountAt = (from: number): readonly Field[] => [
  digits('agency', from, from + 4),
  text('agencyDigit', from + 5, from + 5),
  digits('account', from + 6, from + 17),
  text('accountDigit', from + 18, from + 18),
];

const COMPANY = [
  digits('documentType', 18, 18),
  document('document', 19, 32),
  text('agreement', 33, 52),
  ...accountAt(53),
  cut('companyName', 73, 102),
];

/** `direction` is 1 from the company to the bank and 2 from the bank to the company. */
export const FILE_HEADER: Layout = layout(
  digits('bank', 1, 3),
  constant(4, 8, '00000'),
  ...COMPANY,
  text('bankName', 103, 132),
  digits('direction', 143, 143),
  date('madeOn', 144, 151),
  time('madeAt', 152, 157),
  digits('fileNumber', 158, 163),
  digits('fileVersion', 164, 166),
  digits('density', 167, 171),
);

export const FILE_TRAILER: Layout = layout(
  digits('bank', 1, 3),
  constant(4, 8, '99999'),
  digits('batches', 18, 23),
  digits('records', 24, 29),
  zeros(30, 35),
);

/** Batch header of boletos. `operation` is R for shipments and T for returns. */
export const COLLECTION_HEADER: Layout = layout(
  ...batchRecord('1'),
  text('operation', 9, 9),
  constant(10, 11, '01'),
  digits('batchVersion', 14, 16),
  digits('documentType', 18, 18),
  document('document', 19, 33),
  text('agreement', 34, 53),
  ...accountAt(54),
  cut('companyName', 74, 103),
  digits('fileNumber', 184, 191),
  date('madeOn', 192, 199),
  date('creditedOn', 200, 207),
);

/** Count and total of the batch's titles in simple collection, the only kind used. */
export const COLLECTION_TRAILER: Layout = layout(
  ...batchRecord('5'),
  digits('records', 18, 23),
  digits('titles', 24, 29),
  cents('amount', 30, 46),
  zeros(47, 115),
);

/** The first columns of a detail. */
const segment = (letter: string): readonly Field[] => [
  ...batchRecord('3'),
  digits('sequence', 9, 13),
  constant(14, 14, letter),
];

/** Boleto. `movement` is 01 to register and 02 to write off. */
export const SEGMENT_P: Layout = layout(
  ...segment('P'),
  digits('movement', 16, 17),
  ...accountAt(18),
  text('ourNumber', 38, 57),
  digits('portfolio', 58, 58),
  digits('registrationForm', 59, 59),
  digits('documentForm', 60, 60),
  digits('printedBy', 61, 61),
  text('sentBy', 62, 62),
  text('documentNumber', 63, 77),
  date('dueOn', 78, 85),
  cents('amount', 86, 100),
  zeros(101, 105),
  digits('documentKind', 107, 108),
  constant(109, 109, 'N'),
  date('issuedOn', 110, 117),
  digits('interestKind', 118, 118),
  zeros(119, 195),
  text('companyUse', 196, 220),
  digits('protestKind', 221, 221),
  digits('protestDays', 222, 223),
  digits('writeOffKind', 224, 224),
  digits('writeOffDays', 225, 227),
  constant(228, 229, '09'),
  zeros(230, 239),
);

/** Payer of the boleto in the preceding segment P. */
export const SEGMENT_Q: Layout = layout(
  ...segment('Q'),
  digits('movement', 16, 17),
  digits('payerDocumentType', 18, 18),
  document('payerDocument', 19, 33),
  cut('payerName', 34, 73),
  cut('street', 74, 113),
  cut('district', 114, 128),
  digits('postalCode', 129, 136),
  cut('city', 137, 151),
  text('state', 152, 153),
  zeros(154, 169),
  zeros(210, 212),
);

/** Movement of a boleto in a return file. `amount` is its face value, `tariff` the bank's fee. */
export const SEGMENT_T: Layout = layout(
  ...segment('T'),
  digits('movement', 16, 17),
  ...accountAt(18),
  text('ourNumber', 38, 57),
  text('portfolio', 58, 58),
  text('documentNumber', 59, 73),
  date('dueOn', 74, 81),
  cents('amount', 82, 96),
  digits('collectingBank', 97, 99),
  digits('collectingAgency', 100, 104),
  text('companyUse', 106, 130),
  document('payerDocument', 134, 148),
  text('payerName', 149, 188),
  cents('tariff', 199, 213),
  text('reasons', 214, 223),
);

/** Amounts and dates of the preceding segment T. */
export const SEGMENT_U: Layout = layout(
  ...segment('U'),
  digits('movement', 16, 17),
  cents('interest', 18, 32),
  cents('discount', 33, 47),
  cents('rebate', 48, 62),
  cents('paid', 78, 92),
  cents('credited', 93, 107),
  cents('otherExpenses', 108, 122),
  date('occurredOn', 138, 145),
  date('creditedOn', 146, 153),
);

/**
 * Batch header of payments. `service` is 20 (suppliers). `form` is the form of payment: 45 Pix, 41
 * and 43 TED, 01 and 05 an account at the same bank.
 */
export const PAYMENT_HEADER: Layout = layout(
  ...batchRecord('1'),
  constant(9, 9, 'C'),
  digits('service', 10, 11),
  digits('form', 12, 13),
  digits('batchVersion', 14, 16),
  ...COMPANY,
  cut('street', 143, 172),
  zeros(173, 177),
  cut('city', 193, 212),
  digits('postalCode', 213, 220),
  text('state', 221, 222),
  text('debitForm', 223, 224),
  text('occurrences', 231, 240),
);

export const PAYMENT_TRAILER: Layout = layout(
  ...batchRecord('5'),
  digits('records', 18, 23),
  cents('amount', 24, 41),
  zeros(42, 59),
  zeros(60, 65),
  text('occurrences', 231, 240),
);

/** Payment. `chamber` is 018 for TED, 009 for Pix and 000 for an account at the same bank. */
export const SEGMENT_A: Layout = layout(
  ...segment('A'),
  constant(15, 17, '000'),
  digits('chamber', 18, 20),
  digits('payeeBank', 21, 23),
  digits('payeeAgency', 24, 28),
  text('payeeAgencyDigit', 29, 29),
  digits('payeeAccount', 30, 41),
  text('payeeAccountDigit', 42, 42),
  cut('payeeName', 44, 73),
  text('ourReference', 74, 93),
  date('payOn', 94, 101),
  text('currency', 102, 104),
  zeros(105, 119),
  cents('amount', 120, 134),
  text('bankReference', 135, 154),
  date('paidOn', 155, 162),
  cents('paid', 163, 177),
  text('tedPurpose', 220, 224),
  text('accountKind', 225, 226),
  constant(230, 230, '0'),
  text('occurrences', 231, 240),
);

/** Payee of a Pix payment: the key, and its kind in columns 15 to 16. */
export const SEGMENT_B: Layout = layout(
  ...segment('B'),
  text('keyKind', 15, 17),
  digits('payeeDocumentType', 18, 18),
  document('payeeDocument', 19, 32),
  exact('key', 128, 226),
  blanks(227, 240),
);

/** Payee of a payment to a bank account. Unused amounts and dates are zero. */
export const SEGMENT_B_OF_ACCOUNT: Layout = layout(
  ...segment('B'),
  digits('payeeDocumentType', 18, 18),
  document('payeeDocument', 19, 32),
  zeros(63, 67),
  zeros(118, 125),
  zeros(128, 210),
);
