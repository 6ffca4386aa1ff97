import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import { createLogger } from '#platform/kit/log.ts';
import type { PaymentReverser, ReversalResponse, ReversalRequest } from './payment-reverser.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { createReversalExecution } from './execution.ts';
import type { NewReversal } from '#payments/provider-events/reversal-port.ts';
import { createReversalsService, createReversal } from './service.ts';
import { claimReversals } from './store.ts';

/**
 * A bank: sends back what it is asked for unless told otherwise, once for an id however often it is
 * asked.
 */
class Bank implements PaymentReverser {
  readonly name = 'bank';
  readonly methods = ['PIX'] as const;
  readonly calls: ReversalRequest[] = [];
  readonly sent = new Map<string, ReversalRequest>();
  answers: ((order: ReversalRequest, deadline: AbortSignal) => Promise<ReversalResponse>)[] = [];

  async reverse(order: ReversalRequest, deadline: AbortSignal): Promise<ReversalResponse> {
    this.calls.push(order);
    const answer = this.answers.shift();
    return answer === undefined ? this.take(order) : answer(order, deadline);
  }

  take(order: ReversalRequest): ReversalResponse {
    this.sent.set(order.id, order);
    return { kind: 'accepted', reference: `ref ${order.id}` };
  }
}

let store: TestDatabase;
let database: Database;
let bank: Bank;
const clock = new Clock();

beforeAll(async () => {
  store = await cloneDatabase();
  database = openDatabase({ url: store.url, poolSize: 10, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await store.drop();
});
beforeEach(() => {
  bank = new Bank();
});
afterEach(async () => {
  await store.query('DELETE FROM payment_reversals');
});

/**
 * What one process of the gateway does; each has nothing in common with the others but the database
 * and the bank.
 */
const send = () =>
  createReversalExecution({ db: database.db, clock, reversers: [bank], log: createLogger('silent') })();
const returns = () => createReversalsService({ db: database.db, clock });

async function order(changes: Partial<NewReversal> = {}): Promise<NewReversal> {
  const now = clock.now();
  const made: NewReversal = {
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
  await database.db.transaction().execute((trx) => createReversal(trx, made));
  return made;
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
    'SELECT status, attempts, provider_reference, lease_until, sent_at, detail FROM payment_reversals WHERE id = $1',
    [id],
  );
  return row;
}

/** Moves time forward for all processes of these tests. */
const pass = (seconds: number) => clock.advanceTo(clock.offsetMs + seconds * 1000);
const noAnswer = async (): Promise<ReversalResponse> => {
  throw new Error('no answer in time');
};
const never = () => new Promise<ReversalResponse>(() => undefined);
const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b));

