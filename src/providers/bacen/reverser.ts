import type { PaymentReturner } from '#payouts/reversals/payment-reverser.ts';
import type { BacenClient } from './client.ts';
import { sendDevolucao } from './refunds.ts';

/** Sends back PIX payments that are not the seller's money, whatever charge they were made for. */
export function bacenReturns(name: string, client: BacenClient): PaymentReturner {
  return {
    name,
    // A boleto is paid by its PIX code too, and what this provider reported was a PIX.
    methods: ['PIX', 'BOLETO'],
    async sendBack({ id, paymentId, amountCents }, deadline) {
      const answer = await sendDevolucao(client, { id, amountCents, endToEndId: paymentId }, deadline);
      if (answer.kind === 'refused') return answer;
      if (answer.kind === 'done') return { kind: 'accepted', reference: answer.reference };
      // Accepted is not sent: until the API has settled it, it is asked again.
      throw new Error('the provider is still working on a return');
    },
  };
}
