/** The two parts of a printed boleto. What stands where follows Carta-Circular nº 2.926/2000 and FEBRABAN's model. */
import type { BoletoDocument, BoletoParty } from './document.ts';
import { formatDigitableLine, type Boleto } from './barcode.ts';
import type { Box, PdfCanvas, Value } from './pdf-canvas.ts';
import { BARCODE_HEIGHT_MM, BARCODE_MODULES, BARCODE_WIDTH_MM, type Bar } from './barcode-image.ts';
import { bankCodeWithDigit, formatAmount, formatDate } from './formatting.ts';
import type { QrBitmap } from '#qr';

export const PAGE_HEIGHT_MM = 297;

const LEFT = 10;
const WIDTH = 190;
/** The column at the right, which tellers read first. */
const SIDE_WIDTH = 45;
const MAIN_WIDTH = WIDTH - SIDE_WIDTH;
const SIDE = LEFT + MAIN_WIDTH;
const RIGHT = LEFT + WIDTH;

const HEADER_HEIGHT = 9;
const ROW = 6.6;
/** A row of two values. */
const HIGH_ROW = 9.5;

/** The slip is 95 to 108 mm high and ends with the page. */
const SLIP_TOP = PAGE_HEIGHT_MM - 108;

/** From the lower edge of the slip to the middle of the barcode. */
const BARCODE_MIDDLE = 12;

/** A symbol of 57 to 65 modules with its quiet zone: a module of a third of a millimetre. */
const QR_SIDE = 25;

export interface SlipContent {
  readonly document: BoletoDocument;
  readonly boleto: Boleto;
  readonly bars: readonly Bar[];
  readonly qr: QrBitmap | null;
}

/** The part that the payer keeps. */
export function drawReceipt(pen: PdfCanvas, { document, boleto }: SlipContent): void {
  let y = 12;
  pen.text('RECIBO DO PAGADOR', LEFT, y - 4.2, WIDTH, { size: 7, bold: true, align: 'right' });
  y = drawHeader(pen, y, document, boleto);
  pen.cell({ ...main(y, HIGH_ROW), label: 'Beneficiário', values: partyLines(document.beneficiary) });
  pen.cell({
    ...side(y, HIGH_ROW),
    label: 'Vencimento',
    values: [formatDate(document.dueDate)],
    bold: true,
    align: 'right',
  });
  y += HIGH_ROW;
  pen.cell({ ...main(y, HIGH_ROW), label: 'Pagador', values: partyLines(document.payer) });
  pen.cell({
    ...side(y, HIGH_ROW),
    label: 'Agência / Código do beneficiário',
    values: [document.beneficiaryCode],
    align: 'right',
  });
  y += HIGH_ROW;
  const guarantor = document.guarantor === null ? [] : [nameAndDocument(document.guarantor)];
  pen.cell({ ...main(y, ROW), label: 'Sacador / Avalista', values: guarantor });
  pen.cell({ ...side(y, ROW), label: 'Nosso número', values: [document.ourNumber], align: 'right' });
  y += ROW;
  y = drawRow(pen, y, [
    ['Nº do documento', 45, document.documentNumber],
    ['Data do documento', 35, formatDate(document.issuedOn)],
    ['Espécie doc.', 20, document.documentKind],
    ['Carteira', 20, document.wallet],
    ['Espécie', 25, 'R$'],
  ]);
  pen.cell({ ...side(y - ROW, ROW), ...amountCell(boleto) });
  y = drawStatement(pen, y, document.statement);
  if (document.brCode !== null) y = drawPixCode(pen, y, document.brCode);
  pen.text('Autenticação mecânica – Recibo do Pagador', LEFT, y + 1, WIDTH, { size: 5.5, align: 'right' });
}

export function drawCutLine(pen: PdfCanvas): void {
  const y = SLIP_TOP - 4;
  pen.text('Corte na linha pontilhada', LEFT, y - 2.2, WIDTH, { size: 5.5, align: 'right' });
  pen.line(LEFT, y, RIGHT, y, 0.15, true);
}

