import { inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BitWriter,
  canonicalCode,
  distanceSymbol,
  huffmanLengths,
  lengthSymbol,
  openDynamicBlock,
} from './deflate.ts';

const LITERALS = canonicalLengths(286);
const DISTANCES = canonicalLengths(30);

/** A complete code that gives every symbol a length, none above 13. */
function canonicalLengths(symbols: number): number[] {
  return huffmanLengths(Array.from({ length: symbols }, (_, i) => 1 + (i % 7)));
}

/**
 * A match of `length` at `distance` after as many zeros as it needs, and what it must inflate to.
 */
function inflated(length: number, distance: number): Buffer {
  const writer = new BitWriter(Buffer.alloc(80_000));
  const literal = canonicalCode(LITERALS);
  openDynamicBlock(writer, LITERALS, DISTANCES);
  const push = ({ bits, count }: { bits: number; count: number }): void => writer.push(bits, count);
  push(literal[7]!);
  for (let i = 1; i < distance; i++) push(literal[i % 5]!);
  const lengthCode = lengthSymbol(length);
  const distanceCode = distanceSymbol(distance);
  push(literal[lengthCode.symbol]!);
  push(lengthCode.extra);
  push(canonicalCode(DISTANCES)[distanceCode.symbol]!);
  push(distanceCode.extra);
  push(literal[256]!);
  writer.flush();
  return inflateRawSync(writer.bytes.subarray(0, writer.length));
}

function expected(length: number, distance: number): Buffer {
  const start = Array.from({ length: distance }, (_, i) => (i === 0 ? 7 : i % 5));
  return Buffer.from([...start, ...Array.from({ length }, (_, i) => start[i % distance]!)]);
}

describe('a dynamic block', () => {
  test('inflates with every match length', () => {
    for (let length = 3; length <= 258; length++) expect(inflated(length, 40)).toEqual(expected(length, 40));
  });

  test('inflates with every distance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32_768 }), (distance) => {
        expect(inflated(10, distance)).toEqual(expected(10, distance));
      }),
      { examples: [[1], [2], [3], [4], [5], [6], [7], [8], [9], [32_767], [32_768]], numRuns: 40 },
    );
  });
});

describe('huffmanLengths', () => {
  test('assigns shorter codes to frequent symbols and fills the code space', () => {
    expect(huffmanLengths([8, 4, 2, 1, 1, 0])).toEqual([1, 2, 3, 4, 4, 0]);
    const weights = fc.array(fc.nat(1000), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(weights, (any) => {
        fc.pre(any.filter((it) => it > 0).length > 1);
        const space = huffmanLengths(any).reduce((sum, length) => sum + (length === 0 ? 0 : 2 ** -length), 0);
        expect(space).toBe(1);
      }),
    );
  });
});
