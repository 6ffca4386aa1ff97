/**
 * The language of a page for payers: English if the browser prefers it to Portuguese, else
 * Portuguese (RFC 9110, section 12.5.4).
 */
export function preferredLanguage(header = ''): 'pt-BR' | 'en' {
  return qualityOf('en', header) > qualityOf('pt', header) ? 'en' : 'pt-BR';
}

/** The preferred language; undefined if the browser names neither. */
export const statedLanguage = (header = ''): 'pt-BR' | 'en' | undefined =>
  qualityOf('en', header) === 0 && qualityOf('pt', header) === 0 ? undefined : preferredLanguage(header);

/** From 0 to 1; 0 if the header does not name the language or one of its variants. */
function qualityOf(language: string, header: string): number {
  let best = 0;
  for (const range of header.toLowerCase().replaceAll(' ', '').split(',')) {
    const [tag = '', quality] = range.split(';q=');
    if (tag === language || tag.startsWith(`${language}-`)) best = Math.max(best, Number(quality ?? 1) || 0);
  }
  return best;
}
