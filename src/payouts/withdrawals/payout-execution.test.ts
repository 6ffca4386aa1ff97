import { randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { newId } from '#platform/kit/ids.ts';
import { bookEntries, getWallet } from '#accounting/ledger/service.ts';
import { createLogger } from '#platform/kit/log.ts';
import type { PayoutResponse, PayoutRequest, PayoutProvider } from './payout-provider.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { RecordCaches } from '#platform/database/record-caches.ts';
import { createNotifier } from '#notifications/notifier.ts';
import { createSellersService } from '#sellers/service.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { writeSeller } from '#test/support/sellers.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import type { ProviderRouting } from '#payments/operations/routing.ts';
import { createPayoutExecution } from './payout-execution.ts';
import { createWithdrawalsService } from './service.ts';
import { claimPayouts } from './store-payouts.ts';

/** A provider that accepts every request by default, and pays each id once. */
class FakePayoutProvider implements PayoutProvider {
  readonly name: string;
  readonly methods: PayoutProvider['methods'];
  readonly calls: PayoutRequest[] = [];
  readonly paid = new Map<string, PayoutRequest>();
  constructor(name = 'bank', methods: PayoutProvider['methods'] = ['PIX']) {
    this.name = name;
    this.methods = methods;
  }

  /** The responses to the next calls. */
  responses: ((request: PayoutRequest) => Promise<PayoutResponse>)[] = [];

  async send(request: PayoutRequest): Promise<PayoutResponse> {
    this.calls.push(request);
    const respond = this.responses.shift();
    if (respond !== undefined) return respond(request);
    this.paid.set(request.id, request);
    return { kind: 'accepted', reference: `ref ${request.id}` };
  }
}

let store: TestDatabase;
let database: Database;
let sellerId: string;
let bank: FakePayoutProvider;
/** The providers that are tried after it. */
let others: readonly FakePayoutProvider[] = [];
const clock = new Clock();
const secrets = new SecretBox([Buffer.alloc(32, 7)]);
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
  bank = new FakePayoutProvider();
  others = [];
  sellerId = await writeSeller(database.db, clock.now());
  await store.query(
    `UPDATE fee_schedules SET pix_out_type = 'FIXED', pix_out_value = 30 WHERE seller_id = $1`,
    [sellerId],
  );
  const entry = { id: newId(clock.nowMs()), origin: 'PIX', debit: 'provider', credit: 'available' } as const;
  const entries = [{ ...entry, amount: 100_000, cause: 'RELEASE' as const }];
  const booking = { sellerId, recordId: randomUUID(), origin: 'PIX' as const, entries, at: clock.now() };
  await database.db.transaction().execute((transaction) => bookEntries(transaction, secrets, booking));
});
afterEach(async () => {
  // Each test starts without open payouts.
  await store.query(`UPDATE withdrawals SET status = 'REJECTED' WHERE status = 'APPROVED'`);
  await store.query('DELETE FROM payouts');
});

/** One process: processes share only the database and the providers. */
function startProcess() {
  const { db } = database;
  const withdrawals = createWithdrawalsService({
    db,
    heavy: db,
    clock,
    secrets,
    payoutProviders: [bank, ...others],
    notifyWorker: () => undefined,
    notifier: createNotifier({ secrets, canMail: false }),
  });
  const providers = [bank, ...others];
  const leaseHolder = { id: randomUUID() };
  const routing: ProviderRouting = { select: async (_method, all) => all, isPaused: async () => false };
  return {
    withdrawals,
    run: createPayoutExecution({ db, clock, withdrawals, providers, log, leaseHolder, routing }),
  };
}

/** Creates an approved withdrawal; returns its id. */
async function createWithdrawal(amount = 1000): Promise<string> {
  const context = await createSellersService(database.db, new RecordCaches(database)).getContext(sellerId);
  if (context === undefined) throw new Error('no seller');
  const { withdrawals } = startProcess();
  const result = await withdrawals.create({
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
    actor: GATEWAY_ACTOR,
    isVerified: true,
  });
  if (result.kind === 'refused') throw new Error(result.failure);
  const { id } = result.view;
  const approval = { kind: 'APPROVAL', userId: null, approvalsNeeded: 0 } as const;
  const approved = await withdrawals.applyEvent({ sellerId, id }, approval, { actor: 'GATEWAY' });
  expect(approved.kind).toBe('applied');
  return id;
}

const statusOf = async (id: string) => (await startProcess().withdrawals.find({ sellerId, id }))?.status;
const notExecuted = () => Promise.reject(new NotExecutedError('unreachable'));

