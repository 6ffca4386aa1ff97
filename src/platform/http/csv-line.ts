export type Cell = string | number | boolean | null;

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
