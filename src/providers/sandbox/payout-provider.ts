import type { PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';

/** Takes every payout. The seller simulates its outcome with the sandbox routes. */
export function createSandboxPayoutProvider(): PayoutProvider {
  return {
    name: 'sandbox',
    methods: ['PIX', 'CRYPTO'],
    send: async ({ id }) => ({ kind: 'accepted', reference: `sandbox-${id}` }),
  };
}
