import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newAdmin } from '#test/support/operator.ts';
import {
  balanceOf,
  expectBalanced,
  newSeller,
  readWithdrawal,
  withdraw,
  withdrawn,
  type TestSeller,
} from '#test/support/withdrawals.ts';

const PASSWORD = 'a long password';
const LIMIT = 50_000;
const ROUNDS = 10;
const APPROVED_BEFORE = 'This user already approved the withdrawal; another ADMIN must approve it';

interface Operator extends CallOptions {
  readonly id: string;
}

let gateway: TestGateway;
let ana: Operator;
let bia: Operator;
let support: Operator;
let seller: TestSeller;

beforeAll(async () => {
  // Without a worker, so that approved withdrawals stay APPROVED.
  gateway = await startTestGateway({ worker: false });
  support = await newSupport();
  ana = await newAdmin(gateway);
  bia = await newAdmin(gateway);
});
// The limit applies to the sum of a seller's withdrawals.
beforeEach(async () => {
  seller = await newSeller(gateway, { balance: 10_000_000 });
});
afterAll(async () => {
  await expectBalanced(gateway);
  await gateway.stop();
});

async function newSupport(): Promise<Operator> {
  const role = 'SUPPORT';
  const email = `${randomUUID()}@example.com`;
  const token = await gateway.adminToken();
  const made = await gateway.post('/admin/users', { name: role, email, password: PASSWORD, role }, { token });
  const signedIn = await gateway.post('/login', { email, password: PASSWORD }, { credential: 'none' });
  return { id: String(made.body.data.id), token: String(signedIn.body.accessToken) };
}

async function setLimit(twoPersonApprovalAbove: number | null): Promise<void> {
  const response = await gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove }, ana);
  if (response.status === 202) {
    await gateway.post(`/admin/approvals/${response.body.data.id}/approve`, undefined, bia);
  }
  const settings = await gateway.get('/admin/settings', ana);
  expect(settings.body.data).toMatchObject({ twoPersonApprovalAbove });
}

const approve = (id: string, as: Operator): Promise<ApiResponse> =>
  gateway.post(`/admin/withdrawals/${id}/approve`, undefined, as);
const reject = (id: string, as: Operator): Promise<ApiResponse> =>
  gateway.post(`/admin/withdrawals/${id}/reject`, { reason: 'no' }, as);
const large = (): Promise<string> => withdrawn(gateway, seller, { amount: LIMIT + 1 });

/** The withdrawal in the operator's list. */
async function listed(id: string) {
  const response = await gateway.get(`/admin/withdrawals?sellerId=${seller.id}&take=100`, support);
  return response.body.data.find((one: { readonly id: string }) => one.id === id);
}

const by = (operator: Operator) => ({ userId: operator.id, at: expect.stringMatching(/^\d{4}-.*Z$/) });
const statusesOf = async (id: string): Promise<readonly string[]> => {
  const rows = await gateway.database.query<{ to_status: string }>(
    'SELECT to_status FROM withdrawal_history WHERE withdrawal_id = $1 ORDER BY position',
    [id],
  );
  return rows.map((row) => row.to_status);
};
const actionsOf = async (id: string): Promise<readonly string[]> => {
  const response = await gateway.get(`/admin/audit-log?recordId=${id}`, support);
  return response.body.data.map((entry: { readonly action: string }) => entry.action).toReversed();
};

describe('the two-person limit', () => {
  it('is disabled until an ADMIN sets it, and readable by ADMIN and SUPPORT', async () => {
    const read = await gateway.get('/admin/settings', support);
    expect(read.body.data).toMatchObject({ twoPersonApprovalAbove: null });
    const id = await large();
    expect((await listed(id)).approvalsNeeded).toBe(1);
    const approved = await approve(id, ana);
    expect(approved.body.data).toMatchObject({
      status: 'APPROVED',
      approvedBy: ana.id,
      approvals: [by(ana)],
      approvalsNeeded: 1,
    });
    await setLimit(LIMIT);
    expect((await gateway.get('/admin/settings', support)).body.data).toMatchObject({
      twoPersonApprovalAbove: LIMIT,
    });
    // Approved withdrawals keep their approvals.
    expect((await listed(id)).approvalsNeeded).toBe(1);
    await setLimit(null);
  });

  it.each([
    [{}, 'twoPersonApprovalAbove must be an integer number'],
    [{ twoPersonApprovalAbove: 'x' }, 'twoPersonApprovalAbove must be an integer number'],
    [{ twoPersonApprovalAbove: 1.5 }, 'twoPersonApprovalAbove must be an integer number'],
    [{ twoPersonApprovalAbove: -1 }, 'twoPersonApprovalAbove must not be less than 0'],
  ])('must be cents or null, and %j is rejected', async (body, message) => {
    const response = await gateway.call('PUT', '/admin/settings', body, ana);
    expect([response.status, response.body.message]).toEqual([400, [message]]);
  });

  it('can be changed by ADMINs only', async () => {
    const response = await gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: 1 }, support);
    expect(response.status).toBe(403);
    expect((await gateway.get('/admin/settings', { apiKey: seller.apiKey })).status).toBe(403);
  });
});

