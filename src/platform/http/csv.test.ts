import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { csvLine } from './csv-line.ts';
import { createCsvStream } from './csv.ts';
import { ExportLimiter } from './export-limiter.ts';

describe('CSV (C8)', () => {
  it.each([
    [['a', 1, null, true], 'a,1,,true\r\n'],
    [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
    [['', ' ', 'Ação', '…'], ', ,Ação,…\r\n'],
    // Numbers are no formulas, whatever their sign.
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
    // Two cells, or more, where semicolons separate them.
    ['x;=1', "x;'=1"],
    ['x; "@A1"', '"x; ""\'@A1"""'],
    ['x\n-1', '"x\n\'-1"'],
    ['2026-01-01;a=b', '2026-01-01;a=b'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ])('neutralises %j', (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`);
  });

  it('gives back every text as it was, but for the apostrophe', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), AWKWARD), { minLength: 1 }), (cells) => {
        expect(parse(csvLine(cells))).toEqual(cells.map(neutral));
      }),
    );
  });

  it('takes no more records than the reader asks for, and ends the source when the reader goes', async () => {
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
 * The same, a character after the other: an apostrophe before each sign with which somebody's cell
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

/** Reads one line the way RFC 4180 says. */
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
