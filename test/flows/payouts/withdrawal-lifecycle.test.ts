import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import {
  balanceOf,
  bringTo,
  expectBalanced,
  newSeller,
  simulate,
  readWithdrawal,
  trustDestination,
  untilStatus,
  withdraw,
  withdrawalThatIs,
  withdrawn,
} from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const approve = async (id: string) =>
  gateway.post(`/admin/withdrawals/${id}/approve`, undefined, { token: await gateway.adminToken() });
const reject = async (id: string, reason = 'no') =>
  gateway.post(`/admin/withdrawals/${id}/reject`, { reason }, { token: await gateway.adminToken() });

/** Status, actor and reason of every change, oldest first. */
async function historyOf(id: string) {
  return gateway.database.query<{ to_status: string; actor: string; reason: string | null }>(
    `SELECT from_status, to_status, actor, reason, user_id IS NOT NULL AS by_user FROM withdrawal_history
      WHERE withdrawal_id = $1 ORDER BY position`,
    [id],
  );
}

/** The endpoints that receive each status, in the order of the events. */
async function deliveriesOf(id: string, hooks: ReadonlyMap<string, string>) {
  const rows = await gateway.database.query<{ webhook_id: string; payload: string }>(
    `SELECT d.webhook_id, e.payload FROM events e
      JOIN deliveries d ON d.seller_id = e.seller_id AND d.event_id = e.id
      WHERE e.record_id = $1 ORDER BY e.created_at, e.id`,
    [id],
  );
  return rows
    .map((row) => [hooks.get(row.webhook_id), JSON.parse(row.payload).data.status])
    .toSorted(([a, left], [b, right]) => (left === right ? String(a).localeCompare(String(b)) : 0));
}

describe('an approved withdrawal', () => {
  it('is sent to the provider within a second, and paid', async () => {
    const seller = await newSeller(gateway, { balance: 5000, fee: { type: 'FIXED', value: 150 } });
    const id = await withdrawn(gateway, seller);
    const approved = await approve(id);
    expect(approved.status).toBe(200);
    expect(approved.body.data).toMatchObject({
      id,
      sellerId: seller.id,
      sellerName: 'Loja',
      status: 'APPROVED',
      approvedBy: expect.stringMatching(/^[0-9a-f-]{36}$/),
      approvedAt: expect.stringMatching(/Z$/),
      pixKey: '***.982.247-**',
    });
    await untilStatus(gateway, seller, id, 'PROCESSING');
    expect(await balanceOf(gateway, seller)).toEqual([4000, 1000]);
    const processing = await readWithdrawal(gateway, seller, id);
    expect(processing).toMatchObject({ processedAt: expect.stringMatching(/Z$/), paidAt: null });
    expect(Date.parse(processing.processedAt) - Date.parse(processing.approvedAt)).toBeLessThan(1_000);

    const paid = await simulate(gateway, seller, id, 'pay');
    expect(paid.status).toBe(200);
    expect(paid.body.data).toMatchObject({ status: 'PAID', amount: 1000, feeAmount: 150, netAmount: 850 });
    expect(paid.body.data).toEqual(await readWithdrawal(gateway, seller, id));
    expect(Date.parse(paid.body.data.paidAt)).toBeGreaterThanOrEqual(Date.parse(processing.processedAt));
    expect(await balanceOf(gateway, seller)).toEqual([4000, 0]);

    const entries = await gateway.database.query(
      `SELECT debit, credit, amount::int, cause FROM ledger_entries WHERE record_id = $1
        ORDER BY created_at, cause DESC`,
      [id],
    );
    expect(entries).toEqual([
      { debit: 'available', credit: 'reserved', amount: 1000, cause: 'WITHDRAWAL_RESERVED' },
      { debit: 'reserved', credit: 'provider', amount: 850, cause: 'WITHDRAWAL_PAID' },
      { debit: 'reserved', credit: 'fees', amount: 150, cause: 'WITHDRAWAL_FEE' },
    ]);
    expect(await historyOf(id)).toEqual([
      { from_status: null, to_status: 'PENDING', actor: 'SELLER', reason: null, by_user: false },
      { from_status: 'PENDING', to_status: 'APPROVED', actor: 'OPERATOR', reason: null, by_user: true },
      { from_status: 'APPROVED', to_status: 'PROCESSING', actor: 'WORKER', reason: null, by_user: false },
      { from_status: 'PROCESSING', to_status: 'PAID', actor: 'PROVIDER', reason: null, by_user: false },
    ]);
    await expectBalanced(gateway);
  });

  it('returns its amount if the provider fails', async () => {
    const seller = await newSeller(gateway, { balance: 5000, fee: { type: 'FIXED', value: 150 } });
    const id = await withdrawalThatIs(gateway, seller, 'PROCESSING');
    const failed = await simulate(gateway, seller, id, 'fail');
    expect(failed.body.data).toMatchObject({
      status: 'FAILED',
      paidAt: null,
      rejectionReason: 'failed at the provider',
    });
    expect(await balanceOf(gateway, seller)).toEqual([5000, 0]);
    await expectBalanced(gateway);
  });

  it('works the same for CRYPTO', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const changes = { method: 'CRYPTO', cryptoWalletAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
    const id = await withdrawalThatIs(gateway, seller, 'PAID', changes);
    expect(await readWithdrawal(gateway, seller, id)).toMatchObject({ status: 'PAID', method: 'CRYPTO' });
    expect(await balanceOf(gateway, seller)).toEqual([4000, 0]);
  });
});

