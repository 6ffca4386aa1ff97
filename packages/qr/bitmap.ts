/**
 * The QR symbol of a BR Code, limited to what a Pix charge needs: byte mode, error correction level
 * M, mask 2, versions 6 to 18. Sections and tables named here are those of ISO/IEC 18004:2024.
 *
 * The package `qr` draws any symbol, but as an array of booleans, and rebuilds its templates
 * whenever the version changes: 45 to 115 µs a symbol. Here, everything that the symbols of a
 * version share is computed once (`layout.ts`), which leaves Reed–Solomon and one pass over the
 * bits: 8 µs. The tests compare every version with `qr`, module for module.
 */
import { capacityOf, createLayout, VERSIONS, type Layout } from './layout.ts';

/** A symbol with its quiet zone, as a 1-bit picture with one pixel for each module. */
export interface QrBitmap {
  /** Modules on a side, both quiet zones included. */
  readonly width: number;
  /**
   * Bytes of a row: eight modules a byte, the leftmost in the highest bit, padded with light
   * modules.
   */
  readonly stride: number;
  /** `width` rows of `stride` bytes. A set bit is light, as in a grayscale PNG. */
  readonly rows: Uint8Array;
}

const layouts: Layout[] = [];

/**
 * Draws a text (a BR Code is ASCII; anything else counts as UTF-8) as a QR symbol with its quiet
 * zone.
 *
 * The mask is fixed. Readers accept any of the eight masks, which only balance dark and light
 * modules. For BR Codes, mask 2 has nearly the lowest penalty (mean 1,944; the best of the eight
 * 1,907), because ASCII leaves the top bit of each byte 0.
 *
 * @throws RangeError when the text is longer than 560 bytes.
 */
export function encodeQrBitmap(text: string): QrBitmap {
  const bytes = Buffer.from(text);
  const layout = smallestLayout(bytes.length);
  writeData(layout, bytes);
  writeParity(layout);
  const rows = layout.template.slice();
  placeBits(layout, rows);
  return { width: layout.width, stride: layout.stride, rows };
}

function smallestLayout(length: number): Layout {
  for (const [i, version] of VERSIONS.entries()) {
    if (length <= capacityOf(version)) return (layouts[i] ??= createLayout(version));
  }
  throw new RangeError(`${length} bytes do not fit a QR symbol of version 18`);
}

/**
 * Mode, character count, text, terminator and padding (§7.4). The 4-bit mode puts the rest out of
 * step.
 */
function writeData(layout: Layout, bytes: Uint8Array): void {
  const { codewords, countBytes, dataLength } = layout;
  const length = bytes.length;
  codewords[0] = 0x40 | (length >>> (8 * countBytes - 4));
  if (countBytes === 2) codewords[1] = (length >>> 4) & 0xff;
  let at: number = countBytes;
  let previous = length;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    codewords[at++] = ((previous << 4) & 0xf0) | (byte >>> 4);
    previous = byte;
  }
  codewords[at++] = (previous << 4) & 0xf0;
  for (let pad = 0xec; at < dataLength; pad ^= 0xec ^ 0x11) codewords[at++] = pad;
}

/**
 * Appends for each block the remainder of its division by the generator polynomial (§7.5). The
 * remainder is a shift register of whole 32-bit words, first codeword highest: a quarter of the
 * time that bytes take.
 */
function writeParity(layout: Layout): void {
  const { codewords, blockLengths, dataLength, parity, products, remainder } = layout;
  const words = remainder.length - 1;
  let from = 0;
  let to = dataLength;
  for (const length of blockLengths) {
    remainder.fill(0);
    for (const end = from + length; from < end; from++) {
      const product = (codewords[from]! ^ (remainder[0]! >>> 24)) * words;
      for (let j = 0; j < words; j++) {
        remainder[j] = ((remainder[j]! << 8) | (remainder[j + 1]! >>> 24)) ^ products[product + j]!;
      }
    }
    for (let j = 0; j < parity; j++) codewords[to++] = remainder[j >>> 2]! >>> (24 - 8 * (j & 3));
  }
}

/** Unrolled: this is the loop with the most iterations. */
function placeBits(layout: Layout, rows: Uint8Array): void {
  const { codewords, bitPositions } = layout;
  for (let i = 0, at = 0; i < codewords.length; i++, at += 8) {
    const codeword = codewords[i]!;
    invert(rows, bitPositions[at]!, codeword >>> 7);
    invert(rows, bitPositions[at + 1]!, codeword >>> 6);
    invert(rows, bitPositions[at + 2]!, codeword >>> 5);
    invert(rows, bitPositions[at + 3]!, codeword >>> 4);
    invert(rows, bitPositions[at + 4]!, codeword >>> 3);
    invert(rows, bitPositions[at + 5]!, codeword >>> 2);
    invert(rows, bitPositions[at + 6]!, codeword >>> 1);
    invert(rows, bitPositions[at + 7]!, codeword);
  }
}

/**
 * Inverts the module if the lowest bit is 1. Without a branch, since random bits cannot be
 * predicted.
 */
function invert(rows: Uint8Array, bitPosition: number, bit: number): void {
  rows[bitPosition >>> 3]! ^= (bit & 1) << (bitPosition & 7);
}
