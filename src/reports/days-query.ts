import { Type } from 'typebox';

import { daysBetween, isLocalDate } from '#formats/calendar/local-date.ts';
import { described } from '#platform/http/envelope.ts';
import type { Rule } from '#platform/http/rules.ts';
import type { CrossFieldRule } from '#platform/http/validation.ts';

const INVALID_DAY: Rule = 'must be a day such as 2026-03-01';

const day = Type.String({
  pattern: '^20\\d{2}-\\d{2}-\\d{2}$',
  'x-rule': INVALID_DAY satisfies Rule,
  description: 'A day in São Paulo.',
});

/** The query parameters of a report about whole days. */
export const daysQuery = {
  startDate: described(day, 'The first day, in São Paulo.'),
  endDate: described(day, 'The last day, in São Paulo.'),
};

/** Both days exist, and the last is not before the first. */
export const daysRule: CrossFieldRule = ({ startDate, endDate }) => {
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return [];
  if (!isLocalDate(startDate)) return [{ path: ['startDate'], rule: INVALID_DAY }];
  if (!isLocalDate(endDate)) return [{ path: ['endDate'], rule: INVALID_DAY }];
  return daysBetween(startDate, endDate) < 0
    ? [{ path: ['endDate'], rule: 'must not be before startDate' }]
    : [];
};
