import type { PaymentReverser } from '#payouts/reversals/payment-reverser.ts';

/** The sandbox's rail for returns. Like a bank it does not know the account of who paid a boleto. */
export function createSandboxReverser(): PaymentReverser {
  return {
    name: 'sandbox',
    methods: ['PIX', 'CREDIT_CARD'],
    reverse: async ({ id }) => ({ kind: 'accepted', reference: `sandbox-${id}` }),
  };
}
