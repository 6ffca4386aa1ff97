/**
 * The printed boleto: one A4 page with the payer's receipt ("recibo do pagador") above and the
 * compensation slip ("ficha de compensação") below, the Pix QR code beside the barcode ("bolepix").
 *
 * Sources: Banco Central do Brasil, Carta-Circular nº 2.926/2000 (parts, fields, sizes), Circular
 * nº 3.598/2012 and 3.656/2013 (beneficiary and payer, their documents and addresses), FEBRABAN's
 * model of the slip.
 */
import type { BoletoDocument } from './document.ts';
import { dueFactor, parseBarcode, type Boleto } from './barcode.ts';
import { drawCutLine, drawReceipt, drawCompensationSlip } from './pdf-parts.ts';
import { PdfCanvas } from './pdf-canvas.ts';
import { encodeBars } from './barcode-image.ts';
import { loadPdfFonts } from './pdf-fonts.ts';
import { toPlainText } from '#formats/text.ts';
import { encodeQrBitmap } from '#qr';

/**
 * Draws a boleto. The same document always gives the same bytes.
 *
 * @returns a PDF file of one page, about 25 KB, its text in Portuguese.
 * @throws RangeError when the barcode is wrong or names no amount, the due date is not the
 *   barcode's, or the BR Code is too long for a QR code: they are our own, and a document that
 *   contradicts itself must not be printed.
 */
export async function renderBoletoPdf(document: BoletoDocument): Promise<Buffer> {
  const boleto = assertConsistent(document);
  const bars = document.notice === null ? await encodeBars(document.barcode) : [];
  const qr = document.brCode === null ? null : encodeQrBitmap(document.brCode);
  // Loaded on first use: it takes a fifth of a second, and most processes print no boleto.
  const { default: PdfDocument } = await import('pdfkit');
  const fonts = await loadPdfFonts();
  const doc = new PdfDocument({
    size: 'A4',
    margin: 0,
    lang: 'pt-BR',
    displayTitle: true,
    info: {
      Title: toPlainText(`Boleto ${document.ourNumber}`),
      Author: toPlainText(document.beneficiary.name),
      CreationDate: document.createdAt,
    },
  });
  const file = collect(doc);
  const pen = new PdfCanvas(doc, fonts);
  const content = { document, boleto, bars, qr };
  drawReceipt(pen, content);
  drawCutLine(pen);
  drawCompensationSlip(pen, content);
  doc.end();
  return file;
}

function assertConsistent({ barcode, dueDate }: BoletoDocument): Boleto {
  const decoding = parseBarcode(barcode);
  if (!decoding.ok) throw new RangeError(`This is no barcode of a boleto: ${decoding.failure}`);
  const { boleto } = decoding;
  if (boleto.dueFactor !== dueFactor(dueDate))
    throw new RangeError('The due date is not that of the barcode');
  if (boleto.amountCents === 0) throw new RangeError('The barcode names no amount');
  return boleto;
}

async function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}