const rowOf = async (id: string) => {
  const [row] = await store.query<{
    provider: string;
    attempts: number;
    submitted_at: Date | null;
    provider_reference: string | null;
  }>(
    'SELECT provider, attempts, submitted_at, provider_reference, lease_until FROM payouts WHERE ' +
      'withdrawal_id = $1',
    [id],
  );
  return row;
};
const timeOut = async (): Promise<PayoutResponse> => {
  throw new Error('timed out');
};
/** One after another, since all of them lock one wallet. */
async function createWithdrawals(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await createWithdrawal(100));
  return ids;
}
const setSellerStatus = (status: string) =>
  store.query('UPDATE sellers SET status = $2 WHERE id = $1', [sellerId, status]);
/** Advances the clock of all processes. */
const advance = (seconds: number) => clock.advanceTo(clock.offsetMs + seconds * 1000);

describe('payout execution', () => {
  it('sends an approved withdrawal with its own id, net of the fee', async () => {
    const id = await createWithdrawal();
    await startProcess().run();
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
    await startProcess().run();
    expect(bank.calls).toHaveLength(1);
  });

  it('commits PROCESSING and calls the provider outside of any database transaction', async () => {
    const id = await createWithdrawal();
    let observed: unknown;
    bank.responses.push(async () => {
      const openTransactions = await store.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      observed = [await statusOf(id), openTransactions.length];
      return { kind: 'accepted', reference: null };
    });
    await startProcess().run();
    expect(observed).toEqual(['PROCESSING', 0]);
  });

  it('retries a call of unknown outcome with the same id and growing delays', async () => {
    const id = await createWithdrawal();
    bank.responses.push(timeOut, timeOut);
    await startProcess().run();
    expect([await statusOf(id), await rowOf(id)]).toMatchObject([
      'PROCESSING',
      { attempts: 1, submitted_at: null },
    ]);
    advance(4);
    await startProcess().run();
    expect(bank.calls).toHaveLength(1);
    advance(2);
    await startProcess().run();
    advance(9);
    await startProcess().run();
    expect(bank.calls).toHaveLength(2);
    advance(2);
    await startProcess().run();
    expect(bank.calls.map((request) => request.id)).toEqual([id, id, id]);
    expect(await rowOf(id)).toMatchObject({ attempts: 3, provider_reference: `ref ${id}` });
    expect(bank.paid.size).toBe(1);
  });

  it('fails a refused payout and returns its amount to the balance', async () => {
    const id = await createWithdrawal();
    bank.responses.push(async () => ({
      kind: 'refused',
      reason: 'refused by the provider: key is not registered',
    }));
    await startProcess().run();
    const withdrawal = await startProcess().withdrawals.find({ sellerId, id });
    expect(withdrawal).toMatchObject({
      status: 'FAILED',
      rejectionReason: 'refused by the provider: key is not registered',
    });
    const { byOrigin } = await getWallet(database.db, sellerId);
    expect(byOrigin.PIX).toMatchObject({ availableBalance: 100_000, blockedBalance: 0 });
    advance(3600);
    await startProcess().run();
    expect(bank.calls).toHaveLength(1);
  });

  it('resumes a committed payout after its process dies before the call', async () => {
    const id = await createWithdrawal();
    // Committed, but not called.
    const { withdrawals } = startProcess();
    await withdrawals.applyEvent(
      { sellerId, id },
      { kind: 'SUBMISSION', provider: bank.name },
      { actor: 'WORKER' },
    );
    expect([await statusOf(id), bank.calls.length]).toEqual(['PROCESSING', 0]);
    await startProcess().run();
    expect(bank.calls.map((request) => request.id)).toEqual([id]);
  });

  it('repeats the call when the lease of a process that died during it expires', async () => {
    const id = await createWithdrawal();
    bank.responses.push(
      () =>
        new Promise<PayoutResponse>(() => {
          /* Never settles. */
        }),
    );
    startProcess()
      .run()
      .catch(() => undefined);
    await expect.poll(() => bank.calls.length).toBe(1);
    await startProcess().run();
    expect(bank.calls).toHaveLength(1);
    // The lease expires.
    advance(61);
    await startProcess().run();
    expect(bank.calls.map((request) => request.id)).toEqual([id, id]);
    expect(await rowOf(id)).toMatchObject({ provider_reference: `ref ${id}` });
  });

  it('calls once for each payout when several processes run at the same time', async () => {
    const ids = await createWithdrawals(30);
    const workers = Array.from({ length: 4 }, async () => {
      while (await startProcess().run());
    });
    await Promise.all(workers);
    await startProcess().run();
    const called = bank.calls.map((request) => request.id);
    expect(called.toSorted((a, b) => a.localeCompare(b))).toEqual(ids.toSorted((a, b) => a.localeCompare(b)));
    const changes = await store.query(
      `SELECT 1 FROM withdrawal_history WHERE seller_id = $1 AND to_status = 'PROCESSING'`,
      [sellerId],
    );
    expect(changes).toHaveLength(ids.length);
  });

  it('leases each payout to one of several concurrent claims', async () => {
    const ids = await createWithdrawals(40);
    const { withdrawals } = startProcess();
    const submission = { kind: 'SUBMISSION', provider: bank.name } as const;
    await Promise.all(
      ids.map((id) => withdrawals.applyEvent({ sellerId, id }, submission, { actor: 'WORKER' })),
    );
    for (let round = 0; round < 20; round += 1) {
      const now = clock.now();
      const leaseUntil = new Date(now.getTime() + 60_000);
      const limits = { provider: bank.name, now, leaseUntil, leasedBy: randomUUID(), limit: 40 };
      const claims = await Promise.all(Array.from({ length: 8 }, () => claimPayouts(database.db, limits)));
      const claimed = claims.flat().map((payout) => payout.id);
      expect([claimed.length, new Set(claimed).size]).toEqual([40, 40]);
      await store.query('UPDATE payouts SET lease_until = NULL');
    }
  });

  it('does not repeat a call whose outcome was reported before the response', async () => {
    const id = await createWithdrawal();
    const paidAt = clock.now();
    bank.responses.push(async (request) => {
      const event = { provider: bank.name, kind: 'PAYMENT', amount: request.amountCents, occurredAt: paidAt };
      const key = { sellerId, id: request.id };
      await startProcess().withdrawals.applyProviderEvent(
        key,
        { kind: 'PAYMENT', paidAt },
        { ...event, eventId: 'E1' },
      );
      throw new Error('the connection broke after the payment');
    });
    await startProcess().run();
    expect(await statusOf(id)).toBe('PAID');
    advance(3600);
    await startProcess().run();
    expect(bank.calls).toHaveLength(1);
    expect((await rowOf(id))?.submitted_at).not.toBeNull();
  });

  it('tries the next provider when the first one did not execute the payout', async () => {
    const second = new FakePayoutProvider('second');
    others = [second];
    const id = await createWithdrawal();
    bank.responses.push(() => Promise.reject(new NotExecutedError('the connection was refused')));
    await startProcess().run();
    await startProcess().run();
    expect([bank.calls.length, second.calls.map((request) => request.id)]).toEqual([1, [id]]);
    expect(await rowOf(id)).toMatchObject({ provider: 'second', provider_reference: `ref ${id}` });
    const withdrawal = await startProcess().withdrawals.find({ sellerId, id });
    expect([withdrawal?.provider, withdrawal?.status]).toEqual(['second', 'PROCESSING']);
    advance(3600);
    await startProcess().run();
    expect([bank.calls.length, second.calls.length]).toEqual([1, 1]);
  });

  it('stays with the provider after a call of unknown outcome', async () => {
    const second = new FakePayoutProvider('second');
    others = [second];
    const id = await createWithdrawal();
    bank.responses.push(() => Promise.reject(new Error('the connection broke after the request')));
    await startProcess().run();
    advance(3600);
    await startProcess().run();
    expect([bank.calls.map((request) => request.id), second.calls]).toEqual([[id, id], []]);
  });

  it('stays with the provider after a call of unknown outcome even if the next is not executed', async () => {
    const second = new FakePayoutProvider('second');
    others = [second];
    const id = await createWithdrawal();
    bank.responses.push(timeOut, notExecuted, notExecuted);
    for (let round = 0; round < 3; round += 1) {
      await startProcess().run();
      advance(3600);
    }
    expect([bank.calls.length, second.calls]).toEqual([3, []]);
    await startProcess().run();
    expect([bank.paid.has(id), second.calls]).toEqual([true, []]);
  });

  it('stays with the provider after a call whose worker died', async () => {
    const second = new FakePayoutProvider('second');
    others = [second];
    const id = await createWithdrawal();
    const { promise: hung } = Promise.withResolvers<PayoutResponse>();
    bank.responses.push(() => hung, notExecuted);
    // This process has died, and its lease expires.
    startProcess()
      .run()
      .catch(() => undefined);
    await vi.waitFor(() => expect(bank.calls).toHaveLength(1));
    advance(120);
    await startProcess().run();
    expect([bank.calls.length, second.calls]).toEqual([2, []]);
    expect(await rowOf(id)).toMatchObject({ provider: 'bank' });
  });

  it('waits for an ACTIVE seller after a call that was certainly not executed', async () => {
    const id = await createWithdrawal();
    bank.responses.push(notExecuted);
    await startProcess().run();
    await setSellerStatus('SUSPENDED');
    advance(3600);
    await startProcess().run();
    expect(bank.calls).toHaveLength(1);
    await setSellerStatus('ACTIVE');
    await startProcess().run();
    expect(bank.paid.has(id)).toBe(true);
  });

  it('tries another provider that is resumed after calls that were certainly not executed', async () => {
    const id = await createWithdrawal();
    bank.responses.push(notExecuted, notExecuted);
    await startProcess().run();
    const second = new FakePayoutProvider('second');
    others = [second];
    advance(3600);
    await startProcess().run();
    await startProcess().run();
    expect([bank.calls.length, second.paid.has(id)]).toEqual([2, true]);
  });

  it('stays with the provider while the ledger does not prove the reservation', async () => {
    const id = await createWithdrawal();
    bank.responses.push(notExecuted);
    await startProcess().run();
    others = [new FakePayoutProvider('second')];
    await store.query('UPDATE ledger_entries SET amount = amount + 1 WHERE record_id = $1', [id]);
    advance(3600);
    for (let round = 0; round < 3; round += 1) await startProcess().run();
    expect(await rowOf(id)).toMatchObject({ provider: 'bank', attempts: 2 });
  });

  it('repeats a call of unknown outcome while the seller is not ACTIVE', async () => {
    const id = await createWithdrawal();
    bank.responses.push(timeOut, notExecuted);
    await startProcess().run();
    await setSellerStatus('SUSPENDED');
    for (let round = 0; round < 2; round += 1) {
      advance(3600);
      await startProcess().run();
    }
    expect([bank.calls.length, bank.paid.has(id)]).toEqual([3, true]);
  });

  it('returns to the first provider after a delay when none executes the payout', async () => {
    const second = new FakePayoutProvider('second');
    others = [second];
    const id = await createWithdrawal();
    bank.responses.push(notExecuted);
    second.responses.push(notExecuted);
    for (let round = 0; round < 4; round += 1) await startProcess().run();
    expect([bank.calls.length, second.calls.length]).toEqual([1, 1]);
    advance(3600);
    await startProcess().run();
    expect(bank.paid.has(id)).toBe(true);
  });

  it('tries only providers that handle the method, and waits if there is none', async () => {
    others = [new FakePayoutProvider('files', ['TED'])];
    const id = await createWithdrawal();
    bank.responses.push(notExecuted);
    await startProcess().run();
    expect(await rowOf(id)).toMatchObject({ provider: 'bank', attempts: 1 });
    // Another provider is configured.
    const waiting = await createWithdrawal();
    bank = new FakePayoutProvider('files', ['TED']);
    others = [];
    expect(await startProcess().run()).toBe(false);
    expect(await statusOf(waiting)).toBe('APPROVED');
  });

  it('executes the other payouts when one fails', async () => {
    const ids = await Promise.all([createWithdrawal(), createWithdrawal(), createWithdrawal()]);
    bank.responses.push(() => Promise.reject(new Error('no')));
    await startProcess().run();
    const statuses = await Promise.all(ids.map(statusOf));
    expect([statuses, bank.paid.size]).toEqual([['PROCESSING', 'PROCESSING', 'PROCESSING'], 2]);
  });
});

