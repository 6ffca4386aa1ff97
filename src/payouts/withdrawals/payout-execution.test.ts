import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import { bookEntries, getWallet } from '#accounting/ledger/service.ts';
import { createLogger } from '#platform/kit/log.ts';
import type { PayoutResponse, PayoutRequest, PayoutProvider } from './payout-provider.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { createSellersService } from '#sellers/service.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { writeSeller } from '#test/support/sellers.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { createPayoutExecution } from './payout-execution.ts';
import { createWithdrawalsService } from './service.ts';
import { claimPayouts } from './store-payouts.ts';

/**
 * A bank: takes every order unless told otherwise, and pays once for an id however often it is
 * asked.
 */
class Bank implements PayoutProvider {
  readonly name: string;
  readonly methods: PayoutProvider['methods'];
  readonly calls: PayoutRequest[] = [];
  readonly paid = new Map<string, PayoutRequest>();
  constructor(name = 'bank', methods: PayoutProvider['methods'] = ['PIX']) {
    this.name = name;
    this.methods = methods;
  }

  answers: ((order: PayoutRequest) => Promise<PayoutResponse>)[] = [];

  async send(order: PayoutRequest): Promise<PayoutResponse> {
    this.calls.push(order);
    const answer = this.answers.shift();
    if (answer !== undefined) return answer(order);
    this.paid.set(order.id, order);
    return { kind: 'accepted', reference: `ref ${order.id}` };
  }
}

let store: TestDatabase;
let database: Database;
let sellerId: string;
let bank: Bank;
/** Asked after it. */
let others: readonly Bank[] = [];
const clock = new Clock();
const log = createLogger('silent');

