import { isEmail } from '#platform/kit/email.ts';

/** Whom somebody asks about, as it is compared with what is kept. */
export type SearchQuery = { readonly document: string } | { readonly email: string };

/** Documents are kept as digits and capital letters. */
export const documentQuery = (text: string) => ({
  document: text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase(),
});

/** A text that is a document or an e-mail; undefined for any other. */
export function parseSearch(text: string): SearchQuery | undefined {
  if (isEmail(text)) return { email: text };
  const query = documentQuery(text);
  return /^[0-9A-Z]{12}\d{2}$|^\d{11}$/.test(query.document) ? query : undefined;
}
