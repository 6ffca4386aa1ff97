import { createHash } from 'node:crypto';

/**
 * Whether a text is an address of Ethereum or of a chain with its addresses: `0x` and 40 hex digits. In mixed case the case
 * is a checksum and must be right; in one case there is none to check. Source: ERC-55.
 */
export function isEvmAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  // Keccak as Ethereum froze it, before SHA-3 changed the padding.
  const hash = createHash('keccak-256').update(lower).digest('hex');
  const spelled = lower
    .split('')
    .map((digit, index) => (Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit));
  return digits === spelled.join('');
}
