/** Texts of the latest times, by milliseconds. */
const texts = new Map<number, string>();

const MAX_TEXTS = 256;

/**
 * `date.toISOString()`, remembered: a request formats few times, each in several places, and the
 * requests of a batch share them.
 */
export function toIso(date: Date): string;
export function toIso(date: Date | null | undefined): string | undefined;
export function toIso(date: Date | null | undefined): string | undefined {
  if (date === null || date === undefined) return undefined;
  const ms = date.getTime();
  let text = texts.get(ms);
  if (text === undefined) {
    text = date.toISOString();
    if (texts.size >= MAX_TEXTS) texts.clear();
    texts.set(ms, text);
  }
  return text;
}
