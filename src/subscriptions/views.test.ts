import { describe, expect, it } from 'vitest';

import { buildSubscription } from './creation.ts';
import type { SubscriptionRecord } from './subscription.ts';
import { nextChargeDate } from './views.ts';

const INPUT = {
  ...({ method: 'BOLETO', amount: 4990, amountType: 'FIXED', minimumAmount: null } as const),
  ...({ interval: 'MONTHLY', startDate: '2026-12-10', cycles: null, retryPolicy: 'NONE' } as const),
  ...({ onUnpaid: 'CONTINUE', description: null, customerId: null, customer: null } as const),
  ...({ cardTokenId: null, externalRef: null, metadata: null, postbackUrl: null, journey: null } as const),
  payerAccount: null,
};
const { subscription } = buildSubscription({ pixAutomatico: undefined }, 's', INPUT, new Date());
const RECORD: SubscriptionRecord = {
  ...subscription,
  nextCycle: 1,
  chargedCycles: 1,
  scheduledDates: [],
  authorization: null,
};

const nextAt = (now: string, changes: Partial<SubscriptionRecord> = {}) =>
  nextChargeDate({ ...RECORD, ...changes }, new Date(`${now}T12:00:00.000Z`));

describe('nextChargeDate', () => {
  it('is that of a scheduled invoice until its day, and then that of the next cycle', () => {
    const scheduledDates = ['2026-12-10'];
    expect(nextAt('2026-12-10', { scheduledDates })).toBe('2026-12-10');
    expect(nextAt('2026-12-11', { scheduledDates })).toBe('2027-01-10');
    expect(nextAt('2026-12-11', { scheduledDates: ['2026-12-10', '2026-12-17'] })).toBe('2026-12-17');
  });

  it('is never in the past', () => {
    expect(nextAt('2027-01-12')).toBe('2027-01-12');
  });

  it('is null if no cycle follows', () => {
    expect(nextAt('2026-12-10', { cycles: 1 })).toBeNull();
    expect(nextAt('2026-12-10', { status: 'PAUSED' })).toBeNull();
    expect(nextAt('2026-12-10', { status: 'CANCELLED' })).toBeNull();
  });
});
