import { describe, expect, it } from 'vitest';

import type { Wallet } from '../api/queries.ts';
import { pixKeyTypesOf, splitByOrigin, withdrawable } from './withdrawal-plan.ts';

const balances = (availableBalance: number) => ({
  availableBalance,
  blockedBalance: 0,
  totalBalance: availableBalance,
});
const wallet = (pix: number, boleto: number, card: number): Wallet => ({
  id: '',
  sellerId: '',
  currency: 'BRL',
  updatedAt: '',
  ...balances(pix + boleto + card),
  byOrigin: { PIX: balances(pix), BOLETO: balances(boleto), CARD: balances(card) },
});

describe('the type of a Pix key', () => {
  it.each([
    ['529.982.247-25', ['CPF']],
    ['12ABC34501DE35', ['CNPJ']],
    ['12.abc.345/01de-35', ['CNPJ']],
    ['(11) 98765-4321', ['PHONE']],
    ['+5511987654321', ['PHONE']],
    ['ana@example.com', ['EMAIL']],
    ['01a1fb66-e70d-4426-bcd4-28d378d6b6c1', ['EVP']],
    ['11 9', []],
  ])('%s', (key, types) => {
    expect(pixKeyTypesOf(key)).toEqual(types);
  });

  it('is ambiguous for eleven digits that are a CPF and a mobile number', () => {
    const both = Array.from({ length: 100_000 }, (_, index) => `119${String(10_000_000 + index * 37)}`).find(
      (digits) => pixKeyTypesOf(digits).length > 1,
    );
    expect(pixKeyTypesOf(both ?? '')).toEqual(['CPF', 'PHONE']);
  });
});

describe('a withdrawal from all origins', () => {
  it('takes what each origin has, one part for each', () => {
    expect(splitByOrigin(wallet(500, 0, 300), 'ALL', 800)).toEqual([
      { origin: 'PIX', amount: 500 },
      { origin: 'CARD', amount: 300 },
    ]);
    expect(splitByOrigin(wallet(500, 200, 300), 'ALL', 600)).toEqual([
      { origin: 'PIX', amount: 500 },
      { origin: 'BOLETO', amount: 100 },
    ]);
    expect(splitByOrigin(wallet(500, 200, 300), 'CARD', 300)).toEqual([{ origin: 'CARD', amount: 300 }]);
  });

  it('counts a negative balance against the other origins (C18)', () => {
    expect(withdrawable(wallet(500, -200, 300), 'ALL')).toBe(600);
    expect(withdrawable(wallet(500, -200, 0), 'PIX')).toBe(300);
    expect(withdrawable(wallet(-200, 100, 0), 'BOLETO')).toBe(0);
  });
});
