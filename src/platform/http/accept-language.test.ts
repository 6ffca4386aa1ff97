import { expect, test } from 'vitest';

import { preferredLanguage } from './accept-language.ts';

test.each([
  [undefined, 'pt-BR'],
  ['', 'pt-BR'],
  ['*', 'pt-BR'],
  ['de', 'pt-BR'],
  ['pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7', 'pt-BR'],
  ['en-US,en;q=0.9', 'en'],
  ['EN', 'en'],
  ['en-US,en;q=0.9,pt-BR;q=0.8', 'en'],
  ['de,en ; q=0.5', 'en'],
  ['en;q=0.5, pt-PT', 'pt-BR'],
  ['en,pt', 'pt-BR'],
  ['en;q=0', 'pt-BR'],
  ['en;q=x,pt;q=0.1', 'pt-BR'],
  ['english', 'pt-BR'],
] as const)('Accept-Language: %s selects %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
