/** Decodes everything that is drawn with independent programs. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankName, beneficiaryCode, freeField, ourNumber, type BoletoAgreement } from './agreement.ts';
import type { BoletoDocument } from './document.ts';
import { encodeBarcode, formatDigitableLine, digitableLineOf } from './barcode.ts';
import { renderBoletoPdf } from './pdf.ts';
import { encodeBars, renderBarcodePng } from './barcode-image.ts';
import { encodeDynamicBrCode } from '#formats/pix/br-code.ts';
import { renderQrPng } from '#qr';
import vectors from '#test/vectors/boleto.json' with { type: 'json' };

const PACKAGES: Readonly<Record<string, string>> = {
  zbarimg: 'zbar-tools',
  pdftoppm: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  pdffonts: 'poppler-utils',
};

const agreement: BoletoAgreement = {
  bankCode: '001',
  agency: '1234-3',
  account: '123456-0',
  agreement: '1234567',
  wallet: '17',
};

const brCode = encodeDynamicBrCode({
  location: 'pix.gateway.example.com/pix/v1/9d36b84fc70b478fb95c12729b90ca25',
  amountCents: 123_456,
  merchantName: 'VEREDA PAGAMENTOS SA',
  merchantCity: 'SAO PAULO',
});

const some: BoletoDocument = {
  notice: null,
  barcode: encodeBarcode({
    bankCode: '001',
    dueDate: '2026-12-10',
    amountCents: 123_456,
    freeField: freeField(agreement, 1234),
  }),
  dueDate: '2026-12-10',
  bankName: bankName(agreement),
  beneficiary: {
    name: 'Vereda Pagamentos S.A.',
    document: 'CNPJ 12.345.678/0001-95',
    address: 'Av. Paulista, 1000, 10º andar, São Paulo – SP, 01310-100',
  },
  beneficiaryCode: beneficiaryCode(agreement),
  payer: {
    name: 'João da Conceição Araújo',
    document: 'CPF 123.456.789-09',
    address: 'Rua das Açucenas, 42, Curitiba – PR, 80210-000',
  },
  guarantor: { name: 'Loja Exemplo Calçados Ltda.', document: 'CNPJ 98.765.432/0001-98', address: null },
  ourNumber: ourNumber(agreement, 1234),
  wallet: '17',
  documentNumber: 'PEDIDO-4711',
  documentKind: 'DM',
  accepted: false,
  issuedOn: '2026-12-07',
  processedOn: '2026-12-08',
  paymentPlace: 'Pagável em qualquer banco até o vencimento',
  instructions: ['Não receber após o vencimento.'],
  statement: ['2 × Camiseta de algodão – R$ 500,00', '1 × Frete – R$ 234,56'],
  brCode,
  createdAt: new Date('2026-12-07T12:00:00Z'),
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boleto-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Runs a program on a file. If it is missing, the test fails and names the package to install. */
async function run(program: string, ...parameters: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, parameters)).stdout;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'ENOENT') {
      throw new Error(`${program} is missing: install the Debian package ${PACKAGES[program]}`, {
        cause: error,
      });
    }
    // The output of zbarimg if it found no code.
    if (program === 'zbarimg' && error.code === 4) return '';
    throw error;
  }
}

/** The codes in a picture, such as `I2/5:0019…` and `QR-Code:0002…`, in order. */
async function scan(png: Buffer): Promise<string[]> {
  const path = join(folder, 'scanned.png');
  await writeFile(path, png);
  const output = await run('zbarimg', '--quiet', path);
  return output.split('\n').filter(Boolean).sort();
}

async function print(document: BoletoDocument): Promise<string> {
  const path = join(folder, 'printed.pdf');
  await writeFile(path, await renderBoletoPdf(document));
  return path;
}

async function paint(path: string, dotsPerInch: number): Promise<Buffer> {
  await run('pdftoppm', '-png', '-singlefile', '-r', String(dotsPerInch), path, join(folder, 'painted'));
  return readFile(join(folder, 'painted.png'));
}

