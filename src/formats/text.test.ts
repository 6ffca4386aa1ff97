import { describe, expect, it } from 'vitest';

import { isTransliterable, isVisible, toAscii, toPlainText } from './text.ts';

describe('isVisible', () => {
  it.each([
    '',
    ' \t\n',
    '\u200b\u200d\ufeff',
    '\u2060\u00ad\u202e',
    '\u0000\u0007',
    '\u3164\u2800',
    '\u0301',
  ])('is false for %j', (text) => {
    expect(isVisible(text)).toBe(false);
  });

  it.each(['a', '\u200ba', '王', '-', '🙂', 'e\u0301'])('is true for %j', (text) => {
    expect(isVisible(text)).toBe(true);
  });
});

describe('toPlainText', () => {
  it.each([
    ['Jose\u0301 \u202eadlaC\u202c', 'José adlaC'],
    ['Ana 👩🏽‍🚀🇧🇷 Souza❤️', 'Ana Souza'],
    ['Loja® 1️⃣ ™', 'Loja® 1 ™'],
    [' a\u00a0\u2800\n b\u0000', 'a b'],
    ['  Ação   &  Cia.  ', 'Ação & Cia.'],
    ['so\u00adft', 'soft'],
  ])('turns %j into %j', (text, plain) => {
    expect(toPlainText(text)).toBe(plain);
  });
});

describe('toAscii', () => {
  it.each([
    ['Conceição & Łódź', 'Conceicao & Lodz'],
    ['  Loja  1 ', 'Loja 1'],
    ['Иванов Пётр', 'Ivanov Petr'],
    ['Ελένη', 'Eleni'],
    ['محمد', 'mhmd'],
    ['王小明', 'WangXiaoMing'],
    ['김철수', 'GimCheolSu'],
    ['राम', 'ram'],
    ['🙂', ''],
  ])('returns %j as %j', (text, ascii) => {
    expect(toAscii(text)).toBe(ascii);
  });
});

describe('isTransliterable', () => {
  it.each([
    ['Иван', true],
    ['7', true],
    ['🙂', false],
    ['"!"', false],
    ['\u200b', false],
  ])('for %j returns %j', (text, expected) => {
    expect(isTransliterable(text)).toBe(expected);
  });
});
