import { isUuid } from '#platform/kit/ids.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';

/** What a text that somebody looks for may mean. */
export interface SearchQuery {
  /** A whole id: nothing else is meant by one. */
  readonly id: string | undefined;
  /** Amounts in cents that it may be. */
  readonly amounts: readonly number[];
  /** A part of a name, an e-mail, a description or a reference, as `folded` leaves it. */
  readonly text: string;
}

export function parseSearch(text: string): SearchQuery {
  const trimmed = text.trim();
  const id = isUuid(trimmed) ? trimmed.toLowerCase() : undefined;
  return { id, amounts: parseAmounts(trimmed), text: normalizeText(trimmed) };
}

/** The accents of Portuguese and its neighbours as marks of their own, which NFD makes of accented letters. */
export const ACCENTS = '\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327';
const ACCENT = new RegExp(`[${ACCENTS}]`, 'g');

/** Without case and accents. */
export const normalizeText = (text: string): string =>
  text.normalize('NFD').replaceAll(ACCENT, '').toLowerCase();

/**
 * An amount as people write it: `15,00`, `15.00`, `R$ 1.500,00`. Digits alone are ambiguous and mean both: `1500` is R$ 1.500,00 and
 * R$ 15,00, since the API tells cents. With `R$` before them they are reais.
 */
function parseAmounts(text: string): readonly number[] {
  const currency = /^R\$\s*/i.exec(text)?.[0] ?? '';
  const number = text.slice(currency.length);
  const plain = /^\d{1,12}$/.test(number);
  const reais = plain ? number : parseReais(number);
  if (reais === undefined) return [];
  const [whole = '', cents = ''] = reais.split('.');
  const both = [Number(whole) * 100 + Number(cents.padEnd(2, '0'))];
  if (plain && currency === '') both.push(Number(number));
  return both.filter((amount) => amount > 0 && amount <= MAX_AMOUNT_CENTS);
}

/** A number with separators, as digits with a point before the cents. */
function parseReais(text: string): string | undefined {
  if (text.length > 20) return undefined;
  if (/^(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (/^(\d+|\d{1,3}(,\d{3})+)\.\d{1,2}$/.test(text)) return text.replaceAll(',', '');
  if (/^\d{1,3}([.,]\d{3})+$/.test(text)) return text.replaceAll(/[.,]/g, '');
  return undefined;
}
