import { serverNow } from '../api/clock.ts';

/** Amounts and dates look as they do in Brazil, whichever language is read. */

const BRL = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const ZONE = 'America/Sao_Paulo';

/** `R$ 1.234,56` of integer cents, with a true minus sign. No float is made of it: Intl writes the reais, and the cents are put in. */
export function formatMoney(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const parts = BRL.formatToParts(BigInt(digits.slice(0, -2)));
  const text = parts.map(({ type, value }) => (type === 'fraction' ? digits.slice(-2) : value));
  return (cents < 0 ? '−' : '') + text.join('');
}

const NUMBER = new Intl.NumberFormat('pt-BR');
export const formatNumber = (value: number): string => NUMBER.format(value);

/** Percent of hundredths of a percent: 399 is `3,99%`. */
export const formatPercent = (basisPoints: number): string =>
  `${(basisPoints / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 })}%`;

const DATE_TIME = new Intl.DateTimeFormat('pt-BR', {
  timeZone: ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const EXACT = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, dateStyle: 'full', timeStyle: 'long' });
const DATE = new Intl.DateTimeFormat('pt-BR', {
  timeZone: ZONE,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});

export const formatDateTime = (at: string): string => DATE_TIME.format(new Date(at)).replace(',', '');
export const formatExact = (at: string): string => EXACT.format(new Date(at));
export const formatDate = (at: string | Date): string => DATE.format(new Date(at));

/** The day in São Paulo as the API takes it: `2026-11-20`. */
export const localDay = (at: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' }).format(at);

const DAY_MONTH = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, day: '2-digit', month: '2-digit' });
const HOUR = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });

const MONTH = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, month: '2-digit', year: '2-digit' });

export const formatMonth = (at: string): string => MONTH.format(new Date(at));
export const formatDayMonth = (at: string): string => DAY_MONTH.format(new Date(at));
export const formatHour = (at: string): string => HOUR.format(new Date(at));

/** A day such as `2026-11-20`, of no zone: `20/11`. */
export const formatDay = (day: string): string => day.slice(5).split('-').toReversed().join('/');

const COMPACT = new Intl.NumberFormat('pt-BR', {
  style: 'currency',
  currency: 'BRL',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** `R$ 1,2 mil`: for axes, where room is scarce and nothing is added up. */
export const formatRough = (cents: number): string => COMPACT.format(cents / 100);

const CHANGE = new Intl.NumberFormat('pt-BR', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const SHARE = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 1 });

/** Of a ratio such as 0.12: `+12%`. */
export const formatChange = (ratio: number): string => CHANGE.format(ratio).replace('-', '−');
/** Of a share from 0 to 1: `93,5%`. */
export const formatShare = (share: number): string => SHARE.format(share);

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `há 5 minutos`; what lies further than a month away is a date. */
export function formatRelative(at: string, language: string): string {
  const seconds = Math.round((Date.parse(at) - serverNow()) / 1_000);
  if (Math.abs(seconds) > 30 * 86_400) return formatDate(at);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `59:03` or `1:02:07` of what is left, nothing below zero. */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}

/** The first and last characters of an id: enough to tell it from its neighbours. */
export const shortId = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;
