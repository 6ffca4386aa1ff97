import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBrCode } from '#test/support/pix-decoder.ts';
import { encodeDynamicBrCode, type DynamicBrCode } from './br-code.ts';
import { crc16 } from './crc16.ts';
import vectors from '#test/vectors/pix.json' with { type: 'json' };

const charge: DynamicBrCode = {
  location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25',
  amountCents: 1500,
  merchantName: 'GATEWAY TESTE SA',
  merchantCity: 'SAO PAULO',
};

const hostLabel = fc.stringMatching(/^[a-z0-9]{1,10}$/);
const location = fc
  .tuple(hostLabel, hostLabel, fc.stringMatching(/^[A-Za-z0-9._~-]{1,55}$/))
  .map(([label, domain, path]) => `${label}.${domain}/${path}`);

/** Charges with any characters in the names. */
const anyCharge: fc.Arbitrary<DynamicBrCode> = fc.record({
  location,
  amountCents: fc.integer({ min: 1, max: 9_999_999_999 }),
  merchantName: fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[A-Za-zÀ-ÿ ]{1,40}$/),
  ),
  merchantCity: fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[A-Za-zÀ-ÿ ]{1,40}$/),
  ),
});

function decoded(text: string) {
  const decoding = decodeBrCode(text);
  if (!decoding.ok) throw new Error(`${text} is rejected: ${decoding.failure}`);
  return decoding.brCode;
}

/** Appends a valid checksum, so that only other errors are reported. */
function withChecksum(textWithoutCrc: string): string {
  return textWithoutCrc + crc16(textWithoutCrc);
}

describe('crc16', () => {
  test('returns the check value of CRC-16/CCITT-FALSE', () => {
    expect(crc16('123456789')).toBe('29B1');
    expect(crc16('')).toBe('FFFF');
  });
});

describe('encodeDynamicBrCode', () => {
  test('encodes every object in the order of the manual', () => {
    const payload =
      '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25' +
      '520400005303986540515.005802BR5916GATEWAY TESTE SA6009SAO PAULO62070503***6304';
    expect(encodeDynamicBrCode(charge)).toBe(withChecksum(payload));
  });

  test('differs from the official example only by the amount', () => {
    const official = vectors.valid.find((it) => it.id === 'dynamic-cob')!.text;
    const withoutAmount = encodeDynamicBrCode(charge).replace('540515.00', '').slice(0, -4);
    expect(withChecksum(withoutAmount)).toBe(official);
  });

  test.each([
    [1, '0.01'],
    [10, '0.10'],
    [99, '0.99'],
    [100, '1.00'],
    [9_999_999_999, '99999999.99'],
    [999_999_999_999, '9999999999.99'],
  ])('encodes %i cents as %s', (amountCents, text) => {
    const length = String(text.length).padStart(2, '0');
    expect(encodeDynamicBrCode({ ...charge, amountCents })).toContain(`530398654${length}${text}5802BR`);
  });

  test.each([0, -1, 1.5, NaN, 1_000_000_000_000])('rejects %d cents', (amountCents) => {
    expect(() => encodeDynamicBrCode({ ...charge, amountCents })).toThrow(RangeError);
  });

  test.each(['', 'a.example/'.padEnd(78, 'x'), 'https://a.example/b', 'a.example/b c', 'a.example/ã'])(
    'rejects the location "%s"',
    (wrong) => {
      expect(() => encodeDynamicBrCode({ ...charge, location: wrong })).toThrow(RangeError);
    },
  );

  test('accepts a location of 77 characters', () => {
    const longest = 'a.example/'.padEnd(77, 'x');
    expect(decoded(encodeDynamicBrCode({ ...charge, location: longest })).location).toBe(longest);
  });

  test.each([
    ['João & Filhos', 'Joao & Filhos'],
    ['1º Ofício', '1o Oficio'],
    ['D’Ávila – Pães', "D'Avila - Paes"],
    ['  Loja \t\n da   Esquina ', 'Loja da Esquina'],
    ['株式会社', 'ZhuShiHuiShe'],
    ['Пекарня', 'Pekarnya'],
    ['Comércio de Alimentos São José', 'Comercio de Alimentos Sao'],
    ['\u202e\u200b', 'RECEBEDOR'],
    ['🙂', 'RECEBEDOR'],
    ['', 'RECEBEDOR'],
  ])('reduces the name "%s" to "%s"', (merchantName, ascii) => {
    expect(decoded(encodeDynamicBrCode({ ...charge, merchantName })).merchantName).toBe(ascii);
  });

  test.each([
    ['São José dos Campos', 'Sao Jose dos Ca'],
    ['Москва', 'Moskva'],
    ['🙂', 'BRASIL'],
  ])('reduces the city "%s" to "%s"', (merchantCity, ascii) => {
    expect(decoded(encodeDynamicBrCode({ ...charge, merchantCity })).merchantCity).toBe(ascii);
  });

  test('is reversible for any transaction', () => {
    fc.assert(
      fc.property(anyCharge, (any) => {
        const text = encodeDynamicBrCode(any);
        const brCode = decoded(text);
        expect(text).toMatch(/^[\x20-\x7e]{1,220}$/);
        expect(brCode).toMatchObject({
          type: 'dynamic',
          pointOfInitiation: '12',
          key: null,
          location: any.location,
          amountCents: any.amountCents,
          txid: '***',
        });
        expect(brCode.merchantName).toMatch(/^[\x21-\x7e]([\x20-\x7e]{0,23}[\x21-\x7e])?$/);
        expect(brCode.merchantCity).toMatch(/^[\x21-\x7e]([\x20-\x7e]{0,13}[\x21-\x7e])?$/);
      }),
    );
  });

  test('is parsed by an independent library', () => {
    fc.assert(
      fc.property(anyCharge, (any) => {
        const text = encodeDynamicBrCode(any);
        const { merchantName, merchantCity } = decoded(text);
        expect(getPixPayloadInfo(text)).toEqual({
          url: any.location,
          merchantName,
          merchantCity,
          pointOfInitiation: 'dynamic',
        });
      }),
    );
  });
});

