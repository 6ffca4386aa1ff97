import type { BoletoAgreement } from '#formats/boleto/agreement.ts';
import type { SettingsReader } from '#platform/config/settings-reader.ts';
import type { Bank } from '#cnab/codec/bank-rules.ts';
import { BANK_CODES, getBank } from '#cnab/codec/banks.ts';
import { parseAddress, type CnabSettings } from './settings.ts';

/** What files are exchanged for. */
export interface CnabServices {
  readonly boletos: boolean;
  readonly payouts: boolean;
}

const EMPTY_ADDRESS = { street: '', district: '', postalCode: '', city: '', state: '' };

/**
 * The settings of an exchange of files; undefined where none is chosen. Nothing has a default here: a bank would take a file of
 * somebody else's agreement for an attempt at fraud.
 */
export function readCnabSettings(
  reader: SettingsReader,
  agreement: BoletoAgreement,
  { boletos, payouts }: CnabServices,
): CnabSettings | undefined {
  if (!boletos && !payouts) return undefined;
  const requiredBy = boletos ? 'BOLETO_PROVIDER=cnab' : 'PAYOUT_PROVIDER=cnab';
  const required = (name: string, form: string): string => {
    const text = reader.text(name);
    if (text === undefined) reader.errors.push(`${name} is required with ${requiredBy}: ${form}`);
    return text ?? '';
  };
  const checkFormat = (name: string, value: string, rule: RegExp, form: string): void => {
    if (value !== '' && !rule.test(value)) reader.errors.push(`${name} must be ${form}`);
  };
  const code = required('BOLETO_BANK', `one of ${BANK_CODES.join(', ')}`);
  const bank = BANK_CODES.includes(code) ? getBank(code) : undefined;
  readAccount(bank, required, checkFormat);
  if (boletos) required('BOLETO_WALLET', 'the wallet of the agreement');
  if (boletos && bank?.boletoAgreement === true) {
    checkFormat(
      'BOLETO_AGREEMENT',
      required('BOLETO_AGREEMENT', "the agreement's number"),
      /^\d{1,20}$/,
      'at most 20 digits',
    );
  }
  const walletVariation =
    boletos && bank?.walletVariation === true
      ? required('BOLETO_WALLET_VARIATION', 'three digits, such as 019')
      : '';
  checkFormat('BOLETO_WALLET_VARIATION', walletVariation, /^\d{3}$/, 'three digits');
  const paymentAgreement = readPaymentAgreement(reader, bank, payouts);
  checkFormat('CNAB_PAYMENT_AGREEMENT', paymentAgreement, /^[A-Z0-9]{1,20}$/, 'at most 20 digits or letters');
  const name = required('CNAB_COMPANY_NAME', 'as the bank knows the company');
  const document = required('CNAB_COMPANY_DOCUMENT', 'its CPF or CNPJ without signs');
  checkFormat(
    'CNAB_COMPANY_DOCUMENT',
    document,
    /^(\d{11}|[A-Z\d]{12}\d{2})$/,
    'a CPF or CNPJ without signs',
  );
  const form =
    'street; district; postal code; city; state, such as Rua Direita 10; Centro; 01002-000; Sao Paulo; SP';
  const addressText = required('CNAB_COMPANY_ADDRESS', form);
  const address = addressText === '' ? EMPTY_ADDRESS : parseAddress(addressText);
  if (address === undefined) reader.errors.push(`CNAB_COMPANY_ADDRESS must be ${form}`);
  return {
    agreement,
    walletVariation,
    paymentAgreement,
    company: { name, document, address: address ?? EMPTY_ADDRESS },
    test: reader.boolean('CNAB_TEST', false),
    boletos,
    payouts,
  };
}

function readAccount(
  bank: Bank | undefined,
  required: (name: string, form: string) => string,
  checkFormat: (name: string, value: string, rule: RegExp, form: string) => void,
): void {
  const agency = required(
    'BOLETO_AGENCY',
    'four digits, and a check digit after a hyphen where the bank has one',
  );
  if (bank?.agencyDigit === true) {
    checkFormat('BOLETO_AGENCY', agency, /^\d{4}-[\dXP]$/, 'four digits and the check digit after a hyphen');
  }
  const account = required('BOLETO_ACCOUNT', 'its digits, and the check digit after a hyphen');
  checkFormat(
    'BOLETO_ACCOUNT',
    account,
    /^\d{1,12}-[\dXP]$/,
    'its digits and the check digit after a hyphen',
  );
}

/** Banks that tell agreements for payments from those for boletos have a number for each; one number may be both. */
function readPaymentAgreement(reader: SettingsReader, bank: Bank | undefined, payouts: boolean): string {
  const own = reader.text('CNAB_PAYMENT_AGREEMENT') ?? reader.text('BOLETO_AGREEMENT');
  if (!payouts || bank?.paymentAgreement !== true) return own ?? '';
  if (own === undefined) {
    reader.errors.push('CNAB_PAYMENT_AGREEMENT is required with PAYOUT_PROVIDER=cnab at this bank');
  }
  return own ?? '';
}
