import i18next from 'i18next';

import { serverNow } from '../api/clock.ts';

/**
 * Formats money, numbers, dates and durations in the user's language. Times are in São Paulo time.
 */

export type Language = 'pt-BR' | 'en';

export const currentLanguage = (): Language => (i18next.language === 'en' ? 'en' : 'pt-BR');

const ZONE = 'America/Sao_Paulo';

/** Creates one formatter for each language, on first use. */
function byLanguage<T>(create: (language: Language) => T): () => T {
  const created = new Map<Language, T>();
  return () => {
    const language = currentLanguage();
    const found = created.get(language) ?? create(language);
    created.set(language, found);
    return found;
  };
}

const numbers = (options: Intl.NumberFormatOptions) =>
  byLanguage((language) => new Intl.NumberFormat(language, options));
const dates = (options: Record<Language, Intl.DateTimeFormatOptions>) =>
  byLanguage((language) => new Intl.DateTimeFormat(language, { timeZone: ZONE, ...options[language] }));

/** A true minus sign, as wide as a plus. */
const withMinus = (text: string): string => text.replace('-', '−');

const BRL = numbers({ style: 'currency', currency: 'BRL' });

/**
 * `R$ 1.234,56` or `R$1,234.56` of integer cents. Formats reais and cents separately, without
 * floats.
 */
export function formatMoney(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const parts = BRL().formatToParts(BigInt(digits.slice(0, -2)));
  const text = parts.map(({ type, value }) => (type === 'fraction' ? digits.slice(-2) : value));
  return (cents < 0 ? '−' : '') + text.join('');
}

/** `US$ 10,50` or `$10.50` of the minor units of another currency. */
export function formatForeignMoney(minorUnits: number, currency: string): string {
  const format = new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency });
  return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const COMPACT = numbers({
  style: 'currency',
  currency: 'BRL',
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumFractionDigits: 1,
});

/** `R$ 1,2 mil` or `R$1.2K`, rounded. For chart axes. */
export const formatCompactMoney = (cents: number): string => withMinus(COMPACT().format(cents / 100));

const NUMBER = numbers({});
export const formatNumber = (value: number): string => NUMBER().format(value);

const ONE_DECIMAL = numbers({ maximumFractionDigits: 1 });
/** Seconds with at most one decimal, without a unit. */
export const formatDecimal = (value: number): string => ONE_DECIMAL().format(value);

const HUNDREDTHS = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** Basis points without the percent sign: 399 is `3,99` or `3.99`. */
export const formatBasisPoints = (basisPoints: number): string => HUNDREDTHS().format(basisPoints / 100);
/** Basis points: 399 is `3,99%` or `3.99%`. */
export const formatPercent = (basisPoints: number): string => `${formatBasisPoints(basisPoints)}%`;

