import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderBoletoPage, renderUnknownBoletoPage, type BoletoPage } from './html-page.ts';
import vectors from '#test/vectors/boleto.json' with { type: 'json' };

const { line, formattedLine } = vectors.valid.find(({ id }) => id === 'new-cycle-2026-12-10')!;

const some: BoletoPage = {
  status: 'WAITING',
  amountCents: 123_456,
  dueDate: '2026-12-10',
  beneficiary: { name: 'Loja Exemplo Ltda.', document: 'CNPJ 12.345.678/0001-95' },
  payer: { name: 'João da Conceição', document: 'CPF ***.456.789-**' },
  description: 'Pedido 4711',
  instructions: ['Não receber após o vencimento.'],
  digitableLine: line,
  barcodeUrl: 'https://pay.example.com/boletos/1/barcode.png',
  pdfUrl: 'https://pay.example.com/boletos/1.pdf',
  pix: { code: '00020126…6304C73A', pictureUrl: 'https://pay.example.com/boletos/1/qrcode.png' },
};

/** Tags with their attribute names, in order, which no value may change. */
function skeleton(html: string): string[] {
  return (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/="[^"]*"/g, ''));
}

function attribute(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\b${name}="([^"]*)"`, 'g'))].map(([, value]) => value!);
}

describe('renderBoletoPage', () => {
  test('contains all payment details', () => {
    const html = renderBoletoPage(some, 'pt-BR');
    for (const shown of [
      'R$ 1.234,56',
      '10/12/2026',
      'Aguardando pagamento',
      'Loja Exemplo Ltda.',
      'CNPJ 12.345.678/0001-95',
      'João da Conceição',
      'CPF ***.456.789-**',
      'Pedido 4711',
      formattedLine,
      some.pix!.code,
      'Não receber após o vencimento.',
    ]) {
      expect(html).toContain(shown);
    }
    expect(attribute(html, 'src')).toEqual([some.pix!.pictureUrl, some.barcodeUrl, '/assets/boleto.js']);
    expect(attribute(html, 'href')).toEqual(['/assets/icon.svg', '/assets/boleto.css', some.pdfUrl]);
  });

  test('has text alternatives, values for copy buttons, and ordered headings', () => {
    const html = renderBoletoPage(some, 'pt-BR');
    expect(html).toContain('<html lang="pt-BR">');
    expect(html.match(/<img /g)).toHaveLength(2);
    expect(attribute(html, 'alt')).toEqual(['QR Code do Pix', 'Código de barras do boleto']);
    expect(attribute(html, 'data-copy-text')).toEqual([line]);
    const ids = attribute(html, 'id');
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of [...attribute(html, 'data-copy'), ...attribute(html, 'aria-labelledby')]) {
      expect(ids).toContain(id);
    }
    expect(html.match(/<h\d/g)).toEqual(['<h1', '<h2', '<h2', '<h2']);
    expect(html.match(/<button /g)).toEqual(['<button ', '<button ']);
    expect(html.match(/ hidden>/g)).toHaveLength(2);
  });

  test('complies with a same-origin Content-Security-Policy', () => {
    const html = renderBoletoPage(some, 'pt-BR');
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    expect(html.match(/<script[^>]*>[^<]*/g)).toEqual(['<script src="/assets/boleto.js">']);
  });

  test('is well-formed', () => {
    const open: string[] = [];
    const wrong: string[] = [];
    for (const tag of skeleton(renderBoletoPage(some, 'pt-BR'))) {
      const [, slash, name] = /^<(\/?)([a-z0-9]+)/.exec(tag) ?? [];
      if (name === undefined || tag.endsWith('/>')) continue;
      if (slash === '') open.push(name);
      else if (open.pop() !== name) wrong.push(tag);
    }
    expect([...wrong, ...open]).toEqual([]);
  });

  test.each([
    ['PROCESSING', 'Em processamento'],
    ['PAID', 'Pago'],
    ['EXPIRED', 'Vencido'],
    ['CANCELLED', 'Cancelado'],
    ['FAILED', 'Indisponível'],
    ['REFUNDED', 'Reembolsado'],
  ] as const)('with status %s contains %s and no payment options', (status, word) => {
    const html = renderBoletoPage({ ...some, status }, 'pt-BR');
    expect(html).toContain(`>${word}</p>`);
    expect(html).toContain('R$ 1.234,56');
    for (const hidden of [formattedLine, line, some.pix!.code, '<img', '<button', some.pdfUrl]) {
      expect(html).not.toContain(hidden);
    }
  });

  test('omits absent values', () => {
    const html = renderBoletoPage({ ...some, pix: null, description: null, instructions: [] }, 'pt-BR');
    expect(html).not.toMatch(/Pix|QR Code|Copia e Cola|Descrição|Instruções/);
    expect(html.match(/<img /g)).toHaveLength(1);
  });

  test('in English has the same structure, with English texts, amount and date', () => {
    const html = renderBoletoPage(some, 'en');
    expect(skeleton(html)).toEqual(skeleton(renderBoletoPage(some, 'pt-BR')));
    for (const shown of [
      '<html lang="en">',
      'R$1,234.56',
      'Dec 10, 2026',
      'Waiting for payment',
      'Beneficiary',
      'Pay only once',
      formattedLine,
      '<ul lang="pt-BR">',
    ]) {
      expect(html).toContain(shown);
    }
    // Only the seller's words, the instructions and the names of Brazilian payments are Portuguese.
    const own = html.replaceAll(/João da Conceição|Não receber após o vencimento|lotérica|digitável/g, '');
    expect(own).not.toMatch(/[áéíóúâêôãõç]/i);
  });

  test('has a page for an unknown address in both languages', () => {
    expect(renderUnknownBoletoPage('pt-BR')).toContain('<h1>Boleto não encontrado</h1>');
    expect(renderUnknownBoletoPage('en')).toContain('<h1>Boleto not found</h1>');
  });

  test('is well-formed for arbitrary values', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' onclick='x",
        '&lt;',
        '-->',
      ),
    );
    const values = fc.record({
      beneficiary: fc.record({ name: hostile, document: hostile }),
      payer: fc.record({ name: hostile, document: hostile }),
      description: hostile,
      instructions: fc.tuple(hostile),
      barcodeUrl: hostile,
      pdfUrl: hostile,
      pix: fc.record({ code: hostile, pictureUrl: hostile }),
    });
    const shape = skeleton(renderBoletoPage(some, 'pt-BR'));
    fc.assert(
      fc.property(values, (any) => {
        expect(skeleton(renderBoletoPage({ ...some, ...any }, 'pt-BR'))).toEqual(shape);
      }),
    );
  });

  test('rejects an invalid line', () => {
    expect(() => renderBoletoPage({ ...some, digitableLine: '1' }, 'pt-BR')).toThrow(RangeError);
  });

  test('has a style rule for each class and a script for its buttons', async () => {
    const assets = new URL('../../../dashboard/public/', import.meta.url);
    const css = await readFile(new URL('boleto.css', assets), 'utf8');
    const script = await readFile(new URL('boleto.js', assets), 'utf8');
    const all = ['WAITING', 'PROCESSING', 'PAID', 'EXPIRED', 'CANCELLED', 'FAILED', 'REFUNDED'] as const;
    for (const status of all) {
      const classes = attribute(renderBoletoPage({ ...some, status }, 'pt-BR'), 'class').flatMap((names) =>
        names.split(' '),
      );
      for (const name of classes) expect(css).toMatch(new RegExp(`\\.${name}\\b`));
    }
    expect(css).not.toMatch(/url\(|@import/);
    for (const used of ['data-copy', 'copyText', "'copied'"]) expect(script).toContain(used);
  });
});
