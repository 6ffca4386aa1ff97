import { afterEach, describe, expect, it, vi } from 'vitest';

import { createMemoryRateLimiter } from '#platform/http/rate-limiter.ts';
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts';

const wrong = async (): Promise<undefined> => undefined;
const right = async (): Promise<string> => 'token';
const rightInTime = async (): Promise<string> => {
  await new Promise((resolve) => {
    setTimeout(resolve, 2);
  });
  return 'token';
};

interface From {
  readonly email: string;
  readonly address: string;
  readonly device?: string;
}

async function fail(throttle: LoginThrottle, times: number, from: (index: number) => From): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    expect((await throttle.attempt(from(index), wrong)).kind).toBe('done');
  }
}

afterEach(() => {
  vi.useRealTimers();
});

describe('sign-ins', () => {
  const ana = { email: 'ana@example.com', address: '203.0.113.1' };

  it('are refused after ten failures for one e-mail, from wherever, in any case of letters (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await fail(throttle, 10, (index) => ({
      email: index % 2 === 0 ? ana.email : ana.email.toUpperCase(),
      address: `203.0.113.${index}`,
    }));
    const attempt = await throttle.attempt({ ...ana, address: '198.51.100.1' }, right);
    expect(attempt).toMatchObject({ kind: 'refused', rate: { limit: 10, remaining: 0, exceeded: true } });
    // Other people are not touched, not even from an address that was used.
    expect((await throttle.attempt({ email: 'bia@example.com', address: '203.0.113.1' }, right)).kind).toBe(
      'done',
    );
  });

  it('are refused after ten failures from one address, whatever the e-mails (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await fail(throttle, 10, (index) => ({ email: `${index}@example.com`, address: ana.address }));
    expect((await throttle.attempt(ana, right)).kind).toBe('refused');
    expect((await throttle.attempt({ ...ana, address: '203.0.113.2' }, right)).kind).toBe('done');
  });

  it('that succeed clear the e-mail and not the address (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await fail(throttle, 9, () => ana);
    expect((await throttle.attempt(ana, right)).kind).toBe('done');
    await fail(throttle, 10, (index) => ({ email: ana.email, address: `198.51.100.${index}` }));
    expect((await throttle.attempt({ ...ana, address: '192.0.2.1' }, right)).kind).toBe('refused');
    // Nine failures from the first address still count, and its successes never did.
    await fail(throttle, 1, () => ({ ...ana, email: 'bia@example.com' }));
    expect((await throttle.attempt({ ...ana, email: 'eva@example.com' }, right)).kind).toBe('refused');
  });

  it('that succeed may come as many as they like, also at once (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    const attempts = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        // Many people behind one address, and one person at many.
        throttle.attempt(
          index % 2 === 0
            ? { ...ana, email: `${index}@example.com` }
            : { ...ana, address: `198.51.100.${index}` },
          rightInTime,
        ),
      ),
    );
    expect(new Set(attempts.map((attempt) => attempt.kind))).toEqual(new Set(['done']));
  });

  it('of a flood are tried ten times and no more (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    let tried = 0;
    const slowly = async (): Promise<undefined> => {
      tried += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      return undefined;
    };
    const attempts = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        throttle.attempt({ email: ana.email, address: `203.0.113.${index}` }, slowly),
      ),
    );
    expect(tried).toBe(10);
    expect(attempts.filter((attempt) => attempt.kind === 'refused')).toHaveLength(90);
  });

  it('that are refused use up nothing else (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await fail(throttle, 10, (index) => ({ email: ana.email, address: `203.0.113.${index}` }));
    // Whoever insists on a refused e-mail does not shut out their whole address …
    for (let index = 0; index < 30; index += 1) {
      expect((await throttle.attempt({ ...ana, address: '198.51.100.1' }, right)).kind).toBe('refused');
    }
    expect((await throttle.attempt({ email: 'bia@example.com', address: '198.51.100.1' }, right)).kind).toBe(
      'done',
    );
    // … and a refused address shuts out nobody's e-mail.
    await fail(throttle, 10, (index) => ({ email: `${index}@example.com`, address: '192.0.2.1' }));
    for (let index = 0; index < 30; index += 1) {
      await throttle.attempt({ email: 'eva@example.com', address: '192.0.2.1' }, right);
    }
    expect((await throttle.attempt({ email: 'eva@example.com', address: '192.0.2.2' }, right)).kind).toBe(
      'done',
    );
  });

  it('that could not be tried count for nothing (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 20; index += 1) {
      const broken = throttle.attempt(ana, async () => {
        throw new Error('the database is away');
      });
      await expect(broken).rejects.toThrow('the database is away');
    }
    expect((await throttle.attempt(ana, right)).kind).toBe('done');
  });

  it('pass again after the wait that the refusal tells, and not before (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await fail(throttle, 10, () => ana);
    const refusal = await throttle.attempt(ana, right);
    if (refusal.kind !== 'refused') throw new Error('not refused');
    expect(refusal.rate.resetSeconds).toBeLessThanOrEqual(900);
    expect(refusal.rate.resetSeconds).toBeGreaterThan(890);
    const from = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: from + refusal.rate.resetSeconds * 1_000 - 5_000 });
    expect((await throttle.attempt(ana, right)).kind).toBe('refused');
    vi.setSystemTime(from + refusal.rate.resetSeconds * 1_000);
    expect((await throttle.attempt(ana, right)).kind).toBe('done');
  });
});