beforeAll(async () => {
  store = await cloneDatabase();
  database = openDatabase({ url: store.url, poolSize: 10, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await store.drop();
});
beforeEach(async () => {
  bank = new Bank();
  others = [];
  sellerId = await writeSeller(database.db, clock.now());
  await store.query('UPDATE sellers SET auto_approve_up_to = 100000 WHERE id = $1', [sellerId]);
  await store.query(
    `UPDATE fee_schedules SET pix_out_type = 'FIXED', pix_out_value = 30 WHERE seller_id = $1`,
    [sellerId],
  );
  const entry = { id: newId(clock.nowMs()), origin: 'PIX', debit: 'provider', credit: 'available' } as const;
  const entries = [{ ...entry, amount: 100_000, cause: 'RELEASE' as const }];
  const booking = { sellerId, recordId: randomUUID(), origin: 'PIX' as const, entries, at: clock.now() };
  await database.db.transaction().execute((transaction) => bookEntries(transaction, booking));
});
afterEach(async () => {
  // What a test leaves open is not the next one's.
  await store.query(`UPDATE withdrawals SET status = 'REJECTED' WHERE status = 'APPROVED'`);
  await store.query('DELETE FROM payouts');
});

/** What one process of the gateway has. */
function process() {
  const { db } = database;
  const secrets = new SecretBox([Buffer.alloc(32, 7)]);
  const withdrawals = createWithdrawalsService({
    db,
    clock,
    secrets,
    payoutProviders: [bank, ...others],
    notifyWorker: () => undefined,
  });
  const providers = [bank, ...others];
  return { withdrawals, run: createPayoutExecution({ db, clock, withdrawals, providers, log }) };
}

async function request(amount = 1000): Promise<string> {
  const context = await createSellersService(database.db).getContext(sellerId);
  if (context === undefined) throw new Error('no seller');
  const result = await process().withdrawals.create({
    context,
    input: {
      amount,
      origin: 'PIX',
      destination: { method: 'PIX', pixKeyType: 'EMAIL', pixKey: 'ana@example.com' },
      beneficiaryName: 'Ana',
      beneficiaryDocument: { type: 'CPF', number: '52998224725' },
      description: 'rent',
      metadata: null,
    },
    idempotencyKey: randomUUID(),
    bodyHash: Buffer.alloc(32),
  });
  if (result.kind === 'refused') throw new Error(result.failure);
  return result.view.id;
}

const statusOf = async (id: string) => (await process().withdrawals.find({ sellerId, id }))?.status;
const away = () => Promise.reject(new NotExecutedError('away'));

const rowOf = async (id: string) => {
  const [row] = await store.query<{
    provider: string;
    attempts: number;
    submitted_at: Date | null;
    provider_reference: string | null;
  }>(
    'SELECT provider, attempts, submitted_at, provider_reference, lease_until FROM payouts WHERE withdrawal_id = $1',
    [id],
  );
  return row;
};
const timeout = async (): Promise<PayoutResponse> => {
  throw new Error('no answer in time');
};
/** Moves time forward for all processes of these tests. */
const pass = (seconds: number) => clock.advanceTo(clock.offsetMs + seconds * 1000);

describe('payouts', () => {
  it('give the provider what it must know, net of the fee, under our own id', async () => {
    const id = await request();
    await process().run();
    expect(bank.calls).toEqual([
      {
        id,
        sellerId,
        amountCents: 970,
        destination: { method: 'PIX', pixKeyType: 'EMAIL', pixKey: 'ana@example.com' },
        beneficiary: { name: 'Ana', document: '52998224725' },
        description: 'rent',
      },
    ]);
    expect(await statusOf(id)).toBe('PROCESSING');
    expect(await rowOf(id)).toMatchObject({
      attempts: 1,
      provider_reference: `ref ${id}`,
      lease_until: null,
    });
    await process().run();
    expect(bank.calls).toHaveLength(1);
  });

  it('are committed before the provider is called, in no transaction that would wait for it', async () => {
    const id = await request();
    let seen: unknown;
    bank.answers.push(async () => {
      const open = await store.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      seen = [await statusOf(id), open.length];
      return { kind: 'accepted', reference: null };
    });
    await process().run();
    expect(seen).toEqual(['PROCESSING', 0]);
  });

  it('are tried again, later and later, under the same id, where the outcome is not known', async () => {
    const id = await request();
    bank.answers.push(timeout, timeout);
    await process().run();
    expect([await statusOf(id), await rowOf(id)]).toMatchObject([
      'PROCESSING',
      { attempts: 1, submitted_at: null },
    ]);
    pass(4);
    await process().run();
    expect(bank.calls).toHaveLength(1);
    pass(2);
    await process().run();
    pass(9);
    await process().run();
    expect(bank.calls).toHaveLength(2);
    pass(2);
    await process().run();
    expect(bank.calls.map((order) => order.id)).toEqual([id, id, id]);
    expect(await rowOf(id)).toMatchObject({ attempts: 3, provider_reference: `ref ${id}` });
    expect(bank.paid.size).toBe(1);
  });

  it('that the provider refuses fail, and the money is back', async () => {
    const id = await request();
    bank.answers.push(async () => ({ kind: 'refused', reason: 'key is not registered' }));
    await process().run();
    const withdrawal = await process().withdrawals.find({ sellerId, id });
    expect(withdrawal).toMatchObject({ status: 'FAILED', rejectionReason: 'key is not registered' });
    const { byOrigin } = await getWallet(database.db, sellerId);
    expect(byOrigin.PIX).toMatchObject({ availableBalance: 100_000, blockedBalance: 0 });
    pass(3600);
    await process().run();
    expect(bank.calls).toHaveLength(1);
  });

  it('are finished by another process where the first one died between commit and call', async () => {
    const id = await request();
    // The intent is there, and nobody has called.
    const { withdrawals } = process();
    await withdrawals.applyEvent(
      { sellerId, id },
      { kind: 'SUBMISSION', provider: bank.name },
      { actor: 'WORKER' },
    );
    expect([await statusOf(id), bank.calls.length]).toEqual(['PROCESSING', 0]);
    await process().run();
    expect(bank.calls.map((order) => order.id)).toEqual([id]);
  });

  it('are finished by another process where the first one died during the call', async () => {
    const id = await request();
    bank.answers.push(
      () =>
        new Promise<PayoutResponse>(() => {
          /* It never comes back. */
        }),
    );
    void process().run();
    await expect.poll(() => bank.calls.length).toBe(1);
    await process().run();
    expect(bank.calls).toHaveLength(1);
    // Its lease runs out.
    pass(61);
    await process().run();
    expect(bank.calls.map((order) => order.id)).toEqual([id, id]);
    expect(await rowOf(id)).toMatchObject({ provider_reference: `ref ${id}` });
  });

  it('are called once each by several processes at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => request(100)));
    const workers = Array.from({ length: 4 }, async () => {
      while (await process().run());
    });
    await Promise.all(workers);
    await process().run();
    const called = bank.calls.map((order) => order.id);
    expect(called.toSorted((a, b) => a.localeCompare(b))).toEqual(ids.toSorted((a, b) => a.localeCompare(b)));
    const changes = await store.query(
      `SELECT 1 FROM withdrawal_history WHERE seller_id = $1 AND to_status = 'PROCESSING'`,
      [sellerId],
    );
    expect(changes).toHaveLength(ids.length);
  });

  it('are leased to one claimer at a time', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => request(100)));
    const { withdrawals } = process();
    const submission = { kind: 'SUBMISSION', provider: bank.name } as const;
    await Promise.all(
      ids.map((id) => withdrawals.applyEvent({ sellerId, id }, submission, { actor: 'WORKER' })),
    );
    for (let round = 0; round < 20; round += 1) {
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + 60_000);
      const limits = { provider: bank.name, now, leaseUntil, limit: 40 };
      const claims = await Promise.all(Array.from({ length: 8 }, () => claimPayouts(database.db, limits)));
      const claimed = claims.flat().map((payout) => payout.id);
      expect([claimed.length, new Set(claimed).size]).toEqual([40, 40]);
      await store.query('UPDATE payouts SET lease_until = NULL');
    }
  });

  it('need no call where the report was faster than the answer', async () => {
    const id = await request();
    const paidAt = clock.now();
    bank.answers.push(async (order) => {
      const report = { provider: bank.name, kind: 'PAYMENT', amount: order.amountCents, occurredAt: paidAt };
      const key = { sellerId, id: order.id };
      await process().withdrawals.applyProviderEvent(
        key,
        { kind: 'PAYMENT', paidAt },
        { ...report, eventId: 'E1' },
      );
      throw new Error('the connection broke after the payment');
    });
    await process().run();
    expect(await statusOf(id)).toBe('PAID');
    pass(3600);
    await process().run();
    expect(bank.calls).toHaveLength(1);
    expect((await rowOf(id))?.submitted_at).not.toBeNull();
  });

  it('go to another provider where the first has certainly not taken them', async () => {
    const second = new Bank('second');
    others = [second];
    const id = await request();
    bank.answers.push(() => Promise.reject(new NotExecutedError('the connection was refused')));
    await process().run();
    await process().run();
    expect([bank.calls.length, second.calls.map((order) => order.id)]).toEqual([1, [id]]);
    expect(await rowOf(id)).toMatchObject({ provider: 'second', provider_reference: `ref ${id}` });
    pass(3600);
    await process().run();
    expect([bank.calls.length, second.calls.length]).toEqual([1, 1]);
  });

  it('never go to another provider where it is not known what came of the call', async () => {
    const second = new Bank('second');
    others = [second];
    const id = await request();
    bank.answers.push(() => Promise.reject(new Error('cut off after the order')));
    await process().run();
    pass(3600);
    await process().run();
    expect([bank.calls.map((order) => order.id), second.calls]).toEqual([[id, id], []]);
  });

  it('never go to another provider after a call of which nobody knows, though the next one is certainly not taken', async () => {
    const second = new Bank('second');
    others = [second];
    const id = await request();
    bank.answers.push(timeout, away, away);
    for (let look = 0; look < 3; look += 1) {
      await process().run();
      pass(3600);
    }
    expect([bank.calls.length, second.calls]).toEqual([3, []]);
    await process().run();
    expect([bank.paid.has(id), second.calls]).toEqual([true, []]);
  });

  it('never go to another provider after a call whose worker died', async () => {
    const second = new Bank('second');
    others = [second];
    const id = await request();
    const { promise: forever } = Promise.withResolvers<PayoutResponse>();
    bank.answers.push(() => forever, away);
    // Nobody waits for this one any more, and its lease runs out.
    void process().run();
    await vi.waitFor(() => expect(bank.calls).toHaveLength(1));
    pass(120);
    await process().run();
    expect([bank.calls.length, second.calls]).toEqual([2, []]);
    expect(await rowOf(id)).toMatchObject({ provider: 'bank' });
  });

  it('come round to the first provider after a while where none takes them', async () => {
    const second = new Bank('second');
    others = [second];
    const id = await request();
    bank.answers.push(away);
    second.answers.push(away);
    for (let look = 0; look < 4; look += 1) await process().run();
    expect([bank.calls.length, second.calls.length]).toEqual([1, 1]);
    pass(3600);
    await process().run();
    expect(bank.paid.has(id)).toBe(true);
  });

  it('go only to who can make them, and wait where nobody can', async () => {
    others = [new Bank('files', ['TED'])];
    const id = await request();
    bank.answers.push(away);
    await process().run();
    expect(await rowOf(id)).toMatchObject({ provider: 'bank', attempts: 1 });
    // The operator has chosen another provider since.
    const late = await request();
    bank = new Bank('files', ['TED']);
    others = [];
    expect(await process().run()).toBe(false);
    expect(await statusOf(late)).toBe('APPROVED');
  });

  it('of one that fails do not hold up the others', async () => {
    const ids = await Promise.all([request(), request(), request()]);
    bank.answers.push(() => Promise.reject(new Error('no')));
    await process().run();
    const statuses = await Promise.all(ids.map(statusOf));
    expect([statuses, bank.paid.size]).toEqual([['PROCESSING', 'PROCESSING', 'PROCESSING'], 2]);
  });
});

