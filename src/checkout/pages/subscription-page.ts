import type { PayerCard, PayerInvoice, PayerSubscription } from '#checkout/subscription.ts';
import { cardLabel } from '#formats/card/brand-names.ts';
import { escapeHtml } from '#formats/html.ts';
import { renderQrDataUri } from '#qr';
import { hasEnded } from '#subscriptions/states.ts';
import { nextChargeDate } from '#subscriptions/views.ts';
import { formatMoney, notice, renderDocument, type PageSeller } from './document.ts';
import { cardFields } from './link-page.ts';
import { SUBSCRIPTION_TEXTS } from './subscription-texts.ts';
import { PAGE_TEXTS, type PageLanguage } from './texts.ts';

export interface SubscriptionPage extends PayerSubscription {
  readonly token: string;
  readonly seller: PageSeller;
  readonly now: Date;
}

/** The page on which its payer sees a subscription, changes its card, and cancels it. */
export function renderSubscriptionPage(page: SubscriptionPage, language: PageLanguage): string {
  const { subscription, seller, token } = page;
  const texts = SUBSCRIPTION_TEXTS[language];
  const { description, amount, interval, status, method } = subscription;
  const title = description ?? texts.one;
  const isOpen = !hasEnded(status);
  return renderDocument({
    language,
    seller,
    title: `${title} – ${seller.name}`,
    data: { page: 'subscription', token, announce: `${texts.status}: ${texts.statuses[status]}` },
    content: `<h1 tabindex="-1">${escapeHtml(title)}</h1>
      <p class="amount">${formatMoney(amount, language)} <small>${texts.intervals[interval]}</small></p>
      <noscript><p class="problem">${PAGE_TEXTS[language].noScript}</p></noscript>
      ${details(page, language)}
      ${isOpen ? authorization(page, language) : ''}
      ${invoices(page.invoices, language)}
      ${isOpen && method === 'CREDIT_CARD' ? cardSection(status === 'PAST_DUE', language) : ''}
      ${isOpen ? cancelSection(language) : ''}`,
  });
}

/** The page of an address that no subscription has. */
export function renderUnknownSubscriptionPage(language: PageLanguage): string {
  const { title, hint } = SUBSCRIPTION_TEXTS[language].unknown;
  const content = notice(title, hint);
  return renderDocument({ language, seller: null, title, data: { page: 'notice' }, content });
}

const formatDay = (day: string, language: PageLanguage): string =>
  new Date(day).toLocaleDateString(language, {
    timeZone: 'UTC',
    ...(language === 'en' ? { dateStyle: 'medium' } : { day: '2-digit', month: '2-digit', year: 'numeric' }),
  });

/** The values are HTML. */
const list = (rows: readonly (readonly [string, string])[]): string =>
  `<dl>${rows.map(([term, html]) => `<div><dt>${term}</dt><dd>${html}</dd></div>`).join('')}</dl>`;

function details({ subscription, card, now }: SubscriptionPage, language: PageLanguage): string {
  const texts = SUBSCRIPTION_TEXTS[language];
  const { status, method, startDate, cycles } = subscription;
  const next = nextChargeDate(subscription, now);
  return `<section aria-label="${texts.one}">${list([
    [texts.status, texts.statuses[status]],
    [texts.nextCharge, next === null ? texts.noCharge : formatDay(next, language)],
    [texts.method, card === null ? texts.methods[method] : cardText(card, language)],
    [texts.startDate, formatDay(startDate, language)],
    [texts.cycles, cycles === null ? texts.noEnd : String(cycles)],
  ])}</section>`;
}

function cardText(card: PayerCard, language: PageLanguage): string {
  const { expirationMonth, expirationYear } = card;
  const expiry = `${String(expirationMonth).padStart(2, '0')}/${expirationYear}`;
  const number = escapeHtml(cardLabel(card));
  return `${number}, ${SUBSCRIPTION_TEXTS[language].cardExpires(expiry)}`;
}

/** The code by which the payer authorizes Pix Automático. */
function authorization({ subscription }: SubscriptionPage, language: PageLanguage): string {
  const { status, authorization: asked } = subscription;
  const code = asked?.code ?? null;
  if (status !== 'PENDING' || code === null) return '';
  const { pix } = PAGE_TEXTS[language];
  return `<section class="pix" aria-label="Pix Automático">
        <p>${SUBSCRIPTION_TEXTS[language].authorize}</p>
        <button type="button" class="primary" data-copy="pix" hidden>${pix.copy}</button>
        <img class="qr" src="${renderQrDataUri(code)}" width="240" height="240" alt="${pix.picture}" />
        <p class="label">${pix.code}</p>
        <p class="code" id="pix">${escapeHtml(code)}</p>
      </section>`;
}

function invoices(shown: readonly PayerInvoice[], language: PageLanguage): string {
  if (shown.length === 0) return '';
  const texts = SUBSCRIPTION_TEXTS[language];
  const links = shown.flatMap(({ paymentUrl, amount, dueDate }) =>
    paymentUrl === null
      ? []
      : `<p><a class="primary" href="${escapeHtml(new URL(paymentUrl).pathname)}">${texts.pay(
          formatMoney(amount, language),
          formatDay(dueDate, language),
        )}</a></p>`,
  );
  const rows = shown.map(
    ({ dueDate, amount, status }) =>
      [
        formatDay(dueDate, language),
        `${formatMoney(amount, language)} · ${texts.invoiceStatuses[status]}`,
      ] as const,
  );
  return `${links.join('')}<section aria-labelledby="invoices"><h2 id="invoices">${texts.invoices}</h2>${list(
    rows,
  )}</section>`;
}

function cardSection(isPastDue: boolean, language: PageLanguage): string {
  const texts = SUBSCRIPTION_TEXTS[language];
  return `<details${isPastDue ? ' open' : ''}>
        <summary class="secondary">${texts.changeCard}</summary>
        <p class="hint">${texts.changeCardHint}</p>
        <form id="payment" novalidate>
          ${cardFields(1, language)}
          <p class="problem" id="problem" role="alert" tabindex="-1"></p>
          <button type="submit" class="primary" disabled>${texts.saveCard}</button>
        </form>
      </details>`;
}

/** Hidden until the script that makes it work has run. */
function cancelSection(language: PageLanguage): string {
  const texts = SUBSCRIPTION_TEXTS[language];
  return `<section aria-label="${texts.cancel}">
        <button type="button" class="secondary" id="cancel" hidden>${texts.cancel}</button>
        <div id="confirmation" hidden>
          <h2 tabindex="-1" id="cancel-title">${texts.cancelTitle}</h2>
          <p class="hint">${texts.cancelHint}</p>
          <p class="problem" id="cancel-problem" role="alert" tabindex="-1"></p>
          <p><button type="button" class="danger" id="confirm-cancel">${texts.confirmCancel}</button></p>
          <p><button type="button" class="secondary" id="keep">${texts.keep}</button></p>
        </div>
      </section>`;
}
