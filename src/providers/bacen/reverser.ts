import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';
import type { BacenClient } from './client.ts';
import { sendDevolucao } from './refunds.ts';

/** Sends back PIX payments that are not the seller's money, whatever charge they were made for. */
export function createBacenReverser(name: string, client: BacenClient): PaymentReverser {
  return {
    name,
    // A boleto is paid by its PIX code too, and what this provider reported was a PIX.
    methods: ['PIX', 'BOLETO'],
    async reverse({ id, paymentId, amountCents }, deadline) {
      const outcome = await sendDevolucao(client, { id, amountCents, endToEndId: paymentId }, deadline);
      if (outcome.kind === 'refused') return outcome;
      if (outcome.kind === 'done') return { kind: 'accepted', reference: outcome.reference };
      // Accepted is not sent: until the API has settled it, it is asked again.
      throw new Error('the provider is still working on a return');
    },
  };
}
