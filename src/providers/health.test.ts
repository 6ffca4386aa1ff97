import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Clock } from '#clock.ts';
import { createLogger } from '#log.ts';
import { createProviderWatch } from './health.ts';
import type { PayoutProvider } from './payout.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([-24 * 3_600_000, -3_600_000, 0])(
  'a provider that was taken out is tried again within a minute, also where the clock was set back by %d ms',
  async (jumpMs) => {
    let away = true;
    const provider: PayoutProvider = {
      name: 'one',
      methods: ['PIX'],
      async send() {
        if (away) throw new Error('away');
        return { kind: 'accepted', reference: null };
      },
    };
    const watched = createProviderWatch(new Clock(), createLogger('silent')).payout(provider);
    const destination = { method: 'PIX', pixKeyType: 'EMAIL', pixKey: 'ana@example.com' } as const;
    const beneficiary = { name: null, document: null };
    const order = { id: 'a', sellerId: 'b', amountCents: 1, destination, beneficiary, description: null };
    const send = async () => watched.send(order, AbortSignal.timeout(5_000));
    for (let call = 0; call < 5; call += 1) await expect(send()).rejects.toThrow('away');
    away = false;
    vi.setSystemTime(Date.now() + jumpMs);
    await expect(send()).rejects.toThrow('not called for a while');
    vi.advanceTimersByTime(61_000);
    expect(await send()).toMatchObject({ kind: 'accepted' });
  },
);
