import { describe, expect, it } from 'vitest';

import vectors from '#test/vectors/withdrawals.json' with { type: 'json' };
import { normalizePixKey, PIX_KEY_TYPES } from './pix-key.ts';

const rules = { alphanumericCnpj: true };

describe('Pix keys', () => {
  it.each(vectors.pixKeys.filter((vector) => vector.type !== null))(
    '$input is the $type key $canonical',
    ({ input, type, canonical }) => {
      const known = PIX_KEY_TYPES.find((name) => name === type) ?? 'EVP';
      expect(normalizePixKey(known, input, rules)).toBe(canonical);
    },
  );

  it.each(vectors.pixKeys.filter((vector) => vector.type === null))(
    '$input is not a valid key',
    ({ input }) => {
      for (const type of PIX_KEY_TYPES) expect(normalizePixKey(type, input, rules)).toBeUndefined();
    },
  );

  it.each([
    ['CPF', ' 529.982.247-25 ', '52998224725'],
    ['CNPJ', '12abc34501de35', '12ABC34501DE35'],
    ['PHONE', '11987654321', '+5511987654321'],
    ['PHONE', '5511987654321', '+5511987654321'],
    ['PHONE', '+55 11 98765-4321', '+5511987654321'],
    ['EMAIL', ' Ana+loja@Example.com', 'ana+loja@example.com'],
    ['EVP', '123E4567-E89B-42D3-A456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
  ] as const)('normalizes the %s key %s to DICT format', (type, input, canonical) => {
    expect(normalizePixKey(type, input, rules)).toBe(canonical);
  });

  it.each([
    ['CPF', '52998224724'],
    ['CPF', '111.111.111-11'],
    ['CPF', '5299822472A'],
    ['CPF', '11222333000181'],
    ['CNPJ', '52998224725'],
    ['CNPJ', '11222333000180'],
    ['PHONE', '987654321'],
    ['PHONE', '+14155552671'],
    ['PHONE', '+550987654321'],
    ['PHONE', '+5511587654321'],
    ['PHONE', '+5520987654321'],
    ['PHONE', '++5511987654321'],
    ['EMAIL', 'ana@example'],
    ['EMAIL', 'ana@@example.com'],
    ['EMAIL', 'ana example@example.com'],
    ['EMAIL', 'ana..souza@example.com'],
    ['EMAIL', '.ana@example.com'],
    ['EMAIL', '@example.com'],
    ['EVP', '123e4567e89b42d3a456426614174000'],
    ['EVP', '123e4567-e89b-42d3-a456-42661417400g'],
    ['EVP', ''],
  ] as const)('rejects %s %s', (type, input) => {
    expect(normalizePixKey(type, input, rules)).toBeUndefined();
  });

  it('accepts an alphanumeric CNPJ only if enabled', () => {
    expect(normalizePixKey('CNPJ', '12ABC34501DE35', { alphanumericCnpj: false })).toBeUndefined();
    expect(normalizePixKey('CNPJ', '11.222.333/0001-81', { alphanumericCnpj: false })).toBe('11222333000181');
  });
});
