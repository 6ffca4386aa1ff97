import { createHash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** A version byte, a hash of 20 bytes and a checksum of 4: what addresses of Bitcoin and TRON are made of. */
const BYTES = 25;
/** 25 bytes never take more characters than this. */
const MAX_CHARACTERS = 35;

/**
 * The version byte of a Base58Check address; undefined where the text is none. Every byte string has one spelling, so
 * leading zero bytes must stand as leading ones and nothing else. Source: Bitcoin's `base58.h`.
 */
export function base58CheckVersion(text: string): number | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16).padStart(BYTES * 2, '0');
  if (hex.length > BYTES * 2) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const ones = /^1*/.exec(text)?.[0].length ?? 0;
  if (zeros !== ones) return undefined;
  const checksum = sha256(sha256(bytes.subarray(0, -4))).subarray(0, 4);
  return checksum.equals(bytes.subarray(-4)) ? bytes[0] : undefined;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
