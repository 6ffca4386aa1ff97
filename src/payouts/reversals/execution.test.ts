import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { createLogger } from '#platform/kit/log.ts';
import type { PaymentReverser, ReversalResponse, ReversalRequest } from './payment-reverser.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { createReversalExecution } from './execution.ts';
import type { NewReversal } from '#payments/provider-events/reversal-port.ts';
import { createReversalsService, createReversal } from './service.ts';
import { claimReversals, postponeReversal } from './store.ts';

/** A provider that accepts every request by default, and executes each id once. */
class FakeReverser implements PaymentReverser {
  readonly name = 'bank';
  readonly methods = ['PIX'] as const;
  readonly calls: ReversalRequest[] = [];
  readonly sent = new Map<string, ReversalRequest>();
  /** The responses to the next calls. */
  responses: ((request: ReversalRequest, deadline: AbortSignal) => Promise<ReversalResponse>)[] = [];

  async reverse(request: ReversalRequest, deadline: AbortSignal): Promise<ReversalResponse> {
    this.calls.push(request);
    const respond = this.responses.shift();
    return respond === undefined ? this.accept(request) : respond(request, deadline);
  }

  accept(request: ReversalRequest): ReversalResponse {
    this.sent.set(request.id, request);
    return { kind: 'accepted', reference: `ref ${request.id}` };
  }
}

const store = useDatabase(10);
let bank: FakeReverser;
const clock = new Clock();

beforeEach(() => {
  bank = new FakeReverser();
});
afterEach(async () => {
  await store.query('DELETE FROM payment_reversals');
});

/** Runs the job as one process would: processes share only the database and the provider. */
const execute = () =>
  createReversalExecution({
    leaseHolder: { id: randomUUID(), track: () => undefined },
    db: store.db,
    clock,
    reversers: [bank],
    log: createLogger('silent'),
  })();
const reversals = () => createReversalsService({ db: store.db, clock });

async function insertReversal(changes: Partial<NewReversal> = {}): Promise<NewReversal> {
  const now = clock.now();
  const reversal: NewReversal = {
    sellerId: randomUUID(),
    id: newId(now.getTime()),
    transactionId: randomUUID(),
    method: 'PIX',
    provider: 'bank',
    eventId: `E${randomUUID()}`,
    amount: 1_500,
    reason: 'LATE',
    createdAt: now,
    ...changes,
  };
  await store.db.transaction().execute((trx) => createReversal(trx, reversal));
  return reversal;
}

async function read({ id }: { readonly id: string }) {
  const [row] = await store.query<{
    status: string;
    attempts: number;
    provider_reference: string | null;
    lease_until: Date | null;
    sent_at: Date | null;
    detail: string | null;
  }>(
    'SELECT status, attempts, provider_reference, lease_until, sent_at, detail FROM ' +
      'payment_reversals WHERE id = $1',
    [id],
  );
  return row;
}

/** Advances the clock of all processes. */
const advance = (seconds: number) => clock.advanceTo(clock.offsetMs + seconds * 1000);
const timeOut = async (): Promise<ReversalResponse> => {
  throw new Error('timed out');
};
const hang = () => new Promise<ReversalResponse>(() => undefined);
const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b));

