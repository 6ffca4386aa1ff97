import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import {
  balanceOf,
  expectBalanced,
  newSeller,
  simulate,
  readWithdrawal,
  trustDestination,
  untilStatus,
  withdraw,
  withdrawalThatIs,
  withdrawn,
  type TestSeller,
} from '#test/support/withdrawals.ts';
import { SAMPLE_CARD } from '#test/support/sample-card.ts';

/** Limits the damage by an insider, a stolen API key or a seller in financial trouble. */

const DAY_SECONDS = 86_400;

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.adminToken();
});
afterAll(async () => {
  await expectBalanced(gateway);
  await gateway.stop();
});

const decide = (id: string, name: 'approve' | 'reject') =>
  gateway.post(`/admin/withdrawals/${id}/${name}`, name === 'reject' ? { reason: 'fraud' } : undefined, {
    token,
  });

const operatorView = async (id: string) =>
  (await gateway.get(`/admin/withdrawals/${id}`, { token })).body.data;

const setStatus = async ({ id }: TestSeller, status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED') => {
  const changed = await gateway.patch(`/admin/sellers/${id}`, { status }, { token });
  expect(changed.status).toBe(200);
};

/** A card payment that is available at once. */
async function payByCard({ apiKey }: TestSeller, amount: number): Promise<void> {
  const body = { method: 'CREDIT_CARD', installments: 1, amount, card: SAMPLE_CARD };
  const paid = await gateway.charge(body, { apiKey });
  expect(paid.body.data.status).toBe('PAID');
}

/** A dispute that takes a Pix payment whose money was withdrawn before: the balance is negative. */
async function createDebt(seller: TestSeller, amount: number): Promise<void> {
  const charge = await gateway.charge({ amount }, { apiKey: seller.apiKey });
  const id = String(charge.body.data.id);
  const { apiKey } = seller;
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey });
  await withdrawalThatIs(gateway, seller, 'PAID', { amount });
  await gateway.post(`/admin/transactions/${id}/dispute`, { reason: 'fraud' }, { token });
  expect((await balanceOf(gateway, seller))[0]).toBe(-amount);
}

describe('a negative balance of one origin', () => {
  it('reduces the amount available to withdrawals from other origins', async () => {
    const seller = await newSeller(gateway);
    await createDebt(seller, 100_000);
    await payByCard(seller, 96_010);
    const all = await withdraw(gateway, seller, { amount: 96_010, withdrawFrom: 'CARD' });
    expect([all.status, all.body.message]).toEqual([422, 'Insufficient balance']);
    await payByCard(seller, 10_000);
    const tooMuch = await withdraw(gateway, seller, { amount: 6_011, withdrawFrom: 'CARD' });
    expect([tooMuch.status, tooMuch.body.message]).toEqual([422, 'Insufficient balance']);
    expect((await withdraw(gateway, seller, { amount: 6_010, withdrawFrom: 'CARD' })).status).toBe(201);
  });

  it('is not the only limit, because the chosen origin must also cover the amount', async () => {
    const seller = await newSeller(gateway, { balance: 1_000 });
    await payByCard(seller, 5_000);
    expect((await withdraw(gateway, seller, { amount: 1_001 })).status).toBe(422);
    expect((await withdraw(gateway, seller, { amount: 1_000 })).status).toBe(201);
  });

  it('is respected by concurrent withdrawals from two origins', async () => {
    for (let round = 0; round < 8; round += 1) {
      const seller = await newSeller(gateway);
      await createDebt(seller, 1_000);
      await payByCard(seller, 1_500);
      const boleto = await gateway.charge({ method: 'BOLETO', amount: 1_500 }, { apiKey: seller.apiKey });
      const path = `/sandbox/transactions/${boleto.body.data.id}/pay`;
      await gateway.post(path, undefined, { apiKey: seller.apiKey });
      const responses = await Promise.all(
        ['CARD', 'BOLETO', 'CARD', 'BOLETO'].map((withdrawFrom) =>
          withdraw(gateway, seller, { amount: 1_500, withdrawFrom }),
        ),
      );
      expect(responses.filter((response) => response.status === 201)).toHaveLength(1);
    }
  }, 60_000);
});

