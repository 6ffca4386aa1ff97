export type Cell = string | number | boolean | null;

/** A value as spreadsheets in Brazil read it: reais with a decimal comma, and local times. */
export function writeBrazilian(cell: Cell, type: 'cents' | 'time' | undefined): Cell {
  if (type === 'cents' && typeof cell === 'number') return (cell / 100).toFixed(2).replace('.', ',');
  if (type === 'time' && typeof cell === 'string') return LOCAL_TIME.format(new Date(cell)).replace(',', '');
  return cell;
}

const LOCAL_TIME = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/**
 * One CSV record. Text that a spreadsheet would evaluate as a formula is prefixed with an
 * apostrophe.
 */
export function csvLine(cells: readonly Cell[], separator: ',' | ';' = ','): string {
  const written = cells.map((cell) =>
    typeof cell === 'string' ? quoteCell(escapeFormulas(cell), separator) : String(cell ?? ''),
  );
  return `${written.join(separator)}\r\n`;
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