describe('a rejected withdrawal', () => {
  it('returns its amount and contains the reason', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const id = await withdrawn(gateway, seller);
    const rejected = await reject(id, 'key of somebody else');
    expect(rejected.body.data).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'key of somebody else',
      approvedAt: null,
      approvedBy: null,
    });
    expect(await balanceOf(gateway, seller)).toEqual([5000, 0]);
    expect(await readWithdrawal(gateway, seller, id)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'key of somebody else',
    });
    expect(await historyOf(id)).toMatchObject([
      { to_status: 'PENDING' },
      { to_status: 'REJECTED', actor: 'OPERATOR', reason: 'key of somebody else', by_user: true },
    ]);
  });

  it.each([undefined, {}, { reason: '' }, { reason: ' ' }, { reason: 5 }])(
    'requires a reason, and %j is rejected',
    async (body) => {
      const seller = await newSeller(gateway, { balance: 5000 });
      const id = await withdrawn(gateway, seller);
      const token = await gateway.adminToken();
      const response = await gateway.post(`/admin/withdrawals/${id}/reject`, body, { token });
      expect(response.status).toBe(400);
      expect((await readWithdrawal(gateway, seller, id)).status).toBe('PENDING');
    },
  );
});

describe('an invalid transition', () => {
  it.each([
    ['PENDING', 'pay', 'PAID'],
    ['PENDING', 'fail', 'FAILED'],
    ['REJECTED', 'approve', 'APPROVED'],
    ['REJECTED', 'reject', 'REJECTED'],
    ['REJECTED', 'pay', 'PAID'],
    ['REJECTED', 'fail', 'FAILED'],
    ['PROCESSING', 'approve', 'APPROVED'],
    ['PROCESSING', 'reject', 'REJECTED'],
    ['PAID', 'approve', 'APPROVED'],
    ['PAID', 'reject', 'REJECTED'],
    ['PAID', 'pay', 'PAID'],
    ['PAID', 'fail', 'FAILED'],
    ['FAILED', 'approve', 'APPROVED'],
    ['FAILED', 'reject', 'REJECTED'],
    ['FAILED', 'pay', 'PAID'],
    ['FAILED', 'fail', 'FAILED'],
  ] as const)('from %s by %s returns 422 and changes nothing', async (status, name, to) => {
    const seller = await newSeller(gateway, { balance: 5000, fee: { type: 'FIXED', value: 150 } });
    const id = await withdrawalThatIs(gateway, seller, status);
    const before = [await readWithdrawal(gateway, seller, id), await balanceOf(gateway, seller)];
    const response =
      name === 'approve'
        ? await approve(id)
        : name === 'reject'
          ? await reject(id)
          : await simulate(gateway, seller, id, name);
    expect([response.status, response.body.message]).toEqual([
      422,
      `Withdrawal cannot go from ${status} to ${to}`,
    ]);
    expect([await readWithdrawal(gateway, seller, id), await balanceOf(gateway, seller)]).toEqual(before);
  });

  it('reported by a provider is stored for the operator', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const id = await withdrawalThatIs(gateway, seller, 'FAILED');
    await simulate(gateway, seller, id, 'pay');
    const reports = await gateway.database.query(
      `SELECT kind, amount::int, outcome, detail FROM provider_events WHERE record_id = $1
        ORDER BY received_at`,
      [id],
    );
    expect(reports).toEqual([
      { kind: 'FAILURE', amount: 1000, outcome: 'APPLIED', detail: null },
      { kind: 'PAYMENT', amount: 1000, outcome: 'REJECTED', detail: 'FAILED to PAID' },
    ]);
  });
});