describe('automatic approval', () => {
  it('adds up the withdrawals of 24 hours', async () => {
    const seller = await newSeller(gateway, { balance: 10_000_000, autoApproveUpTo: 100_000 });
    await trustDestination(gateway, seller);
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => withdrawn(gateway, seller, { amount: 99_000 })),
    );
    const views = await Promise.all(ids.map(operatorView));
    expect(views.filter(({ approvedAt }) => approvedAt !== null)).toHaveLength(1);
    await gateway.post('/sandbox/clock', { advanceSeconds: DAY_SECONDS + 60 }, { token });
    token = await gateway.adminToken();
    const next = await withdrawn(gateway, seller, { amount: 99_000 });
    await untilStatus(gateway, seller, next, 'PROCESSING');
  });

  it('excludes rejected and failed withdrawals', async () => {
    const seller = await newSeller(gateway, { balance: 1_000_000, autoApproveUpTo: 1_000 });
    await trustDestination(gateway, seller);
    await withdrawalThatIs(gateway, seller, 'REJECTED', { amount: 100_000 });
    const id = await withdrawn(gateway, seller, { amount: 1_000 });
    await untilStatus(gateway, seller, id, 'PROCESSING');
    expect((await operatorView(id)).rollingAmount).toBe(1_000);
  });

  it('requires a destination with an earlier payment or a manual approval', async () => {
    const seller = await newSeller(gateway, { balance: 100_000, autoApproveUpTo: 50_000 });
    const first = await withdrawn(gateway, seller, { amount: 100 });
    expect((await operatorView(first)).approvedAt).toBeNull();
    expect((await decide(first, 'approve')).status).toBe(200);
    const second = await withdrawn(gateway, seller, { amount: 100 });
    expect(await operatorView(second)).toMatchObject({ approvedBy: null, approvalsNeeded: 0 });
    // The same mask, but another key.
    const other = { pixKey: 'joana@example.com', pixKeyType: 'EMAIL' };
    const third = await withdrawn(gateway, seller, { amount: 100, ...other });
    expect((await operatorView(third)).approvedAt).toBeNull();
    await decide(third, 'approve');
    const sameMask = { pixKey: 'julia@example.com', pixKeyType: 'EMAIL' };
    const fourth = await withdrawn(gateway, seller, { amount: 100, ...sameMask });
    const [known, unknown] = [await operatorView(third), await operatorView(fourth)];
    expect(unknown.pixKey).toBe(known.pixKey);
    expect(unknown.approvedAt).toBeNull();
    // The destination of another seller is not known for this one.
    const otherSeller = await newSeller(gateway, { balance: 100_000, autoApproveUpTo: 50_000 });
    const foreign = await withdrawn(gateway, otherSeller, { amount: 100 });
    expect((await operatorView(foreign)).approvedAt).toBeNull();
  });

  it('never applies to the destination of another holder, which is marked', async () => {
    const seller = await newSeller(gateway, { balance: 100_000, autoApproveUpTo: 50_000 });
    const own = await operatorView(await withdrawn(gateway, seller, { amount: 100 }));
    expect(own).toMatchObject({
      holderName: 'Loja',
      holderDocument: '**.222.333/****-**',
      otherHolder: false,
      firstUse: true,
    });
    const destination = { pixKey: '12ABC34501DE35', pixKeyType: 'CNPJ' };
    const first = await withdrawn(gateway, seller, { amount: 100, ...destination });
    expect(await operatorView(first)).toMatchObject({
      holderDocument: '**.ABC.345/****-**',
      otherHolder: true,
      firstUse: true,
    });
    await decide(first, 'approve');
    const second = await withdrawn(gateway, seller, { amount: 100, ...destination });
    expect(await operatorView(second)).toMatchObject({
      status: 'PENDING',
      otherHolder: true,
      firstUse: false,
    });
  });

  it('does not apply to a destination whose only withdrawal was rejected', async () => {
    const seller = await newSeller(gateway, { balance: 100_000, autoApproveUpTo: 50_000 });
    await withdrawalThatIs(gateway, seller, 'REJECTED', { amount: 100 });
    const id = await withdrawn(gateway, seller, { amount: 100 });
    expect((await operatorView(id)).approvedAt).toBeNull();
  });
});

describe('the two-person limit', () => {
  it('adds up the withdrawals of 24 hours', async () => {
    const seller = await newSeller(gateway, { balance: 10_000_000 });
    await gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: 100_000 }, { token });
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.push(await withdrawn(gateway, seller, { amount: 40_000 }));
    const found = await Promise.all(ids.map(operatorView));
    expect(found.map(({ approvalsNeeded }) => approvalsNeeded)).toEqual([1, 1, 2]);
    expect(found.map(({ rollingAmount }) => rollingAmount)).toEqual([40_000, 80_000, 120_000]);
    const statuses: string[] = [];
    // In any order, one ADMIN alone approves no more than the limit.
    for (const id of ids.toReversed()) statuses.push((await decide(id, 'approve')).body.data.status);
    expect(statuses).toEqual(['PENDING', 'APPROVED', 'APPROVED']);
    await gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: null }, { token });
  });
});

describe('the approved withdrawals of a seller that is not ACTIVE', () => {
  it.each(['SUSPENDED', 'CLOSED'] as const)('wait while the seller is %s', async (status) => {
    const seller = await newSeller(gateway, { balance: 10_000 });
    const id = await withdrawn(gateway, seller);
    await setStatus(seller, status);
    expect((await decide(id, 'approve')).body.data.status).toBe('APPROVED');
    // A withdrawal of another seller, approved later, shows that the worker has run.
    const other = await newSeller(gateway, { balance: 10_000 });
    await withdrawalThatIs(gateway, other, 'PROCESSING');
    expect((await operatorView(id)).status).toBe('APPROVED');
    await setStatus(seller, 'ACTIVE');
    await untilStatus(gateway, seller, id, 'PROCESSING');
    expect((await simulate(gateway, seller, id, 'pay')).status).toBe(200);
  });

  it('can be rejected, which returns the amount', async () => {
    const seller = await newSeller(gateway, { balance: 10_000 });
    const id = await withdrawn(gateway, seller, { amount: 4_000 });
    await setStatus(seller, 'SUSPENDED');
    await decide(id, 'approve');
    const rejected = await decide(id, 'reject');
    expect([rejected.status, rejected.body.data]).toMatchObject([
      200,
      { status: 'REJECTED', rejectionReason: 'fraud' },
    ]);
    await setStatus(seller, 'ACTIVE');
    expect(await balanceOf(gateway, seller)).toEqual([10_000, 0]);
    expect((await readWithdrawal(gateway, seller, id)).status).toBe('REJECTED');
  });
});
