import type { Static } from 'typebox';

import { nextChargeDate } from '#subscriptions/views.ts';
import type { PublicSubscriptionSchema } from './subscription-schema.ts';
import type { PayerSubscription } from './subscription.ts';
import type { SellerBrand } from './views.ts';

/** What its payer sees of a subscription. It contains no id, and nothing of the seller's own. */
export function viewPublicSubscription(
  { subscription, card, invoices }: PayerSubscription,
  seller: SellerBrand,
  now: Date,
): Static<typeof PublicSubscriptionSchema> {
  const { status, description, amount, method, interval, startDate, cycles, authorization } = subscription;
  return {
    status,
    description,
    amount,
    method,
    interval,
    startDate,
    cycles,
    nextChargeDate: nextChargeDate(subscription, now),
    card: card && {
      brand: card.brand,
      lastFour: card.lastFour,
      expirationMonth: card.expirationMonth,
      expirationYear: card.expirationYear,
    },
    qrCode: status === 'PENDING' ? (authorization?.code ?? null) : null,
    invoices: [...invoices],
    seller,
  };
}
