import { detectCardBrand } from '#formats/card/card-number.ts';

/** ISO 3166 numeric codes in the test numbers `400000CCC…` that card schemes' sandboxes share. */
const TEST_COUNTRIES: Readonly<Record<string, string>> = {
  '032': 'AR',
  '076': 'BR',
  '124': 'CA',
  '152': 'CL',
  '170': 'CO',
  '276': 'DE',
  '484': 'MX',
  '620': 'PT',
  '724': 'ES',
  '826': 'GB',
  '840': 'US',
};

/**
 * The country of a card's issuer (ISO 3166 alpha-2), if the number alone determines it: Elo and
 * Hipercard are issued in Brazil only. Otherwise null.
 */
export function cardCountryOf(number: string): string | null {
  const brand = detectCardBrand(number);
  if (brand === 'ELO' || brand === 'HIPERCARD') return 'BR';
  if (!number.startsWith('400000')) return null;
  return TEST_COUNTRIES[number.slice(6, 9)] ?? null;
}