describe('decodeBrCode', () => {
  test.each(vectors.valid)('decodes $id', ({ text, brCode }) => {
    expect(decodeBrCode(text)).toEqual({ ok: true, brCode });
  });

  test.each(vectors.invalid)('rejects $id: $reason', ({ text, failure }) => {
    expect(decodeBrCode(text)).toEqual({ ok: false, failure });
  });

  test.each(vectors.lenient)('accepts $id', ({ text }) => {
    expect(decodeBrCode(text).ok).toBe(true);
  });

  test('counts the length of an accented value in characters', () => {
    const accents = vectors.lenient.find((it) => it.id === 'accents')!.text;
    expect(decoded(accents)).toMatchObject({ merchantName: 'JOÃO', merchantCity: 'SÃO PAULO' });
  });

  const valid = encodeDynamicBrCode(charge).slice(0, -4);
  const both = '26480014br.gov.bcb.pix0111123456789092511pix.test/ab';
  const saque = '26450014br.gov.bcb.pix01111234567890903081234567852040000530398654040.00';
  test.each([
    ['', 'truncated'],
    ['0002016304', 'category'],
    [valid.replace('000201', '000202'), 'format'],
    [valid.replace('000201', ''), 'format'],
    [valid.replace('010212', '010213'), 'point-of-initiation'],
    [valid.replace('010212', '010212010212'), 'duplicate'],
    [valid.replace('010212', '01x212'), 'length'],
    [valid.replace(/26.*?5204/, `${both}5204`), 'key-and-url'],
    [valid.replace('52040000', ''), 'category'],
    [valid.replace('5303986', ''), 'currency'],
    [valid.replace('5802BR', '5802US'), 'country'],
    [valid.replace('540515.00', '540515.0.'), 'amount'],
    [valid.replace('540515.00', '540615.000'), 'amount'],
    [valid.replace('540515.00', '541412345678901.00'), 'amount'],
    [valid.replace('540515.00', '5405-5.00'), 'amount'],
    [valid.replace('5916GATEWAY TESTE SA', ''), 'merchant'],
    [valid.replace('6009SAO PAULO', '6000'), 'merchant'],
    [
      valid.replace('62070503***6304', '62150503***01046304').replace('62150503***', '6215050363***'),
      'length',
    ],
    [valid.replace('62070503***6304', '62080504***x80086304'), 'truncated'],
  ])('reports the failure of %s', (text, failure) => {
    const complete = text === '' ? text : withChecksum(text);
    expect(decodeBrCode(complete)).toEqual({ ok: false, failure });
  });

  test('accepts a zero amount for a Pix Saque', () => {
    const text = withChecksum(`000201${saque}5802BR5901A6001B62070503***6304`);
    expect(decoded(text)).toMatchObject({ type: 'static', amountCents: 0 });
  });

  test('rejects every truncated text', () => {
    const text = encodeDynamicBrCode(charge);
    for (let length = 0; length < text.length; length++) {
      expect(decodeBrCode(text.slice(0, length)).ok).toBe(false);
    }
  });

  test('detects any single wrong character', () => {
    const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(anyCharge, fc.nat(), printable, (any, nat, wrong) => {
        const text = encodeDynamicBrCode(any);
        const at = nat % text.length;
        // The checksum is case-insensitive.
        const isChecksum = at >= text.length - 4;
        fc.pre(isChecksum ? wrong.toUpperCase() !== text[at] : wrong !== text[at]);
        const decoding = decodeBrCode(text.slice(0, at) + wrong + text.slice(at + 1));
        const isCrcHead = at >= text.length - 8 && !isChecksum;
        expect(decoding).toEqual({ ok: false, failure: isCrcHead ? 'truncated' : 'crc' });
      }),
      { numRuns: 1000 },
    );
  });

  test('never throws', () => {
    const noise = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9]{0,80}$/));
    fc.assert(
      fc.property(noise, (text) => {
        expect(decodeBrCode(text).ok).toBe(false);
        expect(decodeBrCode(withChecksum(`000201${text}6304`)).ok).toBe(false);
      }),
    );
  });
});
