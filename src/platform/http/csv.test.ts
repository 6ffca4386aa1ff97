import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { csvLine, writeBrazilian } from './csv-line.ts';
import { createCsvStream } from './csv.ts';
import { ExportLimiter } from './export-limiter.ts';

describe('CSV', () => {
  it.each([
    [['a', 1, null, true], 'a,1,,true\r\n'],
    [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
    [['', ' ', 'Ação', '…'], ', ,Ação,…\r\n'],
    // Numbers are never formulas, whatever their sign.
    [[-5, 0], '-5,0\r\n'],
  ])('writes %j', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+5511', "'+5511"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t1', "'\t1"],
    ['\t=1', "'\t'=1"],
    ['\r=1', '"\'\r\'=1"'],
    [' =1', " '=1"],
    ['＝1', "'＝1"],
    // Several cells if semicolons are separators.
    ['x;=1', "x;'=1"],
    ['x; "@A1"', '"x; ""\'@A1"""'],
    ['x\n-1', '"x\n\'-1"'],
    ['2026-01-01;a=b', '2026-01-01;a=b'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ])('neutralizes %j', (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`);
  });

  it.each([
    [-3_000, '-30,00\r\n'],
    [123_456, '1234,56\r\n'],
    [0, '0,00\r\n'],
  ])('writes %d cents for Brazil as a number, whatever its sign', (cents, line) => {
    expect(csvLine([writeBrazilian(cents, { name: 'Valor', type: 'cents' })], ';')).toBe(line);
  });

  it('preserves every text except for added apostrophes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), AWKWARD), { minLength: 1 }), (cells) => {
        expect(parse(csvLine(cells))).toEqual(cells.map(neutral));
      }),
    );
  });

  it('reads records on demand, and ends the source when the reader disconnects', async () => {
    let taken = 0;
    let ended = false;
    async function* endless() {
      try {
        for (;;) {
          taken += 1;
          yield { text: 'x'.repeat(1000) };
        }
      } finally {
        ended = true;
      }
    }
    const columns = [{ name: 'text', value: (row: { text: string }) => row.text }];
    const stream = createCsvStream(new ExportLimiter(), columns, endless());
    const first = stream[Symbol.asyncIterator]();
    const chunk = await first.next();
    expect(String(chunk.value).startsWith('text\r\nxxx')).toBe(true);
    expect(taken).toBeLessThan(300);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(ended).toBe(true);
  });
});

const AWKWARD = fc.string({
  unit: fc.constantFrom('=', '-', '＠', ';', '\t', '\r', '\n', ' ', '"', "'", ',', 'x'),
});

/**
 * The same character by character: an apostrophe before each sign with which a spreadsheet's cell
 * may begin.
 */
function neutral(cell: string): string {
  let written = /^[\t\r\n]/.test(cell) ? "'" : '';
  let begins = true;
  for (const one of cell) {
    if (begins && '=+-@＝＋－＠'.includes(one)) written += "'";
    if (';\t\r\n'.includes(one)) begins = true;
    else if (one !== '"' && one.trim() !== '') begins = false;
    written += one;
  }
  return written;
}

/** Parses one line as RFC 4180 specifies. */
function parse(line: string): readonly string[] {
  const cells: string[] = [];
  let rest = line.slice(0, -2);
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const plain = /^[^,]*/.exec(rest)?.[0] ?? '';
    cells.push(quoted === null ? plain : (quoted[1] ?? '').replaceAll('""', '"'));
    rest = rest.slice(quoted?.[0].length ?? plain.length);
    if (rest === '') return cells;
    rest = rest.slice(1);
  }
}