describe('reversal execution', () => {
  it('sends a due reversal once, with its own id and the whole amount', async () => {
    const reversal = await insertReversal({ amount: 1_234 });
    await execute();
    expect(bank.calls).toEqual([
      {
        id: reversal.id,
        method: 'PIX',
        paymentId: reversal.eventId,
        transactionId: reversal.transactionId,
        amountCents: 1_234,
      },
    ]);
    expect(await read(reversal)).toMatchObject({
      status: 'SENT',
      attempts: 1,
      provider_reference: `ref ${reversal.id}`,
      lease_until: null,
      sent_at: expect.any(Date),
    });
    advance(3_600);
    await execute();
    expect(bank.calls).toHaveLength(1);
  });

  it('calls the provider outside of any database transaction', async () => {
    const reversal = await insertReversal();
    let observed: unknown;
    bank.responses.push(async (request) => {
      const openTransactions = await store.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      observed = [(await read(reversal))?.status, openTransactions.length];
      return bank.accept(request);
    });
    await execute();
    expect(observed).toEqual(['PENDING', 0]);
  });

  it('retries a call of unknown outcome with the same id and growing delays', async () => {
    const reversal = await insertReversal();
    bank.responses.push(timeOut, timeOut);
    await execute();
    expect(await read(reversal)).toMatchObject({ status: 'PENDING', attempts: 1, lease_until: null });
    advance(4);
    await execute();
    expect(bank.calls).toHaveLength(1);
    advance(2);
    await execute();
    advance(9);
    await execute();
    expect(bank.calls).toHaveLength(2);
    advance(2);
    await execute();
    expect(bank.calls.map(({ id }) => id)).toEqual([reversal.id, reversal.id, reversal.id]);
    expect(await read(reversal)).toMatchObject({ status: 'SENT', attempts: 3 });
    expect(bank.sent.size).toBe(1);
  });

  it('leaves a reversal to the operator after 100 calls without an outcome, with a warning', async () => {
    const reversal = await insertReversal();
    bank.responses = Array.from({ length: 200 }, () => timeOut);
    for (let round = 0; round < 120; round += 1) {
      await execute();
      advance(601);
    }
    expect(bank.calls).toHaveLength(100);
    const stored = await read(reversal);
    expect(stored).toMatchObject({ status: 'MANUAL', attempts: 100 });
    expect(stored?.detail).toContain('ask the provider');
  });

  it('repeats the call with the same id after the worker dies before recording it', async () => {
    const reversal = await insertReversal();
    bank.responses.push((request) => {
      // The response never reaches the worker.
      bank.accept(request);
      return hang();
    });
    // The call times out after the database of this file is closed.
    execute().catch(() => undefined);
    await vi.waitFor(() => expect(bank.calls).toHaveLength(1));
    // The lease is still valid.
    await execute();
    advance(59);
    await execute();
    expect(bank.calls).toHaveLength(1);
    advance(2);
    await execute();
    expect(bank.calls.map(({ id }) => id)).toEqual([reversal.id, reversal.id]);
    expect(bank.sent.size).toBe(1);
    expect(await read(reversal)).toMatchObject({ status: 'SENT', provider_reference: `ref ${reversal.id}` });
  });

  it('does not wait for a provider that ignores the deadline', async () => {
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    try {
      const reversal = await insertReversal();
      bank.responses.push(() => {
        deadline.abort(new Error('the deadline has passed'));
        return hang();
      });
      await execute();
      expect(timeout).toHaveBeenCalledWith(10_000);
      expect(await read(reversal)).toMatchObject({ status: 'PENDING', attempts: 1, lease_until: null });
    } finally {
      timeout.mockRestore();
    }
  });

  it('calls once for each reversal when several processes run at the same time', async () => {
    const created = await Promise.all(Array.from({ length: 50 }, () => insertReversal()));
    const workers = Array.from({ length: 4 }, async () => {
      while (await execute());
    });
    await Promise.all(workers);
    await execute();
    expect(sorted(bank.calls.map(({ id }) => id))).toEqual(sorted(created.map(({ id }) => id)));
  });

  it('leases each reversal to one of several concurrent claims', async () => {
    await Promise.all(Array.from({ length: 40 }, () => insertReversal()));
    for (let round = 0; round < 20; round += 1) {
      const now = clock.now();
      const lease = { now, leaseUntil: new Date(now.getTime() + 60_000), leasedBy: randomUUID(), limit: 40 };
      const claims = await Promise.all(Array.from({ length: 8 }, () => claimReversals(store.db, lease)));
      const claimed = claims.flat().map(({ id }) => id);
      expect([claimed.length, new Set(claimed).size]).toEqual([40, 40]);
      await store.query('UPDATE payment_reversals SET lease_until = NULL');
    }
  });

  it('leases no more reversals than requested', async () => {
    await Promise.all(Array.from({ length: 40 }, () => insertReversal()));
    const now = clock.now();
    const lease = { now, leaseUntil: new Date(now.getTime() + 60_000), leasedBy: randomUUID(), limit: 15 };
    const sizes: number[] = [];
    for (let i = 0; i < 4; i += 1) sizes.push((await claimReversals(store.db, lease)).length);
    expect(sizes).toEqual([15, 15, 10, 0]);
  });

  it('does not postpone a reversal that another process has leased', async () => {
    await insertReversal();
    const now = clock.now();
    const lease = { now, leaseUntil: new Date(now.getTime() + 60_000), limit: 1 };
    const [first] = await claimReversals(store.db, { ...lease, leasedBy: randomUUID() });
    if (first === undefined) throw new Error('no claim');
    await store.query('UPDATE payment_reversals SET lease_until = NULL');
    expect(await claimReversals(store.db, { ...lease, leasedBy: randomUUID() })).toHaveLength(1);
    await postponeReversal(store.db, first, now, now);
    const [row] = await store.query('SELECT attempts, lease_until FROM payment_reversals');
    expect(row).toMatchObject({ attempts: 0, lease_until: expect.any(Date) });
  });

  it('executes the other reversals when one fails', async () => {
    const created = await Promise.all([insertReversal(), insertReversal(), insertReversal()]);
    bank.responses.push(timeOut);
    await execute();
    const statuses: string[] = [];
    for (const reversal of created) statuses.push((await read(reversal))?.status ?? 'missing');
    expect([sorted(statuses), bank.sent.size]).toEqual([['PENDING', 'SENT', 'SENT'], 2]);
  });
});

