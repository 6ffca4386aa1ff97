import { describe, expect, it } from 'vitest';

import type { Wallet } from '../api/queries.ts';
import { calculateFee, type Fee } from './fee-amounts.ts';
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

const FREE = { type: 'FIXED', value: 0 } as const;

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
    expect(splitByOrigin(wallet(500, 0, 300), 'ALL', 800, FREE)).toEqual([
      { origin: 'PIX', amount: 500 },
      { origin: 'CARD', amount: 300 },
    ]);
    expect(splitByOrigin(wallet(500, 200, 300), 'ALL', 600, FREE)).toEqual([
      { origin: 'PIX', amount: 500 },
      { origin: 'BOLETO', amount: 100 },
    ]);
    expect(splitByOrigin(wallet(500, 200, 300), 'CARD', 300, FREE)).toEqual([
      { origin: 'CARD', amount: 300 },
    ]);
  });

  it('counts a negative balance against the other origins', () => {
    expect(withdrawable(wallet(500, -200, 300), 'ALL', FREE)).toBe(600);
    expect(withdrawable(wallet(500, -200, 0), 'PIX', FREE)).toBe(300);
    expect(withdrawable(wallet(-200, 100, 0), 'BOLETO', FREE)).toBe(0);
  });

  it('uses the fewest origins, and leaves no part that its fee takes', () => {
    const fee = { type: 'FIXED', value: 100 } as const;
    expect(splitByOrigin(wallet(500, 0, 300), 'ALL', 501, fee)).toEqual([
      { origin: 'PIX', amount: 400 },
      { origin: 'CARD', amount: 101 },
    ]);
    expect(splitByOrigin(wallet(200, 0, 300), 'ALL', 300, fee)).toEqual([{ origin: 'CARD', amount: 300 }]);
    expect(withdrawable(wallet(500, 100, 300), 'ALL', fee)).toBe(800);
    expect(withdrawable(wallet(100, 100, 100), 'ALL', fee)).toBe(0);
    expect(splitByOrigin(wallet(150, 150, -100), 'ALL', 200, fee)).toBeUndefined();
    expect(withdrawable(wallet(150, 150, -100), 'ALL', fee)).toBe(150);
  });

  it('splits exactly the amounts that can be split, for random balances and fees', () => {
    const seed = 20_261_124;
    const random = mulberry32(seed);
    const upTo = (max: number) => Math.floor(random() * (max + 1));
    for (let run = 0; run < 400; run += 1) {
      const balance = wallet(upTo(40) - 8, upTo(40) - 8, upTo(40) - 8);
      const fee: Fee =
        upTo(1) === 0 ? { type: 'FIXED', value: upTo(15) } : { type: 'PERCENTAGE', value: upTo(9_999) };
      const from = upTo(3) === 0 ? 'PIX' : 'ALL';
      const max = withdrawable(balance, from, fee);
      const what = JSON.stringify({ seed, run, balance: balance.byOrigin, fee, from });
      let largest = 0;
      for (let amount = 1; amount <= 130; amount += 1) {
        const parts = splitByOrigin(balance, from, amount, fee);
        const isValid = parts?.every(
          (part) =>
            part.amount <= balance.byOrigin[part.origin].availableBalance &&
            calculateFee(part.amount, fee) !== undefined,
        );
        const isPossible = isSplittable(balance, from, amount, fee);
        const sum = parts?.reduce((total, part) => total + part.amount, 0);
        expect({ what, amount, sum, isValid, isWithin: !isPossible || amount <= max }).toEqual({
          what,
          amount,
          isWithin: true,
          ...(isPossible
            ? {
                sum: amount,
                isValid: true,
              }
            : {
                sum: undefined,
                isValid: undefined,
              }),
        });
        largest = isPossible ? amount : largest;
      }
      expect({ what, max }).toEqual({ what, max: largest });
    }
  });
});

/** Tries every pair of parts, and what is left. */
function isSplittable(
  { byOrigin, availableBalance }: Wallet,
  from: string,
  amount: number,
  fee: Fee,
): boolean {
  const partsOf = (origin: 'PIX' | 'BOLETO' | 'CARD') =>
    Array.from({ length: Math.max(0, byOrigin[origin].availableBalance) + 1 }, (_, part) => part).filter(
      (part) => part === 0 || ((from === 'ALL' || from === origin) && calculateFee(part, fee) !== undefined),
    );
  const cards = new Set(partsOf('CARD'));
  return (
    amount <= availableBalance &&
    partsOf('PIX').some((pix) => partsOf('BOLETO').some((boleto) => cards.has(amount - pix - boleto)))
  );
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
