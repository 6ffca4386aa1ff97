import { expect, it } from 'vitest';

import { expiryViolations } from './schema.ts';

const YEAR = { path: ['expirationYear'], rule: 'must not be less than 2027', code: 'too_small' };
const MONTH = { path: ['expirationMonth'], rule: 'must not be less than 3', code: 'too_small' };

it.each([
  [2026, 12, [YEAR]],
  [2027, 2, [MONTH]],
  [2027, 3, []],
  [2028, 1, []],
])('a card of %i-%i violates %j in March 2027', (expirationYear, expirationMonth, violations) => {
  // The last hour of March in São Paulo.
  const now = new Date('2027-04-01T02:59:59.999Z');
  expect(expiryViolations({ expirationYear, expirationMonth }, now)).toEqual(violations);
});