describe('a withdrawal above the limit', () => {
  beforeAll(() => setLimit(LIMIT));

  it('stays PENDING after one ADMIN, rejects the same one again, and is approved by another', async () => {
    const id = await large();
    expect(await listed(id)).toMatchObject({ status: 'PENDING', approvals: [], approvalsNeeded: 2 });
    const first = await approve(id, ana);
    expect([first.status, first.body.data]).toMatchObject([
      200,
      { id, status: 'PENDING', approvedBy: null, approvals: [by(ana)], approvalsNeeded: 2 },
    ]);
    expect(await listed(id)).toEqual(first.body.data);
    const again = await approve(id, ana);
    expect([again.status, again.body.message]).toEqual([422, APPROVED_BEFORE]);
    expect((await approve(id, support)).status).toBe(403);
    // The seller sees a pending withdrawal, and nothing of its approvals.
    const seen = await readWithdrawal(gateway, seller, id);
    expect(seen.status).toBe('PENDING');
    expect(seen).not.toHaveProperty('approvals');
    const second = await approve(id, bia);
    expect([second.status, second.body.data]).toMatchObject([
      200,
      { status: 'APPROVED', approvedBy: bia.id, approvals: [by(ana), by(bia)], approvalsNeeded: 2 },
    ]);
    expect(await statusesOf(id)).toEqual(['PENDING', 'APPROVED']);
    expect(await actionsOf(id)).toEqual([
      'withdrawal.created',
      'withdrawal.approval-recorded',
      'withdrawal.approved',
    ]);
    const log = await gateway.get(`/admin/audit-log?recordId=${id}&actorId=${ana.id}`, support);
    expect(log.body.data[0]).toMatchObject({ before: { approvals: [] }, after: { approvals: [ana.id] } });
  });

  it('is exclusive, so that the exact amount requires one approval', async () => {
    const id = await withdrawn(gateway, seller, { amount: LIMIT });
    expect((await listed(id)).approvalsNeeded).toBe(1);
    expect((await approve(id, ana)).body.data.status).toBe('APPROVED');
  });

  it('can be rejected by one ADMIN, before and after a first approval', async () => {
    const before = await balanceOf(gateway, seller);
    for (const approvals of [0, 1]) {
      const id = await large();
      if (approvals === 1) await approve(id, ana);
      const rejected = await reject(id, approvals === 1 ? ana : bia);
      expect(rejected.body.data).toMatchObject({ status: 'REJECTED', rejectionReason: 'no' });
      expect(rejected.body.data.approvals).toHaveLength(approvals);
      const late = await approve(id, bia);
      expect([late.status, late.body.message]).toEqual([
        422,
        'Withdrawal cannot go from REJECTED to APPROVED',
      ]);
      expect((await listed(id)).approvals).toHaveLength(approvals);
    }
    expect(await balanceOf(gateway, seller)).toEqual(before);
  });

  it('is never approved automatically, whatever the seller’s limit', async () => {
    const generous = await newSeller(gateway, { balance: 1_000_000, autoApproveUpTo: 900_000 });
    const known = await withdrawn(gateway, generous, { amount: 1 });
    await approve(known, ana);
    const small = await withdraw(gateway, generous, { amount: LIMIT - 1 });
    const big = await withdraw(gateway, generous, { amount: 1 });
    const found = await gateway.get(`/admin/withdrawals?sellerId=${generous.id}`, support);
    const shown = new Map<string, unknown>(
      found.body.data.map((one: { readonly id: string }) => [one.id, one]),
    );
    expect(shown.get(small.body.data.id)).toMatchObject({
      status: 'APPROVED',
      approvedBy: null,
      approvals: [],
      approvalsNeeded: 0,
    });
    expect(shown.get(big.body.data.id)).toMatchObject({
      status: 'PENDING',
      approvals: [],
      approvalsNeeded: 2,
    });
  });

  it('keeps the approval of an ADMIN who is deleted later', async () => {
    const gone = await newAdmin(gateway);
    const id = await large();
    await approve(id, gone);
    const asked = await gateway.delete(`/admin/users/${gone.id}`, ana);
    await gateway.post(`/admin/approvals/${asked.body.data.id}/approve`, undefined, bia);
    expect((await approve(id, ana)).body.data).toMatchObject({
      status: 'APPROVED',
      approvals: [by(gone), by(ana)],
    });
  });

  it('that is unknown returns 404', async () => {
    for (const id of [randomUUID(), 'x']) {
      const response = await approve(id, ana);
      expect([response.status, response.body.message]).toEqual([404, 'Withdrawal not found']);
    }
  });
});

