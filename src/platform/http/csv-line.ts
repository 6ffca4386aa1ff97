export type Cell = string | number | boolean | null;

/** One record. Numbers stand as they are; what a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? quoteCell(escapeFormulas(cell)) : String(cell ?? ''))).join(',')}\r\n`;
}

/**
 * Where a sign begins a formula: first in the cell, but for blanks and quotes, and first behind what ends a cell for somebody else. A
 * spreadsheet in Brazil separates cells by semicolons, and knows nothing of quotes that do not begin one.
 */
const FORMULA = /[=+\-@＝＋－＠](?<=(?:^|[;\t\r\n])["\s]*[=+\-@＝＋－＠])/g;

/** Source: OWASP, "CSV Injection". */
function escapeFormulas(text: string): string {
  const marked = text.replaceAll(FORMULA, "'$&");
  return /^[\t\r\n]/.test(marked) ? `'${marked}` : marked;
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