describe('a browser that has signed in before', () => {
  const known = { email: 'ana@example.com', address: '203.0.113.1', device: 'known' };

  it('passes whatever strangers fail with its e-mail, from everywhere and from its own address (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await fail(throttle, 10, (index) => ({ email: known.email, address: `198.51.100.${index}` }));
    await fail(throttle, 10, (index) => ({ email: `${index}@example.com`, address: known.address }));
    expect(await kind(throttle.attempt({ email: known.email, address: known.address }, right))).toBe(
      'refused',
    );
    for (let time = 0; time < 20; time += 1) expect(await kind(throttle.attempt(known, right))).toBe('done');
  });

  it('has ten tries of its own, and uses up nobody else’s (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    await fail(throttle, 10, () => known);
    expect(await kind(throttle.attempt(known, right))).toBe('refused');
    expect(await kind(throttle.attempt({ ...known, device: 'another' }, right))).toBe('done');
    expect(await kind(throttle.attempt({ email: known.email, address: known.address }, right))).toBe('done');
  });
});

const kind = async (attempt: Promise<{ readonly kind: string }>) => (await attempt).kind;

/** Fails as often as it may for a while, always with new challenges and from new addresses; answers how often it was tried. */
async function guessing(throttle: LoginThrottle, hours: number, device?: string): Promise<number> {
  let tried = 0;
  for (let quarter = 0; quarter < hours * 4; quarter += 1) {
    for (let index = 0; index < 12; index += 1) {
      const name = `${quarter}-${index}`;
      const from = { userId: 'ana', challengeId: name, address: `2001:db8:${quarter}:${index}::1`, device };
      if ((await kind(throttle.attemptSecondFactor(from, wrong))) === 'done') tried += 1;
    }
    vi.setSystemTime(Date.now() + 901_000);
  }
  return tried;
}

