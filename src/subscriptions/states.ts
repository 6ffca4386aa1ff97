import type { SubscriptionStatus } from './subscription.ts';

/** All transitions between the statuses of a subscription. */
export const TRANSITIONS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  PENDING: ['ACTIVE', 'REJECTED', 'EXPIRED', 'CANCELLED'],
  ACTIVE: ['PAST_DUE', 'PAUSED', 'CANCELLED', 'COMPLETED'],
  PAST_DUE: ['ACTIVE', 'PAUSED', 'CANCELLED', 'COMPLETED'],
  PAUSED: ['ACTIVE', 'CANCELLED'],
  CANCELLED: [],
  COMPLETED: [],
  REJECTED: [],
  EXPIRED: [],
};

export const canTransition = (from: SubscriptionStatus, to: SubscriptionStatus): boolean =>
  TRANSITIONS[from].includes(to);

/** Whether cycles are charged. */
export const isCharging = (status: SubscriptionStatus): boolean =>
  status === 'ACTIVE' || status === 'PAST_DUE';

export const hasEnded = (status: SubscriptionStatus): boolean => TRANSITIONS[status].length === 0;
