import type { BoletoAgreement } from '#formats/boleto/agreement.ts';
import type { SettingsReader } from '#platform/config/settings-reader.ts';
import { BANK_CODES, getBank } from '#cnab/codec/banks.ts';
import type { Address, Company, FileSettings } from '#cnab/codec/settings.ts';

/** What files are exchanged for. */
export interface EnabledServices {
  readonly boletos: boolean;
  readonly payouts: boolean;
}

export interface CnabSettings extends FileSettings, EnabledServices {}

const EMPTY_ADDRESS = { street: '', district: '', postalCode: '', city: '', state: '' };

const ADDRESS_FORM =
  'street; district; postal code; city; state, such as Rua Direita 10; Centro; 01002-000; Sao Paulo; SP';

/**
 * Reads the settings of the file exchange; undefined if no service is enabled. No setting has a
 * default, since a bank treats a file with another company's agreement as attempted fraud. Invalid
 * settings are reported in `reader.errors`, and the result must then not be used.
 */
export function readCnabSettings(
  reader: SettingsReader,
  agreement: BoletoAgreement,
  services: EnabledServices,
): CnabSettings | undefined {
  const { boletos, payouts } = services;
  if (!boletos && !payouts) return undefined;
  const required: ReadRequired = (name, meaning) =>
    reader.required(name, meaning, boletos ? 'BOLETO_PROVIDER=cnab' : 'PAYOUT_PROVIDER=cnab');
  return {
    agreement,
    ...readAgreements(reader, required, services),
    company: readCompany(reader, required),
    test: reader.boolean('CNAB_TEST', false),
    boletos,
    payouts,
  };
}

type ReadRequired = (name: string, meaning: string) => string;

/** Checks the settings that `agreement` holds, and reads the other agreements. */
function readAgreements(
  reader: SettingsReader,
  required: ReadRequired,
  { boletos, payouts }: EnabledServices,
): Pick<CnabSettings, 'walletVariation' | 'paymentAgreement'> {
  const code = required('BOLETO_BANK', `one of ${BANK_CODES.join(', ')}`);
  const bank = BANK_CODES.includes(code) ? getBank(code) : undefined;
  const agency = required(
    'BOLETO_AGENCY',
    'the branch: four digits, and the check digit after a hyphen if the bank uses one',
  );
  if (bank?.agencyDigit === true) {
    const form = 'four digits and the check digit after a hyphen';
    reader.checkFormat('BOLETO_AGENCY', agency, /^\d{4}-[\dXP]$/, form);
  }
  const account = required('BOLETO_ACCOUNT', 'the account number, with its check digit after a hyphen');
  const accountForm = 'the account number, with its check digit after a hyphen';
  reader.checkFormat('BOLETO_ACCOUNT', account, /^\d{1,12}-[\dXP]$/, accountForm);
  if (boletos) required('BOLETO_WALLET', 'the collection portfolio (carteira) of the agreement');
  if (boletos && bank?.boletoAgreement === true) {
    const number = required('BOLETO_AGREEMENT', "the agreement's number");
    reader.checkFormat('BOLETO_AGREEMENT', number, /^\d{1,20}$/, 'at most 20 digits');
  }
  const walletVariation =
    boletos && bank?.walletVariation === true
      ? required('BOLETO_WALLET_VARIATION', 'three digits, such as 019')
      : '';
  reader.checkFormat('BOLETO_WALLET_VARIATION', walletVariation, /^\d{3}$/, 'three digits');
  // Some banks number agreements for payments separately; elsewhere one number serves both.
  const paymentAgreement = reader.text('CNAB_PAYMENT_AGREEMENT') ?? reader.text('BOLETO_AGREEMENT');
  if (payouts && bank?.paymentAgreement === true && paymentAgreement === undefined) {
    reader.errors.push('CNAB_PAYMENT_AGREEMENT is required with PAYOUT_PROVIDER=cnab at this bank');
  }
  const paymentForm = 'at most 20 digits or letters';
  reader.checkFormat('CNAB_PAYMENT_AGREEMENT', paymentAgreement ?? '', /^[A-Z0-9]{1,20}$/, paymentForm);
  return { walletVariation, paymentAgreement: paymentAgreement ?? '' };
}

function readCompany(reader: SettingsReader, required: ReadRequired): Company {
  const name = required('CNAB_COMPANY_NAME', 'the name of the company, as registered with the bank');
  const document = required('CNAB_COMPANY_DOCUMENT', 'the CPF or CNPJ of the company, without punctuation');
  const documentForm = 'a CPF or CNPJ without punctuation';
  reader.checkFormat('CNAB_COMPANY_DOCUMENT', document, /^(\d{11}|[A-Z\d]{12}\d{2})$/, documentForm);
  const text = required('CNAB_COMPANY_ADDRESS', ADDRESS_FORM);
  const address = text === '' ? EMPTY_ADDRESS : parseAddress(text);
  if (address === undefined) reader.errors.push(`CNAB_COMPANY_ADDRESS must be ${ADDRESS_FORM}`);
  return { name, document, address: address ?? EMPTY_ADDRESS };
}

/** Parses `street; district; postal code; city; state`; undefined if it is malformed. */
function parseAddress(text: string): Address | undefined {
  const [street = '', district = '', code = '', city = '', state = '', ...more] = text
    .split(';')
    .map((part) => part.trim());
  const postalCode = code.replace('-', '');
  const isComplete = street !== '' && district !== '' && city !== '' && more.length === 0;
  if (!isComplete || !/^\d{8}$/.test(postalCode) || !/^[A-Z]{2}$/.test(state)) return undefined;
  return { street, district, postalCode, city, state };
}
