import { expect, it, vi } from 'vitest';

import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { FakePayoutProvider, notExecuted, timeOut, usePayouts } from '#test/support/payouts.ts';
import type { PayoutResponse } from './payout-provider.ts';

const payouts = usePayouts();

const setSellerStatus = (status: string) =>
  payouts.store.query('UPDATE sellers SET status = $2 WHERE id = $1', [payouts.sellerId, status]);

it('tries the next provider when the first one did not execute the payout', async () => {
  const second = new FakePayoutProvider('second');
  payouts.others = [second];
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(() => Promise.reject(new NotExecutedError('the connection was refused')));
  await payouts.run();
  await payouts.run();
  expect([payouts.bank.calls.length, second.calls.map((request) => request.id)]).toEqual([1, [id]]);
  expect(await payouts.rowOf(id)).toMatchObject({ provider: 'second', provider_reference: `ref ${id}` });
  const withdrawal = await payouts.startProcess().withdrawals.find({ sellerId: payouts.sellerId, id });
  expect([withdrawal?.provider, withdrawal?.status]).toEqual(['second', 'PROCESSING']);
  payouts.advance(3600);
  await payouts.run();
  expect([payouts.bank.calls.length, second.calls.length]).toEqual([1, 1]);
});

it('stays with the provider after a call of unknown outcome', async () => {
  const second = new FakePayoutProvider('second');
  payouts.others = [second];
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(() => Promise.reject(new Error('the connection broke after the request')));
  await payouts.run();
  payouts.advance(3600);
  await payouts.run();
  expect([payouts.bank.calls.map((request) => request.id), second.calls]).toEqual([[id, id], []]);
});

it('stays with the provider after a call of unknown outcome even if the next is not executed', async () => {
  const second = new FakePayoutProvider('second');
  payouts.others = [second];
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(timeOut, notExecuted, notExecuted);
  for (let round = 0; round < 3; round += 1) {
    await payouts.run();
    payouts.advance(3600);
  }
  expect([payouts.bank.calls.length, second.calls]).toEqual([3, []]);
  await payouts.run();
  expect([payouts.bank.paid.has(id), second.calls]).toEqual([true, []]);
});

it('stays with the provider after a call whose worker died', async () => {
  const second = new FakePayoutProvider('second');
  payouts.others = [second];
  const id = await payouts.createWithdrawal();
  const { promise: hung } = Promise.withResolvers<PayoutResponse>();
  payouts.bank.responses.push(() => hung, notExecuted);
  // This process has died, and its lease expires.
  payouts.run().catch(() => undefined);
  await vi.waitFor(() => expect(payouts.bank.calls).toHaveLength(1));
  payouts.advance(120);
  await payouts.run();
  expect([payouts.bank.calls.length, second.calls]).toEqual([2, []]);
  expect(await payouts.rowOf(id)).toMatchObject({ provider: 'bank' });
});

it('waits for an ACTIVE seller after a call that was certainly not executed', async () => {
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(notExecuted);
  await payouts.run();
  await setSellerStatus('SUSPENDED');
  payouts.advance(3600);
  await payouts.run();
  expect(payouts.bank.calls).toHaveLength(1);
  await setSellerStatus('ACTIVE');
  await payouts.run();
  expect(payouts.bank.paid.has(id)).toBe(true);
});

it('tries another provider that is resumed after calls that were certainly not executed', async () => {
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(notExecuted, notExecuted);
  await payouts.run();
  const second = new FakePayoutProvider('second');
  payouts.others = [second];
  payouts.advance(3600);
  await payouts.run();
  await payouts.run();
  expect([payouts.bank.calls.length, second.paid.has(id)]).toEqual([2, true]);
});

it('moves payouts that a paused provider was never called for to another one', async () => {
  const { bank, paused } = payouts;
  const unknown = await payouts.createWithdrawal();
  bank.responses.push(timeOut);
  await payouts.run();
  const notSent = await payouts.createWithdrawal();
  bank.responses.push(notExecuted);
  await payouts.run();
  const uncalled = await payouts.createWithdrawal();
  const submission = { kind: 'SUBMISSION', provider: bank.name } as const;
  const { withdrawals } = payouts.startProcess();
  await withdrawals.applyEvent({ sellerId: payouts.sellerId, id: uncalled }, submission, { actor: 'WORKER' });
  const second = new FakePayoutProvider('second');
  payouts.others = [second];
  paused.add(bank.name);
  for (let round = 0; round < 2; round += 1) {
    payouts.advance(3600);
    await payouts.run();
  }
  expect([...second.paid.keys()].toSorted()).toEqual([notSent, uncalled].toSorted());
  expect([bank.calls.length, await payouts.rowOf(unknown)]).toMatchObject([2, { provider: 'bank' }]);
  paused.clear();
  await payouts.run();
  expect([...bank.paid.keys()]).toEqual([unknown]);
});

it('stays with the provider while the ledger does not prove the reservation', async () => {
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(notExecuted);
  await payouts.run();
  payouts.others = [new FakePayoutProvider('second')];
  await payouts.store.query('UPDATE ledger_entries SET amount = amount + 1 WHERE record_id = $1', [id]);
  payouts.advance(3600);
  for (let round = 0; round < 3; round += 1) await payouts.run();
  expect(await payouts.rowOf(id)).toMatchObject({ provider: 'bank', attempts: 2 });
});

it('repeats a call of unknown outcome while the seller is not ACTIVE', async () => {
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(timeOut, notExecuted);
  await payouts.run();
  await setSellerStatus('SUSPENDED');
  for (let round = 0; round < 2; round += 1) {
    payouts.advance(3600);
    await payouts.run();
  }
  expect([payouts.bank.calls.length, payouts.bank.paid.has(id)]).toEqual([3, true]);
});

it('returns to the first provider after a delay when none executes the payout', async () => {
  const second = new FakePayoutProvider('second');
  payouts.others = [second];
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(notExecuted);
  second.responses.push(notExecuted);
  for (let round = 0; round < 4; round += 1) await payouts.run();
  expect([payouts.bank.calls.length, second.calls.length]).toEqual([1, 1]);
  payouts.advance(3600);
  await payouts.run();
  expect(payouts.bank.paid.has(id)).toBe(true);
});

it('tries only providers that handle the method, and waits if there is none', async () => {
  payouts.others = [new FakePayoutProvider('files', ['TED'])];
  const id = await payouts.createWithdrawal();
  payouts.bank.responses.push(notExecuted);
  await payouts.run();
  expect(await payouts.rowOf(id)).toMatchObject({ provider: 'bank', attempts: 1 });
  // Another provider is configured.
  const waiting = await payouts.createWithdrawal();
  payouts.bank = new FakePayoutProvider('files', ['TED']);
  payouts.others = [];
  expect(await payouts.run()).toBe(false);
  expect(await payouts.statusOf(waiting)).toBe('APPROVED');
});
