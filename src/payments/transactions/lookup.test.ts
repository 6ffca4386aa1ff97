import { describe, expect, it } from 'vitest';

import { normalizeText } from '#payments/search/service.ts';
import { parseSearch } from './lookup.ts';

describe('parseSearch', () => {
  it.each([
    ['15,00', [1_500]],
    ['15,5', [1_550]],
    ['15.00', [1_500]],
    ['R$ 15,00', [1_500]],
    ['R$\u00a015,00', [1_500]],
    ['r$15', [1_500]],
    ['1.500,00', [150_000]],
    ['1500,00', [150_000]],
    ['1,500.00', [150_000]],
    ['1.500', [150_000]],
    ['12.345.678,90', [1_234_567_890]],
    // Digits alone are reais or cents.
    ['1500', [150_000, 1_500]],
    ['15', [1_500, 15]],
    ['  15 ', [1_500, 15]],
    // Not an amount of a transaction.
    ['0', []],
    ['0,00', []],
    ['999999999999', []],
    ['99999999999999999999', []],
    ['1.50.0', []],
    ['15,000,0', []],
    ['-15', []],
    ['15e3', []],
    ['Pedido 15', []],
    ['R$', []],
  ])('parses the amounts in %j', (text, amounts) => {
    expect(parseSearch(text).amounts).toEqual(amounts);
  });

  it('recognizes a complete id in any case', () => {
    const id = '01a1fb66-e70d-4426-bcd4-28d378d6b6c1';
    expect(parseSearch(` ${id.toUpperCase()} `).id).toBe(id);
    expect(parseSearch(id.slice(1)).id).toBeUndefined();
  });

  it('ignores case and accents', () => {
    expect(parseSearch(' JOÃO Conceição ').text).toBe('joao conceicao');
    expect(normalizeText('Joa\u0303o')).toBe('joao');
    expect(normalizeText('100%_\\')).toBe('100%_\\');
  });

  it('parses texts that resemble amounts in linear time', () => {
    const startedAt = performance.now();
    for (const text of ['1'.repeat(100), '1.111'.repeat(20), `${'111.'.repeat(25)}x`]) parseSearch(text);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
