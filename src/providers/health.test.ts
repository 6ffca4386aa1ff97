import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { createLogger } from '#platform/kit/log.ts';
import { createProviderMonitor } from './health.ts';
import type { PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([-24 * 3_600_000, -3_600_000, 0])(
  'tries an open circuit again within a minute after a clock change of %d ms',
  async (jumpMs) => {
    const { send, provider } = monitoredProvider();
    for (let call = 0; call < 5; call += 1) await expect(send()).rejects.toThrow('away');
    provider.isFailing = false;
    vi.setSystemTime(Date.now() + jumpMs);
    await expect(send()).rejects.toThrow('the circuit breaker of');
    vi.advanceTimersByTime(61_000);
    expect(await send()).toMatchObject({ kind: 'accepted' });
  },
);

it('allows one of several concurrent calls when an open circuit is due', async () => {
  const { send, provider } = monitoredProvider();
  for (let call = 0; call < 5; call += 1) await expect(send()).rejects.toThrow('away');
  vi.advanceTimersByTime(3_600_000);
  const responses = await Promise.allSettled(Array.from({ length: 4 }, send));
  expect(
    responses.map((response) => (response.status === 'rejected' ? String(response.reason) : 'sent')),
  ).toEqual([
    expect.stringContaining('away'),
    ...Array.from({ length: 3 }, () => expect.stringContaining('is half open')),
  ]);
  expect(provider.calls).toBe(6);
});

it('ends a lookup of a key at its deadline, even if the provider ignores it', async () => {
  const hanging: PayoutProvider = {
    name: 'one',
    methods: ['PIX'],
    send: async () => ({ kind: 'accepted', reference: null }),
    lookUpKey: () => Promise.withResolvers<undefined>().promise,
  };
  const monitored = createProviderMonitor(new Clock(), createLogger('silent')).payout(hanging);
  const seller = { name: 'Ana', documentType: 'CPF', document: '52998224725' } as const;
  await expect(monitored.lookUpKey?.({ key: DESTINATION, seller }, AbortSignal.timeout(50))).rejects.toThrow(
    'due to timeout',
  );
});

const DESTINATION = { method: 'PIX', pixKeyType: 'EMAIL', pixKey: 'ana@example.com' } as const;

/** A failing provider, and its monitored `send`. */
function monitoredProvider() {
  const provider = { isFailing: true, calls: 0 };
  const one: PayoutProvider = {
    name: 'one',
    methods: ['PIX'],
    async send() {
      provider.calls += 1;
      if (provider.isFailing) throw new Error('away');
      return { kind: 'accepted', reference: null };
    },
  };
  const monitored = createProviderMonitor(new Clock(), createLogger('silent')).payout(one);
  const beneficiary = { name: null, document: null };
  const payee = { destination: DESTINATION, beneficiary };
  const order = { id: 'a', sellerId: 'b', amountCents: 1, ...payee, description: null };
  return { provider, send: async () => monitored.send(order, AbortSignal.timeout(5_000)) };
}
