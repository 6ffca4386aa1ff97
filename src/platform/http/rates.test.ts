import { describe, expect, it } from 'vitest';

import { countedAddress, decisive, memoryRates, type RateState } from './rates.ts';

describe('addresses', () => {
  it('count as themselves, and all that belong to one household or server as one (C6)', () => {
    expect(countedAddress('203.0.113.7')).toBe('203.0.113.7');
    expect(countedAddress('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(countedAddress('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
    expect(countedAddress('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64');
    expect(countedAddress('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
    expect(countedAddress('::1')).toBe('0:0:0:0::/64');
    expect(countedAddress('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(countedAddress('')).toBe('unknown');
  });
});

const state = (remaining: number, resetSeconds: number): RateState => ({
  limit: 9,
  remaining,
  resetSeconds,
  refused: false,
});

describe('of two allowances', () => {
  it('the one that stops the caller first is told', () => {
    expect(decisive(state(3, 10), state(5, 50))).toEqual(state(3, 10));
    expect(decisive(state(5, 50), state(3, 10))).toEqual(state(3, 10));
    expect(decisive(state(0, 10), state(5, 50))).toEqual(state(0, 10));
  });

  it('the one that is the last to be free again is told where both are used up', () => {
    expect(decisive(state(0, 10), state(0, 50))).toEqual(state(0, 50));
    expect(decisive(state(0, 50), state(0, 10))).toEqual(state(0, 50));
  });
});

describe('rates in memory', () => {
  it('look without counting, give back and forget', async () => {
    const rates = memoryRates();
    expect(await rates.look('a', 2)).toMatchObject({ limit: 2, remaining: 2, refused: false });
    await rates.count('a', 2);
    expect(await rates.look('a', 2)).toMatchObject({ remaining: 1 });
    expect(await rates.look('a', 2)).toMatchObject({ remaining: 1 });
    await rates.count('a', 2);
    expect(await rates.count('a', 2)).toMatchObject({ remaining: 0, refused: true });
    await rates.giveBack('a');
    await rates.giveBack('a');
    expect(await rates.count('a', 2)).toMatchObject({ remaining: 0, refused: false });
    await rates.forget('a');
    expect(await rates.count('a', 2)).toMatchObject({ remaining: 1, refused: false });
    expect(await rates.look('b', 2)).toMatchObject({ remaining: 2 });
    await rates.close();
  });

  it('keep a window as long as its caller asks', async () => {
    const rates = memoryRates();
    expect((await rates.count('a', 2, 900)).resetSeconds).toBe(900);
    expect((await rates.count('b', 2)).resetSeconds).toBe(60);
    expect((await rates.look('a', 2, 900)).resetSeconds).toBeGreaterThan(890);
  });
});
