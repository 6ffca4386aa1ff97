import { hash } from 'node:crypto';

import { bech32, bech32m, createBase58check } from '@scure/base';

import { isEvmAddress } from './evm.ts';

/** The supported networks: tokens on TRON, Ethereum and Polygon, and Bitcoin. */
export const CRYPTO_NETWORKS = ['TRC20', 'ERC20', 'POLYGON', 'BTC'] as const;
export type CryptoNetwork = (typeof CRYPTO_NETWORKS)[number];

/** Version bytes of Base58Check addresses on the main networks. */
const TRON_ACCOUNT = 0x41;
const BITCOIN_KEY_HASH = 0x00;
const BITCOIN_SCRIPT_HASH = 0x05;

/**
 * Whether the text is an address of the network: its form, its checksum, and that it belongs to the
 * main network. A payment to a wrong address is lost, so only the address types that wallets use
 * today are valid.
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

/** Key hashes and script hashes, their SegWit forms (BIP 173), and Taproot (BIP 350). */
function isBitcoinAddress(text: string): boolean {
  const version = base58CheckVersion(text);
  if (version !== undefined) return version === BITCOIN_KEY_HASH || version === BITCOIN_SCRIPT_HASH;
  const programBytes = witnessProgramBytes(text, bech32, 0);
  if (programBytes !== undefined) return programBytes === 20 || programBytes === 32;
  return witnessProgramBytes(text, bech32m, 1) === 32;
}

const base58Check = createBase58check((bytes: Uint8Array) => hash('sha256', bytes, 'buffer'));
/** A version byte and a hash of 20 bytes. */
const BASE58_PAYLOAD_BYTES = 21;
/**
 * The longest Base58 text of the payload and its 4-byte checksum. Decoding takes quadratic time.
 */
const MAX_BASE58_CHARACTERS = 35;

/** The version byte of a Base58Check address; undefined for any other text. */
function base58CheckVersion(text: string): number | undefined {
  if (text.length > MAX_BASE58_CHARACTERS) return undefined;
  try {
    const payload = base58Check.decode(text);
    return payload.length === BASE58_PAYLOAD_BYTES ? payload[0] : undefined;
  } catch {
    return undefined;
  }
}

/** The length of a Bitcoin address's witness program; undefined for any other text. */
function witnessProgramBytes(text: string, encoding: typeof bech32, version: number): number | undefined {
  const decoded = encoding.decodeUnsafe(text);
  if (decoded?.prefix !== 'bc' || decoded.words[0] !== version) return undefined;
  return encoding.fromWordsUnsafe(decoded.words.slice(1))?.length;
}
