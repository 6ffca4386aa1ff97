import { describe, expect, it } from 'vitest';

import { KeyUsageBuffer } from './usage-buffer.ts';

type Uses = readonly { readonly sellerId: string; readonly id: string; readonly at: Date }[];

function createBuffer(): {
  readonly writes: Uses[];
  readonly buffer: KeyUsageBuffer;
  setFailing: (next: boolean) => void;
} {
  const writes: Uses[] = [];
  let failing = false;
  const buffer = new KeyUsageBuffer(async (uses) => {
    if (failing) throw new Error('the database is unavailable');
    writes.push(uses);
  });
  return {
    writes,
    buffer,
    setFailing(next) {
      failing = next;
    },
  };
}

describe('KeyUsageBuffer', () => {
  it('writes each key once, with its latest time, in id order', async () => {
    const { writes, buffer } = createBuffer();
    for (const at of [1_000, 2_000, 3_000]) buffer.record('s', 'b', at);
    buffer.record('s', 'a', 1_500);
    expect(writes).toEqual([]);
    expect(buffer.lastUsedAt('b')).toEqual(new Date(3_000));
    await buffer.flush();
    expect(writes).toEqual([
      [
        { sellerId: 's', id: 'a', at: new Date(1_500) },
        { sellerId: 's', id: 'b', at: new Date(3_000) },
      ],
    ]);
    expect(buffer.lastUsedAt('b')).toBeUndefined();
    await buffer.flush();
    expect(writes).toHaveLength(1);
  });

  it('retains the uses of a failed flush, unless a later use is recorded', async () => {
    const { writes, buffer, setFailing } = createBuffer();
    buffer.record('s', 'a', 1_000);
    buffer.record('s', 'b', 1_000);
    setFailing(true);
    const failed = buffer.flush();
    buffer.record('s', 'b', 2_000);
    expect(buffer.lastUsedAt('a')).toEqual(new Date(1_000));
    await expect(failed).rejects.toThrow('the database is unavailable');
    setFailing(false);
    await buffer.flush();
    expect(writes.flat().map((use) => [use.id, use.at.getTime()])).toEqual([
      ['a', 1_000],
      ['b', 2_000],
    ]);
  });

  it('does not write a discarded key', async () => {
    const { writes, buffer } = createBuffer();
    buffer.record('s', 'a', 1_000);
    buffer.discard('a');
    await buffer.flush();
    expect(writes).toEqual([]);
  });

  it('writes in chunks', async () => {
    const { writes, buffer } = createBuffer();
    for (let key = 0; key < 2_500; key += 1) buffer.record('s', `key ${key}`, key);
    await buffer.flush();
    expect(writes.map((chunk) => chunk.length)).toEqual([1_000, 1_000, 500]);
    expect(new Set(writes.flat().map((use) => use.id)).size).toBe(2_500);
  });
});
