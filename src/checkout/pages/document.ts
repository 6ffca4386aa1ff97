import { PAGE_TEXTS, type PageLanguage, type PageTexts } from './texts.ts';
import { escapeHtml } from '#formats/html.ts';

/** The payee, as the page shows it. */
export interface PageSeller {
  /** The name that the seller chose for payers. */
  readonly name: string;
  /** Path of its logo at the gateway, or null. */
  readonly logoPath: string | null;
  readonly legalName: string;
  /** As it is to be read: `CNPJ 12.345.678/0001-95`. */
  readonly document: string;
  /** Whether the gateway is a sandbox, in which no real money is paid. */
  readonly isSandbox: boolean;
}

export interface PageDocument {
  readonly language: PageLanguage;
  readonly title: string;
  /** Null if the payee is unknown. */
  readonly seller: PageSeller | null;
  /** Attributes of the main element, which the script reads. */
  readonly data: Readonly<Record<string, string>>;
  /** HTML. */
  readonly content: string;
}

/** Writes a payment page, a whole HTML document without scripts or styles of its own. */
export function renderDocument({ language, title, seller, data, content }: PageDocument): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/assets/payment.css" />
    <script src="/assets/payment.js" defer></script>
  </head>
  <body>
    <main id="page"${attributes.join('')}>
      ${seller === null ? '' : sellerHeader(seller, PAGE_TEXTS[language])}
      ${content}
      ${seller === null ? '' : footer(seller, PAGE_TEXTS[language])}
    </main>
    <p class="visually-hidden" id="announcement" role="status"></p>
  </body>
</html>
`;
}

/** The logo covers the initial, which is seen while the logo cannot be loaded. */
function sellerHeader({ name, logoPath, isSandbox }: PageSeller, texts: PageTexts): string {
  const initial = escapeHtml(/^\p{L}|^\p{N}/u.exec(name)?.[0] ?? '');
  const logo = logoPath === null ? '' : `<img src="${escapeHtml(logoPath)}" width="44" height="44" alt="" />`;
  const sandbox = isSandbox ? `<p class="sandbox">${escapeHtml(texts.sandbox)}</p>` : '';
  return `${sandbox}<header class="seller">
        <span class="logo" aria-hidden="true">${initial}${logo}</span>
        <p>${escapeHtml(name)}</p>
      </header>`;
}

function footer({ legalName, document }: PageSeller, texts: PageTexts): string {
  const payee = `${escapeHtml(legalName)}<br />${documentHtml(document)}`;
  return `<footer><p>${payee}</p><p>${escapeHtml(texts.processedBy)}</p></footer>`;
}

/** HTML of a document such as `CNPJ 12.345.678/0001-95`, whose number stays on one line. */
export function documentHtml(document: string): string {
  const start = document.indexOf(' ') + 1;
  const number = `<span class="nowrap">${escapeHtml(document.slice(start))}</span>`;
  return escapeHtml(document.slice(0, start)) + number;
}

/** `R$ 1.234,56` or `R$1,234.56`. */
export function formatMoney(cents: number, language: PageLanguage): string {
  const reais = cents / 100;
  return language === 'en'
    ? `R$${reais.toLocaleString('en', { minimumFractionDigits: 2 })}`
    : `R$ ${reais.toLocaleString('pt-BR', { minimumFractionDigits: 2 })}`;
}

export const notice = (title: string, hint: string): string =>
  `<h1 tabindex="-1">${escapeHtml(title)}</h1><p class="hint">${escapeHtml(hint)}</p>`;
