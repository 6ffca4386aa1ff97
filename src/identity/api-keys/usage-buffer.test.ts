import { describe, expect, it } from 'vitest';

import { KeyUsageBuffer } from './usage-buffer.ts';

type Written = readonly { readonly sellerId: string; readonly id: string; readonly at: Date }[];

function keep(): {
  readonly writes: Written[];
  readonly uses: KeyUsageBuffer;
  fail: (next: boolean) => void;
} {
  const writes: Written[] = [];
  let failing = false;
  const uses = new KeyUsageBuffer(async (written) => {
    if (failing) throw new Error('the database is away');
    writes.push(written);
  });
  return {
    writes,
    uses,
    fail(next) {
      failing = next;
    },
  };
}

describe('uses of keys', () => {
  it('are written once, with the latest time, in the order of ids (C5)', async () => {
    const { writes, uses } = keep();
    for (const at of [1_000, 2_000, 3_000]) uses.record('s', 'b', at);
    uses.record('s', 'a', 1_500);
    expect(writes).toEqual([]);
    expect(uses.lastUsedAt('b')).toEqual(new Date(3_000));
    await uses.flush();
    expect(writes).toEqual([
      [
        { sellerId: 's', id: 'a', at: new Date(1_500) },
        { sellerId: 's', id: 'b', at: new Date(3_000) },
      ],
    ]);
    expect(uses.lastUsedAt('b')).toBeUndefined();
    await uses.flush();
    expect(writes).toHaveLength(1);
  });

  it('stay noted where they cannot be written, unless a later use is known', async () => {
    const { writes, uses, fail } = keep();
    uses.record('s', 'a', 1_000);
    uses.record('s', 'b', 1_000);
    fail(true);
    const failed = uses.flush();
    uses.record('s', 'b', 2_000);
    expect(uses.lastUsedAt('a')).toEqual(new Date(1_000));
    await expect(failed).rejects.toThrow('the database is away');
    fail(false);
    await uses.flush();
    expect(writes.flat().map((use) => [use.id, use.at.getTime()])).toEqual([
      ['a', 1_000],
      ['b', 2_000],
    ]);
  });

  it('of a forgotten key are not written', async () => {
    const { writes, uses } = keep();
    uses.record('s', 'a', 1_000);
    uses.discard('a');
    await uses.flush();
    expect(writes).toEqual([]);
  });

  it('are written in portions', async () => {
    const { writes, uses } = keep();
    for (let key = 0; key < 2_500; key += 1) uses.record('s', `key ${key}`, key);
    await uses.flush();
    expect(writes.map((portion) => portion.length)).toEqual([1_000, 1_000, 500]);
    expect(new Set(writes.flat().map((use) => use.id)).size).toBe(2_500);
  });
});
