import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';

import { pt as sellerPt } from '../../i18n/pt.ts';
import { pt } from '../i18n/pt.ts';
import { summarize } from './summary.ts';

beforeAll(() =>
  i18next.init({
    lng: 'pt-BR',
    resources: { 'pt-BR': { translation: { ...sellerPt, operator: pt } } },
    interpolation: { escapeValue: false },
  }),
);

it.each([
  [1, 'charges', 'mais de 1 cobrança com '],
  [1_500, 'charges', 'mais de 1.500 cobranças com '],
  [1, 'declines', 'mais de 1 recusa com '],
  [5, 'declines', 'mais de 5 recusas com '],
] as const)('counts more than %i %s in words', (above, of, text) => {
  expect(summarize({ count: { of, by: 'card', windowSeconds: 3_600, above } })).toContain(text);
});
