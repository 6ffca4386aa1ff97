import { payoutReturnOf, returnOf } from '#test/support/bank-files.ts';
import type { BankLine } from './state.ts';
import { dayOf } from './calendar.ts';

/** Return files of the model's bank, Itaú. */

const BANK_CODE = '341';

const MOVEMENTS = { REGISTERED: '02', REJECTED: '03', PAID: '06', WRITTEN_OFF: '09' } as const;
const OCCURRENCES = { PAID: '00', FAILED: 'AN' } as const;

let files = 0;

/**
 * A file with these lines, unlike any before. `numberOf` finds the bank's number of a boleto or the
 * reference of a payout.
 */
export function fileOf(
  lines: readonly BankLine[],
  numberOf: (line: BankLine) => number,
  now: number,
): string {
  files += 1;
  const boletos = lines.flatMap((line) => {
    if (line.kind !== 'boletoLine') return [];
    const { report, amount: paid, day: on } = line;
    // The check digit follows, which is not read.
    const title = `${String(numberOf(line)).padStart(8, '0')}0`;
    return [{ title, movement: MOVEMENTS[report], on, ...(report === 'PAID' ? { paid } : {}) }];
  });
  if (boletos.length > 0) return returnOf(BANK_CODE, boletos, files);
  const payouts = lines.flatMap((line) =>
    line.kind === 'payoutLine'
      ? [
          {
            reference: numberOf(line),
            occurrence: OCCURRENCES[line.report],
            amount: line.amount,
            on: dayOf(now),
          },
        ]
      : [],
  );
  return payoutReturnOf(payouts, files);
}

/** The line of the file in which the line at `index` begins: a boleto has two segments. */
export const firstLineOf = ({ kind }: BankLine, index: number): number =>
  kind === 'boletoLine' ? 3 + 2 * index : 3 + index;
