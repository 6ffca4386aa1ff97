import { isEmail } from '#platform/kit/email.ts';

/** A search for a payer, in the stored format. */
export type SearchQuery = { readonly document: string } | { readonly email: string };

/** Documents are stored as digits and capital letters. */
export const documentQuery = (text: string) => ({
  document: text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase(),
});

/** Parses a document or an email address. Returns undefined for any other text. */
export function parseSearch(text: string): SearchQuery | undefined {
  if (isEmail(text)) return { email: text };
  const query = documentQuery(text);
  return /^[0-9A-Z]{12}\d{2}$|^\d{11}$/.test(query.document) ? query : undefined;
}
