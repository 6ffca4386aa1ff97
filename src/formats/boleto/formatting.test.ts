import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bankCodeWithDigit, formatAmount, formatDate, toWindows1252 } from './formatting.ts';

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
  ])('writes %i as %s', (cents, text) => {
    expect(formatAmount(cents)).toBe(text);
  });

  test('is what the locale writes', () => {
    const locale = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (cents) => {
        expect(formatAmount(cents)).toBe(locale.format(cents / 100));
      }),
    );
  });
});

describe('formatDate', () => {
  test('turns the date round', () => {
    expect(formatDate('2026-02-03')).toBe('03/02/2026');
  });
});

describe('bankCodeWithDigit', () => {
  test.each(['001-9', '033-7', '104-0', '237-2', '341-7', '422-7', '748-X', '756-0'])('gives %s', (code) => {
    expect(bankCodeWithDigit(code.slice(0, 3))).toBe(code);
  });
});

describe('windowsText', () => {
  test.each([
    ['João da Conceição & Cia. – “Pães”', 'João da Conceição & Cia. – “Pães”'],
    ['Joa\u0303o', 'João'],
    ['Łukasz Kovač', 'Lukasz Kovac'],
    ['  Loja \t\n da\u00a0 Esquina\u0000 ', 'Loja da Esquina'],
    ['株 Sakura', '? Sakura'],
    ['Pix 🙂!', 'Pix ?!'],
    ['a\u200bb\u00adc\ufe0f', 'abc'],
    ['ﬁm nº 1ª', 'fim nº 1ª'],
    ['a \u037a b \u037a', 'a b'],
    ['', ''],
  ])('shows "%s" as "%s"', (text, shown) => {
    expect(toWindows1252(text)).toBe(shown);
  });

  test('gives only what has a place in Windows-1252, and the same when done again', () => {
    const windows = new TextDecoder('windows-1252').decode(
      Uint8Array.from({ length: 224 }, (_, i) => i + 32),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = toWindows1252(text);
        expect(shown.split('').filter((char) => !windows.includes(char))).toEqual([]);
        expect(toWindows1252(shown)).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });
});
