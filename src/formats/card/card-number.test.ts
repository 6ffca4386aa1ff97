import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectCardBrand, passesLuhn } from './card-number.ts';
import vectors from '#test/vectors/cards.json' with { type: 'json' };

const digits = fc.stringMatching(/^[1-9]\d{12,18}$/);

/** The same number with a valid check digit. */
function withCheckDigit(number: string): string {
  const stem = number.slice(0, -1);
  return stem + '0123456789'.split('').find((digit) => passesLuhn(stem + digit))!;
}

function withPrefix(prefix: string): string {
  return prefix.padEnd(16, '0');
}

describe('detectCardBrand', () => {
  test.each(vectors.cards)('returns $brand for $number ($source)', ({ number, brand }) => {
    expect(detectCardBrand(number)).toBe(brand);
  });

  test.each([
    ['401178', 'ELO', '401180', 'VISA'],
    ['431274', 'ELO', '431273', 'VISA'],
    ['457632', 'ELO', '457633', 'VISA'],
    ['506699', 'ELO', '506698', null],
    ['506778', 'ELO', '506779', null],
    ['509999', 'ELO', '510000', 'MASTERCARD'],
    ['504175', 'ELO', '504176', null],
    ['636368', 'ELO', '636369', null],
    ['650033', 'ELO', '650034', 'DISCOVER'],
    ['650538', 'ELO', '650539', 'DISCOVER'],
    ['650978', 'ELO', '650979', 'DISCOVER'],
    ['651652', 'ELO', '651651', 'DISCOVER'],
    ['655019', 'ELO', '655020', 'DISCOVER'],
    ['655058', 'ELO', '655059', 'DISCOVER'],
    ['606282', 'HIPERCARD', '606283', null],
    ['384100', 'HIPERCARD', '384101', 'DINERS'],
    ['63737423', 'HIPERCARD', '63737424', null],
    ['305', 'DINERS', '306', null],
    ['3095', 'DINERS', '3096', null],
    ['3528', 'JCB', '3527', null],
    ['3589', 'JCB', '3590', null],
    ['622126', 'DISCOVER', '622125', null],
    ['622925', 'DISCOVER', '622926', null],
    ['644', 'DISCOVER', '643', null],
    ['2221', 'MASTERCARD', '2220', null],
    ['2720', 'MASTERCARD', '2721', null],
    ['55', 'MASTERCARD', '56', null],
    ['503143', 'MASTERCARD', '503144', null],
    ['37', 'AMEX', '35', null],
  ])('separates %s %s from %s %s', (inside, brand, outside, other) => {
    expect(detectCardBrand(withPrefix(inside))).toBe(brand);
    expect(detectCardBrand(withPrefix(outside))).toBe(other);
  });

  test('uses the first eight digits and accepts 13 to 19', () => {
    fc.assert(
      fc.property(digits, fc.stringMatching(/^\d{5,11}$/), (number, rest) => {
        expect(detectCardBrand(number.slice(0, 8) + rest)).toBe(detectCardBrand(number));
      }),
    );
  });

  test.each([
    '',
    '411111111111',
    '41111111111111111111',
    '4111 1111 1111 1111',
    '4111111111111111\n',
    'visa',
  ])('returns undefined for "%s"', (text) => {
    expect(detectCardBrand(text)).toBeNull();
  });
});

describe('passesLuhn', () => {
  test.each(vectors.cards)('accepts $number', ({ number }) => {
    expect(passesLuhn(number)).toBe(true);
  });

  test.each([
    '4111111111111112',
    '4111111111111',
    '0000000000000000',
    '424242424242',
    '42424242424242424242',
    '4242 4242 4242 4242',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    '',
  ])('rejects "%s"', (text) => {
    expect(passesLuhn(text)).toBe(false);
  });

  test('detects every single wrong digit', () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (any, where, by) => {
        const number = withCheckDigit(any);
        const at = where % number.length;
        const wrong = (Number(number[at]) + by) % 10;
        expect(passesLuhn(number.slice(0, at) + wrong + number.slice(at + 1))).toBe(false);
      }),
    );
  });

  test('detects transposed adjacent digits, except 0 and 9', () => {
    fc.assert(
      fc.property(digits, fc.nat(), (any, where) => {
        const number = withCheckDigit(any);
        const at = where % (number.length - 1);
        const pair = number.slice(at, at + 2);
        fc.pre(pair[0] !== pair[1] && pair !== '09' && pair !== '90');
        expect(passesLuhn(number.slice(0, at) + pair[1] + pair[0] + number.slice(at + 2))).toBe(false);
      }),
    );
  });
});
