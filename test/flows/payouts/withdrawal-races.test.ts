import { randomUUID } from 'node:crypto';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { untilServed, type ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import {
  balanceOf,
  bringTo,
  expectBalanced,
  newSeller,
  payIn,
  simulate,
  readWithdrawal,
  withdraw,
  withdrawalThatIs,
  withdrawn,
  type TestSeller,
} from '#test/support/withdrawals.ts';

let gateway: TestGateway;
beforeAll(async () => {
  const started = await startTestGateway();
  // One sign-in: hundreds within a minute exceed the limit of requests without a credential.
  const token = await started.adminToken();
  gateway = { ...started, adminToken: async () => token };
});
afterAll(async () => {
  await expectBalanced(gateway);
  await gateway.stop();
});

const ROUNDS = 10;

/** Repeats a withdrawal with its key while the gateway is too busy, as clients do. */
function servedWithdrawal(seller: TestSeller, amount: number): Promise<ApiResponse> {
  const idempotencyKey = randomUUID();
  return untilServed(() => withdraw(gateway, seller, { amount }, { idempotencyKey }));
}

describe('concurrent withdrawals', () => {
  it('of the same balance are accepted once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const seller = await newSeller(gateway, { balance: 1000 });
      const responses = await Promise.all([
        withdraw(gateway, seller, { amount: 700 }),
        withdraw(gateway, seller, { amount: 700 }),
      ]);
      expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([201, 422]);
      expect(responses.find((response) => response.status === 422)?.body.message).toBe(
        'Insufficient balance',
      );
      expect(await balanceOf(gateway, seller)).toEqual([300, 700]);
    }
  });

  it('can spend a balance to the last cent and no further', async () => {
    const seller = await newSeller(gateway, { balance: 1000 });
    const responses = await Promise.all(Array.from({ length: 50 }, () => servedWithdrawal(seller, 30)));
    expect(responses.filter((response) => response.status === 201)).toHaveLength(33);
    expect(responses.filter((response) => response.status === 422)).toHaveLength(17);
    expect(await balanceOf(gateway, seller)).toEqual([10, 990]);
  });

  it('with payments and every outcome never overdraw and always balance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            kind: fc.constantFrom('pay in', 'keep', 'REJECTED', 'PAID', 'FAILED'),
            amount: fc.integer({ min: 100, max: 900 }),
          }),
          { minLength: 10, maxLength: 25 },
        ),
        async (steps) => {
          const seller = await newSeller(gateway, { balance: 1500, fee: { type: 'FIXED', value: 10 } });
          const moved = await Promise.all(
            steps.map(async ({ kind, amount }) => {
              if (kind === 'pay in') {
                await payIn(gateway, seller, amount);
                return [amount, 0];
              }
              const created = await servedWithdrawal(seller, amount);
              if (created.status !== 201) return [created.status === 422 ? 0 : Number.NaN, 0];
              await bringTo(
                gateway,
                seller,
                String(created.body.data.id),
                kind === 'keep' ? 'PENDING' : kind,
              );
              if (kind === 'keep') return [-amount, amount];
              return kind === 'PAID' ? [-amount, 0] : [0, 0];
            }),
          );
          const sum = (of: 0 | 1) => moved.reduce((total, step) => total + (step[of] ?? 0), 0);
          const [available, reserved] = await balanceOf(gateway, seller);
          expect([available, reserved]).toEqual([1500 + sum(0), sum(1)]);
          expect(available).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 8 },
    );
    await expectBalanced(gateway);
  }, 120_000);
});

describe('concurrent decisions', () => {
  it('to approve and reject reach each status once, and other requests get the current one', async () => {
    const token = await gateway.adminToken();
    const seller = await newSeller(gateway, { balance: 100_000 });
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await withdrawn(gateway, seller);
      const path = `/admin/withdrawals/${id}`;
      const responses = await Promise.all([
        gateway.post(`${path}/approve`, undefined, { token }),
        gateway.post(`${path}/reject`, { reason: 'no' }, { token }),
        gateway.post(`${path}/approve`, undefined, { token }),
        gateway.post(`${path}/reject`, { reason: 'no' }, { token }),
      ]);
      const won = responses
        .filter((response) => response.status === 200)
        .map(({ body }) => String(body.data.status))
        .toSorted((a, b) => a.localeCompare(b));
      // An approved withdrawal that has not been submitted can be rejected.
      expect([['APPROVED'], ['REJECTED'], ['APPROVED', 'REJECTED']]).toContainEqual(won);
      for (const lost of responses.filter((response) => response.status !== 200)) {
        expect([lost.status, lost.body.message]).toEqual([
          422,
          expect.stringMatching(
            /^Withdrawal cannot go from (APPROVED|REJECTED|PROCESSING) to (APPROVED|REJECTED)$/,
          ),
        ]);
      }
      const history = await gateway.database.query<{ to_status: string }>(
        'SELECT to_status FROM withdrawal_history WHERE withdrawal_id = $1 ORDER BY position',
        [id],
      );
      expect(history.slice(1, won.length + 1).map((row) => row.to_status)).toEqual(won);
    }
  });

  it('to pay and fail move the money once', async () => {
    const seller = await newSeller(gateway, { balance: 10_000 });
    let left = 10_000;
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await withdrawalThatIs(gateway, seller, 'PROCESSING', { amount: 500 });
      const requests = (['pay', 'fail', 'pay', 'fail'] as const).map((name) =>
        simulate(gateway, seller, id, name),
      );
      const responses = await Promise.all(requests);
      expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
        200, 422, 422, 422,
      ]);
      if ((await readWithdrawal(gateway, seller, id)).status === 'PAID') left -= 500;
      expect(await balanceOf(gateway, seller)).toEqual([left, 0]);
    }
  });
});
