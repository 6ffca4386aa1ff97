import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bankCodeWithDigit, formatAmount, formatDate } from './formatting.ts';

describe('formatAmount', () => {
  test.each([
    [0, '0,00'],
    [5, '0,05'],
    [99, '0,99'],
    [100, '1,00'],
    [99_999, '999,99'],
    [100_000, '1.000,00'],
    [123_456, '1.234,56'],
    [9_999_999_999, '99.999.999,99'],
  ])('formats %i as %s', (cents, text) => {
    expect(formatAmount(cents)).toBe(text);
  });

  test('matches the locale’s format', () => {
    const locale = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (cents) => {
        expect(formatAmount(cents)).toBe(locale.format(cents / 100));
      }),
    );
  });
});

describe('formatDate', () => {
  test('returns day, month and year', () => {
    expect(formatDate('2026-02-03')).toBe('03/02/2026');
  });
});

describe('bankCodeWithDigit', () => {
  test.each(['001-9', '033-7', '104-0', '237-2', '341-7', '422-7', '748-X', '756-0'])(
    'returns %s',
    (code) => {
      expect(bankCodeWithDigit(code.slice(0, 3))).toBe(code);
    },
  );
});
