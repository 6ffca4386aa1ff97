import { isUuid } from '#platform/kit/ids.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { documentQuery } from '#privacy/search-query.ts';
import { normalizeText } from '#payments/search/service.ts';

/** The possible meanings of a search text. */
export interface SearchQuery {
  /** A complete id. Excludes all other meanings. */
  readonly id: string | undefined;
  /** Possible amounts in cents. */
  readonly amounts: readonly number[];
  /** A CPF or CNPJ. */
  readonly document: string | undefined;
  /** Identifies a Pix payment. */
  readonly endToEndId: string | undefined;
  /** The last four digits of a card. */
  readonly lastFour: string | undefined;
  /** A part of a name, email, description or reference, as `normalizeText` returns it. */
  readonly text: string;
}

const DOCUMENT = /^\d{11}$|^[0-9A-Z]{12}\d{2}$/;
const END_TO_END_ID = /^E[0-9A-Za-z]{31}$/;
const LAST_FOUR = /^\d{4}$/;

export function parseSearch(text: string): SearchQuery {
  const trimmed = text.trim();
  const id = isUuid(trimmed) ? trimmed.toLowerCase() : undefined;
  const { document } = documentQuery(trimmed);
  return {
    id,
    amounts: parseAmounts(trimmed),
    document: DOCUMENT.test(document) ? document : undefined,
    endToEndId: END_TO_END_ID.test(trimmed) ? trimmed : undefined,
    lastFour: LAST_FOUR.test(trimmed) ? trimmed : undefined,
    text: normalizeText(trimmed),
  };
}

/**
 * Parses the usual notations of an amount: `15,00`, `15.00`, `R$ 1.500,00`. Digits alone are
 * ambiguous: `1500` may mean R$ 1.500,00, or R$ 15,00 as in the API. After `R$` they are reais.
 */
function parseAmounts(text: string): readonly number[] {
  const currency = /^R\$\s*/i.exec(text)?.[0] ?? '';
  const number = text.slice(currency.length);
  const isDigits = /^\d{1,12}$/.test(number);
  const reais = isDigits ? number : parseReais(number);
  if (reais === undefined) return [];
  const [whole = '', cents = ''] = reais.split('.');
  const amounts = [Number(whole) * 100 + Number(cents.padEnd(2, '0'))];
  if (isDigits && currency === '') amounts.push(Number(number));
  return amounts.filter((amount) => amount > 0 && amount <= MAX_AMOUNT_CENTS);
}

/** Removes thousands separators and makes the decimal separator a point. */
function parseReais(text: string): string | undefined {
  if (text.length > 20) return undefined;
  if (/^(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (/^(\d+|\d{1,3}(,\d{3})+)\.\d{1,2}$/.test(text)) return text.replaceAll(',', '');
  if (/^\d{1,3}([.,]\d{3})+$/.test(text)) return text.replaceAll(/[.,]/g, '');
  return undefined;
}
