/**
 * What all QR symbols of one version share: function patterns, mask and the places of the bits, for
 * error correction level M and mask 2. Sections and tables named here are those of ISO/IEC
 * 18004:2024.
 */

/** Light modules that a reader expects on every side of a symbol. */
export const QUIET_ZONE = 4;

/** Level M and mask 2 with their BCH parity, already masked (§7.9.1). */
const FORMAT_BITS = 0b101111001111100;

/** The generator of the version information's parity (§7.10). */
const VERSION_GENERATOR = 0b1111100100101;

export interface Version {
  readonly version: number;
  /** Data and parity codewords together (Table 1). */
  readonly codewords: number;
  /** Reed–Solomon blocks, and the parity codewords of each, at level M (Table 9). */
  readonly blocks: number;
  readonly parity: number;
  /** Rows and columns of the centers of the alignment patterns (Annex E). */
  readonly centers: readonly number[];
}

/**
 * A text that a smaller version would hold gets version 6 (106 bytes). EMV QRCPS-MPM ends a payload
 * at 512 characters, which version 18 (560 bytes) still holds.
 */
export const VERSIONS: readonly Version[] = [
  { version: 6, codewords: 172, blocks: 4, parity: 16, centers: [6, 34] },
  { version: 7, codewords: 196, blocks: 4, parity: 18, centers: [6, 22, 38] },
  { version: 8, codewords: 242, blocks: 4, parity: 22, centers: [6, 24, 42] },
  { version: 9, codewords: 292, blocks: 5, parity: 22, centers: [6, 26, 46] },
  { version: 10, codewords: 346, blocks: 5, parity: 26, centers: [6, 28, 50] },
  { version: 11, codewords: 404, blocks: 5, parity: 30, centers: [6, 30, 54] },
  { version: 12, codewords: 466, blocks: 8, parity: 22, centers: [6, 32, 58] },
  { version: 13, codewords: 532, blocks: 9, parity: 22, centers: [6, 34, 62] },
  { version: 14, codewords: 581, blocks: 9, parity: 24, centers: [6, 26, 46, 66] },
  { version: 15, codewords: 655, blocks: 10, parity: 24, centers: [6, 26, 48, 70] },
  { version: 16, codewords: 733, blocks: 10, parity: 28, centers: [6, 26, 50, 74] },
  { version: 17, codewords: 815, blocks: 11, parity: 28, centers: [6, 30, 54, 78] },
  { version: 18, codewords: 901, blocks: 13, parity: 26, centers: [6, 30, 56, 82] },
];

/** The data of a version that does not depend on the text. */
export interface Layout {
  /** Modules on a side, both quiet zones included. */
  readonly width: number;
  /** Bytes of a row of the picture, eight modules a byte, the leftmost in the highest bit. */
  readonly stride: number;
  /**
   * The picture of a symbol whose bits are all 0: function patterns and mask alone. A set bit is
   * light.
   */
  readonly template: Uint8Array;
  /** Where each bit of `codewords` goes, highest bit first: `byte of the picture << 3 | shift`. */
  readonly bitPositions: Uint16Array;
  /** Data codewords of each block in order; the last blocks may hold one more than the first. */
  readonly blockLengths: readonly number[];
  readonly dataLength: number;
  readonly parity: number;
  /**
   * Row f is the generator polynomial times f, four coefficients a word: what feedback f adds to
   * the remainder.
   */
  readonly products: Int32Array;
  readonly countBytes: 1 | 2;
  /**
   * Scratch of one call: all data codewords in the order of the text, then the parity of each
   * block.
   */
  readonly codewords: Uint8Array;
  /** Scratch of one block: as many words as a row of `products`, and a 0 to shift in. */
  readonly remainder: Int32Array;
}

/**
 * Bytes of text that a version holds: its data codewords without the four bits of mode and the
 * count.
 */
export function capacityOf(version: Version): number {
  return dataLengthOf(version) - countBytesOf(version) - 1;
}

function dataLengthOf({ codewords, blocks, parity }: Version): number {
  return codewords - blocks * parity;
}

/** Bytes of the character count in byte mode (Table 3). */
function countBytesOf({ version }: Version): 1 | 2 {
  return version < 10 ? 1 : 2;
}

export function createLayout(version: Version): Layout {
  const { codewords, blocks, parity } = version;
  const dataLength = dataLengthOf(version);
  const longer = dataLength % blocks;
  const blockLengths = Array.from(
    { length: blocks },
    (_, i) => Math.floor(dataLength / blocks) + (i < blocks - longer ? 0 : 1),
  );
  return {
    ...drawTemplate(version, interleavedOrder(blockLengths, parity)),
    blockLengths,
    dataLength,
    parity,
    products: generatorProducts(parity),
    countBytes: countBytesOf(version),
    codewords: new Uint8Array(codewords),
    remainder: new Int32Array(Math.ceil(parity / 4) + 1),
  };
}

/**
 * Indexes into `codewords` in the order of placement: the first of each block, then the second …
 * (§7.6).
 */
function interleavedOrder(blockLengths: readonly number[], parity: number): number[] {
  const starts = blockLengths.map((_, i) =>
    blockLengths.slice(0, i).reduce((sum, length) => sum + length, 0),
  );
  const dataLength = blockLengths.reduce((sum, length) => sum + length, 0);
  const order: number[] = [];
  for (let i = 0; i < Math.max(...blockLengths); i++) {
    for (const [block, start] of starts.entries()) if (i < blockLengths[block]!) order.push(start + i);
  }
  for (let i = 0; i < parity; i++) {
    for (let block = 0; block < starts.length; block++) order.push(dataLength + block * parity + i);
  }
  return order;
}