/** Lines of text as a viewer finds them, each with single spaces. */
async function textOf(document: BoletoDocument): Promise<string[]> {
  const text = await run('pdftotext', '-raw', await print(document), '-');
  return text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
}

describe('renderBarcodePng', () => {
  test.each(vectors.valid)('returns an image that decodes to the barcode of $id', async ({ barcode }) => {
    expect(await scan(await renderBarcodePng(barcode))).toEqual([`I2/5:${barcode}`]);
  });

  test('returns black on opaque white, 103 by 13 mm with quiet zones', async () => {
    const { data, width, height } = PNG.sync.read(await renderBarcodePng(some.barcode));
    expect([width, height]).toEqual([850, 107]);
    expect(Math.abs(width / height / (103 / 13) - 1)).toBeLessThan(0.01);
    const colours = new Set<number>();
    const columns = new Set<number>();
    const rows = new Set<number>();
    for (let i = 0; i < width * height; i++) {
      const colour = data.readUInt32BE(4 * i);
      colours.add(colour);
      if (colour !== 0xffffffff) columns.add(i % width);
      if (colour !== 0xffffffff) rows.add(Math.floor(i / width));
    }
    expect([...colours].sort((one, other) => one - other)).toEqual([0x000000ff, 0xffffffff]);
    expect([Math.min(...columns), Math.max(...columns)]).toEqual([20, 829]);
    expect(Math.abs(810 / rows.size / (103 / 13) - 1)).toBeLessThan(0.01);
  });

  test('is deterministic', async () => {
    expect(await renderBarcodePng(some.barcode)).toEqual(await renderBarcodePng(some.barcode));
  });

  test.each(['', '1'.repeat(44), some.barcode.slice(1)])('rejects "%s"', async (barcode) => {
    await expect(renderBarcodePng(barcode)).rejects.toThrow(RangeError);
    await expect(encodeBars(barcode)).rejects.toThrow(RangeError);
  });
});

describe('renderQrPng', () => {
  test('returns an image that decodes to the BR Code', async () => {
    expect(await scan(renderQrPng(brCode))).toEqual([`QR-Code:${brCode}`]);
  });
});

