import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';
import { AdyenRejectedError, requestOptions, type AdyenClient } from './client.ts';
import type { AdyenSettings } from './settings.ts';

/** Reverses card payments: cancels an uncaptured payment and refunds a captured one. */
export function createAdyenReverser(
  name: string,
  client: AdyenClient,
  { merchantAccount }: AdyenSettings,
): PaymentReverser {
  return {
    name,
    methods: ['CREDIT_CARD'],
    async reverse({ id, paymentId }, deadline) {
      try {
        const { pspReference } = await client.modifications.refundOrCancelPayment(
          paymentId,
          { merchantAccount, reference: id },
          requestOptions(id, deadline),
        );
        return { kind: 'accepted', reference: pspReference ?? null };
      } catch (error) {
        if (error instanceof AdyenRejectedError) return { kind: 'refused', reason: error.reason };
        throw error;
      }
    },
  };
}
