import { describe, expect, it } from 'vitest';

import { buildSubscription } from './creation.ts';
import { openCycle } from './decisions.ts';
import type { Attempt, SubscriptionRecord } from './subscription.ts';
import { nextChargeDate, viewInvoice } from './views.ts';

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

describe('viewInvoice', () => {
  const now = new Date('2026-12-02T12:00:00.000Z');
  const { invoice, attempt } = openCycle({ ...subscription, method: 'PIX_AUTOMATICO' }, now);
  const view = (changes: Partial<Attempt>) => viewInvoice(invoice, [{ ...attempt, ...changes }], now);

  it('plans an attempt of a later day', () => {
    expect(view({ state: 'SENT' })).toMatchObject({ attempts: [], nextAttemptDate: '2026-12-10' });
    expect(view({ state: 'CANCELED' })).toMatchObject({ attempts: [], nextAttemptDate: null });
  });

  it('shows the outcome of an attempt that a bank has rejected before its day', () => {
    const rejected = { state: 'FAILED', reason: 'refused by the provider: AC05' } as const;
    expect(view(rejected)).toMatchObject({
      attempts: [{ date: '2026-12-10', status: 'FAILED', reason: rejected.reason }],
      nextAttemptDate: null,
    });
  });
});
