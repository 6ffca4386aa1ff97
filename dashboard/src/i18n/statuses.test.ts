import { expect, it } from 'vitest';

import { chargeOutcome } from './statuses.ts';

it.each([
  ['PIX', 'FAILED', 'expired', 'EXPIRED'],
  ['BOLETO', 'FAILED', 'cancelled', 'CANCELED'],
  ['CREDIT_CARD', 'FAILED', 'authorization expired', 'EXPIRED'],
  ['CREDIT_CARD', 'FAILED', 'insufficient funds', 'DECLINED'],
  ['PIX', 'FAILED', 'failed at the provider', 'FAILED'],
  ['PIX', 'FAILED', null, 'FAILED'],
  ['PIX', 'PAID', 'expired', 'PAID'],
])('a %s charge that is %s because of "%s" is shown as %s', (method, status, reason, shown) => {
  expect(chargeOutcome(method, status, reason)).toBe(shown);
});
