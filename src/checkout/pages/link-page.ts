import { escapeHtml } from '#formats/html.ts';
import type { Method } from '#payments/transactions/transaction.ts';
import { formatMoney, notice, renderDocument, type PageSeller } from './document.ts';
import { PAGE_TEXTS, type PageLanguage, type UnpayableLink } from './texts.ts';

export interface LinkPage {
  readonly code: string;
  readonly title: string;
  readonly description: string | null;
  /** Cents; null if the payer enters it. */
  readonly amount: number | null;
  readonly minAmount: number | null;
  readonly maxAmount: number | null;
  readonly methods: readonly Method[];
  readonly maxInstallments: number;
  /** False for a link of a customer, whose data the gateway has. */
  readonly asksPayer: boolean;
  readonly seller: PageSeller;
}

const optional = (name: string, value: number | null): Readonly<Record<string, string>> =>
  value === null ? {} : { [name]: String(value) };

/** The page of a link that can be paid. The script sends its form. */
export function renderLinkPage(link: LinkPage, language: PageLanguage): string {
  const texts = PAGE_TEXTS[language];
  const { amount, description, seller } = link;
  return renderDocument({
    language,
    seller,
    title: `${link.title} – ${seller.name}`,
    data: {
      page: 'link',
      code: link.code,
      installments: String(link.maxInstallments),
      ...optional('amount', amount),
      ...optional('min', link.minAmount),
      ...optional('max', link.maxAmount),
    },
    content: `<h1 tabindex="-1">${escapeHtml(link.title)}</h1>
      ${description === null ? '' : `<p class="hint description">${escapeHtml(description)}</p>`}
      ${amount === null ? '' : `<p class="amount">${formatMoney(amount, language)}</p>`}
      <noscript><p class="problem">${texts.noScript}</p></noscript>
      <form id="payment" novalidate>
        ${amount === null ? amountField(link, language) : ''}
        ${methodFields(link.methods, language)}
        ${link.asksPayer ? payerFields(language) : ''}
        ${!link.asksPayer && link.methods.includes('BOLETO') ? boletoFields(language) : ''}
        ${link.methods.includes('CREDIT_CARD') ? cardFields(link.maxInstallments, language) : ''}
        <p class="problem" id="problem" role="alert" tabindex="-1"></p>
        <button type="submit" class="primary" disabled>${texts.submit[link.methods[0] ?? 'PIX']}</button>
      </form>`,
  });
}

/** The page of a link that cannot be paid. */
export function renderUnpayableLinkPage(
  status: UnpayableLink,
  seller: PageSeller | null,
  language: PageLanguage,
): string {
  const { title, hint } = PAGE_TEXTS[language].links[status];
  return renderDocument({ language, seller, title, data: { page: 'notice' }, content: notice(title, hint) });
}

function amountField({ minAmount, maxAmount }: LinkPage, language: PageLanguage): string {
  const { amount, amountHint } = PAGE_TEXTS[language].fields;
  const money = (cents: number | null) => (cents === null ? null : formatMoney(cents, language));
  return field('amount', amount, {
    hint: amountHint(money(minAmount), money(maxAmount)),
    attributes: 'inputmode="numeric" autocomplete="off"',
  });
}

function methodFields(methods: readonly Method[], language: PageLanguage): string {
  const texts = PAGE_TEXTS[language];
  const option = (method: Method, index: number) => `<label class="method">
            <input type="radio" name="method" value="${method}"${index === 0 ? ' checked' : ''} />
            <span>${texts.methods[method]}<small>${texts.methodHints[method]}</small></span>
          </label>`;
  return `<fieldset class="methods">
          <legend>${texts.howToPay}</legend>
          ${methods.map(option).join('\n          ')}
        </fieldset>`;
}

function payerFields(language: PageLanguage): string {
  const { payer, fields } = PAGE_TEXTS[language];
  return `<fieldset>
          <legend>${payer}</legend>
          ${field('name', fields.name, { attributes: 'autocomplete="name" maxlength="255"' })}
          ${field('document', fields.document, {
            attributes: 'autocapitalize="characters" autocomplete="off" maxlength="18"',
          })}
          ${field('email', fields.email, {
            type: 'email',
            attributes: 'autocomplete="email" maxlength="320"',
          })}
          ${field('phone', fields.phone, {
            type: 'tel',
            attributes: 'autocomplete="tel-national" maxlength="20"',
          })}
        </fieldset>`;
}

/** The boleto shows the document of the customer, so the payer must enter it. */
function boletoFields(language: PageLanguage): string {
  const { payer, fields } = PAGE_TEXTS[language];
  return `<fieldset id="boleto" hidden>
          <legend>${payer}</legend>
          ${field('document', fields.document, {
            hint: fields.documentHint,
            attributes: 'autocapitalize="characters" autocomplete="off" maxlength="18"',
          })}
        </fieldset>`;
}

const numeric = (autocomplete: string, length: number): string =>
  `inputmode="numeric" autocomplete="${autocomplete}" maxlength="${length}"`;

function cardFields(maxInstallments: number, language: PageLanguage): string {
  const { card, fields } = PAGE_TEXTS[language];
  return `<fieldset id="card" hidden>
          <legend>${card}</legend>
          <div class="number">
            ${field('number', fields.number, { attributes: numeric('cc-number', 23) })}
            <span id="brand" class="brand" aria-live="polite"></span>
          </div>
          <div class="pair">
            ${field('expiry', fields.expiry, { hint: fields.expiryHint, attributes: numeric('cc-exp', 7) })}
            ${field('cvv', fields.cvv, { attributes: numeric('cc-csc', 4) })}
          </div>
          ${field('holderName', fields.holderName, { attributes: 'autocomplete="cc-name" maxlength="255"' })}
          ${maxInstallments > 1 ? installmentsField(fields.installments, fields.installmentsHint) : ''}
        </fieldset>`;
}

const installmentsField = (label: string, hint: string): string => `<div class="field">
            <label for="installments">${label} <small>${hint}</small></label>
            <select id="installments" name="installments" aria-describedby="installments-error"></select>
            <p class="error" id="installments-error"></p>
          </div>`;

function field(
  name: string,
  label: string,
  options: { readonly type?: string; readonly hint?: string; readonly attributes: string },
): string {
  const { type = 'text', hint = '', attributes } = options;
  const small = hint === '' ? '' : ` <small>${escapeHtml(hint)}</small>`;
  return `<div class="field">
            <label for="${name}">${label}${small}</label>
            <input type="${type}" id="${name}" name="${name}" ${attributes} required
              aria-describedby="${name}-error" />
            <p class="error" id="${name}-error"></p>
          </div>`;
}
