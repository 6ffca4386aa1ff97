import { describe, expect, it } from 'vitest';

import {
  rateLimitAddress,
  stricterLimit,
  createMemoryRateLimiter,
  type RateLimitState,
} from './rate-limiter.ts';

describe('rateLimitAddress', () => {
  it('returns an IPv4 address, or the /64 network of an IPv6 address', () => {
    expect(rateLimitAddress('203.0.113.7')).toBe('203.0.113.7');
    expect(rateLimitAddress('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(rateLimitAddress('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
    expect(rateLimitAddress('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64');
    expect(rateLimitAddress('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(rateLimitAddress('::1')).toBe('0:0:0:0::/64');
    expect(rateLimitAddress('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(rateLimitAddress('')).toBe('unknown');
  });
});

const state = (remaining: number, resetSeconds: number): RateLimitState => ({
  limit: 9,
  remaining,
  resetSeconds,
  exceeded: false,
});

describe('stricterLimit', () => {
  it('returns the limit that is reached first', () => {
    expect(stricterLimit(state(3, 10), state(5, 50))).toEqual(state(3, 10));
    expect(stricterLimit(state(5, 50), state(3, 10))).toEqual(state(3, 10));
    expect(stricterLimit(state(0, 10), state(5, 50))).toEqual(state(0, 10));
  });

  it('returns the limit that resets last if both are exceeded', () => {
    expect(stricterLimit(state(0, 10), state(0, 50))).toEqual(state(0, 50));
    expect(stricterLimit(state(0, 50), state(0, 10))).toEqual(state(0, 50));
  });
});

describe('memory rate limiter', () => {
  it('reads the limit without counting, releases a request, and resets a key', async () => {
    const rates = createMemoryRateLimiter();
    expect(await rates.peek('a', 2)).toMatchObject({ limit: 2, remaining: 2, exceeded: false });
    await rates.consume('a', 2);
    expect(await rates.peek('a', 2)).toMatchObject({ remaining: 1 });
    expect(await rates.peek('a', 2)).toMatchObject({ remaining: 1 });
    await rates.consume('a', 2);
    expect(await rates.consume('a', 2)).toMatchObject({ remaining: 0, exceeded: true });
    await rates.release('a');
    await rates.release('a');
    expect(await rates.consume('a', 2)).toMatchObject({ remaining: 0, exceeded: false });
    await rates.reset('a');
    expect(await rates.consume('a', 2)).toMatchObject({ remaining: 1, exceeded: false });
    expect(await rates.peek('b', 2)).toMatchObject({ remaining: 2 });
    await rates.close();
  });

  it('uses the window of the caller', async () => {
    const rates = createMemoryRateLimiter();
    expect((await rates.consume('a', 2, 900)).resetSeconds).toBe(900);
    expect((await rates.consume('b', 2)).resetSeconds).toBe(60);
    expect((await rates.peek('a', 2, 900)).resetSeconds).toBeGreaterThan(890);
  });
});