describe('a limit that changes between the two approvals', () => {
  it('and is raised requires one ADMIN, who may be the earlier one', async () => {
    for (const operator of [ana, bia]) {
      seller = await newSeller(gateway, { balance: 10_000_000 });
      await setLimit(LIMIT);
      const id = await large();
      expect((await approve(id, ana)).body.data.status).toBe('PENDING');
      await setLimit(LIMIT + 1);
      expect((await listed(id)).approvalsNeeded).toBe(1);
      // A change of the limit alone does not approve anything.
      expect((await listed(id)).status).toBe('PENDING');
      const approved = await approve(id, operator);
      expect(approved.body.data).toMatchObject({ status: 'APPROVED', approvalsNeeded: 1 });
      expect(await statusesOf(id)).toEqual(['PENDING', 'APPROVED']);
    }
  });

  it('and is lowered requires a second approval', async () => {
    await setLimit(LIMIT);
    const id = await withdrawn(gateway, seller, { amount: LIMIT });
    await setLimit(LIMIT - 1);
    expect((await approve(id, ana)).body.data).toMatchObject({ status: 'PENDING', approvalsNeeded: 2 });
    expect((await approve(id, bia)).body.data.status).toBe('APPROVED');
  });

  it('and concurrently with one leaves the withdrawal as the response states', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await setLimit(LIMIT);
      const id = await large();
      await approve(id, ana);
      const [response] = await Promise.all([approve(id, ana), setLimit(null)]);
      const reported = [response.status, response.body.message ?? response.body.data.approvalsNeeded];
      expect([
        [200, 1],
        [422, APPROVED_BEFORE],
      ]).toContainEqual(reported);
      expect((await listed(id)).status).toBe(response.status === 422 ? 'PENDING' : 'APPROVED');
    }
  });
});

describe('concurrent decisions', () => {
  beforeAll(() => setLimit(LIMIT));

  it('by two ADMINs are both recorded and change the status to APPROVED once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await large();
      const responses = await Promise.all([approve(id, ana), approve(id, bia)]);
      expect(responses.map((response) => response.status)).toEqual([200, 200]);
      const found = responses.map((response) => String(response.body.data.status));
      expect(new Set(found)).toEqual(new Set(['APPROVED', 'PENDING']));
      const { approvals } = await listed(id);
      expect(new Set(approvals.map(({ userId }: { userId: string }) => userId))).toEqual(
        new Set([ana.id, bia.id]),
      );
      expect(await statusesOf(id)).toEqual(['PENDING', 'APPROVED']);
      expect(await actionsOf(id)).toEqual([
        'withdrawal.created',
        'withdrawal.approval-recorded',
        'withdrawal.approved',
      ]);
    }
  });

  it('by the same ADMIN are recorded once, and the withdrawal waits', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await large();
      const responses = await Promise.all([approve(id, ana), approve(id, ana), approve(id, ana)]);
      expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
      for (const refused of responses.filter((response) => response.status === 422)) {
        expect(refused.body.message).toBe(APPROVED_BEFORE);
      }
      expect(await listed(id)).toMatchObject({ status: 'PENDING', approvals: [by(ana)] });
      expect(await statusesOf(id)).toEqual(['PENDING']);
      expect(await actionsOf(id)).toEqual(['withdrawal.created', 'withdrawal.approval-recorded']);
    }
  });

  it('with a second approval and a rejection reject it in either order and return the amount', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await large();
      await approve(id, ana);
      const [available, reserved] = await balanceOf(gateway, seller);
      const [approved, rejected] = await Promise.all([approve(id, bia), reject(id, ana)]);
      expect(rejected.status).toBe(200);
      expect([undefined, 'Withdrawal cannot go from REJECTED to APPROVED']).toContain(approved.body.message);
      const decisions = [...(approved.status === 200 ? ['APPROVED'] : []), 'REJECTED'];
      expect(await statusesOf(id)).toEqual(['PENDING', ...decisions]);
      expect(await balanceOf(gateway, seller)).toEqual([available + LIMIT + 1, reserved - LIMIT - 1]);
      expect(await actionsOf(id)).toEqual([
        'withdrawal.created',
        'withdrawal.approval-recorded',
        ...decisions.map((status) => `withdrawal.${status.toLowerCase()}`),
      ]);
    }
  });

  it('with a first approval and a rejection reject it in either order', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await large();
      const [approved, rejected] = await Promise.all([approve(id, bia), reject(id, ana)]);
      expect(rejected.body.data.status).toBe('REJECTED');
      expect([200, 422]).toContain(approved.status);
      expect(await statusesOf(id)).toEqual(['PENDING', 'REJECTED']);
      expect((await listed(id)).approvals).toHaveLength(approved.status === 200 ? 1 : 0);
    }
  });
});
