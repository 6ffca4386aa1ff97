import type { Refusal } from './api.ts';
import { formatDuration, texts } from './texts.ts';

/** Why a request was refused, and how long to wait. */
export function refusalText({ code, retryAfter }: Refusal): string {
  const text = texts.problems[code] ?? texts.problem;
  return retryAfter !== null && !text.endsWith('.') ? `${text} ${formatDuration(retryAfter)}.` : text;
}
