import { HttpError } from '#platform/http/errors.ts';
import type { SubscriptionStatus } from './subscription.ts';

export const invalidTransition = (from: SubscriptionStatus, to: SubscriptionStatus): HttpError =>
  new HttpError('invalid_transition', { message: `Subscription cannot go from ${from} to ${to}` });
