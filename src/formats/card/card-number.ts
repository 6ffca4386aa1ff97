/**
 * Validates card numbers (ISO/IEC 7812-1) and detects their brand.
 *
 * The published ranges of brands overlap: Elo and Hipercard issue inside ranges of Visa,
 * Mastercard, Maestro, Discover and Diners. So the narrow ranges of the Brazilian brands are tried
 * first.
 */

export type CardBrand = 'VISA' | 'MASTERCARD' | 'ELO' | 'AMEX' | 'HIPERCARD' | 'DINERS' | 'DISCOVER' | 'JCB';

/** Digits alone; no brand in use has fewer than 13 or more than 19. */
const NUMBER = /^\d{13,19}$/;

/** First and last prefix of a range, of the same length; one prefix stands for itself. */
type Range = string | readonly [string, string];

/** In the order in which they are tried. */
const RANGES: ReadonlyArray<readonly [CardBrand, readonly Range[]]> = [
  [
    'ELO',
    [
      '401178',
      '401179',
      '431274',
      '438935',
      '451416',
      '457393',
      ['457631', '457632'],
      '504175',
      ['506699', '506778'],
      ['509000', '509999'],
      '627780',
      '636297',
      '636368',
      ['650031', '650033'],
      ['650035', '650051'],
      ['650405', '650439'],
      ['650485', '650538'],
      ['650541', '650598'],
      ['650700', '650718'],
      ['650720', '650727'],
      ['650901', '650978'],
      ['651652', '651679'],
      ['655000', '655019'],
      ['655021', '655058'],
    ],
  ],
  [
    'HIPERCARD',
    [
      '606282',
      // Older Hipercard numbers, in what became a range of Diners Club.
      '384100',
      '384140',
      '384160',
      // Hiper, another brand of the same issuer, which acquirers settle as Hipercard.
      '637095',
      '63737423',
      '63743358',
      '637568',
      '637599',
      '637609',
      '637612',
    ],
  ],
  ['AMEX', ['34', '37']],
  ['DINERS', [['300', '305'], '3095', '36', ['38', '39']]],
  ['JCB', [['3528', '3589']]],
  ['DISCOVER', ['6011', ['622126', '622925'], ['644', '649'], '65']],
  // 503143 is in Maestro's range, but is issued in Brazil as a Mastercard credit card.
  ['MASTERCARD', [['51', '55'], ['2221', '2720'], '503143']],
  ['VISA', ['4']],
];

/**
 * The brand of a card number by its first digits, or null when it is of none of them or not 13 to
 * 19 digits. Nothing else is checked; see `passesLuhn`.
 *
 * @param number digits alone, without spaces.
 */
export function detectCardBrand(number: string): CardBrand | null {
  if (!NUMBER.test(number)) return null;
  for (const [brand, ranges] of RANGES) {
    if (ranges.some((range) => isWithin(number, range))) return brand;
  }
  return null;
}

function isWithin(number: string, range: Range): boolean {
  if (typeof range === 'string') return number.startsWith(range);
  const [first, last] = range;
  const prefix = number.slice(0, first.length);
  return prefix >= first && prefix <= last;
}

/**
 * Whether the last digit is the check digit of those before it (Luhn, ISO/IEC 7812-1 annex B):
 * every single wrong digit and nearly every transposition of adjacent digits fails. False for
 * anything but 13 to 19 digits, and for zeros alone, which would pass.
 *
 * @param number digits alone, without spaces.
 */
export function passesLuhn(number: string): boolean {
  if (!NUMBER.test(number) || /^0+$/.test(number)) return false;
  let sum = 0;
  for (let i = 0; i < number.length; i++) {
    const digit = number.charCodeAt(number.length - 1 - i) - 48;
    const doubled = i % 2 === 1 ? 2 * digit : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
