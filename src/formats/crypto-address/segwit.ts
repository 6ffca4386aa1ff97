/**
 * Bitcoin's segregated-witness addresses. Sources: BIP 173 (Bech32, witness version 0) and BIP 350 (Bech32m, later
 * versions).
 */

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const;
const BECH32 = 1;
const BECH32M = 0x2bc830a3;
const MAX_CHARACTERS = 90;
const CHECKSUM_CHARACTERS = 6;

/** What an address says: the witness version and how many bytes its program has. */
export interface Witness {
  readonly version: number;
  readonly programBytes: number;
}

/** Reads an address of the network that the prefix names (`bc` of Bitcoin); undefined where the text is none. */
export function parseSegwitAddress(prefix: string, text: string): Witness | undefined {
  const lower = text.toLowerCase();
  if (text.length > MAX_CHARACTERS || (text !== lower && text !== text.toUpperCase())) return undefined;
  if (!lower.startsWith(`${prefix}1`)) return undefined;
  const words = lower
    .slice(prefix.length + 1)
    .split('')
    .map((character) => ALPHABET.indexOf(character));
  const [version] = words;
  if (version === undefined || version > 16 || words.includes(-1)) return undefined;
  if (polymod([...expand(prefix), ...words]) !== (version === 0 ? BECH32 : BECH32M)) return undefined;
  const programBytes = bytesOf(words.slice(1, -CHECKSUM_CHARACTERS));
  return programBytes === undefined ? undefined : { version, programBytes };
}

/** The prefix as the checksum sees it: the high bits of its characters, a zero, their low bits. */
function expand(prefix: string): readonly number[] {
  const codes = prefix.split('').map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(values: readonly number[]): number {
  let checksum = 1;
  for (const value of values) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of GENERATOR.entries()) {
      if (((top >> bit) & 1) === 1) checksum ^= generator;
    }
  }
  return checksum;
}

/** How many bytes words of five bits make; undefined where the rest is not padding: under five bits, all zero. */
function bytesOf(words: readonly number[]): number | undefined {
  const bits = words.length * 5;
  const padding = bits % 8;
  const last = words.at(-1) ?? 0;
  if (padding > 4 || (last & ((1 << padding) - 1)) !== 0) return undefined;
  return (bits - padding) / 8;
}
