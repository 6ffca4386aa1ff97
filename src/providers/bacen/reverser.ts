import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';
import type { BacenClient } from './client.ts';
import { sendDevolucao } from './refunds.ts';

/** Reverses Pix payments with a refund at the PSP. */
export function createBacenReverser(name: string, client: BacenClient): PaymentReverser {
  return {
    name,
    // A boleto can be paid by its Pix code, and every payment that this provider reports is a Pix.
    methods: ['PIX', 'BOLETO'],
    async reverse({ id, paymentId, amountCents }, deadline) {
      const outcome = await sendDevolucao(client, { id, amountCents, endToEndId: paymentId }, deadline);
      if (outcome.kind === 'refused') return outcome;
      if (outcome.kind === 'done') return { kind: 'accepted', reference: outcome.reference };
      // Repeating the call reads the state until the refund has an outcome.
      throw new Error('the refund is still pending at the provider');
    },
  };
}
