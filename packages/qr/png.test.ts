import * as fc from 'fast-check';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import decodeWithQr from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import { encodeDynamicBrCode } from '../../src/formats/pix/br-code.ts';
import { capacityOf, VERSIONS } from './layout.ts';
import { encodeQrBitmap } from './bitmap.ts';
import { renderQrDataUri, renderQrPng } from './png.ts';

const charge = fc.record({
  location: fc.stringMatching(/^[a-z0-9]{1,20}\.example\.com\/pix\/v1\/[0-9a-f]{32}$/),
  amountCents: fc.integer({ min: 1, max: 9_999_999_999 }),
  merchantName: fc.stringMatching(/^[A-Za-z ]{0,25}$/),
  merchantCity: fc.stringMatching(/^[A-Za-z ]{0,15}$/),
});

/** Decodes independently: pngjs verifies every checksum, and jsqr reads the symbol. */
function read(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR.default(new Uint8ClampedArray(data), width, height, { inversionAttempts: 'dontInvert' })?.data;
}

function textOfLength(length: number): string {
  return Array.from({ length }, (_, i) => String.fromCharCode(0x21 + ((i * 37 + length * 11) % 94))).join('');
}

const fullTexts = VERSIONS.map((version) => textOfLength(capacityOf(version)));

describe('renderQrPng', () => {
  test('returns an image that decodes to the BR Code', () => {
    fc.assert(
      fc.property(charge, (any) => {
        const text = encodeDynamicBrCode(any);
        expect(read(renderQrPng(text))).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  test.each(fullTexts)('returns a decodable image if filled to the last byte: %s', (text) => {
    const png = renderQrPng(text);
    const { data, width, height } = PNG.sync.read(png);
    expect(read(png)).toBe(text);
    expect(decodeWithQr({ data, width, height })).toBe(text);
  });

  test.each(fullTexts)('draws each module as a square of whole pixels: %s', (text) => {
    const { data, width: pixels, height } = PNG.sync.read(renderQrPng(text));
    const { width, stride, rows } = encodeQrBitmap(text);
    const scale = pixels / width;
    expect([3, 4, 5]).toContain(scale);
    expect(height).toBe(pixels);
    expect(pixels).toBeGreaterThanOrEqual(240);
    expect(pixels).toBeLessThanOrEqual(330);
    let wrong = 0;
    for (let i = 0; i < pixels * pixels; i++) {
      const x = Math.floor((i % pixels) / scale);
      const y = Math.floor(i / pixels / scale);
      const light = (rows[y * stride + (x >>> 3)]! >>> (7 - (x & 7))) & 1;
      if (data[4 * i] !== 255 * light) wrong++;
    }
    expect(wrong).toBe(0);
  });

  test('returns a 1-bit grayscale PNG without trailing bytes', () => {
    const png = renderQrPng('00020126');
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([...png.subarray(24, 29)]).toEqual([1, 0, 0, 0, 0]);
    expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
  });

  test('returns a small image, since responses carry it in base64', () => {
    const text = encodeDynamicBrCode({
      location: 'pix.gateway.example.com/pix/v1/9d36b84fc70b478fb95c12729b90ca25',
      amountCents: 15_000,
      merchantName: 'GATEWAY TESTE SA',
      merchantCity: 'SAO PAULO',
    });
    expect(renderQrDataUri(text).length).toBeLessThan(1100);
  });

  test('is deterministic, whatever was drawn in between', () => {
    const before = fullTexts.map((text) => renderQrPng(text));
    const after = fullTexts.toReversed().map((text) => renderQrPng(text));
    expect(after.toReversed()).toEqual(before);
  });

  test('rejects text that exceeds the largest symbol', () => {
    expect(() => renderQrPng('x'.repeat(561))).toThrow(RangeError);
  });
});

describe('renderQrDataUri', () => {
  test('contains the same file', () => {
    const [head, base64] = renderQrDataUri('00020126').split(',');
    expect(head).toBe('data:image/png;base64');
    expect(Buffer.from(base64!, 'base64')).toEqual(renderQrPng('00020126'));
  });
});
