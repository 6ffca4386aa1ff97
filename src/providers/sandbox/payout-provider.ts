import type { KeyHolder, KeyLookup, PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';

/** Emails of this domain belong to another person. */
const OTHER_HOLDER_DOMAIN = '@outro.example';

const OTHER_HOLDER: KeyHolder = {
  name: 'Titular Fictício',
  documentType: 'CPF',
  document: '11144477735',
};

/** Accepts every payout. The seller simulates its outcome with the sandbox routes. */
export function createSandboxPayoutProvider(): PayoutProvider {
  return {
    name: 'sandbox',
    methods: ['PIX', 'CRYPTO'],
    send: async ({ id }) => ({ kind: 'accepted', reference: `sandbox-${id}` }),
    lookUpKey: async (lookup) => holderOf(lookup),
  };
}

/**
 * A fictitious directory of Pix keys: they belong to the seller, except for a document of the
 * seller's type that is not its own, and emails at `outro.example`.
 */
function holderOf({ key: { pixKey, pixKeyType }, seller }: KeyLookup): KeyHolder {
  if (pixKey.endsWith(OTHER_HOLDER_DOMAIN)) return OTHER_HOLDER;
  if (pixKeyType !== seller.documentType || pixKey === seller.document) return seller;
  return { name: OTHER_HOLDER.name, documentType: pixKeyType, document: pixKey };
}
