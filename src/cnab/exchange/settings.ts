/** What an exchange of files with a bank needs to know beside the agreement of the boletos. */
import type { BoletoAgreement } from '#formats/boleto/agreement.ts';

export interface CnabSettings {
  /** The bank, agency and account that all files are of; agreement and wallet are those of boletos. */
  readonly agreement: BoletoAgreement;
  /** Banco do Brasil's "variação" of the wallet, three digits; '' elsewhere. */
  readonly walletVariation: string;
  /** The number of the agreement for payments; '' where the bank has none. */
  readonly paymentAgreement: string;
  readonly company: Company;
  /** Files of the bank's test phase. */
  readonly test: boolean;
  /** What goes by files. */
  readonly boletos: boolean;
  readonly payouts: boolean;
}

/** The operator, as its bank knows it. */
export interface Company {
  readonly name: string;
  /** CPF or CNPJ without signs. */
  readonly document: string;
  readonly address: Address;
}

export interface Address {
  readonly street: string;
  readonly district: string;
  /** Eight digits. */
  readonly postalCode: string;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
}

/** An address written `street; district; postal code; city; state`; undefined where it is not. */
export function parseAddress(text: string): Address | undefined {
  const [street = '', district = '', code = '', city = '', state = '', ...more] = text
    .split(';')
    .map((part) => part.trim());
  const postalCode = code.replace('-', '');
  const whole = street !== '' && district !== '' && city !== '' && more.length === 0;
  if (!whole || !/^\d{8}$/.test(postalCode) || !/^[A-Z]{2}$/.test(state)) return undefined;
  return { street, district, postalCode, city, state };
}

/** What stands before and after the hyphen of an agency or account. */
export function splitCheckDigit(text: string): { readonly number: string; readonly digit: string } {
  const [number = '', digit = ''] = text.split('-');
  return { number, digit };
}
