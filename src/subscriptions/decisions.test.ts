import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { RETRY_DAYS } from './calendar.ts';
import { changeStatus, openCycle, settle, shownStatus, type Outcome } from './decisions.ts';
import { canTransition, hasEnded, isCharging, TRANSITIONS } from './states.ts';
import {
  INTERVALS,
  ON_UNPAID,
  RETRY_POLICIES,
  SUBSCRIPTION_METHODS,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from './subscription.ts';

const NOW = new Date('2026-12-01T12:00:00.000Z');
const SOFT = { kind: 'FAILED', reason: 'insufficient funds', isFinal: false } as const;
const HARD = { kind: 'FAILED', reason: 'expired card', isFinal: true } as const;
const PAID = { kind: 'PAID' } as const;

const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  sellerId: '00000000-0000-4000-8000-000000000001',
  id: '00000000-0000-4000-8000-000000000002',
  method: 'CREDIT_CARD',
  status: 'ACTIVE',
  version: 1,
  amount: 4990,
  amountType: 'FIXED',
  minimumAmount: null,
  interval: 'MONTHLY',
  startDate: '2026-12-01',
  cycles: null,
  retryPolicy: 'THREE_IN_SEVEN_DAYS',
  onUnpaid: 'CONTINUE',
  description: null,
  customerId: null,
  customer: null,
  cardTokenId: null,
  networkReference: null,
  externalRef: null,
  metadata: null,
  postbackUrl: null,
  payerSecret: '00000000-0000-4000-8000-000000000003',
  nextCycle: 0,
  chargedCycles: 0,
  invoices: 0,
  dueAt: startOfSaoPauloDay('2026-12-01'),
  cardCheckedCycle: -1,
  nextOutcome: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...changes,
});

const opened = (changes: Partial<Subscription> = {}) => {
  const { subscription: after, invoice, attempt } = openCycle(subscription(changes), NOW);
  return { subscription: after, invoice, attempt, hasOtherOpen: false, hasNewerFailed: false };
};

describe('a cycle', () => {
  it('of a card waits for the outcome before the next one is opened', () => {
    const context = opened();
    expect(context.subscription).toMatchObject({ nextCycle: 1, invoices: 1, chargedCycles: 1, dueAt: null });
    const paid = settle(context, PAID, NOW);
    expect(paid?.subscription.dueAt).toEqual(startOfSaoPauloDay('2027-01-01'));
    expect(paid?.invoice.status).toBe('PAID');
  });

  it('after others that were missed until the seller became ACTIVE is charged without them', () => {
    const activatedAt = new Date('2027-03-15T12:00:00.000Z');
    const { subscription: after, invoice } = openCycle(subscription(), activatedAt, activatedAt);
    expect(invoice).toMatchObject({ dueDate: '2027-03-01', number: 1 });
    expect(after).toMatchObject({ nextCycle: 4, chargedCycles: 1, invoices: 1 });
    const next = openCycle(after, new Date('2027-05-15T12:00:00.000Z'), activatedAt);
    expect([next.invoice.dueDate, next.subscription.nextCycle]).toEqual(['2027-04-01', 5]);
  });

  it('of a boleto does not wait', () => {
    expect(opened({ method: 'BOLETO' }).subscription.dueAt).toEqual(startOfSaoPauloDay('2027-01-01'));
  });

  it('of Pix Automático is SCHEDULED until its date', () => {
    const { invoice } = opened({ method: 'PIX_AUTOMATICO', startDate: '2026-12-10' });
    expect(shownStatus(invoice, NOW)).toBe('SCHEDULED');
    expect(shownStatus(invoice, startOfSaoPauloDay('2026-12-10'))).toBe('PENDING');
  });

  it('is the last one of `cycles`, and its payment completes the subscription', () => {
    const context = opened({ cycles: 1 });
    expect(context.subscription.dueAt).toBeNull();
    expect(settle(context, PAID, NOW)?.statuses).toEqual(['COMPLETED']);
    expect(settle({ ...context, hasOtherOpen: true }, PAID, NOW)?.statuses).toEqual([]);
  });
});

