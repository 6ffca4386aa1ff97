import { formatDigitableLine } from '#formats/boleto/barcode.ts';
import { escapeHtml } from '#formats/html.ts';
import type { PayerState } from '#payments/transactions/payer-state.ts';
import type { Method } from '#payments/transactions/transaction.ts';
import { renderQrDataUri } from '#qr';
import { documentHtml, formatMoney, notice, renderDocument, type PageSeller } from './document.ts';
import { PAGE_TEXTS, type PageLanguage } from './texts.ts';

export interface PageReceipt {
  readonly paidAt: Date;
  readonly refundedAmount: number;
  readonly installments: number | null;
  readonly payer: { readonly name: string; readonly document: string };
  readonly endToEndId: string | null;
  readonly card: string | null;
  readonly authorizationCode: string | null;
}

export interface PaymentPage {
  readonly token: string;
  /** The address of this page. */
  readonly url: string;
  /** As the API names it, to notice a change. */
  readonly status: string;
  readonly state: PayerState;
  readonly method: Method;
  /** Cents. */
  readonly amount: number;
  readonly description: string | null;
  readonly seller: PageSeller;
  /** Seconds until it expires; null if it does not. */
  readonly secondsLeft: number | null;
  readonly pixCode: string | null;
  readonly boleto: {
    readonly digitableLine: string;
    readonly barcodeUrl: string;
    readonly pdfUrl: string;
    /** `YYYY-MM-DD`. */
    readonly dueDate: string;
  } | null;
  /** Of a payment that was made. */
  readonly receipt: PageReceipt | null;
  /** The page of the link, where the payer can start again; null without an active link. */
  readonly linkUrl: string | null;
  /** True if one request makes a new code. */
  readonly isRenewable: boolean;
  readonly successUrl: string | null;
}

/** The page of a payment: how to pay it, and its status. */
export function renderPaymentPage(page: PaymentPage, language: PageLanguage): string {
  const { title, hint } = headingOf(page, language);
  const { description } = page;
  return renderDocument({
    language,
    seller: page.seller,
    title: `${title} – ${page.seller.name}`,
    data: {
      page: 'payment',
      token: page.token,
      status: page.status,
      state: page.state,
      announce: `${title}. ${hint}`,
      ...(page.secondsLeft === null ? {} : { seconds: String(page.secondsLeft) }),
    },
    content: `<div class="state state-${page.state.toLowerCase()}">${notice(title, hint)}</div>
      <p class="amount">${formatMoney(page.amount, language)}</p>
      ${description === null ? '' : `<p class="hint description">${escapeHtml(description)}</p>`}
      ${page.state === 'WAITING' ? waysToPay(page, language) : ''}
      ${page.receipt === null ? '' : receipt(page, page.receipt, language)}
      ${nextStep(page, language)}
      ${page.state === 'WAITING' || page.receipt !== null ? share(page, language) : ''}`,
  });
}

function headingOf({ state, method, linkUrl, pixCode }: PaymentPage, language: PageLanguage) {
  const { states, boletoWaiting, boletoOrPixWaiting, boletoExpired, askForAnother } = PAGE_TEXTS[language];
  if (method === 'BOLETO' && state === 'WAITING')
    return pixCode === null ? boletoWaiting : boletoOrPixWaiting;
  const isExpiredBoleto = method === 'BOLETO' && state === 'EXPIRED';
  const notice = isExpiredBoleto ? boletoExpired : states[state];
  if (linkUrl !== null || (state !== 'EXPIRED' && state !== 'FAILED')) return notice;
  return { ...notice, hint: askForAnother[isExpiredBoleto ? 'boletoExpired' : state] };
}

function waysToPay(page: PaymentPage, language: PageLanguage): string {
  const { boleto, pixCode } = page;
  return `${boleto === null ? '' : boletoSection(boleto, language)}
      ${pixCode === null ? '' : pixSection(page, pixCode, language)}`;
}

function pixSection({ method, secondsLeft }: PaymentPage, code: string, language: PageLanguage): string {
  const { pix, expiresIn } = PAGE_TEXTS[language];
  const isMain = method === 'PIX';
  const countdown =
    isMain && secondsLeft !== null ? `<p class="countdown" id="countdown">${expiresIn(secondsLeft)}</p>` : '';
  return `<section class="pix" aria-label="Pix">
        ${copyButton('pix', pix.copy, isMain)}
        ${countdown}
        <img class="qr" src="${renderQrDataUri(code)}" width="240" height="240" alt="${pix.picture}" />
        <p class="label">${pix.code}</p>
        <p class="code" id="pix">${escapeHtml(code)}</p>
        <ol>${pix.steps.map((step) => `<li>${step}</li>`).join('')}</ol>
        ${isMain ? `<p class="waiting" id="waiting">${pix.waiting}</p>` : ''}
      </section>`;
}

