import { TEMPLATES_EN } from './templates/en.ts';
import { TEMPLATES_PT } from './templates/pt.ts';
import type { MailContent, Templates, TemplateTools, Locale, MailTemplate } from './templates/template.ts';
import { ACTION, DETAIL, FOOT, HEAD, PARAGRAPH } from './templates/layout.gen.ts';
import { escapeHtml } from '#formats/html.ts';
import { SAO_PAULO } from '#formats/calendar/sao-paulo.ts';

const TEMPLATES: Readonly<Record<Locale, Templates>> = { 'pt-BR': TEMPLATES_PT, en: TEMPLATES_EN };

const PRODUCT = 'Vereda';

/** What is rendered: the parts of a row that its text depends on. */
export interface RenderedMail {
  readonly id: string;
  readonly template: string;
  readonly locale: Locale;
  readonly params: Readonly<Record<string, unknown>>;
  /** The one-time token of the link; undefined once the mail was sent. */
  readonly token: string | undefined;
}

/** The id of a mail has 74 random bits, so that only its recipient knows the address. */
const unsubscribeUrlOf = (publicUrl: string, id: string): string => `${publicUrl}/unsubscribe/${id}`;

export interface MailText {
  /** The address of one-click unsubscription (RFC 8058). */
  readonly unsubscribeUrl: string | undefined;
  /** The name that the mail is from. */
  readonly sender: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Lays a mail out as text and as HTML. `publicUrl` has no trailing slash. */
export function renderMail(
  { id, template, locale, params, token }: RenderedMail,
  publicUrl: string,
): MailText {
  const tools = toolsOf(locale, publicUrl, { id, token });
  const content = contentOf(TEMPLATES[locale], template, cleanParams(params), tools);
  const { sender = PRODUCT, subject, isForPayer = false } = content;
  const unsubscribeUrl = isForPayer ? unsubscribeUrlOf(publicUrl, id) : undefined;
  return {
    sender,
    unsubscribeUrl,
    subject,
    text: toText(content),
    html: withLink(toHtml({ ...content, sender }, locale), unsubscribeUrl),
  };
}

/** Members that users choose and that emails to recipients without an account state. */
const SHOWN_WITHOUT_ACCOUNT = new Set(['inviter', 'organization']);

/**
 * Mail programs turn URLs and domains into links, so that a name could carry a link of its sender.
 * A word joiner keeps a domain readable.
 */
const withoutLink = (word: string): string =>
  /:\/\/|www\./i.test(word) ? '…' : word.replaceAll(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}]{2})/gu, '.\u2060');

/**
 * The names that users choose, without line breaks, which would begin other headers and
 * paragraphs, and without marks that reverse the text after them.
 */
const onOneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '');

function cleanParams(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(params).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value];
    const line = onOneLine(value);
    return [name, SHOWN_WITHOUT_ACCOUNT.has(name) ? line.split(' ').map(withoutLink).join(' ') : line];
  });
  return Object.fromEntries(entries);
}

const isTemplate = (templates: Templates, name: string): name is MailTemplate =>
  Object.hasOwn(templates, name);

function contentOf(
  templates: Templates,
  template: string,
  params: Readonly<Record<string, unknown>>,
  tools: TemplateTools,
): MailContent {
  if (!isTemplate(templates, template)) throw new Error(`there is no mail ${template}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row has the members of its template
  const write = templates[template] as (
    params: Readonly<Record<string, unknown>>,
    tools: TemplateTools,
  ) => MailContent;
  return write(params, tools);
}

function toolsOf(
  locale: Locale,
  publicUrl: string,
  { id, token }: Pick<RenderedMail, 'id' | 'token'>,
): TemplateTools {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' });
  const dateTime = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: SAO_PAULO,
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const page = (path: string): string => `${publicUrl}/dashboard${path}`;
  return {
    // Mail clients show the narrow space of the format as a box.
    money: (cents) => money.format(cents / 100).replaceAll(/\s/g, ' '),
    dateTime: (iso) => dateTime.format(new Date(iso)).replaceAll(/\s/g, ' '),
    date: (text) => date.format(new Date(text)),
    unsubscribeUrl: unsubscribeUrlOf(publicUrl, id),
    payerPage: (payerToken) => `${publicUrl}/pay/s/${payerToken}`,
    page,
    link: (path) => page(`${path}?token=${token ?? ''}`),
  };
}

function toText({ subject, paragraphs, details = [], action, footer }: MailContent): string {
  const parts = [
    subject,
    ...paragraphs,
    ...(details.length === 0 ? [] : [details.map(([label, value]) => `${label}: ${value}`).join('\n')]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    `-- \n${footer}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function toHtml(
  { sender = PRODUCT, subject, paragraphs, details = [], action, footer }: MailContent,
  lang: Locale,
): string {
  const values = { lang, title: subject, preview: paragraphs[0] ?? '', sender, footer };
  return [
    fill(HEAD, values),
    ...paragraphs.map((paragraph) => fill(PARAGRAPH, { paragraph })),
    ...details.map(([label, value]) => fill(DETAIL, { label, value })),
    ...(action === undefined ? [] : [fill(ACTION, { action: action.label, url: action.url })]),
    fill(FOOT, values),
  ].join('');
}

/** Not every mail program makes a link of a URL. */
const withLink = (html: string, url: string | undefined): string =>
  url === undefined ? html : html.replace(url, () => `<a href="${url}">${url}</a>`);

/** An amount is not broken after its currency. */
const fill = (part: string, values: Readonly<Record<string, string>>): string =>
  part.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) =>
    escapeHtml(values[name] ?? '').replaceAll('R$ ', 'R$\u00A0'),
  );
