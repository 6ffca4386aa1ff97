import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { hashBody, IDEMPOTENCY_KEY_TTL_MS } from './idempotency.ts';

const same = (a: unknown, b: unknown) => hashBody(a).equals(hashBody(b));

/** The same value with the fields of every object in reverse order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, shuffled(member)]),
  );
}

describe('hashBody', () => {
  it('is the same for equivalent JSON', () => {
    const spellings = [
      '{"a":1500,"b":{"x":[1,2],"y":"é"}}',
      '{ "b" : {"y":"\\u00e9","x":[1.0,2e0]} , "a" : 1.5e3 }',
    ];
    expect(same(JSON.parse(spellings[0] ?? ''), JSON.parse(spellings[1] ?? ''))).toBe(true);
  });

  it('does not depend on the order of members, at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(same(value, shuffled(value))).toBe(true);
      }),
    );
  });

  it('is stable across versions, because keys store it for 30 days', () => {
    const body = { b: [1, { '10': 'dez', '9': null, é: 'ação "x"' }, []], amount: 1500.5 };
    const nested = { ...body, a: { z: true, A: {}, '': '\u2028' } };
    expect(hashBody(nested).toString('hex')).toBe(
      '7cf803d1bf6b97c52535faf97aee3d6762091da667e2f4a33a052407cd569f23',
    );
    expect(hashBody(undefined).toString('hex')).toBe(
      '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b',
    );
  });

  it('is different for different JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [textA, textB] = [JSON.stringify(shuffled(shuffled(a))), JSON.stringify(shuffled(shuffled(b)))];
        fc.pre(textA !== textB);
        const deepEqual = (() => {
          try {
            expect(JSON.parse(textA)).toEqual(JSON.parse(textB));
            return true;
          } catch {
            return false;
          }
        })();
        expect(same(a, b)).toBe(deepEqual);
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: [] }, { a: {} }],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: ['b,c'] }, { a: ['b', 'c'] }],
    [{ 'a":1,"b': 2 }, { a: 1, b: 2 }],
    [{ a: true }, { a: 'true' }],
    [{ a: 0 }, { a: false }],
    [{ a: 'é' }, { a: 'e\u0301' }],
  ])('distinguishes %j from %j', (a, b) => {
    expect(same(a, b)).toBe(false);
  });
});

describe('the lifetime of a key', () => {
  it('is 30 days', () => {
    expect(IDEMPOTENCY_KEY_TTL_MS).toBe(2_592_000_000);
  });
});
