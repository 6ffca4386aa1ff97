import { randomUUID } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import vectors from '#test/vectors/cards.json' with { type: 'json' };
import { containsCardNumber } from './card-number-detection.ts';
import { passesLuhn } from './card-number.ts';

const withCheckDigit = (stem: string): string =>
  stem + '0123456789'.split('').find((digit) => passesLuhn(stem + digit));
const digitsOf = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));

describe('containsCardNumber', () => {
  it.each(vectors.cards.filter(({ number, brand }) => brand !== null && passesLuhn(number)))(
    'finds $number of $brand ($source)',
    ({ number }) => {
      expect(containsCardNumber(`card ${number}, 12/30`)).toBe(true);
    },
  );

  it.each([
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111.1111.1111.1111',
    '4111\u00a01111\u20131111  1111',
    '4111\u200b1111\u00ad1111\u200d1111',
    '\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661',
    'pan=4111111111111111;cvv=123',
    '4111 1111 1111 1111 12 30 123',
    '12 4111 1111 1111 1111',
    '3782 822463 10005',
    '3056 930902 5904',
    '4222222222222',
    '\uff14\uff11\uff11\uff111111 11111111'.replace(' ', ''),
  ])('finds a formatted number: %s', (text) => {
    expect(containsCardNumber(text)).toBe(true);
  });

  it('finds every Visa and Mastercard number, grouped or not', () => {
    const stems = fc
      .tuple(fc.constantFrom('4', '51', '55', '2221', '2720'), digitsOf(15))
      .map(([prefix, rest]) => (prefix + rest).slice(0, 15));
    fc.assert(
      fc.property(stems, fc.constantFrom('', ' ', '-'), (stem, separator) => {
        const groups = withCheckDigit(stem).match(/.{4}/g) ?? [];
        expect(containsCardNumber(`x ${groups.join(separator)} y`)).toBe(true);
      }),
    );
  });

  it.each([
    ['a wrong check digit', '4111111111111112'],
    ['a wrong length', '411111111111111'],
    ['a longer number', '141111111111111111'],
    ['an IMEI', '490154203237518'],
    ['an IMEI of another body', '352099001761481'],
    ['the line of a boleto', '00190500954014481606906809350314337370000000100'],
    ['the line of a boleto with its marks', '00190.50095 40144.816069 06809.350314 3 37370000000100'],
    ['an EAN-13 of Germany', '4006381333931'],
    ['a phone', '+55 11 98765-4321'],
    ['the access key of an invoice', '3526 1111 2223 3300 0181 5500 1000 0000 0114 1111 1111'],
  ])('ignores %s', (_, text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  it('ignores UUIDs and digests', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.stringMatching(/^[0-9]{15}a[0-9]{16}$/), (uuid, digest) => {
        expect(containsCardNumber(uuid)).toBe(false);
        expect(containsCardNumber(digest)).toBe(false);
      }),
    );
    expect(containsCardNumber(randomUUID())).toBe(false);
    expect(containsCardNumber('41111111-1111-4111-8111-111111111111')).toBe(false);
  });

  it('ignores timestamps in seconds, milliseconds, microseconds and digits', () => {
    // From 2040 on, microseconds have prefixes of Mastercard.
    const max = Date.UTC(2040, 0, 1);
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max }), (ms) => {
        const compact = new Date(ms).toISOString().replaceAll(/\D/g, '');
        for (const text of [ms / 1_000, ms, ms * 1_000, new Date(ms).toISOString(), compact]) {
          expect(containsCardNumber(String(text))).toBe(false);
        }
      }),
    );
  });

  it('ignores IMEIs', () => {
    const bodies = fc.constantFrom('01', '30', '33', '35', '44', '45', '49', '50', '52', '86', '91', '99');
    fc.assert(
      fc.property(bodies, digitsOf(12), (body, rest) => {
        expect(containsCardNumber(withCheckDigit(body + rest))).toBe(false);
      }),
    );
  });

  it('ignores CPFs, CNPJs and order numbers of up to 12 digits', () => {
    fc.assert(
      fc.property(digitsOf(12), (stem) => {
        expect(containsCardNumber(stem)).toBe(false);
        expect(containsCardNumber(cnpjOf(stem))).toBe(false);
      }),
    );
    // With the length, prefix and check digit of a Diners Club number.
    const likeDiners = Array.from({ length: 1_000 }, (_, index) =>
      cnpjOf(`36${String(index).padStart(6, '0')}0001`),
    ).filter(passesLuhn);
    expect(likeDiners.length).toBeGreaterThan(50);
    expect(likeDiners.filter(containsCardNumber)).toEqual([]);
  });
});

/** A CNPJ with its check digits. */
function cnpjOf(stem: string): string {
  let number = stem;
  for (const weights of ['543298765432', '6543298765432']) {
    const sum = weights
      .split('')
      .reduce((total, weight, index) => total + Number(weight) * Number(number[index]), 0);
    number += String(sum % 11 < 2 ? 0 : 11 - (sum % 11));
  }
  return number;
}