/** The part that the bank keeps. */
export function drawCompensationSlip(pen: PdfCanvas, content: SlipContent): void {
  const { document, boleto } = content;
  let y = drawHeader(pen, SLIP_TOP, document, boleto);
  pen.cell({ ...main(y, ROW), label: 'Local de pagamento', values: [document.paymentPlace] });
  pen.cell({
    ...side(y, ROW),
    label: 'Vencimento',
    values: [formatDate(document.dueDate)],
    bold: true,
    align: 'right',
  });
  y += ROW;
  pen.cell({ ...main(y, HIGH_ROW), label: 'Beneficiário', values: partyLines(document.beneficiary) });
  pen.cell({
    ...side(y, HIGH_ROW),
    label: 'Agência / Código do beneficiário',
    values: [document.beneficiaryCode],
    align: 'right',
  });
  y += HIGH_ROW;
  pen.cell({ ...side(y, ROW), label: 'Nosso número', values: [document.ourNumber], align: 'right' });
  y = drawRow(pen, y, [
    ['Data do documento', 30, formatDate(document.issuedOn)],
    ['Nº do documento', 45, document.documentNumber],
    ['Espécie doc.', 20, document.documentKind],
    ['Aceite', 15, document.accepted ? 'S' : 'N'],
    ['Data do processamento', 35, formatDate(document.processedOn)],
  ]);
  pen.cell({ ...side(y, ROW), ...amountCell(boleto) });
  y = drawRow(pen, y, [
    ['Uso do banco', 30, ''],
    ['Carteira', 25, document.wallet],
    ['Espécie', 20, 'R$'],
    ['Quantidade', 35, ''],
    ['(x) Valor', 35, ''],
  ]);
  y = drawInstructions(pen, y, document.instructions);
  y = drawPayer(pen, y, document);
  drawCodes(pen, y, content);
}

/** Bank, its code and the line, as every part begins. Nobody can type the line of one that must not be paid. */
function drawHeader(
  pen: PdfCanvas,
  top: number,
  { bankName, notice }: BoletoDocument,
  boleto: Boleto,
): number {
  const bottom = top + HEADER_HEIGHT;
  const [code, line] = [LEFT + 30, LEFT + 50.5];
  pen.text(bankName, LEFT, bottom - 5.2, code - LEFT - 1, { size: 10, bold: true });
  // Prescribed are characters of 5 mm for the code and of 3.5 to 4 mm for the line.
  pen.line(code, top + 1.5, code, bottom, 0.5);
  pen.text(bankCodeWithDigit(boleto.bankCode), code, bottom - 6.5, line - code, {
    size: 19.75,
    bold: true,
    align: 'center',
  });
  pen.line(line, top + 1.5, line, bottom, 0.5);
  pen.text(notice ?? formatDigitableLine(boleto.digitableLine), line, bottom - 5.2, RIGHT - line, {
    size: 13.85,
    bold: true,
    align: 'right',
  });
  pen.line(LEFT, bottom, RIGHT, bottom, 0.5);
  return bottom;
}

function drawRow(pen: PdfCanvas, y: number, cells: ReadonlyArray<readonly [string, number, string]>): number {
  let x = LEFT;
  for (const [label, width, value] of cells) {
    pen.cell({ x, y, width, height: ROW, label, values: [value] });
    x += width;
  }
  return y + ROW;
}

function drawStatement(pen: PdfCanvas, y: number, statement: readonly string[]): number {
  const height = 80;
  pen.cell({ x: LEFT, y, width: WIDTH, height, label: 'Demonstrativo' });
  pen.paragraph(statement, { x: LEFT + 1, y: y + 4, width: WIDTH - 2, height: height - 5 }, 8);
  return y + height;
}

