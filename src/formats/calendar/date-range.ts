import { SAO_PAULO } from './sao-paulo.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;

/** Whether the text has the form of a day, `YYYY-MM-DD`. */
export const isDay = (text: string): boolean => DAY.test(text);

/** From an instant on and before another. */
export interface DateRange {
  readonly from: Date;
  readonly before: Date;
}

/**
 * The range that a text denotes: a day in São Paulo, or one millisecond, which is the precision of
 * records. A time without an offset is one of São Paulo. Undefined if the text is not ISO 8601 or
 * there is no such date or time.
 */
export function parseDateRange(text: string): DateRange | undefined {
  try {
    if (isDay(text)) {
      const day = Temporal.PlainDate.from(text);
      return { from: startOf(day), before: startOf(day.add({ days: 1 })) };
    }
    if (INSTANT.test(text)) return millisecond(Temporal.Instant.from(text));
    if (LOCAL_TIME.test(text)) {
      return millisecond(Temporal.PlainDateTime.from(text).toZonedDateTime(SAO_PAULO).toInstant());
    }
  } catch (error) {
    // The date or time does not exist.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

const startOf = (day: Temporal.PlainDate): Date => new Date(day.toZonedDateTime(SAO_PAULO).epochMilliseconds);

function millisecond(instant: Temporal.Instant): DateRange {
  const ms = instant.epochMilliseconds;
  return { from: new Date(ms), before: new Date(ms + 1) };
}
