import { isValidCnpj, isValidCpf, isValidMobilePhone } from '@brazilian-utils/brazilian-utils';

/** Source: Banco Central do Brasil, "Manual Operacional do DICT". */
export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

export interface PixKeyRules {
  /** Accepts CNPJs with letters, which are issued since July 2026. */
  readonly alphanumericCnpj: boolean;
}

/** The limit of the DICT. */
const MAX_EMAIL_LENGTH = 77;
const EMAIL = /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Normalizes a Pix key to the form of the DICT; undefined if it is not a key of the type. Accepts
 * documents and phone numbers with punctuation, and email addresses in upper case.
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

/** Check digits are always verified, because the DICT has no key with wrong ones. */
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

/** A Brazilian mobile number, with or without the country code. Landlines cannot be keys. */
function normalizePhone(key: string): string | undefined {
  const digits = key.replaceAll(/[\s().-]/g, '');
  const national = /^(?:\+?55)?(\d{11})$/.exec(digits)?.[1];
  return national !== undefined && isValidMobilePhone(national) ? `+55${national}` : undefined;
}

function normalizeEmail(key: string): string | undefined {
  const valid =
    key.length <= MAX_EMAIL_LENGTH && EMAIL.test(key) && !key.includes('..') && !key.startsWith('.');
  return valid ? key : undefined;
}
