import type { PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';

/** The sandbox's rail for payouts: takes every order, and waits for the caller to play the rest. */
export function createSandboxPayoutProvider(): PayoutProvider {
  return {
    name: 'sandbox',
    methods: ['PIX', 'CRYPTO'],
    send: async ({ id }) => ({ kind: 'accepted', reference: `sandbox-${id}` }),
  };
}
