import { randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { getWallet } from '#accounting/ledger/service.ts';
import { timeOut, usePayouts } from '#test/support/payouts.ts';
import type { PayoutResponse } from './payout-provider.ts';
import { claimPayouts } from './store-payouts.ts';

const payouts = usePayouts();

/** One after another, since all of them lock one wallet. */
async function createWithdrawals(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await payouts.createWithdrawal(100));
  return ids;
}

describe('payout execution', () => {
  it('sends an approved withdrawal with its own id, net of the fee', async () => {
    const id = await payouts.createWithdrawal();
    await payouts.run();
    expect(payouts.bank.calls).toEqual([
      {
        id,
        sellerId: payouts.sellerId,
        amountCents: 970,
        destination: { method: 'PIX', pixKeyType: 'EMAIL', pixKey: 'ana@example.com' },
        beneficiary: { name: 'Ana', document: '52998224725' },
        description: 'rent',
      },
    ]);
    expect(await payouts.statusOf(id)).toBe('PROCESSING');
    expect(await payouts.rowOf(id)).toMatchObject({
      attempts: 1,
      provider_reference: `ref ${id}`,
      lease_until: null,
    });
    await payouts.run();
    expect(payouts.bank.calls).toHaveLength(1);
  });

  it('commits PROCESSING and calls the provider outside of any database transaction', async () => {
    const id = await payouts.createWithdrawal();
    let observed: unknown;
    payouts.bank.responses.push(async () => {
      const openTransactions = await payouts.store.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      observed = [await payouts.statusOf(id), openTransactions.length];
      return { kind: 'accepted', reference: null };
    });
    await payouts.run();
    expect(observed).toEqual(['PROCESSING', 0]);
  });

  it('retries a call of unknown outcome with the same id and growing delays', async () => {
    const id = await payouts.createWithdrawal();
    payouts.bank.responses.push(timeOut, timeOut);
    await payouts.run();
    expect([await payouts.statusOf(id), await payouts.rowOf(id)]).toMatchObject([
      'PROCESSING',
      { attempts: 1, submitted_at: null },
    ]);
    payouts.advance(4);
    await payouts.run();
    expect(payouts.bank.calls).toHaveLength(1);
    payouts.advance(2);
    await payouts.run();
    payouts.advance(9);
    await payouts.run();
    expect(payouts.bank.calls).toHaveLength(2);
    payouts.advance(2);
    await payouts.run();
    expect(payouts.bank.calls.map((request) => request.id)).toEqual([id, id, id]);
    expect(await payouts.rowOf(id)).toMatchObject({ attempts: 3, provider_reference: `ref ${id}` });
    expect(payouts.bank.paid.size).toBe(1);
  });

  it('fails a refused payout and returns its amount to the balance', async () => {
    const id = await payouts.createWithdrawal();
    payouts.bank.responses.push(async () => ({
      kind: 'refused',
      reason: 'refused by the provider: key is not registered',
    }));
    await payouts.run();
    const withdrawal = await payouts.startProcess().withdrawals.find({ sellerId: payouts.sellerId, id });
    expect(withdrawal).toMatchObject({
      status: 'FAILED',
      rejectionReason: 'refused by the provider: key is not registered',
    });
    const { byOrigin } = await getWallet(payouts.store.db, payouts.sellerId);
    expect(byOrigin.PIX).toMatchObject({ availableBalance: 100_000, blockedBalance: 0 });
    payouts.advance(3600);
    await payouts.run();
    expect(payouts.bank.calls).toHaveLength(1);
  });

  it('resumes a committed payout after its process dies before the call', async () => {
    const id = await payouts.createWithdrawal();
    // Committed, but not called.
    const { withdrawals } = payouts.startProcess();
    await withdrawals.applyEvent(
      { sellerId: payouts.sellerId, id },
      { kind: 'SUBMISSION', provider: payouts.bank.name },
      { actor: 'WORKER' },
    );
    expect([await payouts.statusOf(id), payouts.bank.calls.length]).toEqual(['PROCESSING', 0]);
    await payouts.run();
    expect(payouts.bank.calls.map((request) => request.id)).toEqual([id]);
  });

  it('repeats the call when the lease of a process that died during it expires', async () => {
    const id = await payouts.createWithdrawal();
    payouts.bank.responses.push(
      () =>
        new Promise<PayoutResponse>(() => {
          /* Never settles. */
        }),
    );
    payouts.run().catch(() => undefined);
    await expect.poll(() => payouts.bank.calls.length).toBe(1);
    await payouts.run();
    expect(payouts.bank.calls).toHaveLength(1);
    // The lease expires.
    payouts.advance(61);
    await payouts.run();
    expect(payouts.bank.calls.map((request) => request.id)).toEqual([id, id]);
    expect(await payouts.rowOf(id)).toMatchObject({ provider_reference: `ref ${id}` });
  });

  it('calls once for each payout when several processes run at the same time', async () => {
    const ids = await createWithdrawals(30);
    const workers = Array.from({ length: 4 }, async () => {
      while (await payouts.run());
    });
    await Promise.all(workers);
    await payouts.run();
    const called = payouts.bank.calls.map((request) => request.id);
    expect(called.toSorted((a, b) => a.localeCompare(b))).toEqual(ids.toSorted((a, b) => a.localeCompare(b)));
    const changes = await payouts.store.query(
      `SELECT 1 FROM withdrawal_history WHERE seller_id = $1 AND to_status = 'PROCESSING'`,
      [payouts.sellerId],
    );
    expect(changes).toHaveLength(ids.length);
  });

  it('leases each payout to one of several concurrent claims', async () => {
    const ids = await createWithdrawals(40);
    const { withdrawals } = payouts.startProcess();
    const submission = { kind: 'SUBMISSION', provider: payouts.bank.name } as const;
    const { sellerId } = payouts;
    await Promise.all(
      ids.map((id) => withdrawals.applyEvent({ sellerId, id }, submission, { actor: 'WORKER' })),
    );
    for (let round = 0; round < 20; round += 1) {
      const now = payouts.clock.now();
      const leaseUntil = new Date(now.getTime() + 60_000);
      const limits = { provider: payouts.bank.name, now, leaseUntil, leasedBy: randomUUID(), limit: 40 };
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => claimPayouts(payouts.store.db, limits)),
      );
      const claimed = claims.flat().map((payout) => payout.id);
      expect([claimed.length, new Set(claimed).size]).toEqual([40, 40]);
      await payouts.store.query('UPDATE payouts SET lease_until = NULL');
    }
  });

  it('does not repeat a call whose outcome was reported before the response', async () => {
    const id = await payouts.createWithdrawal();
    payouts.bank.responses.push(async () => {
      await payouts.applyPayment(id, 'E1');
      throw new Error('the connection broke after the payment');
    });
    await payouts.run();
    expect(await payouts.statusOf(id)).toBe('PAID');
    payouts.advance(3600);
    await payouts.run();
    expect(payouts.bank.calls).toHaveLength(1);
    expect((await payouts.rowOf(id))?.submitted_at).not.toBeNull();
  });

  it('executes the other payouts when one fails', async () => {
    const ids = await createWithdrawals(3);
    payouts.bank.responses.push(() => Promise.reject(new Error('no')));
    await payouts.run();
    const statuses = await Promise.all(ids.map((id) => payouts.statusOf(id)));
    expect([statuses, payouts.bank.paid.size]).toEqual([['PROCESSING', 'PROCESSING', 'PROCESSING'], 2]);
  });
});

describe('a provider event', () => {
  it('is applied once when it is reported concurrently', async () => {
    const id = await payouts.createWithdrawal();
    await payouts.run();
    const results = await Promise.all(Array.from({ length: 8 }, () => payouts.applyPayment(id, 'E2')));
    expect(results.filter((result) => result.kind === 'applied')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'repeated')).toHaveLength(7);
    const { byOrigin } = await getWallet(payouts.store.db, payouts.sellerId);
    expect(byOrigin.PIX).toMatchObject({ availableBalance: 99_000, blockedBalance: 0 });
  });

  it('of an unknown withdrawal is not applied', async () => {
    expect(await payouts.applyPayment(randomUUID(), 'E3')).toEqual({ kind: 'unknown' });
  });
});