describe('a provider event', () => {
  it('is applied once when it is reported concurrently', async () => {
    const id = await createWithdrawal();
    await startProcess().run();
    const occurredAt = clock.now();
    const event = { provider: bank.name, eventId: 'E2', kind: 'PAYMENT', amount: 970, occurredAt };
    const key = { sellerId, id };
    const results = await Promise.all(
      Array.from({ length: 8 }, () =>
        startProcess().withdrawals.applyProviderEvent(key, { kind: 'PAYMENT', paidAt: occurredAt }, event),
      ),
    );
    expect(results.filter((result) => result.kind === 'applied')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'repeated')).toHaveLength(7);
    const { byOrigin } = await getWallet(database.db, sellerId);
    expect(byOrigin.PIX).toMatchObject({ availableBalance: 99_000, blockedBalance: 0 });
  });

  it('of an unknown withdrawal is not applied', async () => {
    const occurredAt = clock.now();
    const event = { provider: bank.name, eventId: 'E3', kind: 'PAYMENT', amount: 1, occurredAt };
    const key = { sellerId, id: randomUUID() };
    const result = await startProcess().withdrawals.applyProviderEvent(
      key,
      { kind: 'PAYMENT', paidAt: occurredAt },
      event,
    );
    expect(result).toEqual({ kind: 'unknown' });
  });
});
