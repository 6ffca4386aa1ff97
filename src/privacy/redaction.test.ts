import { describe, expect, it } from 'vitest';

import { REDACTION_MARK, createRedactor, redactJson, redactUrl } from './redaction.ts';

const redact = createRedactor({
  name: 'José da Conceição',
  email: 'jose.c+1@example.com',
  phone: '11987654321',
  document: '52998224725',
  externalRef: 'cliente-77',
});

const redactedUrl = (url: string) => redactUrl(url, redact);

describe('personal data of a payer', () => {
  it.each([
    ['Pedido de José da Conceição, urgente', `Pedido de ${REDACTION_MARK}, urgente`],
    ['JOSE DA CONCEICAO', REDACTION_MARK],
    ['to José da Conceição'.normalize('NFD'), `to ${REDACTION_MARK}`],
    ['jose  da\tconceição!', `${REDACTION_MARK}!`],
    [String.raw`{"nome":"Jos\u00e9 da Concei\u00e7\u00e3o"}`, `{"nome":"${REDACTION_MARK}"}`],
    [
      'write to Jose.C+1@Example.com or call 11987654321',
      `write to ${REDACTION_MARK} or call ${REDACTION_MARK}`,
    ],
    ['CPF 529.982.247-25 and 52998224725', `CPF ${REDACTION_MARK} and ${REDACTION_MARK}`],
    ['(11) 98765-4321', `(${REDACTION_MARK}`],
    ['CPF52998224725x', `CPF${REDACTION_MARK}x`],
    ['wa.me/5511987654321, +55 11 98765-4321', `wa.me/${REDACTION_MARK}, +${REDACTION_MARK}`],
    [
      'https://shop.example/x?e=jose.c+1%40example.com&n=Jos%C3%A9',
      `https://shop.example/x?e=${REDACTION_MARK}&n=Jos%C3%A9`,
    ],
    ['ref cliente-77', `ref ${REDACTION_MARK}`],
  ])('is replaced in %j', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    '',
    'José',
    'Conceição',
    'xjosé da conceição',
    '152998224725',
    '1355987654321',
    'cliente-778',
    'nothing of it 💳',
  ])('is not found in %j', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('is replaced at the right position after characters of several code units', () => {
    expect(redact('💳 İzmir ǅ José da Conceição 💳')).toBe(`💳 İzmir ǅ ${REDACTION_MARK} 💳`);
  });

  it('is replaced only as a whole text if it is too short', () => {
    const redactShort = createRedactor({
      name: 'Li',
      email: 'l@i.br',
      phone: '',
      document: '',
      externalRef: '1',
    });
    expect(redactShort('1')).toBe(REDACTION_MARK);
    expect(redactShort('LI')).toBe(REDACTION_MARK);
    expect(redactShort('1 Li 10')).toBe('1 Li 10');
    expect(redactShort('')).toBe('');
  });

  it('is replaced in JSON, including numbers and member names', () => {
    const value = { a: ['José da Conceição', 1, null, true], b: { cpf: 52_998_224_725, 'cliente-77': 'x' } };
    expect(redactJson(value, redact)).toEqual({
      a: [REDACTION_MARK, 1, null, true],
      b: { cpf: REDACTION_MARK, [REDACTION_MARK]: 'x' },
    });
  });

  it('is never an amount in JSON, whatever the reference', () => {
    const person = { name: 'Li', email: 'l@i.br', phone: '', document: '', externalRef: '1500' };
    const value = { amount: 1500, installments: 1, reference: '1500' };
    expect(redactJson(value, createRedactor(person))).toEqual({
      amount: 1500,
      installments: 1,
      reference: REDACTION_MARK,
    });
  });

  it('reduces a URL that contains it to its origin', () => {
    expect(redactedUrl('https://shop.example/x?n=Jos%C3%A9+da%20Concei%C3%A7%C3%A3o')).toBe(
      `https://shop.example/${REDACTION_MARK}`,
    );
    expect(redactedUrl('https://shop.example/cliente-77')).toBe(`https://shop.example/${REDACTION_MARK}`);
    expect(redactedUrl('https://shop.example/x?n=%ZZ')).toBe('https://shop.example/x?n=%ZZ');
    expect(redactedUrl('https://shop.example/hook')).toBe('https://shop.example/hook');
  });

  it('is searched in linear time in long texts', () => {
    const startedMs = performance.now();
    for (const text of ['5'.repeat(100_000), 'jose '.repeat(20_000), '5-2-'.repeat(25_000)]) {
      expect(redact(text)).toBe(text);
    }
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  it.each(['+', ' +', '%20', ' %2b', '+%20 '])(
    'is searched in linear time if the name repeats %j',
    (sign) => {
      const redactRepeated = createRedactor({
        name: `ana${sign.repeat(60)}souza`,
        email: `ana${sign.trim().repeat(20)}@example.com`,
        phone: '11987654321',
        document: '52998224725',
        externalRef: '++++++++++',
      });
      const startedMs = performance.now();
      expect(redactRepeated(`ana${sign.repeat(2_000)}x ++++++++++`)).not.toContain('souza');
      expect(performance.now() - startedMs).toBeLessThan(1_000);
    },
  );
});
