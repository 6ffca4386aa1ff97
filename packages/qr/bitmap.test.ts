import * as fc from 'fast-check';
import { encodeQR } from 'qr';
import { describe, expect, test } from 'vitest';
import { capacityOf, QUIET_ZONE, VERSIONS } from './layout.ts';
import { encodeQrBitmap, type QrBitmap } from './bitmap.ts';

/** One character per module, so that a failure shows the position of a difference. */
function picture({ width, stride, rows }: QrBitmap): string {
  const lines = Array.from({ length: width }, (_, y) =>
    Array.from({ length: width }, (_module, x) =>
      (rows[y * stride + (x >>> 3)]! >>> (7 - (x & 7))) & 1 ? '.' : '#',
    ),
  );
  return lines.map((line) => line.join('')).join('\n');
}

/** The same symbol by the package `qr`. */
function reference(text: string, version: number): string {
  const modules = encodeQR(text, 'raw', {
    ecc: 'medium',
    encoding: 'byte',
    mask: 2,
    version,
    border: QUIET_ZONE,
  });
  return modules.map((line) => line.map((dark) => (dark ? '#' : '.')).join('')).join('\n');
}

function versionOf(bitmap: QrBitmap): number {
  return (bitmap.width - 2 * QUIET_ZONE - 17) / 4;
}

const textOf = (minimum: number, maximum: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme-ascii', minLength: minimum, maxLength: maximum, size: 'max' });

describe('encodeQrBitmap', () => {
  let shortest = 0;
  for (const version of VERSIONS) {
    const capacity = capacityOf(version);
    const range = [shortest, capacity] as const;
    shortest = capacity + 1;

    test(`equals the package qr in version ${version.version}, ${range[0]} to ${range[1]} bytes`, () => {
      fc.assert(
        fc.property(textOf(...range), (text) => {
          const bitmap = encodeQrBitmap(text);
          expect(versionOf(bitmap)).toBe(version.version);
          expect(picture(bitmap)).toBe(reference(text, version.version));
        }),
        { numRuns: 20, examples: [['x'.repeat(range[0])], ['~'.repeat(range[1])]] },
      );
    });
  }

  test.each(VERSIONS.slice(1))(
    'uses version $version only if the previous one has no capacity',
    (version) => {
      const previous = VERSIONS[VERSIONS.indexOf(version) - 1]!;
      const overflow = 'x'.repeat(capacityOf(previous) + 1);
      const smaller = { ecc: 'medium', encoding: 'byte', version: previous.version } as const;
      expect(() => encodeQR(overflow, 'raw', smaller)).toThrow('Capacity overflow');
    },
  );

  test('encodes text beyond ASCII as UTF-8, as the package does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const bitmap = encodeQrBitmap(text);
        expect(picture(bitmap)).toBe(reference(text, versionOf(bitmap)));
      }),
    );
  });

  test('rejects text that exceeds version 18', () => {
    expect(versionOf(encodeQrBitmap('x'.repeat(560)))).toBe(18);
    expect(() => encodeQrBitmap('x'.repeat(561))).toThrow(RangeError);
    expect(() => encodeQrBitmap('ã'.repeat(281))).toThrow(RangeError);
  });
});
