/** How a settlement line and the ledger can differ. */
export const DIFFERENCE_KINDS = [
  'MISSING_IN_LEDGER',
  'MISSING_IN_FILE',
  'AMOUNT_DIFFERS',
  'DAY_DIFFERS',
  'DUPLICATE_LINE',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];
