import { base58CheckVersion } from './base58-check.ts';
import { isEvmAddress } from './evm.ts';
import { parseSegwitAddress } from './segwit.ts';

/** The networks that money can be sent over: tokens on TRON, Ethereum and Polygon, and Bitcoin. */
export const CRYPTO_NETWORKS = ['TRC20', 'ERC20', 'POLYGON', 'BTC'] as const;
export type CryptoNetwork = (typeof CRYPTO_NETWORKS)[number];

/** Version bytes of Base58Check addresses of the main networks. */
const TRON_ACCOUNT = 0x41;
const BITCOIN_KEY_HASH = 0x00;
const BITCOIN_SCRIPT_HASH = 0x05;

/**
 * Whether money can be sent to the address over the network: its form, its checksum, and that it belongs to the main
 * network. What is sent to a wrong address is lost, so what no wallet hands out today is refused.
 */
export function isCryptoAddress(network: CryptoNetwork, text: string): boolean {
  switch (network) {
    case 'TRC20':
      return base58CheckVersion(text) === TRON_ACCOUNT;
    case 'ERC20':
    case 'POLYGON':
      return isEvmAddress(text);
    case 'BTC':
      return isBitcoinAddress(text);
  }
}

/** Key hashes and script hashes (with their witness forms) and taproot. */
function isBitcoinAddress(text: string): boolean {
  const version = base58CheckVersion(text);
  if (version !== undefined) return version === BITCOIN_KEY_HASH || version === BITCOIN_SCRIPT_HASH;
  const witness = parseSegwitAddress('bc', text);
  if (witness === undefined) return false;
  if (witness.version === 0) return witness.programBytes === 20 || witness.programBytes === 32;
  return witness.version === 1 && witness.programBytes === 32;
}