describe('automatic approval', () => {
  it('is applied at once up to the seller’s limit; the creation still returns PENDING', async () => {
    const seller = await newSeller(gateway, { balance: 5000, autoApproveUpTo: 1000 });
    await trustDestination(gateway, seller);
    const created = await withdraw(gateway, seller);
    expect(created.body.data).toMatchObject({ status: 'PENDING', approvedAt: null });
    const id = String(created.body.data.id);
    await untilStatus(gateway, seller, id, 'PROCESSING');
    expect(await historyOf(id)).toMatchObject([
      { to_status: 'PENDING', actor: 'SELLER' },
      { to_status: 'APPROVED', actor: 'GATEWAY', by_user: false },
      { to_status: 'PROCESSING', actor: 'WORKER' },
    ]);
    const listed = await gateway.get(`/admin/withdrawals?sellerId=${seller.id}`, {
      token: await gateway.adminToken(),
    });
    expect(listed.body.data[0]).toMatchObject({ id, approvedBy: null, approvedAt: expect.any(String) });
    expect((await simulate(gateway, seller, id, 'pay')).body.data.status).toBe('PAID');
    await expectBalanced(gateway);
  });

  it('is not applied above the limit, and not by default', async () => {
    const limited = await newSeller(gateway, { balance: 5000, autoApproveUpTo: 1000 });
    const unlimited = await newSeller(gateway, { balance: 5000 });
    await trustDestination(gateway, limited);
    await trustDestination(gateway, unlimited);
    const allowed = await withdrawn(gateway, limited, { amount: 1 });
    const ids = [
      await withdrawn(gateway, limited, { amount: 1000 }),
      await withdrawn(gateway, unlimited, { amount: 1 }),
    ];
    // Long enough for the worker to have run several times.
    await untilStatus(gateway, limited, allowed, 'PROCESSING');
    for (const [index, seller] of [limited, unlimited].entries()) {
      expect((await readWithdrawal(gateway, seller, String(ids[index]))).status).toBe('PENDING');
    }
  });

  it('is not applied if the balance is insufficient', async () => {
    const seller = await newSeller(gateway, { balance: 1000, autoApproveUpTo: 10_000 });
    await trustDestination(gateway, seller);
    const events = () =>
      gateway.database.query('SELECT 1 FROM events WHERE seller_id = $1 AND type = $2', [
        seller.id,
        'WITHDRAWAL_UPDATED',
      ]);
    const before = await events();
    expect((await withdraw(gateway, seller, { amount: 1001 })).status).toBe(422);
    expect(await events()).toEqual(before);
  });
});

describe('webhook events of a withdrawal', () => {
  it('are sent for each status change, but not the creation, to WITHDRAWAL and ALL endpoints', async () => {
    const seller = await newSeller(gateway, { balance: 5000, fee: { type: 'FIXED', value: 150 } });
    const hooks = new Map<string, string>();
    for (const eventType of ['WITHDRAWAL', 'ALL', 'TRANSACTION', 'DISPUTE']) {
      const body = { url: `${receiver.url}/${seller.id}/${eventType}`, eventType };
      const made = await gateway.post('/webhooks', body, { apiKey: seller.apiKey });
      hooks.set(String(made.body.data.id), eventType);
    }
    const id = await withdrawn(gateway, seller);
    expect(await deliveriesOf(id, hooks)).toEqual([]);
    const first = receiver.received.length;
    await bringTo(gateway, seller, id, 'PAID');
    await receiver.waitFor(first + 6);
    const { paidAt } = await readWithdrawal(gateway, seller, id);
    expect(paidAt).toMatch(/Z$/);

    const reported = ['APPROVED', 'PROCESSING', 'PAID'];
    expect(await deliveriesOf(id, hooks)).toEqual(
      reported.flatMap((status) => [
        ['ALL', status],
        ['WITHDRAWAL', status],
      ]),
    );
    const bodies = receiver.received.slice(first).map(({ body }) => body);
    for (const status of reported) {
      const data = { id, status, amount: 1000, method: 'PIX', paidAt: status === 'PAID' ? paidAt : null };
      expect(bodies.filter((body) => body.data.status === status)).toEqual([
        { event: 'WITHDRAWAL_UPDATED', data },
        { event: 'WITHDRAWAL_UPDATED', data },
      ]);
    }
    // The charge was paid before any webhook was registered.
    expect(bodies).toHaveLength(6);
  });

  it.each(['REJECTED', 'FAILED'] as const)('are sent for the status %s', async (status) => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const body = { url: `${receiver.url}/${seller.id}`, eventType: 'WITHDRAWAL' };
    await gateway.post('/webhooks', body, { apiKey: seller.apiKey });
    const id = await withdrawalThatIs(gateway, seller, status);
    await vi.waitFor(() => {
      const statuses = receiver.received
        .filter((call) => call.body.data.id === id)
        .map((call) => call.body.data.status);
      expect(statuses).toContain(status);
      expect(statuses).toHaveLength(status === 'REJECTED' ? 1 : 3);
    });
  });

  it('contain no data of the beneficiary', async () => {
    const events = await gateway.database.query<{ payload: string }>(
      `SELECT payload FROM events WHERE type = 'WITHDRAWAL_UPDATED'`,
    );
    expect(events.length).toBeGreaterThan(5);
    for (const { payload } of events) {
      expect(Object.keys(JSON.parse(payload).data)).toEqual(['id', 'status', 'amount', 'method', 'paidAt']);
    }
  });
});

