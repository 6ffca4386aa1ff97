import { saoPauloTime } from '#formats/calendar/sao-paulo.ts';
import { PdfCanvas } from '#formats/boleto/pdf-canvas.ts';
import { loadPdfFonts } from '#formats/boleto/pdf-fonts.ts';
import { cardLabel } from '#formats/card/brand-names.ts';
import type { Receipt } from './views.ts';

const METHOD_NAMES = { PIX: 'Pix', BOLETO: 'Boleto', CREDIT_CARD: 'Cartão de crédito' } as const;
const LEFT = 25;
const WIDTH = 160;
const LINE_HEIGHT = 15;
const FIRST_LINE = 58;

/** Draws a receipt. Returns a PDF file of one A4 page, its text in Portuguese. */
export async function renderReceiptPdf(receipt: Receipt): Promise<Buffer> {
  // On first use: it takes a fifth of a second to load.
  const { default: PdfDocument } = await import('pdfkit');
  const doc = new PdfDocument({
    size: 'A4',
    margin: 0,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: 'Comprovante de pagamento', CreationDate: new Date(receipt.paidAt) },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const file = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  const pen = new PdfCanvas(doc, await loadPdfFonts());
  pen.text('Comprovante de pagamento', { x: LEFT, y: 25, width: WIDTH }, { size: 18, bold: true });
  pen.text(reais(receipt.amount), { x: LEFT, y: 38, width: WIDTH }, { size: 26, bold: true });
  for (const [index, [label, value]] of linesOf(receipt).entries()) {
    const y = FIRST_LINE + index * LINE_HEIGHT;
    pen.frame({ x: LEFT, y, width: WIDTH, height: 0 });
    pen.text(label, { x: LEFT, y: y + 3.5, width: WIDTH }, { size: 9 });
    pen.text(value, { x: LEFT, y: y + 8, width: WIDTH }, { size: 12 });
  }
  doc.end();
  return file;
}

function linesOf(receipt: Receipt): readonly (readonly [string, string])[] {
  const { card, installments } = receipt;
  const method = METHOD_NAMES[receipt.method];
  const parts = installments === null || installments === 1 ? method : `${method}, ${installments}x`;
  const optional: readonly (readonly [string, string | null])[] = [
    ['Descrição', receipt.description],
    ['Valor reembolsado', receipt.refundedAmount === 0 ? null : reais(receipt.refundedAmount)],
    ['Cartão', card && cardLabel(card)],
    ['Código de autorização', card && card.authorizationCode],
    ['NSU', card && card.nsu],
    ['ID da transação Pix (E2E)', receipt.endToEndId],
  ];
  return [
    ['Pago em', saoPauloTime(new Date(receipt.paidAt))],
    ['Forma de pagamento', parts],
    ['Recebedor', party(receipt.seller)],
    ['Pagador', party(receipt.payer)],
    ...optional.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])),
  ];
}

/** A name with a CNPJ, which is formatted here, or a document that is masked. */
function party({ name, document }: Receipt['payer']): string {
  const shown = document.replace(
    /^([0-9A-Z]{2})([0-9A-Z]{3})([0-9A-Z]{3})([0-9A-Z]{4})(\d{2})$/,
    '$1.$2.$3/$4-$5',
  );
  return `${name}, ${shown.includes('/') ? 'CNPJ' : 'CPF'} ${shown}`;
}

const AMOUNT = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 });

/** `R$ 1.234,56`. */
const reais = (cents: number): string => `R$ ${AMOUNT.format(cents / 100)}`;