describe('money on its way back', () => {
  it('is sent once, under our own id, all of it, as the payment that came (C8)', async () => {
    const made = await order({ amount: 1_234 });
    await send();
    expect(bank.calls).toEqual([
      {
        id: made.id,
        method: 'PIX',
        paymentId: made.eventId,
        transactionId: made.transactionId,
        amountCents: 1_234,
      },
    ]);
    expect(await read(made)).toMatchObject({
      status: 'SENT',
      attempts: 1,
      provider_reference: `ref ${made.id}`,
      lease_until: null,
      sent_at: expect.any(Date),
    });
    pass(3_600);
    await send();
    expect(bank.calls).toHaveLength(1);
  });

  it('is asked for in no transaction that would wait for the provider', async () => {
    const made = await order();
    let seen: unknown;
    bank.answers.push(async (asked) => {
      const open = await store.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      seen = [(await read(made))?.status, open.length];
      return bank.take(asked);
    });
    await send();
    expect(seen).toEqual(['PENDING', 0]);
  });

  it('is asked for again, later and later, under the same id, where the outcome is not known (C8)', async () => {
    const made = await order();
    bank.answers.push(noAnswer, noAnswer);
    await send();
    expect(await read(made)).toMatchObject({ status: 'PENDING', attempts: 1, lease_until: null });
    pass(4);
    await send();
    expect(bank.calls).toHaveLength(1);
    pass(2);
    await send();
    pass(9);
    await send();
    expect(bank.calls).toHaveLength(2);
    pass(2);
    await send();
    expect(bank.calls.map(({ id }) => id)).toEqual([made.id, made.id, made.id]);
    expect(await read(made)).toMatchObject({ status: 'SENT', attempts: 3 });
    expect(bank.sent.size).toBe(1);
  });

  it('is left to the operator after a hundred calls without an outcome, with the warning to ask first', async () => {
    const made = await order();
    bank.answers = Array.from({ length: 200 }, () => noAnswer);
    for (let round = 0; round < 120; round += 1) {
      await send();
      pass(601);
    }
    expect(bank.calls).toHaveLength(100);
    const left = await read(made);
    expect(left).toMatchObject({ status: 'MANUAL', attempts: 100 });
    expect(left?.detail).toContain('ask the provider');
  });

  it('is sent again under the same id where the worker died between call and record (C8)', async () => {
    const made = await order();
    bank.answers.push((asked) => {
      // The money is on its way, and the worker never learns it.
      bank.take(asked);
      return never();
    });
    void send();
    await vi.waitFor(() => expect(bank.calls).toHaveLength(1));
    // Its lease is alive: nobody else calls.
    await send();
    pass(59);
    await send();
    expect(bank.calls).toHaveLength(1);
    pass(2);
    await send();
    expect(bank.calls.map(({ id }) => id)).toEqual([made.id, made.id]);
    expect(bank.sent.size).toBe(1);
    expect(await read(made)).toMatchObject({ status: 'SENT', provider_reference: `ref ${made.id}` });
  });

  it('does not wait for a provider that heeds no deadline', async () => {
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    try {
      const made = await order();
      bank.answers.push(() => {
        deadline.abort(new Error('the deadline has passed'));
        return never();
      });
      await send();
      expect(timeout).toHaveBeenCalledWith(10_000);
      expect(await read(made)).toMatchObject({ status: 'PENDING', attempts: 1, lease_until: null });
    } finally {
      timeout.mockRestore();
    }
  });

  it('is asked for once each by several processes at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => order()));
    const workers = Array.from({ length: 4 }, async () => {
      while (await send());
    });
    await Promise.all(workers);
    await send();
    expect(sorted(bank.calls.map(({ id }) => id))).toEqual(sorted(made.map(({ id }) => id)));
  });

  it('is leased to one claimer at a time', async () => {
    await Promise.all(Array.from({ length: 40 }, () => order()));
    for (let round = 0; round < 20; round += 1) {
      const now = clock.now();
      const lease = { now, leaseUntil: new Date(now.getTime() + 60_000), limit: 40 };
      const claims = await Promise.all(Array.from({ length: 8 }, () => claimReversals(database.db, lease)));
      const claimed = claims.flat().map(({ id }) => id);
      expect([claimed.length, new Set(claimed).size]).toEqual([40, 40]);
      await store.query('UPDATE payment_reversals SET lease_until = NULL');
    }
  });

  it('of one that fails does not hold up the others', async () => {
    const made = await Promise.all([order(), order(), order()]);
    bank.answers.push(noAnswer);
    await send();
    const statuses: string[] = [];
    for (const one of made) statuses.push((await read(one))?.status ?? 'gone');
    expect([sorted(statuses), bank.sent.size]).toEqual([['PENDING', 'SENT', 'SENT'], 2]);
  });
});

describe('money that no machine can send', () => {
  it.each([
    ['was paid by boleto', { method: 'BOLETO' as const }, 'bank cannot send back what was paid by BOLETO'],
    ['came through a provider that is gone', { provider: 'old bank' }, 'nothing is set up to send money'],
  ])('waits for the operator where it %s, and nobody is called (C8)', async (_, changes, detail) => {
    const made = await order(changes);
    await send();
    expect(bank.calls).toEqual([]);
    const left = await read(made);
    expect(left).toMatchObject({ status: 'MANUAL', attempts: 0, lease_until: null });
    expect(left?.detail).toContain(detail);
  });

  it('waits for the operator where the provider refuses, and is not asked for again (C8)', async () => {
    const made = await order();
    bank.answers.push(async () => ({ kind: 'refused', reason: 'the account is closed' }));
    await send();
    expect(await read(made)).toMatchObject({
      status: 'MANUAL',
      attempts: 1,
      detail: 'refused: the account is closed',
    });
    pass(3_600);
    await send();
    expect(bank.calls).toHaveLength(1);
  });

  it('is settled once of twenty at once, and never by a worker after that', async () => {
    const made = await order({ method: 'BOLETO' });
    await send();
    const users = Array.from({ length: 20 }, () => randomUUID());
    const results = await Promise.all(
      users.map((user) => returns().settle(made.id, operator(user), `by ${user}`)),
    );
    const [settled, ...more] = results.filter((result) => result.kind === 'settled');
    expect(more).toEqual([]);
    expect(results.filter((result) => result.kind === 'impossible')).toHaveLength(19);
    expect(settled?.reversal.note).toBe(`by ${settled?.reversal.settledBy}`);
    pass(3_600);
    await send();
    expect((await read(made))?.status).toBe('SENT');
    expect(bank.calls).toEqual([]);
  });

  it('is SENT all the same where the provider says at last that it was sent', async () => {
    const made = await order();
    const { promise, resolve } = Promise.withResolvers<ReversalResponse>();
    bank.answers.push(
      () => promise,
      async () => ({ kind: 'refused', reason: 'unknown payment' }),
    );
    const first = send();
    await vi.waitFor(() => expect(bank.calls).toHaveLength(1));
    pass(61);
    await send();
    expect((await read(made))?.status).toBe('MANUAL');
    resolve({ kind: 'accepted', reference: 'ref' });
    await first;
    expect(await read(made)).toMatchObject({ status: 'SENT', provider_reference: 'ref' });
  });
});

const operator = (id: string) => ({ kind: 'OPERATOR_USER', id, name: 'Ana', requestId: 'x' }) as const;