describe('a reversal that the provider cannot execute', () => {
  it.each([
    ['was paid by boleto', { method: 'BOLETO' as const }, 'bank cannot return BOLETO payments'],
    [
      'was reported by a provider that is not configured',
      { provider: 'old bank' },
      'no provider is configured to return payments',
    ],
  ])('becomes MANUAL without a call if it %s', async (_, changes, detail) => {
    const reversal = await insertReversal(changes);
    await execute();
    expect(bank.calls).toEqual([]);
    const stored = await read(reversal);
    expect(stored).toMatchObject({ status: 'MANUAL', attempts: 0, lease_until: null });
    expect(stored?.detail).toContain(detail);
  });

  it('becomes MANUAL when the provider refuses, and is not called again', async () => {
    const reversal = await insertReversal();
    bank.responses.push(async () => ({
      kind: 'refused',
      reason: 'refused by the provider: the account is closed',
    }));
    await execute();
    expect(await read(reversal)).toMatchObject({
      status: 'MANUAL',
      attempts: 1,
      detail: 'refused: refused by the provider: the account is closed',
    });
    advance(3_600);
    await execute();
    expect(bank.calls).toHaveLength(1);
  });

  it('is marked as sent once by 20 concurrent requests, and never executed afterwards', async () => {
    const reversal = await insertReversal({ method: 'BOLETO' });
    await execute();
    const users = Array.from({ length: 20 }, () => randomUUID());
    const results = await Promise.all(
      users.map((user) => reversals().settle(reversal.id, operator(user), `by ${user}`)),
    );
    const [marked, ...more] = results.filter((result) => result.kind === 'updated');
    expect(more).toEqual([]);
    expect(results.filter((result) => result.kind === 'impossible')).toHaveLength(19);
    expect(marked?.reversal.note).toBe(`by ${marked?.reversal.settledBy}`);
    advance(3_600);
    await execute();
    expect((await read(reversal))?.status).toBe('SENT');
    expect(bank.calls).toEqual([]);
  });

  it('becomes SENT when the provider accepts it after all', async () => {
    const reversal = await insertReversal();
    const { promise, resolve } = Promise.withResolvers<ReversalResponse>();
    bank.responses.push(
      () => promise,
      async () => ({ kind: 'refused', reason: 'removed at the provider' }),
    );
    const first = execute();
    await vi.waitFor(() => expect(bank.calls).toHaveLength(1));
    advance(61);
    await execute();
    expect((await read(reversal))?.status).toBe('MANUAL');
    resolve({ kind: 'accepted', reference: 'ref' });
    await first;
    expect(await read(reversal)).toMatchObject({ status: 'SENT', provider_reference: 'ref' });
  });
});

const operator = (id: string) =>
  ({ kind: 'OPERATOR_USER', id, name: 'Ana', role: 'ADMIN', keyPrefix: null, requestId: 'x' }) as const;
