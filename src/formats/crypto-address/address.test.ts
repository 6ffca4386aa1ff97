import { describe, expect, it } from 'vitest';

import vectors from '#test/vectors/withdrawals.json' with { type: 'json' };
import { CRYPTO_NETWORKS, isCryptoAddress, type CryptoNetwork } from './address.ts';

describe('addresses of crypto networks', () => {
  it.each(vectors.crypto)(
    'returns $valid for the $network address $address',
    ({ network, address, valid }) => {
      expect(isCryptoAddress(networkOf(network), address)).toBe(valid);
    },
  );

  it('rejects a valid address with any one character changed', () => {
    for (const { network, address, valid } of vectors.crypto) {
      // Hexadecimal in a single case has no checksum.
      if (!valid || address.startsWith('0x')) continue;
      for (let at = 0; at < address.length; at += 1) {
        const other = address[at] === 'q' ? 'p' : 'q';
        const changed = address.slice(0, at) + other + address.slice(at + 1);
        if (changed === address) continue;
        expect([changed, isCryptoAddress(networkOf(network), changed)]).toEqual([changed, false]);
      }
    }
  });

  it('takes bounded time for very long input', () => {
    const long = '1'.repeat(200_000);
    for (const network of CRYPTO_NETWORKS) expect(isCryptoAddress(network, long)).toBe(false);
    expect(isCryptoAddress('BTC', `bc1${'q'.repeat(200_000)}`)).toBe(false);
  });
});

function networkOf(text: string): CryptoNetwork {
  const found = CRYPTO_NETWORKS.find((network) => network === text);
  if (found === undefined) throw new Error(`unknown network ${text}`);
  return found;
}
