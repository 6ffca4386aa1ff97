/** The two parts of a printed boleto. Layout: Carta-Circular nº 2.926/2000 and FEBRABAN's model. */
import type { BoletoDocument, BoletoParty } from './document.ts';
import { formatDigitableLine, type Boleto } from './barcode.ts';
import type { Box, PdfCanvas, Value } from './pdf-canvas.ts';
import { BARCODE_HEIGHT_MM, BARCODE_MODULES, BARCODE_WIDTH_MM, type Bar } from './barcode-image.ts';
import { bankCodeWithDigit, formatAmount, formatDate } from './formatting.ts';
import type { QrBitmap } from '#qr';

const PAGE_HEIGHT_MM = 297;

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

/** A symbol of 57 to 65 modules with its quiet zone: a module of a third of a millimeter. */
const QR_SIDE = 25;

export interface SlipContent {
  readonly document: BoletoDocument;
  readonly boleto: Boleto;
  readonly bars: readonly Bar[];
  readonly qr: QrBitmap | null;
}

/** The part that the payer keeps. */
export function drawReceipt(canvas: PdfCanvas, { document, boleto }: SlipContent): void {
  let y = 12;
  canvas.text(
    'RECIBO DO PAGADOR',
    { x: LEFT, y: y - 4.2, width: WIDTH },
    { size: 7, bold: true, align: 'right' },
  );
  y = drawHeader(canvas, y, document, boleto);
  canvas.cell({ ...main(y, HIGH_ROW), label: 'Beneficiário', values: partyLines(document.beneficiary) });
  canvas.cell({
    ...side(y, HIGH_ROW),
    label: 'Vencimento',
    values: [formatDate(document.dueDate)],
    bold: true,
    align: 'right',
  });
  y += HIGH_ROW;
  canvas.cell({ ...main(y, HIGH_ROW), label: 'Pagador', values: partyLines(document.payer) });
  canvas.cell({
    ...side(y, HIGH_ROW),
    label: 'Agência / Código do beneficiário',
    values: [document.beneficiaryCode],
    align: 'right',
  });
  y += HIGH_ROW;
  const guarantor = document.guarantor === null ? [] : [nameAndDocument(document.guarantor)];
  canvas.cell({ ...main(y, ROW), label: 'Sacador / Avalista', values: guarantor });
  canvas.cell({ ...side(y, ROW), label: 'Nosso número', values: [document.ourNumber], align: 'right' });
  y += ROW;
  y = drawRow(canvas, y, [
    ['Nº do documento', 45, document.documentNumber],
    ['Data do documento', 35, formatDate(document.issuedOn)],
    ['Espécie doc.', 20, document.documentKind],
    ['Carteira', 20, document.wallet],
    ['Espécie', 25, 'R$'],
  ]);
  canvas.cell({ ...side(y - ROW, ROW), ...amountCell(boleto) });
  y = drawStatement(canvas, y, document.statement);
  if (document.brCode !== null) y = drawPixCode(canvas, y, document.brCode);
  canvas.text(
    'Autenticação mecânica – Recibo do Pagador',
    { x: LEFT, y: y + 1, width: WIDTH },
    { size: 5.5, align: 'right' },
  );
}

export function drawCutLine(canvas: PdfCanvas): void {
  const y = SLIP_TOP - 4;
  canvas.text(
    'Corte na linha pontilhada',
    { x: LEFT, y: y - 2.2, width: WIDTH },
    { size: 5.5, align: 'right' },
  );
  canvas.line({ x: LEFT, y }, { x: RIGHT, y }, 0.15, true);
}

/** The part that the bank keeps. */
export function drawCompensationSlip(canvas: PdfCanvas, content: SlipContent): void {
  const { document, boleto } = content;
  let y = drawHeader(canvas, SLIP_TOP, document, boleto);
  canvas.cell({ ...main(y, ROW), label: 'Local de pagamento', values: [document.paymentPlace] });
  canvas.cell({
    ...side(y, ROW),
    label: 'Vencimento',
    values: [formatDate(document.dueDate)],
    bold: true,
    align: 'right',
  });
  y += ROW;
  canvas.cell({ ...main(y, HIGH_ROW), label: 'Beneficiário', values: partyLines(document.beneficiary) });
  canvas.cell({
    ...side(y, HIGH_ROW),
    label: 'Agência / Código do beneficiário',
    values: [document.beneficiaryCode],
    align: 'right',
  });
  y += HIGH_ROW;
  canvas.cell({ ...side(y, ROW), label: 'Nosso número', values: [document.ourNumber], align: 'right' });
  y = drawRow(canvas, y, [
    ['Data do documento', 30, formatDate(document.issuedOn)],
    ['Nº do documento', 45, document.documentNumber],
    ['Espécie doc.', 20, document.documentKind],
    ['Aceite', 15, document.accepted ? 'S' : 'N'],
    ['Data do processamento', 35, formatDate(document.processedOn)],
  ]);
  canvas.cell({ ...side(y, ROW), ...amountCell(boleto) });
  y = drawRow(canvas, y, [
    ['Uso do banco', 30, ''],
    ['Carteira', 25, document.wallet],
    ['Espécie', 20, 'R$'],
    ['Quantidade', 35, ''],
    ['(x) Valor', 35, ''],
  ]);
  y = drawInstructions(canvas, y, document.instructions);
  y = drawPayer(canvas, y, document);
  drawCodes(canvas, y, content);
}

/**
 * The bank, its code and the line. A boleto that must not be paid has a notice instead of the line.
 */
