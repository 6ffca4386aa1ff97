/**
 * The page that a payer opens: everything needed to pay, without signing in. It works without
 * scripts (copy buttons are then hidden), loads nothing from other hosts and has no inline script
 * or style.
 */
import { formatDigitableLine } from './barcode.ts';
import { formatAmount, formatDate } from './formatting.ts';
import { PAGE_TEXTS, type BoletoPageStatus, type PageLanguage } from './html-page-texts.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import { escapeHtml } from '#formats/html.ts';

export interface BoletoPage {
  readonly status: BoletoPageStatus;
  /** Integer cents. */
  readonly amountCents: number;
  readonly dueDate: LocalDate;
  /** The document as it is to be read: `CNPJ 12.345.678/0001-95`. */
  readonly beneficiary: { readonly name: string; readonly document: string };
  /**
   * Anyone with the address can see the page, so the document must be masked: `CPF ***.456.789-**`.
   */
  readonly payer: { readonly name: string; readonly document: string };
  /** What is paid for, or null. */
  readonly description: string | null;
  readonly instructions: readonly string[];
  /** 47 digits. */
  readonly digitableLine: string;
  readonly barcodeUrl: string;
  readonly pdfUrl: string;
  /** The BR Code that pays the same debt and the address of its picture, or null. */
  readonly pix: { readonly code: string; readonly pictureUrl: string } | null;
}

/** The watermark of a boleto that must not be paid, or null. */
export function boletoNotice(status: BoletoPageStatus): string | null {
  if (status === 'UNREGISTERED') return 'EM REGISTRO NO BANCO – AINDA NÃO PODE SER PAGO';
  if (status === 'WAITING') return null;
  const warning = status === 'PAID' || status === 'PROCESSING' ? 'NÃO PAGUE NOVAMENTE' : 'NÃO PAGUE';
  return `${PAGE_TEXTS['pt-BR'].labels[status].toUpperCase()} – ${warning}`;
}

/**
 * Writes the page, a whole HTML document. Every value is escaped.
 *
 * @throws RangeError when the line is not 47 digits.
 */
export function renderBoletoPage(page: BoletoPage, language: PageLanguage): string {
  const texts = PAGE_TEXTS[language];
  const amount = amountText(page.amountCents, language);
  const payment = page.status === 'WAITING' ? paymentSections(page, language) : '';
  return htmlDocument(
    language,
    `${texts.title(amount)} – ${escapeHtml(page.beneficiary.name)}`,
    `<header>
        <p class="beneficiary">${escapeHtml(page.beneficiary.name)}</p>
        <h1>${texts.title(`<span class="amount">${amount}</span>`)}</h1>
        <p class="status status-${page.status.toLowerCase()}">${texts.labels[page.status]}</p>
        <p>${statusMessage(page, language)}</p>
      </header>
      <dl>
        ${definition(texts.amount, amount)}
        ${definition(texts.dueDate, dateText(page.dueDate, language))}
        ${definition(texts.beneficiary, page.beneficiary.name, page.beneficiary.document)}
        ${definition(texts.payer, page.payer.name, page.payer.document)}
        ${page.description === null ? '' : definition(texts.description, page.description)}
      </dl>
      ${payment}
    </main>
    <script src="/assets/boleto.js"></script>`,
  );
}

function statusMessage({ status, pix }: BoletoPage, language: PageLanguage): string {
  const { messages, payOnce } = PAGE_TEXTS[language];
  return status === 'WAITING' && pix !== null ? payOnce : messages[status];
}

/** `R$ 1.234,56` or `R$1,234.56`. */
function amountText(cents: number, language: PageLanguage): string {
  const amount = formatAmount(cents);
  return language === 'en'
    ? `R$${amount.replaceAll(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'))}`
    : `R$ ${amount}`;
}

const ENGLISH_DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** `31/12/2026` or `Dec 31, 2026`. */
const dateText = (date: LocalDate, language: PageLanguage): string =>
  language === 'en' ? ENGLISH_DATE.format(new Date(date)) : formatDate(date);

/** The page of an unknown address, such as a link that was damaged on its way to the payer. */
export function renderUnknownBoletoPage(language: PageLanguage): string {
  const { title, hint } = PAGE_TEXTS[language].unknown;
  return htmlDocument(
    language,
    title,
    `<h1>${title}</h1>
      <p>${hint}</p>
    </main>`,
  );
}

function htmlDocument(language: PageLanguage, title: string, main: string): string {
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="referrer" content="no-referrer" />
    <title>${title}</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/assets/boleto.css" />
  </head>
  <body>
    <main>
      ${main}
  </body>
</html>
`;
}

function paymentSections(page: BoletoPage, language: PageLanguage): string {
  const { barcode, pdf, instructions: instructionsTitle } = PAGE_TEXTS[language];
  const line = escapeHtml(page.digitableLine);
  return `${page.pix === null ? '' : pixSection(page.pix, language)}
      <section aria-labelledby="barcode-title">
        <h2 id="barcode-title">${barcode.title}</h2>
        <p>${barcode.hint}</p>
        <img class="barcode" src="${escapeHtml(page.barcodeUrl)}" width="850" height="107"
          alt="${barcode.picture}" />
        <p class="label" id="line-label">${barcode.line}</p>
        <p class="code line" id="line" data-copy-text="${line}">${formatDigitableLine(page.digitableLine)}</p>
        ${copyButton('line', barcode.copy)}
      </section>
      <p class="download"><a href="${escapeHtml(page.pdfUrl)}">${pdf}</a></p>
      ${instructions(page.instructions, instructionsTitle)}
      <p class="copied" id="copied" role="status"></p>`;
}

function pixSection(pix: { code: string; pictureUrl: string }, language: PageLanguage): string {
  const texts = PAGE_TEXTS[language].pix;
  return `<section aria-labelledby="pix-title">
        <h2 id="pix-title">Pix</h2>
        <p>${texts.hint}</p>
        <img class="qr" src="${escapeHtml(pix.pictureUrl)}" width="276" height="276" alt="${texts.picture}" />
        <p class="label" id="pix-label">${texts.code}</p>
        <p class="code" id="pix">${escapeHtml(pix.code)}</p>
        ${copyButton('pix', texts.copy)}
      </section>`;
}

/** Hidden until the script that makes it work has run. */
function copyButton(id: string, label: string): string {
  return `<button type="button" data-copy="${id}" hidden>${label}</button>`;
}

/** Instructions go to the bank, so they are in Portuguese on every page. */
function instructions(lines: readonly string[], title: string): string {
  if (lines.length === 0) return '';
  return `<section aria-labelledby="instructions-title">
        <h2 id="instructions-title">${title}</h2>
        <ul lang="pt-BR">
          ${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n          ')}
        </ul>
      </section>`;
}

function definition(term: string, value: string, detail?: string): string {
  const more = detail === undefined ? '' : `<span class="detail">${escapeHtml(detail)}</span>`;
  return `<div><dt>${term}</dt><dd>${escapeHtml(value)}${more}</dd></div>`;
}