describe('renderBoletoPdf', () => {
  test.each([150, 300])('is decodable at %i dpi: barcode and BR Code', async (dotsPerInch) => {
    const picture = await paint(await print(some), dotsPerInch);
    expect(await scan(picture)).toEqual([`I2/5:${some.barcode}`, `QR-Code:${brCode}`]);
  });

  test('has no QR code without a BR Code', async () => {
    const path = await print({ ...some, brCode: null });
    expect(await scan(await paint(path, 150))).toEqual([`I2/5:${some.barcode}`]);
    expect((await textOf({ ...some, brCode: null })).join('\n')).not.toContain('Pix');
  });

  test('with a notice has no payment options and states that it must not be paid', async () => {
    const ended = { ...some, notice: 'PAGO – NÃO PAGUE', brCode: null };
    expect(await scan(await paint(await print(ended), 200))).toEqual([]);
    const text = (await textOf(ended)).join('\n');
    expect(text.match(/PAGO – NÃO PAGUE/g)).toHaveLength(3);
    expect(text).not.toContain(formatDigitableLine(digitableLineOf(some.barcode)));
  });

  test('has a 103 by 13 mm barcode at the lower left, centered 12 mm above the edge', async () => {
    // Ten dots per millimeter; the last of each row and column is partial.
    const { data, width, height } = PNG.sync.read(await paint(await print(some), 254));
    expect([width, height]).toEqual([2101, 2971]);
    const isDark = (x: number, y: number) => data[4 * (y * width + x)]! < 128;
    const middle = height - 120;
    let right = 0;
    for (let x = 0; x < 1180; x++) if (isDark(x, middle)) right = x;
    let left = 0;
    while (!isDark(left, middle)) left++;
    expect(Math.abs(left - 100)).toBeLessThanOrEqual(1);
    expect(Math.abs(right + 1 - left - 1030)).toBeLessThanOrEqual(2);
    let [top, bottom] = [middle, middle];
    while (isDark(left + 1, top - 1)) top--;
    while (isDark(left + 1, bottom + 1)) bottom++;
    expect(Math.abs(bottom + 1 - top - 130)).toBeLessThanOrEqual(2);
    expect(Math.abs((top + bottom + 1) / 2 - middle)).toBeLessThanOrEqual(1);
  });

  test('is one A4 page with title and author', async () => {
    const info = await run('pdfinfo', await print(some));
    expect(info).toMatch(/^Pages: +1$/m);
    expect(info).toMatch(/^Page size: .*\(A4\)$/m);
    expect(info).toMatch(/^Title: +Boleto 12345670000001234$/m);
    expect(info).toMatch(/^Author: +Vereda Pagamentos S\.A\.$/m);
  });

  test('contains every field of the boleto', async () => {
    const lines = await textOf(some);
    const slip = lines.slice(lines.indexOf('Corte na linha pontilhada'));
    const labels = [
      'Local de pagamento',
      'Vencimento',
      'Beneficiário',
      'Agência / Código do beneficiário',
      'Data do documento',
      'Nº do documento',
      'Espécie doc.',
      'Aceite',
      'Data do processamento',
      'Nosso número',
      'Uso do banco',
      'Carteira',
      'Espécie',
      'Quantidade',
      '(x) Valor',
      '(=) Valor do documento',
      'Instruções (texto de responsabilidade do beneficiário)',
      '(–) Desconto / Abatimento',
      '(–) Outras deduções',
      '(+) Mora / Multa',
      '(+) Outros acréscimos',
      '(=) Valor cobrado',
      'Pagador',
      'FICHA DE COMPENSAÇÃO',
    ];
    const values = [
      formatDigitableLine(digitableLineOf(some.barcode)),
      '001-9',
      'Banco do Brasil',
      '10/12/2026',
      '07/12/2026',
      '08/12/2026',
      '1.234,56',
      '12345670000001234',
      '1234-3 / 123456-0',
      'PEDIDO-4711',
      'DM',
      'N',
      'R$',
      'Vereda Pagamentos S.A. – CNPJ 12.345.678/0001-95',
      'Av. Paulista, 1000, 10º andar, São Paulo – SP, 01310-100',
      'João da Conceição Araújo – CPF 123.456.789-09',
      'Rua das Açucenas, 42, Curitiba – PR, 80210-000',
      'Sacador / Avalista: Loja Exemplo Calçados Ltda. – CNPJ 98.765.432/0001-98',
      'Pagável em qualquer banco até o vencimento',
      'Não receber após o vencimento.',
    ];
    const text = ` ${slip.join(' ')} `;
    for (const expected of [...labels, ...values]) expect(text).toContain(` ${expected} `);
  });

  test('has the payer’s receipt above the cut line, with the BR Code in one piece', async () => {
    const lines = await textOf(some);
    const receipt = lines.slice(0, lines.indexOf('Corte na linha pontilhada'));
    expect(receipt).toContain('RECIBO DO PAGADOR');
    expect(receipt).toContain(brCode);
    const text = receipt.join(' ');
    for (const value of [
      '10/12/2026',
      '1.234,56',
      some.ourNumber,
      formatDigitableLine(digitableLineOf(some.barcode)),
    ]) {
      expect(text).toContain(value);
    }
    expect(receipt).toEqual(expect.arrayContaining([...some.statement]));
  });

  test('truncates long names, but never the document after them', async () => {
    const payer = { ...some.payer, name: 'Pedro de Alcântara Francisco Antônio '.repeat(20) };
    const lines = await textOf({ ...some, payer });
    const named = lines.filter((line) => line.endsWith('… – CPF 123.456.789-09'));
    expect(named).toHaveLength(2);
    for (const line of named) expect(line).toMatch(/^Pedro de Alcântara Francisco Antônio Pedro/);
  });

  test('marks truncated instructions and statements', async () => {
    const many = Array.from({ length: 40 }, (_, i) => `Linha ${i}: ${'muitas palavras '.repeat(12)}`);
    const lines = await textOf({ ...some, instructions: many, statement: many });
    const cut = lines.filter((line) => line.endsWith('…'));
    expect(cut).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('Linha 0:'))).toHaveLength(2);
  });

  test('embeds a subset of each font', async () => {
    const lines = (await run('pdffonts', await print(some))).trim().split('\n').slice(2);
    const fonts = lines.map((line) => {
      const [name, ...columns] = line.trim().split(/\s+/);
      return [name, ...columns.slice(-5, -2)];
    });
    expect(fonts).toHaveLength(3);
    for (const [name, ...embeddedSubsetUnicode] of fonts) {
      expect(name).toMatch(/^[A-Z]{6}\+DejaVuSans/);
      expect(embeddedSubsetUnicode).toEqual(['yes', 'yes', 'yes']);
    }
  });

  test.each([
    ['Иванов Пётр', 'Иванов Пётр'],
    ['Ελένη Παπαδοπούλου', 'Ελένη Παπαδοπούλου'],
    ['Łukasz Nguyễn Đặng', 'Łukasz Nguyễn Đặng'],
    ['محمد علي حسن', 'محمد علي حسن'],
    ['Loja محمد علي Ltda.', 'محمد علي'],
    ['שרה כהן', 'שרה כהן'],
    ['王小明', 'WangXiaoMing'],
    ['김철수 & สมชาย', 'GimCheolSu & smchay'],
    ['Ana 👩🏽‍🚀 Souza 🙂❤️', 'Ana Souza – CPF'],
    ['Jose\u0301 \u202eadlaC\u202c\u200b', 'José adlaC – CPF'],
    ['𝒜na 𐎀 \ue000', 'Ana a – CPF'],
  ])('prints the name %j as %j', async (name, printed) => {
    const path = await print({ ...some, payer: { ...some.payer, name }, statement: [name] });
    // Without -raw, which reorders the words of right-to-left scripts.
    const text = (await run('pdftotext', path, '-')).replaceAll(/[\u200e\u200f\u202a-\u202e]/g, '');
    expect(text.split(printed).length - 1).toBeGreaterThanOrEqual(2);
    expect(text).not.toMatch(/[?\ufffd]/);
  });

  test('is deterministic', async () => {
    expect(await renderBoletoPdf(some)).toEqual(await renderBoletoPdf(some));
  });

  test('renders texts with arbitrary characters', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 2000, unit: 'grapheme' }));
    const party = fc.record({ name: text, document: text, address: fc.option(text) });
    const texts = fc.record({
      beneficiary: party,
      payer: party,
      guarantor: fc.option(party),
      documentNumber: text,
      paymentPlace: text,
      instructions: fc.array(text),
      statement: fc.array(text),
    });
    await fc.assert(
      fc.asyncProperty(texts, async (any) => {
        const pdf = await renderBoletoPdf({ ...some, ...any });
        expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-');
        expect(pdf.length).toBeLessThan(400_000);
      }),
      { numRuns: 25 },
    );
  });

  test('renders very long texts in bounded time', async () => {
    const endless = 'palavra '.repeat(100_000);
    const started = performance.now();
    await renderBoletoPdf({
      ...some,
      payer: { ...some.payer, name: 'x'.repeat(1_000_000) },
      instructions: [endless, 'y'.repeat(1_000_000)],
      statement: Array.from({ length: 10_000 }, () => endless),
    });
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test.each([
    ['a wrong barcode', { barcode: '1'.repeat(44) }],
    ['another due date', { dueDate: '2026-12-11' }],
    ['a barcode without due date', { barcode: vectors.valid.at(-1)!.barcode }],
    [
      'a barcode without amount',
      {
        barcode: encodeBarcode({
          bankCode: '001',
          dueDate: '2026-12-10',
          amountCents: 0,
          freeField: '0'.repeat(25),
        }),
      },
    ],
    ['a BR Code that exceeds a QR code', { brCode: 'x'.repeat(600) }],
  ])('rejects %s', async (_, wrong) => {
    await expect(renderBoletoPdf({ ...some, ...wrong })).rejects.toThrow(RangeError);
  });
});
