import { randomBytes } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SecretBox } from '#platform/crypto/secret-box.ts';
import type { LedgerEntry } from './entries.ts';
import { areProven, groupByChange, proveEntries } from './proofs.ts';

const secrets = new SecretBox([randomBytes(32)]);
const source = { sellerId: 'seller', recordId: 'record', at: new Date(1_000) };
const payment: LedgerEntry = {
  origin: 'PIX',
  debit: 'provider',
  credit: 'available',
  amount: 1_000,
  cause: 'PAYMENT',
};
const fee: LedgerEntry = {
  origin: 'PIX',
  debit: 'available',
  credit: 'fees',
  amount: 40,
  cause: 'PAYMENT_FEE',
};

const stored = (entries: readonly LedgerEntry[]) =>
  proveEntries(secrets, source, entries).map((entry) => ({ ...source, ...entry }));

describe('areProven', () => {
  const [first, second] = stored([payment, fee]);
  if (first === undefined || second === undefined) throw new Error('there are two entries');

  it('accepts the entries of a change', () => {
    expect(areProven(secrets, [first, second])).toBe(true);
    expect(areProven(secrets, stored([fee]))).toBe(true);
  });

  it.each([
    ['no entries', []],
    ['a missing first entry', [second]],
    ['a missing last entry', [first]],
    ['another order', [second, first]],
    ['a repeated entry', [first, second, second]],
    ['another amount', [first, { ...second, amount: 4 }]],
    ['another cause', [{ ...first, cause: 'RELEASE' }, second]],
    ['another account', [first, { ...second, debit: 'retained' }]],
    ['another record of a later entry', [first, { ...second, recordId: 'other' }]],
    ['another time of a later entry', [first, { ...second, at: new Date(2_000) }]],
    ['another seller', [first, second].map((entry) => ({ ...entry, sellerId: 'other' }))],
    ['an entry without a proof', [first, { ...second, proof: null }]],
    ['an entry of another change', [first, stored([payment, fee])[1] ?? second]],
    [
      'one entry whose cause spells out the other',
      [{ ...first, cause: 'PAYMENT PIX available fees 40 PAYMENT_FEE' }],
    ],
  ])('refuses %s', (_name, entries) => {
    expect(areProven(secrets, entries)).toBe(false);
  });

  it('refuses the entries of a key that is unknown', () => {
    expect(areProven(new SecretBox([randomBytes(32)]), [first, second])).toBe(false);
  });
});

it('groups the entries of a balance by change', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 10 }), (sizes) => {
      const changes = sizes.map((size) => stored(Array.from({ length: size }, () => fee)));
      expect(groupByChange(changes.flat())).toEqual(changes);
    }),
  );
});
