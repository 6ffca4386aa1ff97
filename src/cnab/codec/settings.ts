import type { BoletoAgreement } from '#formats/boleto/agreement.ts';

/** The agreements and the company that a bank's files carry. */
export interface FileSettings {
  /** Bank, agency and account of all files. Agreement number and wallet apply to boletos only. */
  readonly agreement: BoletoAgreement;
  /** Banco do Brasil's "variação da carteira", three digits; '' at other banks. */
  readonly walletVariation: string;
  /** Agreement number for payments; '' if the bank has none. */
  readonly paymentAgreement: string;
  readonly company: Company;
  /** Marks files as belonging to the bank's test phase. */
  readonly test: boolean;
}

/** The operator, as registered with its bank. */
export interface Company {
  readonly name: string;
  /** CPF or CNPJ without punctuation. */
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

/** Splits an agency or account number from the check digit after its hyphen. */
export function splitCheckDigit(text: string): { readonly number: string; readonly digit: string } {
  const [number = '', digit = ''] = text.split('-');
  return { number, digit };
}
