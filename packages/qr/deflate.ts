/**
 * The parts of DEFLATE (RFC 1951) for a writer whose Huffman code is known in advance. Only
 * `BitWriter` is on a hot path; the rest runs once for each size of image.
 */

/** Writes bits into bytes, the first bit lowest (RFC 1951 §3.1.1), four bytes at a time. */
export class BitWriter {
  readonly bytes: Buffer;
  readonly #view: DataView;
  /** Whole bytes written; up to 31 bits may wait for the next. */
  length = 0;
  #pendingBits = 0;
  #count = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Appends the lowest `count` bits of `bits`: at most 24, all higher ones 0. */
  push(bits: number, count: number): void {
    this.#pendingBits |= bits << this.#count;
    this.#count += count;
    if (this.#count < 32) return;
    this.#view.setInt32(this.length, this.#pendingBits, true);
    this.length += 4;
    this.#count -= 32;
    // The bits that the shift above has cut off.
    this.#pendingBits = bits >>> (count - this.#count);
  }

  /** Writes the pending bits, and fills the last byte with zeros. */
  flush(): void {
    for (; this.#count > 0; this.#count -= 8) {
      this.bytes[this.length++] = this.#pendingBits;
      this.#pendingBits >>>= 8;
    }
    this.#count = 0;
  }

  /** Continues at the position of another writer, with a copy of its bytes. */
  resume(other: BitWriter): void {
    other.bytes.copy(this.bytes, 0, 0, other.length);
    this.length = other.length;
    this.#pendingBits = other.#pendingBits;
    this.#count = other.#count;
  }
}

/** Bits ready for `BitWriter.push`. */
export interface Code {
  readonly bits: number;
  readonly count: number;
}

/**
 * The lengths of the best prefix code for these weights; a symbol of weight 0 has none (length 0).
 */
export function huffmanLengths(weights: readonly number[]): number[] {
  const lengths = weights.map(() => 0);
  const trees = weights
    .map((weight, symbol) => ({ weight, symbols: [symbol] }))
    .filter((it) => it.weight > 0);
  while (trees.length > 1) {
    trees.sort((a, b) => b.weight - a.weight);
    const [a, b] = [trees.pop()!, trees.pop()!];
    const symbols = [...a.symbols, ...b.symbols];
    for (const symbol of symbols) lengths[symbol]!++;
    trees.push({ weight: a.weight + b.weight, symbols });
  }
  return lengths;
}

/**
 * The canonical code of these lengths (RFC 1951 §3.2.2), its bits reversed because they are sent
 * highest first.
 */
export function canonicalCode(lengths: readonly number[]): Code[] {
  const codes = lengths.map((count): Code => ({ bits: 0, count }));
  for (let count = 1, next = 0; count <= 15; count++, next <<= 1) {
    for (const [symbol, length] of lengths.entries()) {
      if (length === count) codes[symbol] = { bits: reverse(next++, count), count };
    }
  }
  return codes;
}

function reverse(bits: number, count: number): number {
  let reversed = 0;
  for (let i = 0; i < count; i++) reversed |= ((bits >>> i) & 1) << (count - 1 - i);
  return reversed;
}

/** The order in which the lengths of the code of code lengths are sent (RFC 1951 §3.2.7). */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * Sixteen of the nineteen code length symbols, four bits each: lengths up to 13 and the two runs of
 * zeros. An optimal code would save a dozen bytes an image.
 */
const LENGTH_CODE = canonicalCode(Array.from({ length: 19 }, (_, i) => (i <= 13 || i >= 17 ? 4 : 0)));

/**
 * Opens the last block of a stream, with dynamic Huffman codes (RFC 1951 §3.2.7).
 *
 * @param literals lengths, at most 13, of the literal and length symbols: 257 to 286 of them.
 * @param distances lengths, at most 13, of the distance symbols: 1 to 30 of them.
 */
export function openDynamicBlock(
  writer: BitWriter,
  literals: readonly number[],
  distances: readonly number[],
): void {
  writer.push(0b101, 3);
  writer.push(literals.length - 257, 5);
  writer.push(distances.length - 1, 5);
  writer.push(LENGTH_ORDER.length - 4, 4);
  for (const symbol of LENGTH_ORDER) writer.push(LENGTH_CODE[symbol]!.count, 3);
  const lengths = [...literals, ...distances];
  for (let i = 0; i < lengths.length;) {
    let run = 0;
    while (run < 138 && lengths[i + run] === 0) run++;
    if (run >= 11) pushCode(writer, LENGTH_CODE[18]!, run - 11, 7);
    else if (run >= 3) pushCode(writer, LENGTH_CODE[17]!, run - 3, 3);
    else pushCode(writer, LENGTH_CODE[lengths[i]!]!, 0, 0);
    i += run >= 3 ? run : 1;
  }
}

function pushCode(writer: BitWriter, code: Code, extra: number, extraCount: number): void {
  writer.push(code.bits, code.count);
  writer.push(extra, extraCount);
}

/** The symbol for a match of 3 to 258 bytes and its extra bits (RFC 1951 §3.2.5). */
export function lengthSymbol(length: number): { symbol: number; extra: Code } {
  if (length === 258) return { symbol: 285, extra: { bits: 0, count: 0 } };
  const { group, extra } = logarithmicGroup(length - 3, 4);
  return { symbol: 257 + group, extra };
}

/** The symbol for a distance of 1 to 32,768 bytes and its extra bits (RFC 1951 §3.2.5). */
export function distanceSymbol(distance: number): { symbol: number; extra: Code } {
  const { group, extra } = logarithmicGroup(distance - 1, 2);
  return { symbol: group, extra };
}

/**
 * Both tables of §3.2.5: values below `2 × perPower` stand alone, later groups double their reach.
 */
function logarithmicGroup(value: number, perPower: number): { group: number; extra: Code } {
  if (value < 2 * perPower) return { group: value, extra: { bits: 0, count: 0 } };
  const count = 31 - Math.clz32(value) - Math.log2(perPower);
  return {
    group: perPower * count + (value >>> count),
    extra: { bits: value & ((1 << count) - 1), count },
  };
}
