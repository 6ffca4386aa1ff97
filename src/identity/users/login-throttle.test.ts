import { afterEach, describe, expect, it, vi } from 'vitest';

import { createMemoryRateLimiter } from '#platform/http/rate-limiter.ts';
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts';

const wrong = async (): Promise<undefined> => undefined;
const right = async (): Promise<string> => 'token';
const rightAfterDelay = async (): Promise<string> => {
  await new Promise((resolve) => {
    setTimeout(resolve, 2);
  });
  return 'token';
};

interface Target {
  readonly email: string;
  readonly address: string;
  readonly device?: string;
}

async function failAttempts(
  throttle: LoginThrottle,
  count: number,
  target: (index: number) => Target,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    expect((await throttle.attempt(target(index), wrong)).kind).toBe('done');
  }
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a sign-in', () => {
  const ana = { email: 'ana@example.com', address: '203.0.113.1' };

  it('after ten failures for the email, in any case and from any address, is refused', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await failAttempts(throttle, 10, (index) => ({
      email: index % 2 === 0 ? ana.email : ana.email.toUpperCase(),
      address: `203.0.113.${index}`,
    }));
    const attempt = await throttle.attempt({ ...ana, address: '198.51.100.1' }, right);
    expect(attempt).toMatchObject({ kind: 'refused', rate: { limit: 10, remaining: 0, exceeded: true } });
    // Another email is not affected, even from an address that was used.
    expect((await throttle.attempt({ email: 'bia@example.com', address: '203.0.113.1' }, right)).kind).toBe(
      'done',
    );
  });

  it('after ten failures from the address, for any emails, is refused', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await failAttempts(throttle, 10, (index) => ({ email: `${index}@example.com`, address: ana.address }));
    expect((await throttle.attempt(ana, right)).kind).toBe('refused');
    expect((await throttle.attempt({ ...ana, address: '203.0.113.2' }, right)).kind).toBe('done');
  });

  it('that succeeds clears the failures of the email, not of the address', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await failAttempts(throttle, 9, () => ana);
    expect((await throttle.attempt(ana, right)).kind).toBe('done');
    await failAttempts(throttle, 10, (index) => ({ email: ana.email, address: `198.51.100.${index}` }));
    expect((await throttle.attempt({ ...ana, address: '192.0.2.1' }, right)).kind).toBe('refused');
    // The nine failures from the first address still count; its successes do not.
    await failAttempts(throttle, 1, () => ({ ...ana, email: 'bia@example.com' }));
    expect((await throttle.attempt({ ...ana, email: 'eva@example.com' }, right)).kind).toBe('refused');
  });

  it('that succeeds is never refused, even among 60 concurrent ones', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    const attempts = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        // Many users behind one address, and one user at many addresses.
        throttle.attempt(
          index % 2 === 0
            ? { ...ana, email: `${index}@example.com` }
            : { ...ana, address: `198.51.100.${index}` },
          rightAfterDelay,
        ),
      ),
    );
    expect(new Set(attempts.map((attempt) => attempt.kind))).toEqual(new Set(['done']));
  });

  it('among 100 concurrent wrong ones is verified for the first ten only', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    let verified = 0;
    const wrongAfterDelay = async (): Promise<undefined> => {
      verified += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      return undefined;
    };
    const attempts = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        throttle.attempt({ email: ana.email, address: `203.0.113.${index}` }, wrongAfterDelay),
      ),
    );
    expect(verified).toBe(10);
    expect(attempts.filter((attempt) => attempt.kind === 'refused')).toHaveLength(90);
  });

  it('that is refused counts against no other limit', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await failAttempts(throttle, 10, (index) => ({ email: ana.email, address: `203.0.113.${index}` }));
    // Attempts for a refused email do not count against their address.
    for (let index = 0; index < 30; index += 1) {
      expect((await throttle.attempt({ ...ana, address: '198.51.100.1' }, right)).kind).toBe('refused');
    }
    expect((await throttle.attempt({ email: 'bia@example.com', address: '198.51.100.1' }, right)).kind).toBe(
      'done',
    );
    // Attempts from a refused address do not count against their email.
    await failAttempts(throttle, 10, (index) => ({ email: `${index}@example.com`, address: '192.0.2.1' }));
    for (let index = 0; index < 30; index += 1) {
      await throttle.attempt({ email: 'eva@example.com', address: '192.0.2.1' }, right);
    }
    expect((await throttle.attempt({ email: 'eva@example.com', address: '192.0.2.2' }, right)).kind).toBe(
      'done',
    );
  });

  it('whose verification throws counts as no failure', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 20; index += 1) {
      const broken = throttle.attempt(ana, async () => {
        throw new Error('the database is unavailable');
      });
      await expect(broken).rejects.toThrow('the database is unavailable');
    }
    expect((await throttle.attempt(ana, right)).kind).toBe('done');
  });

  it('that was refused is verified again after resetSeconds, not earlier', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await failAttempts(throttle, 10, () => ana);
    const refusal = await throttle.attempt(ana, right);
    if (refusal.kind !== 'refused') throw new Error('not refused');
    expect(refusal.rate.resetSeconds).toBeLessThanOrEqual(900);
    expect(refusal.rate.resetSeconds).toBeGreaterThan(890);
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start + refusal.rate.resetSeconds * 1_000 - 5_000 });
    expect((await throttle.attempt(ana, right)).kind).toBe('refused');
    vi.setSystemTime(start + refusal.rate.resetSeconds * 1_000);
    expect((await throttle.attempt(ana, right)).kind).toBe('done');
  });
});