describe('a failed attempt', () => {
  it('is repeated on three days, after which the subscription is PAST_DUE and continues', () => {
    let context = opened();
    const dates: (string | null)[] = [];
    for (let attempt = 0; attempt < RETRY_DAYS.length; attempt += 1) {
      const settlement = settle(context, SOFT, NOW);
      expect(settlement?.statuses).toEqual([]);
      dates.push(settlement?.invoice.retryDate ?? null);
      context = { ...context, ...settlement, attempt: context.attempt };
    }
    expect(dates).toEqual(['2026-12-03', '2026-12-05', '2026-12-07']);
    const last = settle(context, SOFT, NOW);
    expect(last?.statuses).toEqual(['PAST_DUE']);
    expect(last?.invoice).toMatchObject({ status: 'FAILED', retryAt: null });
    expect(last?.subscription.dueAt).toEqual(startOfSaoPauloDay('2027-01-01'));
  });

  it.each([
    ['PAUSE', ['PAST_DUE', 'PAUSED']],
    ['CANCEL', ['PAST_DUE', 'CANCELLED']],
    ['CONTINUE', ['PAST_DUE']],
  ] as const)('that is final leads to %s', (onUnpaid, statuses) => {
    expect(settle(opened({ onUnpaid }), HARD, NOW)?.statuses).toEqual(statuses);
  });

  it('of a canceled charge changes nothing but the attempt', () => {
    const context = opened();
    const canceling = { ...context, attempt: { ...context.attempt, state: 'CANCELING' as const } };
    expect(settle(canceling, SOFT, NOW)).toMatchObject({ attempt: { state: 'CANCELED' }, statuses: [] });
  });

  it('that a pause has canceled counts if it is paid after all', () => {
    const context = opened({ method: 'PIX_AUTOMATICO', cycles: 2 });
    const paused = {
      ...context,
      subscription: { ...context.subscription, status: 'PAUSED' as const, chargedCycles: 0 },
      invoice: { ...context.invoice, status: 'CANCELLED' as const },
      attempt: { ...context.attempt, state: 'CANCELED' as const },
    };
    const paid = settle(paused, PAID, NOW);
    expect(paid).toMatchObject({ invoice: { status: 'PAID' }, subscription: { chargedCycles: 1 } });
    expect(paid?.statuses).toEqual([]);
  });

  it('whose transaction is canceled cancels the invoice, the charge at the bank and no more', () => {
    const context = opened({ method: 'PIX_AUTOMATICO', startDate: '2026-12-10' });
    const canceled = settle(context, { kind: 'CANCELED' }, NOW);
    expect(canceled).toMatchObject({
      statuses: [],
      invoice: {
        status: 'CANCELLED',
        retryAt: null,
      },
      attempt: { state: 'CANCELING' },
      subscription: {
        status: 'ACTIVE',
        chargedCycles: 0,
        dueAt: startOfSaoPauloDay('2026-12-31'),
      },
    });
    expect(canceled && settle({ ...context, ...canceled }, { kind: 'CANCELED' }, NOW)).toBeUndefined();
  });

  it('is recovered by a payment, unless a newer invoice has failed', () => {
    const context = opened({ status: 'PAST_DUE' });
    expect(settle(context, PAID, NOW)?.statuses).toEqual(['ACTIVE']);
    expect(settle({ ...context, hasNewerFailed: true }, PAID, NOW)?.statuses).toEqual([]);
  });
});

describe('changeStatus', () => {
  it('skips the cycles that were missed while it was paused, which do not count', () => {
    const paused = subscription({ status: 'PAUSED', nextCycle: 1, chargedCycles: 1, dueAt: null });
    const resumed = changeStatus(paused, 'ACTIVE', false, new Date('2027-03-01T12:00:00.000Z'));
    expect(resumed).toMatchObject({ nextCycle: 4, chargedCycles: 1 });
    expect(resumed.dueAt).toEqual(startOfSaoPauloDay('2027-04-01'));
  });
});

const anySubscription = fc
  .record({
    method: fc.constantFrom(...SUBSCRIPTION_METHODS),
    interval: fc.constantFrom(...INTERVALS),
    status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
    retryPolicy: fc.constantFrom(...RETRY_POLICIES),
    onUnpaid: fc.constantFrom(...ON_UNPAID),
    cycles: fc.option(fc.integer({ min: 1, max: 3 })),
  })
  .map(subscription);
const outcomes = fc.constantFrom<Outcome>(PAID, SOFT, HARD);

describe('every outcome of every subscription', () => {
  it('follows the table of transitions, and leaves nothing due where nothing is charged', () => {
    fc.assert(
      fc.property(
        anySubscription,
        outcomes,
        fc.boolean(),
        fc.boolean(),
        (before, outcome, hasOtherOpen, failed) => {
          const context = { ...openCycle(before, NOW), hasOtherOpen, hasNewerFailed: failed };
          const settlement = settle(context, outcome, NOW);
          let status = before.status;
          for (const next of settlement?.statuses ?? []) {
            expect(canTransition(status, next)).toBe(true);
            status = next;
          }
          expect(settlement?.subscription.status).toBe(status);
          const isIdle =
            status === 'PENDING' || isCharging(status) || settlement?.subscription.dueAt === null;
          expect(isIdle || settlement?.statuses.length === 0).toBe(true);
          expect(settlement?.invoice.status === 'PAID').toBe(outcome.kind === 'PAID');
        },
      ),
    );
  });

  it('is applied once', () => {
    const context = opened();
    const paid = settle(context, PAID, NOW);
    expect(paid && settle({ ...context, ...paid }, SOFT, NOW)).toBeUndefined();
    const failed = settle(context, HARD, NOW);
    expect(failed && settle({ ...context, ...failed }, HARD, NOW)).toBeUndefined();
  });
});

describe('TRANSITIONS', () => {
  it('leave no status that has ended', () => {
    const ended = SUBSCRIPTION_STATUSES.filter(hasEnded);
    expect(ended).toEqual(['CANCELLED', 'COMPLETED', 'REJECTED', 'EXPIRED']);
    expect(Object.keys(TRANSITIONS)).toEqual([...SUBSCRIPTION_STATUSES]);
  });
});