/**
 * Multiples of (x − α⁰)(x − α¹)…(x − αⁿ⁻¹), leading 1 dropped, over GF(256)
 * modulo x⁸+x⁴+x³+x²+1 (§7.5).
 */
function generatorProducts(parity: number): Int32Array {
  const generator = new Uint8Array(parity);
  generator[parity - 1] = 1;
  for (let i = 0, root = 1; i < parity; i++, root = multiply(root, 2)) {
    for (let j = 0; j < parity; j++) generator[j] = multiply(generator[j]!, root) ^ (generator[j + 1] ?? 0);
  }
  const words = Math.ceil(parity / 4);
  const products = new Int32Array(256 * words);
  for (let feedback = 0; feedback < 256; feedback++) {
    for (let j = 0; j < parity; j++) {
      products[feedback * words + (j >>> 2)]! |= multiply(generator[j]!, feedback) << (24 - 8 * (j & 3));
    }
  }
  return products;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((b >>> bit) & 1) * a);
  }
  return product;
}

function drawTemplate(
  version: Version,
  order: readonly number[],
): Pick<Layout, 'width' | 'stride' | 'template' | 'bitPositions'> {
  const size = 17 + 4 * version.version;
  const width = size + 2 * QUIET_ZONE;
  const stride = Math.ceil(width / 8);
  const template = new Uint8Array(stride * width).fill(0xff);
  const bitPositions = new Uint16Array(8 * order.length);
  const bitPositionOf = (x: number, y: number): number =>
    (((y + QUIET_ZONE) * stride + ((x + QUIET_ZONE) >>> 3)) << 3) | (7 - ((x + QUIET_ZONE) & 7));
  const darken = (bitPosition: number): void => void (template[bitPosition >>> 3]! ^= 1 << (bitPosition & 7));

  const patterns = functionPatterns(version, size);
  patterns.forEach((module, i) => {
    if (module === DARK) darken(bitPositionOf(i % size, Math.floor(i / size)));
  });
  let bit = 0;
  for (const [x, y] of zigzag(size)) {
    if (patterns[y * size + x] !== FREE) continue;
    const bitPosition = bitPositionOf(x, y);
    // Mask 2 inverts every third column (Table 10); remainder bits after the last codeword are 0.
    if (x % 3 === 0) darken(bitPosition);
    const codeword = order[bit >>> 3];
    if (codeword !== undefined) bitPositions[8 * codeword + (bit & 7)] = bitPosition;
    bit++;
  }
  return { width, stride, template, bitPositions };
}

/**
 * Two columns at a time from the right, up and down in turn, past the vertical timing pattern
 * (§7.7.3).
 */
function* zigzag(size: number): Generator<[x: number, y: number]> {
  let upwards = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2, upwards = !upwards) {
    for (let i = 0; i < size; i++) {
      const y = upwards ? size - 1 - i : i;
      yield [right, y];
      yield [right - 1, y];
    }
  }
}

const FREE = 0;
const LIGHT = 1;
const DARK = 2;

/** The modules without a codeword, row by row: FREE, LIGHT or DARK. */
function functionPatterns(version: Version, size: number): Uint8Array {
  const modules = new Uint8Array(size * size);
  const set = (x: number, y: number, dark: boolean | number): void => {
    if (x >= 0 && y >= 0 && x < size && y < size) modules[y * size + x] = dark ? DARK : LIGHT;
  };
  const squares = (cx: number, cy: number, radius: number, isDark: (ring: number) => boolean): void => {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        set(cx + dx, cy + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  };

  for (let i = 0; i < size; i++) {
    set(i, 6, i % 2 === 0);
    set(6, i, i % 2 === 0);
  }
  for (const [cx, cy] of alignmentCenters(version.centers)) squares(cx, cy, 2, (ring) => ring !== 1);
  // A finder's outermost ring is its light separator.
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    squares(cx, cy, 4, (ring) => ring !== 2 && ring !== 4);
  }
  for (let i = 0; i < 15; i++) {
    const bit = (FORMAT_BITS >>> i) & 1;
    // Once around the upper left finder, skipping the timing patterns, and once split over the
    // other two.
    if (i < 8) set(8, i < 6 ? i : i + 1, bit);
    else set(i === 8 ? 7 : 14 - i, 8, bit);
    if (i < 8) set(size - 1 - i, 8, bit);
    else set(8, size - 15 + i, bit);
  }
  set(8, size - 8, true);
  for (let i = 0; version.version >= 7 && i < 18; i++) {
    const bit = (versionBits(version.version) >>> i) & 1;
    set(size - 11 + (i % 3), Math.floor(i / 3), bit);
    set(Math.floor(i / 3), size - 11 + (i % 3), bit);
  }
  return modules;
}

/** Every pair of centers except the three on finder patterns. */
function alignmentCenters(centers: readonly number[]): [x: number, y: number][] {
  const last = centers.at(-1);
  return centers
    .flatMap((y) => centers.map((x): [number, number] => [x, y]))
    .filter(([x, y]) => !((x === 6 && (y === 6 || y === last)) || (y === 6 && x === last)));
}

function versionBits(version: number): number {
  let remainder = version << 12;
  for (let bit = 17; bit >= 12; bit--) {
    if ((remainder >>> bit) & 1) remainder ^= VERSION_GENERATOR << (bit - 12);
  }
  return (version << 12) | remainder;
}
