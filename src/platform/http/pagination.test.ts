import { randomUUID } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { HttpError } from './errors.ts';
import { slicePage, parsePage, paginate } from './pagination.ts';

const record = (id: string = randomUUID()) => ({ id });

describe('slicePage', () => {
  it('has a next page only if one more record was found', () => {
    const records = [record(), record(), record()];
    expect(slicePage(records, 3)).toEqual({ records, nextCursor: null });
    expect(slicePage(records, 5)).toEqual({ records, nextCursor: null });
    expect(slicePage([], 5)).toEqual({ records: [], nextCursor: null });
    const cut = slicePage(records, 2);
    expect(cut.records).toEqual(records.slice(0, 2));
    expect(cut.nextCursor).toEqual(expect.any(String));
  });

  it('returns a cursor that needs no URL encoding', () => {
    const { nextCursor } = slicePage([record(), record()], 1);
    expect(nextCursor).toMatch(/^[\w-]{1,100}$/);
  });
});

describe('parsePage', () => {
  it('continues after the last record of the previous page and ignores skip', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: 1000 }), (id, skip) => {
        const { nextCursor } = slicePage([record(id), record()], 1);
        expect(parsePage({ take: 7, skip, cursor: nextCursor ?? '' })).toEqual({
          take: 7,
          skip: 0,
          after: id,
        });
      }),
    );
  });

  it('without a cursor starts at skip', () => {
    expect(parsePage({ take: 10, skip: 20 })).toEqual({ take: 10, skip: 20, after: undefined });
  });

  it.each(['', 'x', '!!!!', Buffer.from(`${randomUUID()}x`).toString('base64url'), randomUUID()])(
    'rejects %j, which is not a cursor',
    (cursor) => {
      const read = () => parsePage({ take: 10, skip: 0, cursor });
      expect(read).toThrow(HttpError);
      expect(read).toThrow('cursor must be the nextCursor of a previous page');
    },
  );
});

describe('a paginated list', () => {
  it.each([0, 1, 999, 1_000, 1_001, 2_000, 2_500])(
    'of %i records returns each once, in order',
    async (count) => {
      const all = Array.from({ length: count }, (_, index) => ({ id: String(index).padStart(6, '0') }));
      const reads: number[] = [];
      const pages = paginate(async ({ take, skip, after }) => {
        const from = after === undefined ? 0 : Number(after) + 1;
        const read = all.slice(from + skip, from + skip + take + 1);
        reads.push(read.length);
        return read;
      });
      const seen = [];
      for await (const record of pages) seen.push(record);
      expect(seen).toEqual(all);
      // Never reads more than requested, and nothing after the last record.
      expect(Math.max(...reads)).toBeLessThanOrEqual(1_001);
      expect(reads).toHaveLength(Math.max(1, Math.ceil(count / 1_000)));
    },
  );
});
