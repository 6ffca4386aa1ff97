export type Cell = string | number | boolean | null;

/** An amount that is written as it is: its sign does not start a formula. */
export interface WrittenAmount {
  readonly amount: string;
}

/** A column of a file for Brazil: its name, and how a value is written if not as in other files. */
export interface BrazilianColumn {
  readonly name: string;
  /** A `day` may also be a month. */
  readonly type?: 'cents' | 'time' | 'day';
  /** What the screens show for a value, such as a status. */
  readonly label?: (value: string) => string;
}

/** The label of a value in a table. A value that is not in it is written as it is. */
export const labelFrom =
  (labels: Readonly<Record<string, string>>) =>
  (value: string): string =>
    labels[value] ?? value;

/**
 * A value for spreadsheets in Brazil: reais with a decimal comma, dates, local times, and labels.
 */
export function writeBrazilian(cell: Cell, { type, label }: BrazilianColumn): Cell | WrittenAmount {
  if (type === 'cents' && typeof cell === 'number')
    return { amount: (cell / 100).toFixed(2).replace('.', ',') };
  if (typeof cell === 'boolean') return cell ? 'Sim' : 'Não';
  if (typeof cell !== 'string') return cell;
  if (type === 'time') return writeLocalTime(cell);
  if (type === 'day') return writeDay(cell);
  return label?.(cell) ?? cell;
}

/** `20/11/2026`, or `11/2026` for a month. */
export const writeDay = (day: string): string => day.split('-').toReversed().join('/');

/** `20/11/2026 09:00:00`, in São Paulo. */
export const writeLocalTime = (timestamp: string): string =>
  LOCAL_TIME.format(new Date(timestamp)).replace(',', '');

const LOCAL_TIME = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/**
 * One CSV record. Text that a spreadsheet would evaluate as a formula is prefixed with an
 * apostrophe.
 */
export function csvLine(cells: readonly (Cell | WrittenAmount)[], separator: ',' | ';' = ','): string {
  const written = cells.map((cell) => {
    if (typeof cell === 'string') return quoteCell(escapeFormulas(cell), separator);
    const isAmount = typeof cell === 'object' && cell !== null;
    return isAmount ? quoteCell(cell.amount, separator) : String(cell ?? '');
  });
  return `${written.join(separator)}\r\n`;
}

export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => Cell;
  /** By default as in other files. */
  readonly brazil?: BrazilianColumn;
}

/** The columns of a file, and how it is written. */
export interface Table<Row> {
  readonly columns: readonly {
    readonly name: string;
    readonly value: (row: Row) => Cell | WrittenAmount;
  }[];
  readonly separator: ',' | ';';
  /** Precedes the first line. */
  readonly prefix: string;
}

/** By default for programs: commas, and values as in the API. */
export const tableOf = <Row>(columns: readonly Column<Row>[] | Table<Row>): Table<Row> =>
  'separator' in columns ? columns : { columns, separator: ',', prefix: '' };

/**
 * A file that spreadsheets open in Brazil, where the comma is the decimal separator. The byte order
 * mark makes Excel read UTF-8.
 */
const brazilianTable = <Row>(columns: readonly Column<Row>[]): Table<Row> => ({
  columns: columns.map(({ name, value, brazil = { name } }) => ({
    name: brazil.name,
    value: (row) => writeBrazilian(value(row), brazil),
  })),
  separator: ';',
  prefix: '\uFEFF',
});

/** The table of a file in the format of a locale. */
export const localizedTable = <Row>(columns: readonly Column<Row>[], locale: 'pt-BR' | undefined) =>
  locale === 'pt-BR' ? brazilianTable(columns) : columns;

/** A whole file. */
export function writeCsv<Row>(
  columns: readonly Column<Row>[],
  locale: 'pt-BR' | undefined,
  rows: readonly Row[],
): string {
  const { columns: written, separator, prefix } = tableOf(localizedTable(columns, locale));
  const lines = [
    written.map(({ name }) => name),
    ...rows.map((row) => written.map(({ value }) => value(row))),
  ];
  return prefix + lines.map((cells) => csvLine(cells, separator)).join('');
}

/**
 * A sign that starts a formula: the first character of a cell other than blanks and quotes, also
 * after characters that separate cells in other dialects. Spreadsheets in Brazil separate cells by
 * semicolons and ignore quotes inside a cell.
 */
const FORMULA = /[=+\-@＝＋－＠](?<=(?:^|[;\t\r\n])["\s]*[=+\-@＝＋－＠])/g;

/** Source: OWASP, "CSV Injection". */
function escapeFormulas(text: string): string {
  const marked = text.replaceAll(FORMULA, "'$&");
  return /^[\t\r\n]/.test(marked) ? `'${marked}` : marked;
}

function quoteCell(text: string, separator: string): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
