export const LIST_KINDS = [
  'blocked-documents',
  'blocked-emails',
  'blocked-cards',
  'blocked-addresses',
  'trusted-documents',
  'trusted-emails',
  'trusted-cards',
  'trusted-addresses',
] as const;
/** The lists of blocked and trusted values. */
export type ListKind = (typeof LIST_KINDS)[number];
