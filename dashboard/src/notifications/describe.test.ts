import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';

import { pt } from '../i18n/pt.ts';
import { describeNotification } from './describe.ts';

beforeAll(() =>
  i18next.init({
    lng: 'pt-BR',
    resources: { 'pt-BR': { translation: pt } },
    interpolation: { escapeValue: false },
  }),
);

it('a daily summary links to the payments of its day', () => {
  const params = { date: '2026-11-19', count: 2, amount: 123_456 };
  expect(describeNotification({ kind: 'daily-summary', params })).toEqual({
    title: 'Resumo diário',
    detail: '19/11 · 2 cobranças pagas · R$\u00a01.234,56',
    to: '/statement?cause=PAYMENT&startDate=2026-11-19&endDate=2026-11-19',
  });
});
