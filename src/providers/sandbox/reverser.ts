import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';

/**
 * Reverses payments, except boletos: like a bank, it does not know the account of a boleto's payer.
 */
export function createSandboxReverser(): PaymentReverser {
  return {
    name: 'sandbox',
    methods: ['PIX', 'CREDIT_CARD'],
    reverse: async ({ id }) => ({ kind: 'accepted', reference: `sandbox-${id}` }),
  };
}
