import { describe, expect, it } from 'vitest';

import { acceptedEncodings } from './dashboard.ts';

describe('the encodings that a browser takes', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['gzip, deflate, br, zstd', ['gzip', 'deflate', 'br', 'zstd']],
    ['BR;q=0.5, gzip ; q=1.0', ['br', 'gzip']],
    ['br;q=0, gzip;q=0.000, identity;q=0.1', ['identity']],
  ])('of %j are %j', (header, expected) => {
    expect([...acceptedEncodings(header)]).toEqual(expected);
  });
});
