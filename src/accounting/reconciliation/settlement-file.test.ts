import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addDays } from '#formats/calendar/local-date.ts';
import { csvLine } from '#platform/http/csv-line.ts';
import {
  MAX_FILE_LINES,
  parseSettlementFile,
  SETTLEMENT_COLUMNS,
  SETTLEMENT_TYPES,
  type SettlementLine,
} from './settlement-file.ts';
import { parseCsv } from './csv-parser.ts';

const DAY = '2026-11-20';
const HEADER = 'id,type,amount,fee,date,reference';
const GOOD = `E1,PAYMENT,100,5,${DAY},`;

const parse = (text: string | Uint8Array) =>
  parseSettlementFile(typeof text === 'string' ? Buffer.from(text) : text, DAY);

async function problemsOf(text: string | Uint8Array): Promise<readonly string[]> {
  const parsed = await parse(text);
  if (parsed.ok) throw new Error('the file was accepted');
  return parsed.problems;
}

async function linesOf(text: string) {
  const parsed = await parse(text);
  if (!parsed.ok) throw new Error(parsed.problems.join('; '));
  return parsed.lines;
}

describe('parseSettlementFile', () => {
  const one = { number: 2, id: 'E1', type: 'PAYMENT', amount: 100, fee: 5, date: DAY, reference: null };

  it.each([
    ['with LF', `${HEADER}\n${GOOD}\n`],
    ['with CRLF', `${HEADER}\r\n${GOOD}\r\n`],
    ['without a last line break', `${HEADER}\n${GOOD}`],
    ['without one after CRLF', `${HEADER}\r\n${GOOD}`],
    ['with a byte order mark', `\uFEFF${HEADER}\n${GOOD}\n`],
    ['with quotes', `"id","type",amount,fee,"date",reference\r\n"E1","PAYMENT","100","5","${DAY}",""\r\n`],
    ['without reference', `id,type,amount,fee,date\nE1,PAYMENT,100,5,${DAY}`],
    ['with its columns in another order', `fee,amount,date,reference,type,id\n5,100,${DAY},,PAYMENT,E1`],
    ['with blank lines at its end', `${HEADER}\n${GOOD}\n\r\n\n`],
  ])('accepts a file %s', async (_name, text) => {
    expect(await linesOf(text)).toEqual([one]);
  });

  it('numbers lines as an editor does', async () => {
    const lines = await linesOf(`${HEADER}\n\n${GOOD}\n${GOOD.replace('E1', '"E 2"')}`);
    expect(lines.map(({ number, id }) => [number, id])).toEqual([
      [3, 'E1'],
      [4, 'E 2'],
    ]);
  });

  it('lowercases the gateway’s ids and keeps the provider’s unchanged', async () => {
    const uuid = '01A1FB81-05E3-4AB2-9523-6A28BBC3A3CD';
    const [ours, theirs] = await linesOf(
      `${HEADER}\n${uuid},REFUND,1,0,${DAY},${uuid}\nEaBc,PAYMENT,1,0,${DAY},`,
    );
    expect(ours).toMatchObject({ id: uuid.toLowerCase(), reference: uuid.toLowerCase() });
    expect(theirs).toMatchObject({ id: 'EaBc', reference: null });
  });

  it.each([
    ['', 'file must begin with a line of column names'],
    [HEADER, 'file must have a line for each movement'],
    [HEADER.replaceAll(',', ';'), 'line 1: values must be separated by commas, not by semicolons'],
    ['id,type,amount,date,id', 'line 1: column fee is missing', 'line 1: column id must appear once'],
    [
      'ID,type,amount,fee,date',
      'line 1: column id is missing',
      'line 1: columns must be id, type, amount, fee, date and optionally reference',
    ],
    [`${HEADER},x`, 'line 1: columns must be id, type, amount, fee, date and optionally reference'],
    ['id,"type', 'line 1: a value that begins with a quote must end with one'],
  ])('rejects a file that begins with %j', async (text, ...problems) => {
    expect(await problemsOf(text)).toEqual(problems);
  });

  const ID = 'id must be 1 to 100 printable ASCII characters and begin with a letter or digit';
  const AMOUNT = 'amount must be an integer number of cents from 1 to 9999999999';
  const FEE = 'fee must be an integer number of cents from 0 to 9999999999';
  const DATE = 'date must be a day as YYYY-MM-DD from 2026-11-13 to 2026-11-21';
  it.each([
    [`,PAYMENT,1,0,${DAY},`, ID],
    [`=1+1,PAYMENT,1,0,${DAY},`, ID],
    [`E1 ,PAYMENT,1,0,${DAY},`, ID],
    [`Ação,PAYMENT,1,0,${DAY},`, ID],
    [`"a\0b",PAYMENT,1,0,${DAY},`, ID],
    [`${'x'.repeat(101)},PAYMENT,1,0,${DAY},`, ID],
    [
      `E1,FEE,1,0,${DAY},`,
      'type must be one of the following values: PAYMENT, REFUND, CHARGEBACK, WITHDRAWAL',
    ],
    ...['', '0', '-1', '1.5', '1e3', '+1', ' 1', '10000000000', '"1,00"', 'NaN'].map(
      (amount): readonly [string, string] => [`E1,PAYMENT,${amount},0,${DAY},`, AMOUNT],
    ),
    [`E1,PAYMENT,1,,${DAY},`, FEE],
    [`E1,PAYMENT,1,-5,${DAY},`, FEE],
    ['E1,PAYMENT,1,0,20/11/2026,', DATE],
    ['E1,PAYMENT,1,0,2026-11-31,', DATE],
    ['E1,PAYMENT,1,0,2026-11-12,', DATE],
    ['E1,PAYMENT,1,0,2026-11-22,', DATE],
    [`E1,PAYMENT,1,0,${DAY},x`, 'reference must be a UUID or empty'],
    [`E1,PAYMENT,1,0,${DAY}`, 'must have 6 values separated by commas'],
    [`E1,PAYMENT,1,0,${DAY},,`, 'must have 6 values separated by commas'],
    [','.repeat(1_000), 'must not have more than 20 values'],
    [`E"1,PAYMENT,1,0,${DAY},`, 'a value with a quote in it must be quoted, and the quote doubled'],
    [`"E1"x,PAYMENT,1,0,${DAY},`, 'a quoted value must be followed by a comma or the end of the line'],
    [`"E1,PAYMENT,1,0,${DAY},`, 'a value that begins with a quote must end with one'],
  ] as readonly (readonly [string, string])[])('rejects the line %j', async (line, problem) => {
    const twice = await problemsOf(`${HEADER}\n${line}\n${GOOD}`);
    expect(twice).toEqual([`line 2: ${problem}`]);
  });

  it('accepts dates from a week before the day of the file to a day after it', async () => {
    for (const days of [-7, 0, 1]) {
      const date = addDays(DAY, days);
      expect(await linesOf(`${HEADER}\nE1,PAYMENT,1,0,${date},`)).toMatchObject([{ date }]);
    }
  });

  it('reports at most a hundred problems', async () => {
    const problems = await problemsOf(`${HEADER}\n${'x\n'.repeat(500)}`);
    expect(problems).toHaveLength(101);
    expect(problems[99]).toBe('line 101: must have 6 values separated by commas');
    expect(problems[100]).toBe('there are more problems');
  });

  it('limits the number of lines, including blank ones', async () => {
    const lines = `${GOOD}\n`.repeat(MAX_FILE_LINES);
    expect(await linesOf(`${HEADER}\n${lines}`)).toHaveLength(MAX_FILE_LINES);
    const tooMany = [`file must not have more than ${MAX_FILE_LINES} lines`];
    expect(await problemsOf(`${HEADER}\n${lines}${GOOD}`)).toEqual(tooMany);
    expect(await problemsOf(`${HEADER}\n${'\n'.repeat(20_000_000)}`)).toEqual(tooMany);
  });

  it('rejects text that is not UTF-8', async () => {
    expect(await problemsOf(Buffer.from(`${HEADER}\n\xe7`, 'latin1'))).toEqual(['file must be UTF-8 text']);
  });
});