describe('the operator', () => {
  it('lists the withdrawals of all sellers, by status and by seller', async () => {
    const token = await gateway.adminToken();
    const [one, other] = [
      await newSeller(gateway, { balance: 5000 }),
      await newSeller(gateway, { balance: 5000 }),
    ];
    const rejected = await withdrawalThatIs(gateway, one, 'REJECTED');
    const pending = await withdrawn(gateway, one);
    const others = await withdrawn(gateway, other);
    const ids = async (query: string) => {
      const response = await gateway.get(`/admin/withdrawals?${query}`, { token });
      expect(response.status).toBe(200);
      return response.body.data.map((entry: { readonly id: string }) => entry.id);
    };
    expect(await ids('take=3')).toEqual([others, pending, rejected]);
    expect(await ids(`sellerId=${one.id}`)).toEqual([pending, rejected]);
    expect(await ids(`sellerId=${one.id}&status=PENDING`)).toEqual([pending]);
    expect(await ids(`sellerId=${one.id}&status=PENDING,REJECTED`)).toEqual([pending, rejected]);
    expect(await ids(`sellerId=${randomUUID()}`)).toEqual([]);
    const first = await gateway.get(`/admin/withdrawals?sellerId=${one.id}&take=1`, { token });
    expect(first.body).toMatchObject({ status: true, count: 2, data: [{ id: pending, sellerId: one.id }] });
    expect(await ids(`sellerId=${one.id}&cursor=${first.body.nextCursor}`)).toEqual([rejected]);
    expect(first.body).not.toHaveProperty('totalAmount');

    const newer = await withdrawn(gateway, one, { amount: 1_500 });
    const queue = `sellerId=${one.id}&status=PENDING&sort=createdAt`;
    expect(await ids(queue)).toEqual([pending, newer]);
    const oldest = await gateway.get(`/admin/withdrawals?${queue}&take=1`, { token });
    expect(oldest.body).toMatchObject({ count: 2, totalAmount: 2_500, data: [{ id: pending }] });
    expect(await ids(`${queue}&cursor=${oldest.body.nextCursor}`)).toEqual([newer]);
    const all = await gateway.get('/admin/withdrawals?status=PENDING', { token });
    expect(all.body.totalAmount).toBeGreaterThanOrEqual(3_500);
    const wrong = await gateway.get('/admin/withdrawals?status=LOST&sellerId=x', { token });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      [
        'status must be one of the following values: PENDING, APPROVED, REJECTED, PROCESSING, PAID, FAILED',
        'sellerId must be a UUID',
      ],
    ]);
  });

  it('gets 404 for an unknown id', async () => {
    for (const id of [randomUUID(), 'not-an-id']) {
      for (const response of [await approve(id), await reject(id)]) {
        expect([response.status, response.body.message]).toEqual([404, 'Withdrawal not found']);
      }
    }
  });

  it('decides as ADMIN; SUPPORT can read, and sellers are refused', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const id = await withdrawn(gateway, seller);
    const token = await gateway.adminToken();
    const user = { name: 'Sue', email: `${randomUUID()}@example.com`, password: 'a long password' };
    expect((await gateway.post('/admin/users', { ...user, role: 'SUPPORT' }, { token })).status).toBe(201);
    const signedIn = await gateway.post('/login', user, { credential: 'none' });
    const support = { token: String(signedIn.body.accessToken) };
    expect((await gateway.get('/admin/withdrawals', support)).status).toBe(200);
    for (const caller of [support, { apiKey: seller.apiKey }]) {
      const approved = await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, caller);
      const rejected = await gateway.post(`/admin/withdrawals/${id}/reject`, { reason: 'no' }, caller);
      expect([approved.status, rejected.status]).toEqual([403, 403]);
    }
    expect((await gateway.get('/admin/withdrawals', { apiKey: seller.apiKey })).status).toBe(403);
    expect((await gateway.get('/withdrawals', { token })).status).toBe(403);
    expect((await readWithdrawal(gateway, seller, id)).status).toBe('PENDING');
  });
});