const CHANGE = numbers({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
/** A ratio such as 0.12: `+12%`. */
export const formatChange = (ratio: number): string => withMinus(CHANGE().format(ratio));

const SHARE = numbers({ style: 'percent', maximumFractionDigits: 1 });
/** A share from 0 to 1: `93,5%` or `93.5%`. */
export const formatShare = (share: number): string => SHARE().format(share);

const DATE = dates({
  'pt-BR': { day: '2-digit', month: '2-digit', year: 'numeric' },
  en: { day: 'numeric', month: 'short', year: 'numeric' },
});
const DATE_TIME = dates({
  'pt-BR': { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  en: { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' },
});
const EXACT = dates({
  'pt-BR': { dateStyle: 'full', timeStyle: 'long' },
  en: { dateStyle: 'full', timeStyle: 'long' },
});
const DAY_MONTH = dates({
  'pt-BR': { day: '2-digit', month: '2-digit' },
  en: { day: 'numeric', month: 'short' },
});
const HOUR = dates({
  'pt-BR': { hour: '2-digit', minute: '2-digit' },
  en: { hour: 'numeric', minute: '2-digit' },
});
const MONTH = dates({
  'pt-BR': { month: '2-digit', year: 'numeric' },
  en: { month: 'short', year: 'numeric' },
});

/** `20/11/2026` or `Nov 20, 2026`. */
export const formatDate = (at: string | Date): string => DATE().format(new Date(at));
/** `20/11/2026 09:05` or `Nov 20, 2026, 9:05 AM`. */
export const formatDateTime = (at: string): string => {
  const text = DATE_TIME().format(new Date(at));
  return currentLanguage() === 'en' ? text : text.replace(',', '');
};
/** Weekday, date, and time to the second with its zone. */
export const formatExact = (at: string): string => EXACT().format(new Date(at));
/** `11/2026` or `Nov 2026`. */
export const formatMonth = (at: string): string => MONTH().format(new Date(at));
/** `20/11` or `Nov 20`. */
export const formatDayMonth = (at: string): string => DAY_MONTH().format(new Date(at));
/** `09:05` or `9:05 AM`. */
export const formatHour = (at: string): string => HOUR().format(new Date(at));

/** A calendar day such as `2026-11-20`, in the format of `formatDayMonth`. */
export const formatDay = (day: string): string => formatDayMonth(`${day}T12:00:00-03:00`);

const WEEKDAY = dates({
  'pt-BR': { weekday: 'short', day: '2-digit', month: '2-digit' },
  en: { weekday: 'short', day: 'numeric', month: 'short' },
});
/** `sex., 20/11` or `Fri, Nov 20` of a calendar day. */
export const formatWeekday = (day: string): string => WEEKDAY().format(new Date(`${day}T12:00:00-03:00`));

/** The day in São Paulo in the API's format: `2026-11-20`. */
export const localDay = (at: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' }).format(at);

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const RELATIVE = byLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));

/** Calendar days in São Paulo from one time to another: "yesterday" is not always 24 hours ago. */
const daysBetween = (from: number, to: number): number =>
  Math.round((Date.parse(localDay(new Date(to))) - Date.parse(localDay(new Date(from)))) / 86_400_000);

/** `há 5 minutos` or `5 minutes ago`; a date if more than 30 days away. */
export function formatRelative(at: string, now = serverNow()): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  if (Math.abs(seconds) > 30 * 86_400) return formatDate(at);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  const count = unit === 'day' ? daysBetween(now, Date.parse(at)) : Math.round(seconds / size);
  return RELATIVE().format(count, unit);
}

const padTwo = (value: number): string => String(value).padStart(2, '0');
const DAYS = numbers({ style: 'unit', unit: 'day', unitDisplay: 'long' });

/** Remaining time as `59:03`, `1:02:07` or `3 dias`. Negative values count as zero. */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (hours >= 48) return DAYS().format(Math.floor(hours / 24));
  return hours > 0
    ? `${hours}:${padTwo(minutes)}:${padTwo(seconds % 60)}`
    : `${padTwo(minutes)}:${padTwo(seconds % 60)}`;
}

/** `(11) 98765-4321`, after `+55` if the country code is given. Other text is unchanged. */
export function formatPhone(phone: string): string {
  const found = /^(55)?(\d{2})(\d{4,5})(\d{4})$/.exec(phone.replaceAll(/[\s()+-]/g, ''));
  if (found === null) return phone;
  const [, country, area, first, last] = found;
  return `${country === undefined ? '' : '+55 '}(${area}) ${first}-${last}`;
}

/**
 * `529.982.247-25` or `11.222.333/0001-81`. Other text, such as a masked document, is unchanged.
 */
export function formatDocument(document: string): string {
  const bare = document.replaceAll(/[\s./-]/g, '').toUpperCase();
  if (/^\d{11}$/.test(bare)) return bare.replace(/^(.{3})(.{3})(.{3})/, '$1.$2.$3-');
  if (!/^[0-9A-Z]{12}\d{2}$/.test(bare)) return document;
  return bare.replace(/^(.{2})(.{3})(.{3})(.{4})/, '$1.$2.$3/$4-');
}

/** Punctuates a CPF or CNPJ that is being typed: `529982` becomes `529.982`. */
export function maskDocument(typed: string): string {
  const bare = typed
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
    .slice(0, 14);
  const isCpf = /^\d{0,11}$/.test(bare);
  const [ends, marks] = isCpf ? [[3, 6, 9], '..-'] : [[2, 5, 8, 12], '../-'];
  return bare
    .split('')
    .map((char, index) => (marks[ends.indexOf(index)] ?? '') + char)
    .join('');
}

/** The text with its first letter in upper case. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The first and last characters of an ID: enough to identify it in a list. */
export const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;
