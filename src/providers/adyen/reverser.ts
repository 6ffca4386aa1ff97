import type { PaymentReturner } from '#payouts/reversals/payment-reverser.ts';
import { AdyenRefusal, calledAs, type AdyenClient } from './client.ts';
import type { AdyenSettings } from './settings.ts';

/** Sends back what was taken from a card and is not the seller's: cancels what is not captured yet, refunds the rest. */
export function adyenReturns(
  name: string,
  client: AdyenClient,
  { merchantAccount }: AdyenSettings,
): PaymentReturner {
  return {
    name,
    methods: ['CREDIT_CARD'],
    async sendBack({ id, paymentId }, deadline) {
      try {
        const { pspReference } = await client.modifications.refundOrCancelPayment(
          paymentId,
          { merchantAccount, reference: id },
          calledAs(id, deadline),
        );
        return { kind: 'accepted', reference: pspReference ?? null };
      } catch (error) {
        if (error instanceof AdyenRefusal) return { kind: 'refused', reason: error.message };
        throw error;
      }
    },
  };
}
