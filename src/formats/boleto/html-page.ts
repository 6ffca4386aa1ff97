/**
 * The page that a payer opens: everything needed to pay, without signing in. It works without
 * scripts (the copy buttons then stay hidden), loads nothing from elsewhere and holds no script or
 * style of its own.
 */
import { formatDigitableLine } from './barcode.ts';
import { formatAmount, formatDate } from './formatting.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import { escapeHtml } from '#formats/html.ts';

/** Where a boleto stands, as far as its payer is concerned. Only a waiting one shows how to pay. */
export type BoletoPageStatus =
  | 'WAITING'
  /** The bank has not registered it yet. */
  | 'UNREGISTERED'
  | 'PROCESSING'
  | 'PAID'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'FAILED'
  | 'REFUNDED';

export interface BoletoPage {
  readonly status: BoletoPageStatus;
  /** Integer cents. */
  readonly amountCents: number;
  readonly dueDate: LocalDate;
  /** The document as it is to be read: `CNPJ 12.345.678/0001-95`. */
  readonly beneficiary: { readonly name: string; readonly document: string };
  /**
   * Whoever has the address sees the page, so the document must be masked: `CPF ***.456.789-**`.
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

const STATUS_LABELS: Readonly<Record<BoletoPageStatus, string>> = {
  WAITING: 'Aguardando pagamento',
  UNREGISTERED: 'Em registro no banco',
  PROCESSING: 'Em processamento',
  PAID: 'Pago',
  EXPIRED: 'Vencido',
  CANCELLED: 'Cancelado',
  FAILED: 'Indisponível',
  REFUNDED: 'Reembolsado',
};

const STATUS_MESSAGES: Readonly<Record<BoletoPageStatus, string>> = {
  WAITING: 'Pague pelo código de barras ou pela linha digitável.',
  UNREGISTERED: 'O banco ainda está registrando este boleto. Abra esta página mais tarde para pagar.',
  PROCESSING: 'O pagamento deste boleto está em processamento. Não pague novamente.',
  PAID: 'Este boleto já foi pago. Você não precisa fazer mais nada.',
  EXPIRED: 'Este boleto venceu e não pode mais ser pago. Peça um novo a quem o enviou.',
  CANCELLED: 'Este boleto foi cancelado. Não pague.',
  FAILED: 'Este boleto não pode mais ser pago. Peça um novo a quem o enviou.',
  REFUNDED: 'Este boleto foi pago e o valor foi reembolsado.',
};

/** The watermark of a boleto that must not be paid, or null. */
export function boletoNotice(status: BoletoPageStatus): string | null {
  if (status === 'UNREGISTERED') return 'EM REGISTRO NO BANCO – AINDA NÃO PODE SER PAGO';
  return status === 'WAITING' ? null : `${STATUS_LABELS[status].toUpperCase()} – NÃO PAGUE`;
}

/**
 * Writes the page in Portuguese, a whole HTML document. Every value is escaped.
 *
 * @throws RangeError when the line is not 47 digits.
 */
export function renderBoletoPage(page: BoletoPage): string {
  const amount = `R$ ${formatAmount(page.amountCents)}`;
  const payment = page.status === 'WAITING' ? paymentSections(page) : '';
  return htmlDocument(
    `Boleto de ${amount} – ${escapeHtml(page.beneficiary.name)}`,
    `<header>
        <p class="beneficiary">${escapeHtml(page.beneficiary.name)}</p>
        <h1>Boleto de <span class="amount">${amount}</span></h1>
        <p class="status status-${page.status.toLowerCase()}">${STATUS_LABELS[page.status]}</p>
        <p>${statusMessage(page)}</p>
      </header>
      <dl>
        ${definition('Valor', amount)}
        ${definition('Vencimento', formatDate(page.dueDate))}
        ${definition('Beneficiário', page.beneficiary.name, page.beneficiary.document)}
        ${definition('Pagador', page.payer.name, page.payer.document)}
        ${page.description === null ? '' : definition('Descrição', page.description)}
      </dl>
      ${payment}
    </main>
    <script src="/assets/boleto.js"></script>`,
  );
}

function statusMessage({ status, pix }: BoletoPage): string {
  return status === 'WAITING' && pix !== null
    ? 'Pague uma única vez: com Pix ou com o código de barras.'
    : STATUS_MESSAGES[status];
}

/** The page for an address that is no boleto's: links get broken on their way to a payer. */
export function renderUnknownBoletoPage(): string {
  return htmlDocument(
    'Boleto não encontrado',
    `<h1>Boleto não encontrado</h1>
      <p>Confira se o link está completo ou peça um novo a quem o enviou.</p>
    </main>`,
  );
}

function htmlDocument(title: string, main: string): string {
  return `<!doctype html>
<html lang="pt-BR">
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

function paymentSections(page: BoletoPage): string {
  const line = escapeHtml(page.digitableLine);
  return `${page.pix === null ? '' : pixSection(page.pix)}
      <section aria-labelledby="barcode-title">
        <h2 id="barcode-title">Código de barras</h2>
        <p>No aplicativo do seu banco, em um caixa eletrônico ou em uma lotérica.</p>
        <img class="barcode" src="${escapeHtml(page.barcodeUrl)}" width="850" height="107"
          alt="Código de barras do boleto" />
        <p class="label" id="line-label">Linha digitável</p>
        <p class="code line" id="line" data-copy-text="${line}">${formatDigitableLine(page.digitableLine)}</p>
        ${copyButton('line', 'Copiar linha digitável')}
      </section>
      <p class="download"><a href="${escapeHtml(page.pdfUrl)}">Abrir boleto em PDF</a></p>
      ${instructions(page.instructions)}
      <p class="copied" id="copied" role="status"></p>`;
}

function pixSection({ code, pictureUrl }: { code: string; pictureUrl: string }): string {
  return `<section aria-labelledby="pix-title">
        <h2 id="pix-title">Pix</h2>
        <p>Confirmado na hora, em qualquer dia e horário.</p>
        <img class="qr" src="${escapeHtml(pictureUrl)}" width="276" height="276" alt="QR Code do Pix" />
        <p class="label" id="pix-label">Pix Copia e Cola</p>
        <p class="code" id="pix">${escapeHtml(code)}</p>
        ${copyButton('pix', 'Copiar código Pix')}
      </section>`;
}

/** Hidden until the script that makes it work has run. */
function copyButton(id: string, label: string): string {
  return `<button type="button" data-copy="${id}" hidden>${label}</button>`;
}

function instructions(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `<section aria-labelledby="instructions-title">
        <h2 id="instructions-title">Instruções</h2>
        <ul>
          ${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n          ')}
        </ul>
      </section>`;
}

function definition(term: string, value: string, detail?: string): string {
  const more = detail === undefined ? '' : `<span class="detail">${escapeHtml(detail)}</span>`;
  return `<div><dt>${term}</dt><dd>${escapeHtml(value)}${more}</dd></div>`;
}
