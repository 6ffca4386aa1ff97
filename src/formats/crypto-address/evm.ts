import { createHash } from 'node:crypto';

/**
 * Whether the text is an address of Ethereum or a compatible chain: `0x` and 40 hex digits. Mixed
 * case encodes a checksum, which must match; a single case has none. Source: ERC-55.
 */
export function isEvmAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  // Ethereum's Keccak predates SHA-3, which changed the padding.
  const hash = createHash('keccak-256').update(lower).digest('hex');
  const checksummed = lower
    .split('')
    .map((digit, index) => (Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit));
  return digits === checksummed.join('');
}
