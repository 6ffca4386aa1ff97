import { Type } from 'typebox';

import type { LocalDate } from '#formats/calendar/local-date.ts';
import { parseDateRange } from '#formats/calendar/date-range.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { CrossFieldRule } from './validation.ts';

/** Date filters of lists. Days are calendar days in São Paulo. */

const date = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }));

/** The query parameters of a list that can be filtered by creation time. */
export const dateQuery = {
  startDate: date(
    'Only records created since then: a day in São Paulo (`2026-03-01`), or an ISO 8601 timestamp.',
  ),
  endDate: date('Only records created until then. Inclusive: a day includes all of its hours.'),
};

/** The query parameters of a list that can be filtered by the time of payment. */
export const paidDateQuery = {
  paidStartDate: date('Only transactions paid since then: a day in São Paulo, or a timestamp.'),
  paidEndDate: date('Only transactions paid until then. Inclusive: a day includes all of its hours.'),
};

/** Rejects text that is not a date, or a date that does not exist. */
const datesRule =
  (names: readonly string[]): CrossFieldRule =>
  (query) =>
    names.flatMap((name) => {
      const text = query[name];
      return typeof text !== 'string' || parseDateRange(text) !== undefined
        ? []
        : [{ path: [name], rule: 'must be a valid ISO 8601 date string', code: 'invalid_format' }];
    });

export const dateRule = datesRule(['startDate', 'endDate']);
export const paidDateRule = datesRule(['paidStartDate', 'paidEndDate']);

/** A half-open range, unbounded where undefined. */
export interface Period {
  readonly from: Date | undefined;
  readonly before: Date | undefined;
}

/** Parses parameters that satisfy `dateRule`. */
export function parsePeriod(query: {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}): Period {
  const from = query.startDate === undefined ? undefined : parseDateRange(query.startDate)?.from;
  const before = query.endDate === undefined ? undefined : parseDateRange(query.endDate)?.before;
  return { from, before };
}

/** Parses parameters that satisfy `paidDateRule`. */
export const parsePaidPeriod = (query: {
  readonly paidStartDate?: string | undefined;
  readonly paidEndDate?: string | undefined;
}): Period => parsePeriod({ startDate: query.paidStartDate, endDate: query.paidEndDate });

export const ALL_TIME: Period = { from: undefined, before: undefined };

/**
 * The first day of a period in São Paulo and the first after it, as `YYYY-MM-DD`. Undefined if the
 * period begins or ends within a day.
 */
export function wholeDays({
  from,
  before,
}: Period):
  | { readonly fromDay: LocalDate | undefined; readonly beforeDay: LocalDate | undefined }
  | undefined {
  if (!isStartOfDay(from) || !isStartOfDay(before)) return undefined;
  return { fromDay: from && saoPauloDate(from), beforeDay: before && saoPauloDate(before) };
}

/** False for years that `LocalDate` does not have. */
function isStartOfDay(at: Date | undefined): boolean {
  if (at === undefined) return true;
  const year = at.getUTCFullYear();
  return year > 1 && year < 9_999 && startOfSaoPauloDay(saoPauloDate(at)).getTime() === at.getTime();
}
