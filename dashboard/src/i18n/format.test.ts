import i18next from 'i18next';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import * as format from './format.ts';
import { translateReason } from './reasons.ts';

/** Intl separates the currency with a no-break space. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

beforeAll(() => i18next.init({ lng: 'pt-BR', resources: {} }));
afterEach(() => vi.useRealTimers());

const AT = '2026-11-20T12:05:00.000Z';

const EXAMPLES = [
  [
    'reasons',
    () => translateReason('MED: ACCOUNT_TAKEOVER'),
    'MED: invasão de conta',
    'MED: account takeover',
  ],
  ['money', () => format.formatMoney(-123_456), '−R$ 1.234,56', '−R$1,234.56'],
  ['money below one real', () => format.formatMoney(7), 'R$ 0,07', 'R$0.07'],
  ['compact money', () => format.formatCompactMoney(240_000), 'R$ 2,4 mil', 'R$2.4K'],
  ['compact money in full', () => format.formatCompactMoney(70_000), 'R$ 700', 'R$700'],
  ['numbers', () => format.formatNumber(12_345), '12.345', '12,345'],
  ['fees', () => format.formatPercent(399), '3,99%', '3.99%'],
  ['shares', () => format.formatShare(0.935), '93,5%', '93.5%'],
  ['changes', () => format.formatChange(-0.12), '−12%', '−12%'],
  ['dates', () => format.formatDate(AT), '20/11/2026', 'Nov 20, 2026'],
  ['times', () => format.formatDateTime(AT), '20/11/2026 09:05', 'Nov 20, 2026, 9:05 AM'],
  ['days without a zone', () => format.formatDay('2026-11-20'), '20/11', 'Nov 20'],
  ['months', () => format.formatMonth(AT), '11/2026', 'Nov 2026'],
  ['days left', () => format.formatCountdown(3 * 86_400_000), '3 dias', '3 days'],
  ['phones', () => format.formatPhone('11987654321'), '(11) 98765-4321', '(11) 98765-4321'],
  ['landlines', () => format.formatPhone('1133224455'), '(11) 3322-4455', '(11) 3322-4455'],
  ['phones of area 55', () => format.formatPhone('55987654321'), '(55) 98765-4321', '(55) 98765-4321'],
  [
    'phones with +55',
    () => format.formatPhone('+5511987654321'),
    '+55 (11) 98765-4321',
    '+55 (11) 98765-4321',
  ],
  ['CPFs', () => format.formatDocument('52998224725'), '529.982.247-25', '529.982.247-25'],
  ['CNPJs', () => format.formatDocument('12ABC34501DE35'), '12.ABC.345/01DE-35', '12.ABC.345/01DE-35'],
  ['masked CPFs', () => format.formatDocument('***.982.247-**'), '***.982.247-**', '***.982.247-**'],
  ['hours left', () => format.formatCountdown(3_727_000), '1:02:07', '1:02:07'],
] as const;

describe.each(['pt-BR', 'en'] as const)('formats of numbers and dates in %s', (language) => {
  it.each(EXAMPLES)('%s', async (_, text, portuguese, english) => {
    await i18next.changeLanguage(language);
    expect(plain(text())).toBe(language === 'en' ? english : portuguese);
  });
});

it.each([
  ['52998', '529.98'],
  ['52998224725', '529.982.247-25'],
  ['112223330001', '11.222.333/0001'],
  ['12abc34501de35', '12.ABC.345/01DE-35'],
  ['12.ABC.345/01DE-35 ', '12.ABC.345/01DE-35'],
])('punctuates the document %s as it is typed', (typed, shown) => {
  expect(format.maskDocument(typed)).toBe(shown);
});

it.each([
  ['2026-11-23T05:00:00.000Z', 'há 1 hora', '1 hour ago'],
  ['2026-11-22T05:00:00.000Z', 'ontem', 'yesterday'],
  // 28 hours ago, but on the day before yesterday.
  ['2026-11-22T02:00:00.000Z', 'anteontem', '2 days ago'],
])('names the day of %s at 3:00 of November 23', async (at, portuguese, english) => {
  vi.useFakeTimers({ now: new Date('2026-11-23T06:00:00.000Z') });
  await i18next.changeLanguage('pt-BR');
  expect(format.formatRelative(at)).toBe(portuguese);
  await i18next.changeLanguage('en');
  expect(format.formatRelative(at)).toBe(english);
});
