import type { Refusal } from './api.ts';
import { formatDuration, texts } from './texts.ts';

/** Why a request was refused, and how long to wait. */
export function refusalText({ code, retryAfter }: Refusal, other: string = texts.problem): string {
  const text = texts.problems[code] ?? other;
  return retryAfter !== null && !text.endsWith('.') ? `${text} ${formatDuration(retryAfter)}.` : text;
}