function boletoSection(boleto: NonNullable<PaymentPage['boleto']>, language: PageLanguage): string {
  const texts = PAGE_TEXTS[language].boleto;
  const date = new Date(boleto.dueDate).toLocaleDateString(language, {
    timeZone: 'UTC',
    ...(language === 'en' ? { dateStyle: 'medium' } : { day: '2-digit', month: '2-digit', year: 'numeric' }),
  });
  return `<section aria-label="Boleto">
        <p class="countdown">${texts.dueDate}: <strong>${date}</strong></p>
        ${copyButton('line', texts.copy, true)}
        <p class="label">${texts.line}</p>
        <p class="code" id="line" data-copy-text="${boleto.digitableLine}"
          >${formatDigitableLine(boleto.digitableLine)}</p>
        <img class="barcode" src="${escapeHtml(boleto.barcodeUrl)}" width="850" height="107"
          alt="${texts.picture}" />
        <p><a class="secondary" href="${escapeHtml(boleto.pdfUrl)}" target="_blank"
          rel="noopener">${texts.pdf}</a></p>
      </section>`;
}

/** To let another person pay, or to keep the receipt. */
function share(page: PaymentPage, language: PageLanguage): string {
  const { url, seller, amount, receipt: isPaid } = page;
  const texts = PAGE_TEXTS[language].share;
  const of = { seller: seller.name, amount: formatMoney(amount, language) };
  const title = isPaid === null ? texts.payment(of) : texts.receipt(of);
  const text = encodeURIComponent(`${title}\n${url}`);
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${text}`;
  return `<section class="share" aria-label="${texts.label}">
        <p class="label">${isPaid === null ? texts.toPay : texts.toKeep}</p>
        <p>
          <button type="button" data-copy="address" hidden>${texts.copy}</button>
          <a href="https://wa.me/?text=${text}" target="_blank" rel="noopener noreferrer">WhatsApp</a>
          <a href="${escapeHtml(mail)}">${texts.mail}</a>
        </p>
        <span class="visually-hidden" id="address" aria-hidden="true">${escapeHtml(url)}</span>
      </section>`;
}

/** Hidden until the script that makes it work has run. */
const copyButton = (id: string, label: string, isPrimary: boolean): string =>
  `<button type="button" class="${isPrimary ? 'primary' : 'secondary'}" data-copy="${id}" ` +
  `hidden>${label}</button>`;

function receipt(page: PaymentPage, details: PageReceipt, language: PageLanguage): string {
  const { receipt: texts, methods } = PAGE_TEXTS[language];
  const paidAt = details.paidAt.toLocaleString(language, {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const refunded = details.refundedAmount === 0 ? null : formatMoney(details.refundedAmount, language);
  // The values are HTML.
  const rows: readonly (readonly [string, string | null])[] = [
    [texts.amount, formatMoney(page.amount, language)],
    [texts.refunded, refunded],
    [texts.paidAt, paidAt],
    [texts.method, methods[page.method] + installmentsText(details.installments)],
    [texts.card, details.card && escapeHtml(details.card)],
    [texts.authorizationCode, details.authorizationCode && escapeHtml(details.authorizationCode)],
    [texts.seller, `${escapeHtml(page.seller.legalName)}, ${documentHtml(page.seller.document)}`],
    [texts.payer, `${escapeHtml(details.payer.name)}, ${documentHtml(details.payer.document)}`],
    [texts.endToEndId, details.endToEndId && escapeHtml(details.endToEndId)],
  ];
  const shown = rows.flatMap(([term, html]) =>
    html === null ? [] : `<div><dt>${term}</dt><dd>${html}</dd></div>`,
  );
  return `<section aria-label="${texts.title}"><h2>${texts.title}</h2><dl>${shown.join('')}</dl></section>`;
}

const installmentsText = (count: number | null): string =>
  count === null || count === 1 ? '' : `, ${count}x`;

const link = (kind: string, url: string, label: string, attributes = ''): string =>
  `<p><a class="${kind}" href="${escapeHtml(url)}"${attributes}>${label}</a></p>`;

/** What the payer does after the payment, or after it has failed. */
function nextStep(page: PaymentPage, language: PageLanguage): string {
  const { receipt: texts, pix } = PAGE_TEXTS[language];
  if (page.receipt !== null) {
    const pdf = `/v1/public/payments/${page.token}/receipt.pdf`;
    const { successUrl } = page;
    const back = successUrl === null ? '' : link('primary', successUrl, texts.back, ' target="_top"');
    return back + link('secondary', pdf, texts.pdf, ' target="_blank" rel="noopener"');
  }
  if (page.state !== 'EXPIRED' && page.state !== 'FAILED') return '';
  if (page.isRenewable)
    return `<p class="problem" id="problem" role="alert" tabindex="-1"></p>
      <button type="button" class="primary" id="renew" hidden>${pix.renew}</button>`;
  return page.linkUrl === null ? '' : link('primary', page.linkUrl, pix.startAgain);
}
