/**
 * A Bloom filter of the parts of texts. It decides whether one of the texts may contain a part:
 * "no" is certain.
 */

/** Longer parts are looked up by their parts of this length. */
const MAX_LENGTH = 4;
/** 4 KiB, so that a row with a filter fits into a page of PostgreSQL. */
const MAX_BITS = 32_768;
const MIN_BITS = 64;
/** A filter is halved as long as at most this share of its bits would be set. */
const MAX_DENSITY = 0.35;
/** More positions hardly reject more segments. */
const MAX_POSITIONS = 8;

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Returns a filter whose size is a power of two. Each part sets one bit. */
export function createFilter(texts: Iterable<string>): Buffer {
  const bits = new Uint8Array(MAX_BITS / 8);
  for (const text of texts) {
    for (let start = 0; start < text.length; start += 1) {
      const end = Math.min(text.length, start + MAX_LENGTH);
      let hash = OFFSET_BASIS;
      for (let index = start; index < end; index += 1) {
        hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
        const position = finish(hash) % MAX_BITS;
        bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7));
      }
    }
  }
  return Buffer.from(fold(bits));
}

/**
 * Returns hashes of parts of a text, at most eight. A filter may contain the text if it has all
 * their bits: bit `hash % size`, counted as PostgreSQL's `get_bit` does.
 */
export function partHashes(text: string): readonly number[] {
  const count = text.length - MAX_LENGTH + 1;
  if (text === '') return [];
  if (count <= 1) return [hashPart(text)];
  const step = Math.max(1, (count - 1) / (MAX_POSITIONS - 1));
  const starts = new Set<number>();
  for (let start = 0; start < count; start += step) starts.add(Math.round(start));
  return [...starts]
    .filter((start) => start < count)
    .map((start) => hashPart(text.slice(start, start + MAX_LENGTH)));
}

function hashPart(part: string): number {
  let hash = OFFSET_BASIS;
  for (let index = 0; index < part.length; index += 1) hash = Math.imul(hash ^ part.charCodeAt(index), PRIME);
  return finish(hash);
}

/** Spreads all bits of an FNV-1a hash to the low ones, and makes it positive. */
function finish(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/**
 * Halves a filter while it is sparse: a position modulo its size stays the position of the part.
 */
function fold(bits: Uint8Array): Uint8Array {
  const half = bits.length / 2;
  if (half * 8 < MIN_BITS) return bits;
  const folded = new Uint8Array(half);
  let set = 0;
  for (let index = 0; index < half; index += 1) {
    const byte = (bits[index] ?? 0) | (bits[index + half] ?? 0);
    folded[index] = byte;
    set += BITS_SET[byte] ?? 0;
  }
  return set > MAX_DENSITY * half * 8 ? bits : fold(folded);
}

/** The number of bits set in each byte. */
const BITS_SET = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
