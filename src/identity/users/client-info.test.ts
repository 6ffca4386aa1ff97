import { describe, expect, it } from 'vitest';

import { describeBrowser, clientInfoOf } from './client-info.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('clientInfoOf', () => {
  it.each([
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
      'Chrome on Windows',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge on Windows',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['node', 'node'],
    ['<script>alert(1)</script>', null],
    ['', null],
    [undefined, null],
  ])('describes %s as %s', (userAgent, description) => {
    expect(describeBrowser(userAgent)).toBe(description);
  });

  it('reads only the beginning of an oversized user agent', () => {
    const started = performance.now();
    expect(describeBrowser(`Version/${'1'.repeat(500_000)}`)).toBeTypeOf('string');
    expect(performance.now() - started).toBeLessThan(50);
  });

  it.each([
    ['203.0.113.7', '203.0.*.*'],
    ['::ffff:203.0.113.7', '203.0.*.*'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:*'],
    ['unknown', null],
  ])('masks the address %s as %s', (ip, maskedAddress) => {
    expect(clientInfoOf({ ip, headers: {} }).maskedAddress).toBe(maskedAddress);
  });
});