describe('second factors', () => {
  const ana = { userId: 'ana', challengeId: 'one', address: '203.0.113.1' };

  it('are refused after five failures with one challenge, and another one is none the worse', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 5; index += 1) {
      expect(await kind(throttle.attemptSecondFactor({ ...ana, address: `203.0.113.${index}` }, wrong))).toBe(
        'done',
      );
    }
    expect(await kind(throttle.attemptSecondFactor(ana, right))).toBe('refused');
    expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: 'two' }, right))).toBe('done');
  });

  it('are refused after ten failures for one user, whatever the challenges, from wherever (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 10; index += 1) {
      const from = { userId: 'ana', challengeId: String(index), address: `203.0.113.${index}` };
      expect(await kind(throttle.attemptSecondFactor(from, wrong))).toBe('done');
      // The right password in between clears nothing.
      const again = { email: 'ana@example.com', address: `198.51.100.${index}` };
      expect(await kind(throttle.attempt(again, right))).toBe('done');
    }
    const next = { userId: 'ana', challengeId: 'next', address: '192.0.2.1' };
    expect(await kind(throttle.attemptSecondFactor(next, right))).toBe('refused');
    expect(await kind(throttle.attemptSecondFactor({ ...next, device: 'known' }, right))).toBe('done');
    expect(await kind(throttle.attemptSecondFactor({ ...next, userId: 'bia' }, right))).toBe('done');
  });

  it('are refused after ten failures from one address, whoever they are of (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 10; index += 1) {
      const from = { userId: String(index), challengeId: String(index), address: ana.address };
      expect(await kind(throttle.attemptSecondFactor(from, wrong))).toBe('done');
    }
    expect(await kind(throttle.attemptSecondFactor(ana, right))).toBe('refused');
  });

  it('use up no other allowance where they are refused', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let index = 0; index < 30; index += 1) await throttle.attemptSecondFactor(ana, wrong);
    // Five were tried, so five are left to the user and to the address.
    for (let index = 0; index < 5; index += 1) {
      expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: 'two' }, wrong))).toBe('done');
    }
    expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: 'three' }, right))).toBe('refused');
  });

  it('are tried thirty times a day and no oftener, however many addresses they come from (C5)', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    expect(await guessing(throttle, 23)).toBe(30);
    const refused = await throttle.attemptSecondFactor(ana, right);
    expect(refused).toMatchObject({ kind: 'refused', rate: { limit: 30, remaining: 0 } });
    const wait = refused.kind === 'refused' ? refused.rate.resetSeconds : 0;
    expect(wait).toBeLessThanOrEqual(3_600);
    // The owner’s own browser is none the worse, and has no more tries than anybody.
    expect(await kind(throttle.attemptSecondFactor({ ...ana, device: 'known' }, right))).toBe('done');
    vi.setSystemTime(Date.now() + wait * 1_000);
    expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: 'next day' }, right))).toBe('done');
    expect(await guessing(throttle, 20, 'known')).toBe(30);
  });

  it('that are right clear what was failed before (C5)', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    expect(await guessing(throttle, 1)).toBe(30);
    vi.setSystemTime(Date.now() + 86_400_000);
    for (let day = 0; day < 5; day += 1) {
      expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: `typo ${day}` }, wrong))).toBe(
        'done',
      );
      expect(await kind(throttle.attemptSecondFactor({ ...ana, challengeId: `typo ${day}` }, right))).toBe(
        'done',
      );
    }
    expect(await guessing(throttle, 1)).toBe(30);
  });
});

describe('who is signed in', () => {
  it('tries password and code ten times in a session, and another session is none the worse (C5)', async () => {
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    for (let time = 0; time < 10; time += 1)
      expect(await kind(throttle.attemptReauthentication('thief', wrong))).toBe('done');
    expect(await kind(throttle.attemptReauthentication('thief', right))).toBe('refused');
    expect(await kind(throttle.attemptReauthentication('owner', right))).toBe('done');
  });

  it('tries thirty times a day and no oftener (C5)', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const throttle = createLoginThrottle(createMemoryRateLimiter());
    let tried = 0;
    for (let time = 0; time < 200; time += 1) {
      if ((await kind(throttle.attemptReauthentication('thief', wrong))) === 'done') tried += 1;
      vi.setSystemTime(Date.now() + 240_000);
    }
    expect(tried).toBe(30);
  });
});
