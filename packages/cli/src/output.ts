/** The error of an invalid argument. Ends the program with code 2. */
export class UsageError extends Error {}

export const printLine = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Options of every command. */
export interface CommonOptions {
  readonly url?: string;
  readonly apiKey?: string;
  readonly json?: boolean;
}

/** Prints a record: indented for people, in one line for programs. */
export function printRecord(record: unknown, { json }: CommonOptions): void {
  printLine(json === true ? JSON.stringify(record) : JSON.stringify(record, null, 2));
}

/** Prints records as a JSON array, or as a table of the given members. */
export function printList(
  records: readonly object[],
  members: readonly string[],
  { json }: CommonOptions,
): void {
  if (json === true) {
    printLine(JSON.stringify(records));
    return;
  }
  const rows = records.map((record) => {
    const values = new Map<string, unknown>(Object.entries(record));
    return members.map((member) => cell(values.get(member)));
  });
  const header = members.map((member) => (member === 'amount' ? 'AMOUNT (CENTS)' : member.toUpperCase()));
  const table = [header, ...rows];
  const widths = members.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table)
    printLine(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** API keys are not repeated in messages. */
export const withoutKeys = (text: string): string => text.replaceAll(/sk_(test|live)_\w+/g, 'sk_$1_…');
