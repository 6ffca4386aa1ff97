import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';

/** Reverses payments except boletos, whose payer's account a bank does not know either. */
export function createSandboxReverser(): PaymentReverser {
  return {
    name: 'sandbox',
    methods: ['PIX', 'CREDIT_CARD'],
    reverse: async ({ id }) => ({ kind: 'accepted', reference: `sandbox-${id}` }),
  };
}