describe('a provider’s report', () => {
  it('counts once by its id, however often and however fast it comes', async () => {
    const id = await request();
    await process().run();
    const occurredAt = clock.now();
    const report = { provider: bank.name, eventId: 'E2', kind: 'PAYMENT', amount: 970, occurredAt };
    const key = { sellerId, id };
    const results = await Promise.all(
      Array.from({ length: 8 }, () =>
        process().withdrawals.applyProviderEvent(key, { kind: 'PAYMENT', paidAt: occurredAt }, report),
      ),
    );
    expect(results.filter((result) => result.kind === 'applied')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'repeated')).toHaveLength(7);
    const { byOrigin } = await getWallet(database.db, sellerId);
    expect(byOrigin.PIX).toMatchObject({ availableBalance: 99_000, blockedBalance: 0 });
  });

  it('of a withdrawal that nobody made is told as such', async () => {
    const occurredAt = clock.now();
    const report = { provider: bank.name, eventId: 'E3', kind: 'PAYMENT', amount: 1, occurredAt };
    const key = { sellerId, id: randomUUID() };
    const result = await process().withdrawals.applyProviderEvent(
      key,
      { kind: 'PAYMENT', paidAt: occurredAt },
      report,
    );
    expect(result).toEqual({ kind: 'unknown' });
  });
});