describe('parsing of arbitrary input', () => {
  const pieces = fc.constantFrom(
    '"',
    '""',
    ',',
    ';',
    '\n',
    '\r\n',
    '\r',
    '\0',
    ' ',
    HEADER,
    GOOD,
    'PAYMENT',
    '1',
    DAY,
    'é',
    '\uFEFF',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 60 }).map((parts) => `${HEADER}\n${parts.join('')}`),
  );

  it('returns lines, or problems that name their line', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const parsed = await parse(written);
        // Either lines below the header, or problems; never neither.
        const sentences = parsed.ok
          ? parsed.lines.map(({ number }) => `line ${number}: read`)
          : parsed.problems;
        expect(sentences.length).toBeGreaterThan(0);
        for (const sentence of sentences) {
          expect(sentence).toMatch(/^(line \d+: |file must |there is more)[\x20-\x7e]*$/);
        }
        expect(sentences).not.toContain('line 1: read');
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not throw for arbitrary bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(typeof (await parse(bytes)).ok).toBe('boolean');
      }),
    );
  });

  it('returns quoted values unchanged, with their line numbers', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 6 })),
        (rows) => {
          const quoted = rows.map((cells) =>
            cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
          );
          let line = 1;
          const right = rows.map((cells, index) => {
            const begins = line;
            line += (quoted[index] ?? '').split('\n').length;
            return { line: begins, cells };
          });
          expect([...parseCsv(quoted.map((row) => `${row}\r\n`).join(''))]).toEqual(right);
        },
      ),
    );
  });

  it('takes linear time', () => {
    for (const nasty of ['\n', ',', '"', '""', '"\n', 'a"', ',\n', '"",']) {
      const started = performance.now();
      let records = 0;
      for (const record of parseCsv(nasty.repeat(1_000_000))) records += record.line > 0 ? 1 : 0;
      expect(records).toBeGreaterThan(0);
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });
});

describe('a file written with SETTLEMENT_COLUMNS', () => {
  const line: fc.Arbitrary<SettlementLine> = fc.record({
    id: fc
      .stringMatching(/^[A-Za-z0-9](?:[ -~]{0,98}[!-~])?$/)
      .map((id) => (/^[0-9a-f-]{36}$/i.test(id) ? 'E' : id))
      // No provider's id looks like a formula to a spreadsheet, which would be written with an
      // apostrophe.
      .filter((id) => !/;["\s]*[=+\-@]/.test(id)),
    type: fc.constantFrom(...SETTLEMENT_TYPES),
    amount: fc.integer({ min: 1, max: 9_999_999_999 }),
    fee: fc.integer({ min: 0, max: 9_999_999_999 }),
    date: fc.integer({ min: -7, max: 1 }).map((days) => addDays(DAY, days)),
    reference: fc.option(fc.uuid()),
  });

  it('is parsed to the same lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), async (lines) => {
        const header = csvLine(SETTLEMENT_COLUMNS.map(({ name }) => name));
        const written = lines.map((one) => csvLine(SETTLEMENT_COLUMNS.map(({ value }) => value(one))));
        const read = await linesOf(header + written.join(''));
        expect(read).toEqual(lines.map((one, index) => ({ ...one, number: index + 2 })));
      }),
    );
  });
});
