import { describe, expect, it } from 'vitest';

import { changedMembers } from './members.ts';

describe('members of an audited change', () => {
  it('contain only those that differ', () => {
    const before = { status: 'ACTIVE', limit: 5, fees: { type: 'FIXED', value: 1 }, note: null };
    const after = { status: 'SUSPENDED', limit: 5, fees: { type: 'FIXED', value: 2 }, note: null };
    expect(changedMembers(before, after)).toEqual({
      before: { status: 'ACTIVE', fees: { type: 'FIXED', value: 1 } },
      after: { status: 'SUSPENDED', fees: { type: 'FIXED', value: 2 } },
    });
  });

  it('are empty if nothing changed, and complete for a created or deleted record', () => {
    expect(changedMembers({ a: 1 }, { a: 1 })).toBeUndefined();
    expect(changedMembers(null, { a: 1 })).toEqual({ before: null, after: { a: 1 } });
    expect(changedMembers({ a: 1 }, null)).toEqual({ before: { a: 1 }, after: null });
    expect(changedMembers(null, null)).toEqual({ before: null, after: null });
  });

  it('mask documents and omit URL queries', () => {
    const after = { document: '52998224725', url: 'https://example.com/hook?token=abc' };
    expect(changedMembers(null, after)?.after).toEqual({
      document: '***.982.247-**',
      url: 'https://example.com/hook?…',
    });
    expect(changedMembers(null, { document: '11222333000181' })?.after).toEqual({
      document: '**.222.333/****-**',
    });
    // A changed query is a change, although neither query is shown.
    expect(changedMembers({ url: 'https://a.com/?1' }, { url: 'https://a.com/?2' })).toEqual({
      before: { url: 'https://a.com/?…' },
      after: { url: 'https://a.com/?…' },
    });
  });

  it.each([
    'password',
    'password_hash',
    'passwordHash',
    'key',
    'secret',
    'sealedSecret',
    'sealedPayee',
    'accessToken',
  ])('must not include %s', (name) => {
    expect(() => changedMembers(null, { [name]: 'x' })).toThrow(name);
    expect(() => changedMembers({ [name]: 'x' }, { [name]: 'x' })).toThrow(name);
  });
});
