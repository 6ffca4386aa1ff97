import { isValidCnpj, isValidCpf, isValidMobilePhone } from '@brazilian-utils/brazilian-utils';

/**
 * PIX keys. Source: Banco Central do Brasil, "Manual Operacional do DICT": the five types of key and the form in which each
 * is kept there.
 */

export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

export interface PixKeyRules {
  /** CNPJs with letters, which exist since July 2026. */
  readonly alphanumericCnpj: boolean;
}

/** The DICT's bound on an e-mail key. */
const MAX_EMAIL = 77;
const EMAIL = /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A key in the form in which the DICT keeps it; undefined where it is no key of that type. People write documents and
 * phones with points, hyphens and parentheses, and e-mails with capitals: that much is forgiven.
 */
export function normalizePixKey(type: PixKeyType, text: string, rules: PixKeyRules): string | undefined {
  const key = text.trim();
  switch (type) {
    case 'CPF':
      return normalizeCpf(key);
    case 'CNPJ':
      return normalizeCnpj(key, rules);
    case 'PHONE':
      return normalizePhone(key);
    case 'EMAIL':
      return normalizeEmail(key.toLowerCase());
    case 'EVP':
      return UUID.test(key.toLowerCase()) ? key.toLowerCase() : undefined;
  }
}

/** The DICT holds no document with wrong check digits, so they are checked whatever the settings say of payers' documents. */
function normalizeCpf(key: string): string | undefined {
  const digits = key.replaceAll(/[.-]/g, '');
  return /^\d{11}$/.test(digits) && isValidCpf(digits) ? digits : undefined;
}

function normalizeCnpj(key: string, { alphanumericCnpj }: PixKeyRules): string | undefined {
  const characters = key.replaceAll(/[./-]/g, '').toUpperCase();
  const form = alphanumericCnpj ? /^[0-9A-Z]{12}\d{2}$/ : /^\d{14}$/;
  const version = alphanumericCnpj ? 2 : 1;
  return form.test(characters) && isValidCnpj(characters, { version }) ? characters : undefined;
}

/** A Brazilian mobile number, with or without the country's code. Landlines are no keys. */
function normalizePhone(key: string): string | undefined {
  const digits = key.replaceAll(/[\s().-]/g, '');
  const national = /^(?:\+?55)?(\d{11})$/.exec(digits)?.[1];
  return national !== undefined && isValidMobilePhone(national) ? `+55${national}` : undefined;
}

function normalizeEmail(key: string): string | undefined {
  const valid = key.length <= MAX_EMAIL && EMAIL.test(key) && !key.includes('..') && !key.startsWith('.');
  return valid ? key : undefined;
}