function drawPixCode(pen: PdfCanvas, y: number, brCode: string): number {
  const height = 11.5;
  pen.cell({ x: LEFT, y, width: WIDTH, height, label: 'Pix Copia e Cola' });
  pen.code(brCode, LEFT + 1, y + 4, WIDTH - 2, 7);
  return y + height;
}

/** The instructions, and beside them what a teller fills in. */
function drawInstructions(pen: PdfCanvas, y: number, instructions: readonly string[]): number {
  const row = 5.5;
  const labels = [
    '(–) Desconto / Abatimento',
    '(–) Outras deduções',
    '(+) Mora / Multa',
    '(+) Outros acréscimos',
    '(=) Valor cobrado',
  ];
  const height = row * labels.length;
  pen.cell({ ...main(y, height), label: 'Instruções (texto de responsabilidade do beneficiário)' });
  pen.paragraph(instructions, { x: LEFT + 1, y: y + 3.5, width: MAIN_WIDTH - 2, height: height - 4 }, 7.5);
  for (const [i, label] of labels.entries()) pen.cell({ ...side(y + i * row, row), label });
  return y + height;
}

function drawPayer(pen: PdfCanvas, y: number, { payer, guarantor }: BoletoDocument): number {
  const height = 12.6;
  pen.cell({ x: LEFT, y, width: WIDTH, height, label: 'Pagador', values: partyLines(payer) });
  const label = 'Sacador / Avalista';
  const value =
    guarantor === null ? label : nameAndDocument({ ...guarantor, name: `${label}: ${guarantor.name}` });
  pen.text(value, LEFT + 0.9, y + height - 2.5, WIDTH - 2, { size: 6 });
  return y + height;
}

/** Barcode at the lower left, QR code beside it, and room for the cashier's stamp at the right. */
function drawCodes(pen: PdfCanvas, y: number, { document, bars, qr }: SlipContent): void {
  pen.text('Autenticação mecânica', LEFT, y + 1, WIDTH, { size: 5.5, align: 'right' });
  pen.text('FICHA DE COMPENSAÇÃO', LEFT, y + 3.2, WIDTH, { size: 6.5, bold: true, align: 'right' });
  const box = {
    x: LEFT,
    y: PAGE_HEIGHT_MM - BARCODE_MIDDLE - BARCODE_HEIGHT_MM / 2,
    width: BARCODE_WIDTH_MM,
    height: BARCODE_HEIGHT_MM,
  };
  if (document.notice !== null) {
    pen.text(document.notice, box.x, box.y, WIDTH, { size: 20, bold: true });
    return;
  }
  pen.bars(bars, BARCODE_MODULES, box);
  if (qr === null) return;
  const [x, top] = [LEFT + BARCODE_WIDTH_MM + 8, y + 0.4];
  pen.qr(qr, x, top, QR_SIDE);
  const caption = { x: x + QR_SIDE + 1.5, width: RIGHT - x - QR_SIDE - 1.5 };
  pen.text('Pague com Pix', caption.x, top + 10, caption.width, { size: 9, bold: true });
  pen.paragraph(
    [
      'Leia este QR Code no aplicativo do seu banco, ou use o Pix Copia e Cola do recibo. É confirmado na hora.',
    ],
    { ...caption, y: top + 14, height: 11 },
    6.5,
  );
}

function amountCell(boleto: Boleto): { label: string; values: string[]; bold: true; align: 'right' } {
  const values = [formatAmount(boleto.amountCents)];
  return { label: '(=) Valor do documento', values, bold: true, align: 'right' };
}

function main(y: number, height: number): Box {
  return { x: LEFT, y, width: MAIN_WIDTH, height };
}

function side(y: number, height: number): Box {
  return { x: SIDE, y, width: SIDE_WIDTH, height };
}

function partyLines(party: BoletoParty): Value[] {
  return party.address === null ? [nameAndDocument(party)] : [nameAndDocument(party), party.address];
}

/** However long the name, the document is what banks go by. */
function nameAndDocument({ name, document }: BoletoParty): Value {
  return { text: name, ending: document };
}