function drawHeader(
  canvas: PdfCanvas,
  top: number,
  { bankName, notice }: BoletoDocument,
  boleto: Boleto,
): number {
  const bottom = top + HEADER_HEIGHT;
  const [code, line] = [LEFT + 30, LEFT + 50.5];
  canvas.text(bankName, { x: LEFT, y: bottom - 5.2, width: code - LEFT - 1 }, { size: 10, bold: true });
  // Prescribed are characters of 5 mm for the code and of 3.5 to 4 mm for the line.
  canvas.line({ x: code, y: top + 1.5 }, { x: code, y: bottom }, 0.5);
  canvas.text(
    bankCodeWithDigit(boleto.bankCode),
    { x: code + 1, y: bottom - 6.5, width: line - code - 2 },
    {
      size: 19.75,
      bold: true,
      align: 'center',
      narrow: true,
    },
  );
  canvas.line({ x: line, y: top + 1.5 }, { x: line, y: bottom }, 0.5);
  canvas.text(
    notice ?? formatDigitableLine(boleto.digitableLine),
    { x: line + 2, y: bottom - 5.2, width: RIGHT - line - 2 },
    {
      size: 13.85,
      bold: true,
      align: 'right',
      narrow: true,
    },
  );
  canvas.line({ x: LEFT, y: bottom }, { x: RIGHT, y: bottom }, 0.5);
  return bottom;
}

function drawRow(
  canvas: PdfCanvas,
  y: number,
  cells: ReadonlyArray<readonly [string, number, string]>,
): number {
  let x = LEFT;
  for (const [label, width, value] of cells) {
    canvas.cell({ x, y, width, height: ROW, label, values: [value] });
    x += width;
  }
  return y + ROW;
}

function drawStatement(canvas: PdfCanvas, y: number, statement: readonly string[]): number {
  const height = 80;
  canvas.cell({ x: LEFT, y, width: WIDTH, height, label: 'Demonstrativo' });
  canvas.paragraph(statement, { x: LEFT + 1, y: y + 4, width: WIDTH - 2, height: height - 5 }, 8);
  return y + height;
}

function drawPixCode(canvas: PdfCanvas, y: number, brCode: string): number {
  const height = 11.5;
  canvas.cell({ x: LEFT, y, width: WIDTH, height, label: 'Pix Copia e Cola' });
  canvas.code(brCode, { x: LEFT + 1, y: y + 4, width: WIDTH - 2 }, 7);
  return y + height;
}

/** The instructions, and beside them what a teller fills in. */
function drawInstructions(canvas: PdfCanvas, y: number, instructions: readonly string[]): number {
  const row = 5.5;
  const labels = [
    '(–) Desconto / Abatimento',
    '(–) Outras deduções',
    '(+) Mora / Multa',
    '(+) Outros acréscimos',
    '(=) Valor cobrado',
  ];
  const height = row * labels.length;
  canvas.cell({ ...main(y, height), label: 'Instruções (texto de responsabilidade do beneficiário)' });
  canvas.paragraph(instructions, { x: LEFT + 1, y: y + 3.5, width: MAIN_WIDTH - 2, height: height - 4 }, 7.5);
  for (const [i, label] of labels.entries()) canvas.cell({ ...side(y + i * row, row), label });
  return y + height;
}

function drawPayer(canvas: PdfCanvas, y: number, { payer, guarantor }: BoletoDocument): number {
  const height = 12.6;
  canvas.cell({ x: LEFT, y, width: WIDTH, height, label: 'Pagador', values: partyLines(payer) });
  const label = 'Sacador / Avalista';
  const value =
    guarantor === null ? label : nameAndDocument({ ...guarantor, name: `${label}: ${guarantor.name}` });
  canvas.text(value, { x: LEFT + 0.9, y: y + height - 2.5, width: WIDTH - 2 }, { size: 6 });
  return y + height;
}

/** Barcode at the lower left, QR code beside it, and room for the cashier's stamp at the right. */
function drawCodes(canvas: PdfCanvas, y: number, { document, bars, qr }: SlipContent): void {
  canvas.text('Autenticação mecânica', { x: LEFT, y: y + 1, width: WIDTH }, { size: 5.5, align: 'right' });
  canvas.text(
    'FICHA DE COMPENSAÇÃO',
    { x: LEFT, y: y + 3.2, width: WIDTH },
    { size: 6.5, bold: true, align: 'right' },
  );
  const box = {
    x: LEFT,
    y: PAGE_HEIGHT_MM - BARCODE_MIDDLE - BARCODE_HEIGHT_MM / 2,
    width: BARCODE_WIDTH_MM,
    height: BARCODE_HEIGHT_MM,
  };
  if (document.notice !== null) {
    canvas.text(document.notice, { x: box.x, y: box.y, width: WIDTH }, { size: 20, bold: true });
    return;
  }
  canvas.bars(bars, BARCODE_MODULES, box);
  if (qr === null) return;
  const [x, top] = [LEFT + BARCODE_WIDTH_MM + 8, y + 0.4];
  canvas.qr(qr, x, top, QR_SIDE);
  const caption = { x: x + QR_SIDE + 1.5, width: RIGHT - x - QR_SIDE - 1.5 };
  canvas.text('Pague com Pix', { x: caption.x, y: top + 10, width: caption.width }, { size: 9, bold: true });
  canvas.paragraph(
    ['Leia este QR Code no app do seu banco ou use o Pix Copia e Cola do recibo. A confirmação é imediata.'],
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

/** The name is cut, never the document, by which banks identify the party. */
function nameAndDocument({ name, document }: BoletoParty): Value {
  return { text: name, ending: document };
}
