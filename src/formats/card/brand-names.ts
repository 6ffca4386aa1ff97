/** The names of card brands as they write them themselves. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['VISA', 'Visa'],
  ['MASTERCARD', 'Mastercard'],
  ['ELO', 'Elo'],
  ['AMEX', 'American Express'],
  ['HIPERCARD', 'Hipercard'],
  ['DINERS', 'Diners Club'],
  ['DISCOVER', 'Discover'],
  ['JCB', 'JCB'],
]);

/** The name of a brand. An unknown brand is returned unchanged, null as an empty text. */
export const brandName = (brand: string | null): string =>
  brand === null ? '' : (NAMES.get(brand) ?? brand);

/** `Visa •••• 1111`. */
export const cardLabel = (card: { readonly brand: string | null; readonly lastFour: string }): string =>
  `${brandName(card.brand)} •••• ${card.lastFour}`.trim();
