import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';

import { setPluralRule } from './i18n.ts';
import { en } from './en.ts';
import { pt } from './pt.ts';

const texts = i18next.createInstance();

beforeAll(async () => {
  await texts.init({ resources: { 'pt-BR': { translation: pt }, en: { translation: en } } });
  setPluralRule(texts);
});

describe.each([
  ['pt-BR', '0 pagamentos', '1 pagamento', '2 pagamentos', '1.000.000 pagamentos'],
  ['en', '0 payments', '1 payment', '2 payments', '1,000,000 payments'],
])('counts in %s', (language, ...expected) => {
  it('are singular for one only', async () => {
    await texts.changeLanguage(language);
    const counts = [0, 1, 2, 1_000_000].map((count) => texts.t('home.payments', { count }));
    expect(counts).toEqual(expected);
  });
});
