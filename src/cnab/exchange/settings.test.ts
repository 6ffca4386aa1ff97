import { describe, expect, it } from 'vitest';

import { SettingsReader } from '#platform/config/settings-reader.ts';
import { BANK_CODES } from '#cnab/codec/banks.ts';
import { readCnabSettings, type EnabledServices } from './settings.ts';

const COMPANY = {
  CNAB_COMPANY_NAME: 'Vereda Pagamentos Ltda',
  CNAB_COMPANY_DOCUMENT: '11222333000181',
  CNAB_COMPANY_ADDRESS: 'Rua Direita 10; Centro; 01002-000; São Paulo; SP',
};
const BRASIL = {
  BOLETO_BANK: '001',
  BOLETO_AGENCY: '1234-5',
  BOLETO_ACCOUNT: '123456-0',
  BOLETO_AGREEMENT: '1234567',
  BOLETO_WALLET: '17',
  BOLETO_WALLET_VARIATION: '019',
  ...COMPANY,
};
const AGREEMENT = {
  bankCode: '001',
  agency: '1234-5',
  account: '123456-0',
  agreement: '1234567',
  wallet: '17',
};

const BOLETOS = { boletos: true, payouts: false };
const PAYOUTS = { boletos: false, payouts: true };

function read(environment: Readonly<Record<string, string>>, services: EnabledServices = BOLETOS) {
  const reader = new SettingsReader(environment);
  return { settings: readCnabSettings(reader, AGREEMENT, services), errors: reader.errors };
}

describe('readCnabSettings', () => {
  it('returns the settings of the enabled services', () => {
    expect(read(BRASIL)).toMatchObject({
      settings: {
        agreement: AGREEMENT,
        walletVariation: '019',
        test: false,
        boletos: true,
        payouts: false,
        company: { address: { postalCode: '01002000', city: 'São Paulo', state: 'SP' } },
      },
      errors: [],
    });
  });

  it('returns nothing and requires nothing if no service is enabled', () => {
    expect(read({}, { boletos: false, payouts: false })).toEqual({ settings: undefined, errors: [] });
  });

  it('names every missing setting, one line each', () => {
    expect(read({}).errors.map((line) => line.split(' ')[0])).toEqual([
      'BOLETO_BANK',
      'BOLETO_AGENCY',
      'BOLETO_ACCOUNT',
      'BOLETO_WALLET',
      'CNAB_COMPANY_NAME',
      'CNAB_COMPANY_DOCUMENT',
      'CNAB_COMPANY_ADDRESS',
    ]);
  });

  it.each([
    [{ BOLETO_AGENCY: '1234' }, 'BOLETO_AGENCY must be four digits and the check digit after a hyphen'],
    [
      { BOLETO_ACCOUNT: '123456' },
      'BOLETO_ACCOUNT must be the account number, with its check digit after a hyphen',
    ],
    [{ BOLETO_WALLET_VARIATION: '19' }, 'BOLETO_WALLET_VARIATION must be three digits'],
    [{ CNAB_COMPANY_DOCUMENT: '11.222' }, 'CNAB_COMPANY_DOCUMENT must be a CPF or CNPJ without punctuation'],
    [
      { CNAB_COMPANY_ADDRESS: 'Rua Direita 10, Sao Paulo' },
      'CNAB_COMPANY_ADDRESS must be street; district; postal code; city; state, such as Rua ' +
        'Direita 10; Centro; 01002-000; Sao Paulo; SP',
    ],
    [{ CNAB_TEST: 'yes' }, 'CNAB_TEST must be true or false, got "yes"'],
  ])('rejects %o', (changes, line) => {
    expect(read({ ...BRASIL, ...changes }).errors).toEqual([line]);
  });

  it('requires an agreement for payments at banks that have one', () => {
    const { BOLETO_AGREEMENT: _agreement, ...environment } = BRASIL;
    expect(read(environment, PAYOUTS).errors).toEqual([
      'CNAB_PAYMENT_AGREEMENT is required with PAYOUT_PROVIDER=cnab at this bank',
    ]);
    expect(read({ ...environment, CNAB_PAYMENT_AGREEMENT: '654321' }, PAYOUTS).errors).toEqual([]);
    const itau = { ...environment, BOLETO_BANK: '341', BOLETO_ACCOUNT: '12345-6' };
    expect(read(itau, PAYOUTS).errors).toEqual([]);
    expect(BANK_CODES).toEqual(['001', '033', '104', '237', '341']);
  });
});
