import { expect, it } from 'vitest';

import { addBusinessDays, businessDayOnOrAfter } from '#formats/calendar/business-days.ts';
import { addDays, daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';
import { PAYABLE_MS } from './paid-start.ts';

/** The days of a boleto from its creation until its bank has reported a payment in time. */
function daysUntilReported(createdOn: LocalDate): number {
  const lastPayableOn = businessDayOnOrAfter(addDays(createdOn, 3));
  return daysBetween(createdOn, addDays(addBusinessDays(lastPayableOn, 3), 1));
}

it('a subscription waits for the reports of boletos that were paid in time', () => {
  const days = Array.from({ length: 20 * 365 }, (_, index) => addDays('2026-01-01', index));
  const longest = Math.max(...days.map(daysUntilReported));
  expect(longest).toBeGreaterThan(10);
  expect(longest * 24 * 3_600_000).toBeLessThan(PAYABLE_MS);
});
