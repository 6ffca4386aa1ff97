import { describe, expect, it } from 'vitest';

import { ConfigError, readConfig } from '#app/config.ts';
import { BANK_CODES } from '#cnab/codec/banks.ts';

const COMPANY = {
  CNAB_COMPANY_NAME: 'Vereda Pagamentos Ltda',
  CNAB_COMPANY_DOCUMENT: '11222333000181',
  CNAB_COMPANY_ADDRESS: 'Rua Direita 10; Centro; 01002-000; São Paulo; SP',
};
const BRASIL = {
  BOLETO_PROVIDER: 'cnab',
  BOLETO_BANK: '001',
  BOLETO_AGENCY: '1234-5',
  BOLETO_ACCOUNT: '123456-0',
  BOLETO_AGREEMENT: '1234567',
  BOLETO_WALLET: '17',
  BOLETO_WALLET_VARIATION: '019',
  ...COMPANY,
};
const PRODUCTION = {
  MODE: 'production',
  PUBLIC_URL: 'https://pay.example.com',
  DATABASE_URL: 'postgresql://user:secret@db.example.com/gateway',
  JWT_SECRET: 'a secret of forty characters for tests!!',
  ENCRYPTION_KEY: '00112233445566778899aabbccddeeff'.repeat(2),
};

function linesOf(settings: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig({ ...PRODUCTION, ...settings });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}

describe('the settings of an exchange of files', () => {
  it('are read whole, in the sandbox and outside', () => {
    expect(readConfig({ ...PRODUCTION, ...BRASIL })).toMatchObject({
      boletoProvider: 'cnab',
      payoutProviders: [],
      cnab: {
        walletVariation: '019',
        test: false,
        boletos: true,
        payouts: false,
        company: { address: { postalCode: '01002000', city: 'São Paulo', state: 'SP' } },
      },
    });
    expect(readConfig({ ...PRODUCTION, ...BRASIL, MODE: 'sandbox' })).toMatchObject({
      boletoProvider: 'cnab',
      payoutProviders: ['sandbox'],
    });
    expect(readConfig({ ...PRODUCTION, MODE: 'sandbox' })).toMatchObject({
      boletoProvider: 'sandbox',
      payoutProviders: ['sandbox'],
      cnab: undefined,
    });
    expect(readConfig(PRODUCTION)).toMatchObject({ boletoProvider: undefined, payoutProviders: [] });
  });

  it('are all named where they are missing, one line each', () => {
    expect(linesOf({ BOLETO_PROVIDER: 'cnab' }).map((line) => line.split(' ')[0])).toEqual([
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
    [{ BOLETO_ACCOUNT: '123456' }, 'BOLETO_ACCOUNT must be its digits and the check digit after a hyphen'],
    [{ BOLETO_WALLET_VARIATION: '19' }, 'BOLETO_WALLET_VARIATION must be three digits'],
    [{ CNAB_COMPANY_DOCUMENT: '11.222' }, 'CNAB_COMPANY_DOCUMENT must be a CPF or CNPJ without signs'],
    [
      { CNAB_COMPANY_ADDRESS: 'Rua Direita 10, Sao Paulo' },
      'CNAB_COMPANY_ADDRESS must be street; district; postal code; city; state, such as Rua Direita 10; Centro; 01002-000; Sao Paulo; SP',
    ],
    [{ CNAB_TEST: 'yes' }, 'CNAB_TEST must be true or false, got "yes"'],
    [{ BOLETO_PROVIDER: 'sandbox' }, 'BOLETO_PROVIDER must be one of cnab, got "sandbox"'],
  ])('%o are refused', (changes, line) => {
    expect(linesOf({ ...BRASIL, ...changes })).toEqual([line]);
  });

  it('are not asked for where the choice itself is wrong', () => {
    expect(linesOf({ BOLETO_PROVIDER: 'sandbox' })).toEqual([
      'BOLETO_PROVIDER must be one of cnab, got "sandbox"',
    ]);
  });

  it('ask for an agreement of payments where the bank has one', () => {
    const { BOLETO_PROVIDER: _provider, BOLETO_AGREEMENT: _agreement, ...others } = BRASIL;
    const payouts = { ...others, PAYOUT_PROVIDER: 'cnab' };
    expect(linesOf(payouts)).toEqual([
      'CNAB_PAYMENT_AGREEMENT is required with PAYOUT_PROVIDER=cnab at this bank',
    ]);
    expect(linesOf({ ...payouts, CNAB_PAYMENT_AGREEMENT: '654321' })).toEqual([]);
    expect(linesOf({ ...payouts, BOLETO_BANK: '341', BOLETO_ACCOUNT: '12345-6' })).toEqual([]);
    expect(BANK_CODES).toEqual(['001', '033', '104', '237', '341']);
  });
});