describe('a known device', () => {
  const known = { email: 'ana@example.com', address: '203.0.113.1', device: 'known' };

  it('is not refused after failures of others for its email or its address', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await failAttempts(throttle, 10, (index) => ({ email: known.email, address: `198.51.100.${index}` }));
    await failAttempts(throttle, 10, (index) => ({ email: `${index}@example.com`, address: known.address }));
    expect(await kind(throttle.attempt({ email: known.email, address: known.address }, right))).toBe(
      'refused',
    );
    for (let count = 0; count < 20; count += 1)
      expect(await kind(throttle.attempt(known, right))).toBe('done');
  });

  it('has a separate limit of ten attempts, which count against no other limit', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await failAttempts(throttle, 10, () => known);
    expect(await kind(throttle.attempt(known, right))).toBe('refused');
    expect(await kind(throttle.attempt({ ...known, device: 'another' }, right))).toBe('done');
    expect(await kind(throttle.attempt({ email: known.email, address: known.address }, right))).toBe('done');
  });
});

const kind = async (attempt: Promise<{ readonly kind: string }>) => (await attempt).kind;

/** Attempts wrong codes with new challenges and addresses. Returns how many were verified. */
async function guess(throttle: LoginThrottle, hours: number, device?: string): Promise<number> {
  let verified = 0;
  for (let quarter = 0; quarter < hours * 4; quarter += 1) {
    for (let index = 0; index < 12; index += 1) {
      const name = `${quarter}-${index}`;
      const target = { userId: 'ana', challengeId: name, address: `2001:db8:${quarter}:${index}::1`, device };
      if ((await kind(throttle.attemptSecondFactor(target, wrong))) === 'done') verified += 1;
    }
    vi.setSystemTime(Date.now() + 901_000);
  }
  return verified;
}

describe('a second factor', () => {
  const ana = { userId: 'ana', challengeId: 'one', address: '203.0.113.1' };

  it('after five failures with one challenge is refused for that challenge only', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 5; index += 1) {
      expect(await kind(throttle.attemptSecondFactor({ ...ana, address: `203.0.113.${index}` }, wrong))).toBe(
        'done',
      );
    }
    expect(await kind(throttle.attemptSecondFactor(ana, right))).toBe('refused');
    expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: 'two' }, right))).toBe('done');
  });

  it('after ten failures for the user, with any challenges and addresses, is refused', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 10; index += 1) {
      const target = { userId: 'ana', challengeId: String(index), address: `203.0.113.${index}` };
      expect(await kind(throttle.attemptSecondFactor(target, wrong))).toBe('done');
      // The right password clears no failures of the second factor.
      const login = { email: 'ana@example.com', address: `198.51.100.${index}` };
      expect(await kind(throttle.attempt(login, right))).toBe('done');
    }
    const next = { userId: 'ana', challengeId: 'next', address: '192.0.2.1' };
    expect(await kind(throttle.attemptSecondFactor(next, right))).toBe('refused');
    expect(await kind(throttle.attemptSecondFactor({ ...next, device: 'known' }, right))).toBe('done');
    expect(await kind(throttle.attemptSecondFactor({ ...next, userId: 'bia' }, right))).toBe('done');
  });

  it('after ten failures from the address, for any users, is refused', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 10; index += 1) {
      const target = { userId: String(index), challengeId: String(index), address: ana.address };
      expect(await kind(throttle.attemptSecondFactor(target, wrong))).toBe('done');
    }
    expect(await kind(throttle.attemptSecondFactor(ana, right))).toBe('refused');
  });

  it('that is refused counts against no other limit', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 30; index += 1) await throttle.attemptSecondFactor(ana, wrong);
    // Five were verified, so the user and the address have five attempts left.
    for (let index = 0; index < 5; index += 1) {
      expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: 'two' }, wrong))).toBe('done');
    }
    expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: 'three' }, right))).toBe('refused');
  });

  it('is verified at most thirty times a day, from any number of addresses', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    expect(await guess(throttle, 23)).toBe(30);
    const refused = await throttle.attemptSecondFactor(ana, right);
    expect(refused).toMatchObject({ kind: 'refused', rate: { limit: 30, remaining: 0 } });
    const wait = refused.kind === 'refused' ? refused.rate.resetSeconds : 0;
    expect(wait).toBeLessThanOrEqual(3_600);
    // The user's known device is not affected, and has the same limit.
    expect(await kind(throttle.attemptSecondFactor({ ...ana, device: 'known' }, right))).toBe('done');
    vi.setSystemTime(Date.now() + wait * 1_000);
    expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: 'next day' }, right))).toBe('done');
    expect(await guess(throttle, 20, 'known')).toBe(30);
  });

  it('that is correct clears earlier failures', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    expect(await guess(throttle, 1)).toBe(30);
    vi.setSystemTime(Date.now() + 86_400_000);
    for (let day = 0; day < 5; day += 1) {
      expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: `typo ${day}` }, wrong))).toBe(
        'done',
      );
      expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: `typo ${day}` }, right))).toBe(
        'done',
      );
    }
    expect(await guess(throttle, 1)).toBe(30);
  });
});

describe('a reauthentication', () => {
  it('after ten failures in one session is refused in that session only', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let count = 0; count < 10; count += 1)
      expect(await kind(throttle.attemptReauthentication('thief', wrong))).toBe('done');
    expect(await kind(throttle.attemptReauthentication('thief', right))).toBe('refused');
    expect(await kind(throttle.attemptReauthentication('owner', right))).toBe('done');
  });

  it('is verified at most thirty times a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    let verified = 0;
    for (let count = 0; count < 200; count += 1) {
      if ((await kind(throttle.attemptReauthentication('thief', wrong))) === 'done') verified += 1;
      vi.setSystemTime(Date.now() + 240_000);
    }
    expect(verified).toBe(30);
  });
});
