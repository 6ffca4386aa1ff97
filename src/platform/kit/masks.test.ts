import { describe, expect, it } from 'vitest';

import { maskCryptoAddress, maskPixKey } from './masks.ts';

describe('masks', () => {
  it.each([
    ['CPF', '12345678909', '***.456.789-**'],
    ['CNPJ', '12345678000195', '**.345.678/****-**'],
    ['PHONE', '+5511987654321', '+55*******4321'],
    ['EMAIL', 'joana@domain.com', 'j***@domain.com'],
    ['EMAIL', 'j@domain.com', 'j***@domain.com'],
    ['EVP', '123e4567-e89b-42d3-a456-426614174000', '123e4567-****-****-****-************'],
  ] as const)('mask the %s key %s as %s', (type, key, masked) => {
    expect(maskPixKey(type, key)).toBe(masked);
  });

  it('keep the first six and last four characters of a wallet address', () => {
    expect(maskCryptoAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('TR7NHq…Lj6t');
  });
});
