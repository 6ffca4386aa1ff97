import { describe, expect, it } from 'vitest';

import { en as operatorEn } from '../operator/i18n/en.ts';
import { pt as operatorPt } from '../operator/i18n/pt.ts';
import { en } from './en.ts';
import { pt } from './pt.ts';

/** Texts by their path. The type checker compares the keys of both languages. */
function textsOf(group: object, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(group).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as const]
      : typeof value === 'object' && value !== null
        ? textsOf(value, `${path}${key}.`)
        : [],
  );
}

const placeholdersOf = (text: string): readonly string[] =>
  (text.match(/\{\{[^}]*\}\}|\$t\([\w.]+/g) ?? []).toSorted();

const allPlaceholders = (texts: object) =>
  Object.fromEntries(textsOf(texts).map(([path, text]) => [path, placeholdersOf(text)]));

describe.each([
  ['the seller', pt, en],
  ['the operator', operatorPt, operatorEn],
])('texts of %s', (_, portuguese, english) => {
  it('have the same placeholders in both languages', () => {
    expect(allPlaceholders(english)).toEqual(allPlaceholders(portuguese));
  });
});

it('Portuguese texts spell Pix as a word', () => {
  const wrong = [pt, en, operatorPt, operatorEn]
    .flatMap((texts) => textsOf(texts))
    .filter(([, text]) => /\bPIX\b/.test(text));
  expect(wrong).toEqual([]);
});
