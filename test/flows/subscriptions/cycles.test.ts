import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { CallOptions } from '#test/support/client.ts';
import { isDistributed } from '#test/support/database.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';
import { CUSTOMER, subscriptionsOf, type Subscriptions } from './setup.ts';

const SOON = { timeout: 10_000 };

let gateway: TestGateway;
let subscriptions: Subscriptions;
let as: CallOptions;
let sellerId: string;
const seller = () => as;

beforeAll(async () => {
  gateway = await startTestGateway();
  const { id, apiKey } = await newSeller(gateway);
  sellerId = id;
  as = { apiKey };
  subscriptions = subscriptionsOf(gateway, as);
});
afterAll(() => gateway.stop());

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

/** As the operator, whose sessions end when the clock is advanced. */
const routeCards = async (action: 'pause' | 'resume', reason = {}) => {
  const body = { provider: 'sandbox', ...reason };
  const token = await gateway.adminToken();
  return gateway.post(`/admin/provider-routes/CREDIT_CARD/${action}`, body, { token });
};

const setSellerStatus = async (status: string) => {
  const token = await gateway.adminToken();
  expect((await gateway.patch(`/admin/sellers/${sellerId}`, { status }, { token })).status).toBe(200);
};

describe('cycles that were missed while the seller was suspended', () => {
  it('are skipped, except for the last one', async () => {
    const { create, createCard, advance, until, untilInvoices, untilStatuses, today } = subscriptions;
    const pix = await create({ method: 'PIX', interval: 'WEEKLY', cycles: 3 });
    const card = await createCard({ interval: 'WEEKLY' });
    await untilStatuses(pix.id, ['PENDING']);
    await untilStatuses(card.id, ['PAID']);
    await setSellerStatus('SUSPENDED');
    await advance(30);
    await setSellerStatus('ACTIVE');
    await untilInvoices(pix.id, [{ status: 'FAILED' }, { status: 'PENDING', dueDate: today(-2) }]);
    await untilInvoices(card.id, [{ status: 'PAID' }, { status: 'PAID', dueDate: today(-2) }]);
    await until(pix.id, { chargedCycles: 2, nextChargeDate: today(5) });
    await advance(5);
    await until(pix.id, { chargedCycles: 3, nextChargeDate: null });
    await untilStatuses(card.id, ['PAID', 'PAID', 'PAID']);
    expect(await subscriptions.transactionsOf(card.id)).toHaveLength(3);
  });
});

describe('cycles by Pix', () => {
  it('are charged with a description that is longer than the title of an item', async () => {
    const { create, untilStatuses, transactionsOf } = subscriptions;
    const description = `${'a'.repeat(254)}🎁 presente`;
    const { id } = await create({ method: 'PIX', description });
    await untilStatuses(id, ['PENDING']);
    await vi.waitFor(async () => expect(await transactionsOf(id)).toMatchObject([{ description }]), SOON);
  });

  it('are tried again by the policy if no code was created', async () => {
    const { create, advance, untilInvoices, today } = subscriptions;
    const rule = { name: 'Pix', enabled: true, sellerId, when: { methods: ['PIX'] }, action: 'REFUSE' };
    const operator = async () => ({ token: await gateway.adminToken() });
    const made = await gateway.post('/admin/risk-rules', rule, await operator());
    expect(made.status).toBe(201);
    const { id } = await create({ method: 'PIX', retryPolicy: 'THREE_IN_SEVEN_DAYS' });
    await untilInvoices(id, [{ attempts: [{ status: 'FAILED' }], nextAttemptDate: today(2) }]);
    await gateway.delete(`/admin/risk-rules/${made.body.data.id}`, await operator());
    await advance(3);
    await untilInvoices(id, [{ status: 'PENDING', attempts: [{ status: 'FAILED' }, { status: 'PENDING' }] }]);
  });
});

describe('cycles of a saved card', () => {
  it('are charged on their day, with one invoice and transaction each, for a year in seconds', async () => {
    const { createCard, advance, until, untilStatuses, invoicesOf, transactionsOf, today } = subscriptions;
    const { id, status } = await createCard({ cycles: 12, externalRef: 'plan-1', metadata: { a: 1 } });
    expect(status).toBe('ACTIVE');
    await untilStatuses(id, ['PAID']);
    await advance(370);
    await until(id, { status: 'COMPLETED', chargedCycles: 12, nextChargeDate: null });
    await untilStatuses(id, times(12, 'PAID'));
    const invoices = await invoicesOf(id);
    expect(invoices.map(({ number }: { number: number }) => number)).toEqual(
      times(12, 0).map((_, n) => n + 1),
    );
    expect(new Set(invoices.map(({ dueDate }: { dueDate: string }) => dueDate)).size).toBe(12);
    const transactions = await transactionsOf(id);
    expect(transactions).toHaveLength(12);
    const ids = new Set(transactions.map((one: { id: string }) => one.id));
    expect(ids).toEqual(new Set(invoices.map((one: { transactionId: string }) => one.transactionId)));
    expect(transactions[0]).toMatchObject({ status: 'PAID', method: 'CREDIT_CARD', externalRef: 'plan-1' });
    expect(invoices[11].dueDate < today()).toBe(true);
  });

  it('are tried again on three days within seven after a soft decline, and are recovered', async () => {
    const { createCard, advance, simulate, invoicesOf, untilInvoices, today, until } = subscriptions;
    const { id } = await createCard({ startDate: today(1) });
    const dueDate = today(1);
    expect((await simulate(id, 'next-outcome', { outcome: 'INSUFFICIENT_FUNDS' })).status).toBe(200);
    await advance(1);
    const failed = { status: 'FAILED', reason: 'insufficient funds', date: dueDate };
    await untilInvoices(id, [{ status: 'PENDING', attempts: [failed], nextAttemptDate: today(2) }]);
    await advance(3);
    await untilInvoices(id, [
      { status: 'PAID', attempts: [failed, { status: 'PAID' }], nextAttemptDate: null },
    ]);
    await until(id, { status: 'ACTIVE' });
    expect((await invoicesOf(id))[0].transactionId).not.toBeNull();
  });

  it.each([
    ['PAUSE', 'PAUSED'],
    ['CANCEL', 'CANCELLED'],
    ['CONTINUE', 'PAST_DUE'],
  ])('that stay unpaid after the last retry lead to %s', async (onUnpaid, status) => {
    const { createCard, newToken, advance, until, untilInvoices, read } = subscriptions;
    const { id } = await createCard({ onUnpaid, cardTokenId: await newToken('4000000000009995') });
    await untilInvoices(id, [{ attempts: [{ status: 'FAILED' }] }]);
    expect((await read(id)).status).toBe('ACTIVE');
    await advance(8);
    await until(id, { status });
    await untilInvoices(id, [{ status: 'FAILED', attempts: times(4, { status: 'FAILED' }) }]);
  });

  it('email their payer about each failed attempt and the end, if the seller sets payerEmails', async () => {
    const { createCard, newToken, advance, until, untilInvoices } = subscriptions;
    await gateway.patch('/sellers/me/settings', { payerEmails: true, displayName: 'Clube' }, seller());
    const email = 'dunning@example.com';
    const customer = { ...CUSTOMER, email };
    const { id } = await createCard({
      onUnpaid: 'CANCEL',
      cardTokenId: await newToken('4000000000009995'),
      customer,
      description: 'Plano',
    });
    await untilInvoices(id, [{ attempts: [{ status: 'FAILED' }] }]);
    await advance(8);
    await until(id, { status: 'CANCELLED' });
    const admin = { token: await gateway.adminToken() };
    const mails = (await gateway.get(`/sandbox/mails?to=${email}`, admin)).body.data;
    const failed = 'Pagamento de R$ 49,90 para Clube não concluído';
    expect(mails.map(({ subject }: { subject: string }) => subject)).toEqual([
      'Sua assinatura em Clube foi cancelada',
      failed,
      failed,
      failed,
      'Sua assinatura em Clube foi criada',
    ]);
    const { payerUrl } = await subscriptions.read(id);
    for (const { text } of mails) expect(text).toContain(payerUrl);
    expect(mails[1].text).toContain('Assinatura: Plano');
    expect(mails[1].text).toMatch(/Uma nova tentativa será feita em \d+ de \S+ de \d{4}/);
    expect(mails[1].text).toContain('Motivo: Saldo ou limite insuficiente');
    await gateway.patch('/sellers/me/settings', { payerEmails: false }, seller());
  });

  it('with a hard decline are not retried, until the card is replaced', async () => {
    const { createCard, newToken, until, untilInvoices, act } = subscriptions;
    const { id } = await createCard({ cardTokenId: await newToken('4000000000000069') });
    await until(id, { status: 'PAST_DUE' });
    await untilInvoices(id, [{ status: 'FAILED', attempts: [{ status: 'FAILED', reason: 'expired card' }] }]);
    const path = `/subscriptions/${id}`;
    const changed = await gateway.patch(path, { cardTokenId: await newToken() }, seller());
    expect(changed.status).toBe(200);
    expect((await act(id, 'invoices/1/retry')).status).toBe(200);
    await untilInvoices(id, [{ status: 'PAID', attempts: [{ status: 'FAILED' }, { status: 'PAID' }] }]);
    await until(id, { status: 'ACTIVE' });
    expect(await act(id, 'invoices/1/retry')).toMatchObject({
      status: 422,
      body: { message: 'Invoice cannot be retried', code: 'invoice_not_retryable' },
    });
  });

  it('of a card that was deleted fail without a transaction, after one that has one', async () => {
    const { createCard, newToken, advance, untilInvoices, invoicesOf, act } = subscriptions;
    const cardTokenId = await newToken();
    const { id } = await createCard({ cardTokenId });
    await untilInvoices(id, [{ status: 'PAID' }]);
    expect((await gateway.delete(`/card-tokens/${cardTokenId}`, seller())).status).toBe(200);
    await advance(32);
    const failed = { status: 'FAILED', reason: 'the saved card was deleted' };
    await untilInvoices(id, [{}, { status: 'FAILED', transactionId: null, attempts: [failed] }]);
    const events = await gateway.database.query<{ transactionId: string | null }>(
      `SELECT payload::json -> 'data' ->> 'transactionId' AS "transactionId" FROM events
       WHERE record_id = '${(await invoicesOf(id))[1].id}'`,
    );
    expect(events).toEqual([{ transactionId: null }]);

    const declined = await newToken('4000000000009995');
    await gateway.patch(`/subscriptions/${id}`, { cardTokenId: declined }, seller());
    expect((await act(id, 'invoices/2/retry')).status).toBe(200);
    await untilInvoices(id, [{}, { status: 'FAILED', attempts: [failed, { status: 'FAILED' }] }]);
    const { transactionId } = (await invoicesOf(id))[1];
    expect((await gateway.get(`/transactions/${transactionId}`, seller())).status).toBe(200);
    expect((await gateway.delete(`/card-tokens/${declined}`, seller())).status).toBe(200);
    expect((await act(id, 'invoices/2/retry')).status).toBe(200);
    await untilInvoices(id, [{}, { status: 'FAILED', attempts: [{}, {}, failed], transactionId }]);
  });

  it('wait while the providers of cards are paused, and are charged after they are resumed', async () => {
    const { createCard, advance, invoicesOf, untilStatuses, until, today, transactionsOf } = subscriptions;
    const { id } = await createCard({ startDate: today(1) });
    expect((await routeCards('pause', { reason: 'maintenance' })).status).toBe(200);
    await advance(1);
    await untilStatuses(id, ['PENDING']);
    await advance(3);
    expect(await invoicesOf(id)).toMatchObject([{ status: 'PENDING', dueDate: today(-3) }]);
    await until(id, { status: 'ACTIVE' });

    expect((await routeCards('resume')).status).toBe(200);
    await advance(1);
    await untilStatuses(id, ['PAID']);
    expect((await invoicesOf(id))[0].attempts).toMatchObject([{ status: 'PAID' }]);

    // The transaction is of the day on which it was created, not of the day of the cycle.
    const [transaction] = await transactionsOf(id);
    const day = saoPauloDate(new Date(transaction.createdAt));
    const path = `/transactions?subscriptionId=${id}&startDate=${day}&endDate=${day}`;
    expect((await gateway.get(path, seller())).body).toMatchObject({
      count: 1,
      data: [{ id: transaction.id }],
    });
    expect((await invoicesOf(id))[0].transactionId).toBe(transaction.id);
  });

  it('skip those that were missed while paused, which do not count', async () => {
    const { createCard, act, advance, until, untilStatuses, invoicesOf } = subscriptions;
    const { id } = await createCard({ cycles: 2 });
    await untilStatuses(id, ['PAID']);
    expect((await act(id, 'pause')).body.data).toMatchObject({ status: 'PAUSED', nextChargeDate: null });
    await advance(70);
    await untilStatuses(id, ['PAID']);
    const resumed = (await act(id, 'resume')).body.data;
    expect(resumed).toMatchObject({ status: 'ACTIVE', chargedCycles: 1 });
    await untilStatuses(id, ['PAID']);
    await advance(31);
    await until(id, { status: 'COMPLETED' });
    const [, second] = await invoicesOf(id);
    expect(second).toMatchObject({ number: 2, dueDate: resumed.nextChargeDate });
  });

  it('take a new amount from the next one on', async () => {
    const { createCard, advance, untilInvoices } = subscriptions;
    const { id } = await createCard();
    await untilInvoices(id, [{ amount: 4990, status: 'PAID' }]);
    expect((await gateway.patch(`/subscriptions/${id}`, { amount: 5990 }, seller())).body.data.amount).toBe(
      5990,
    );
    await advance(32);
    await untilInvoices(id, [{ amount: 4990 }, { amount: 5990, status: 'PAID' }]);
  });
});

describe('cycles of a boleto and of a Pix', () => {
  it.each(['BOLETO', 'PIX'])('have a %s each, which the payer pays or not', async (method) => {
    const { create, advance, until, untilStatuses, transactionsOf, invoicesOf } = subscriptions;
    const { id } = await create({ method, description: 'Plano' });
    await untilStatuses(id, ['PENDING']);
    await vi.waitFor(async () => expect((await invoicesOf(id))[0].transactionId).not.toBeNull(), SOON);
    const [transaction] = await transactionsOf(id);
    expect(transaction).toMatchObject({ method, amount: 4990, description: 'Plano' });
    await gateway.post(`/sandbox/transactions/${transaction.id}/pay`, {}, seller());
    await untilStatuses(id, ['PAID']);
    await advance(32);
    await untilStatuses(id, ['PAID', 'PENDING']);
    await vi.waitFor(async () => expect((await invoicesOf(id))[1].transactionId).not.toBeNull(), SOON);
    await advance(12);
    await untilStatuses(id, ['PAID', 'FAILED']);
    await until(id, { status: 'PAST_DUE' });
  });

  // Distributed tables have no triggers.
  it.skipIf(isDistributed())('are paid behind any number of changes that cannot be applied', async () => {
    const { create, untilStatuses, transactionsOf } = subscriptions;
    const { id } = await create();
    await vi.waitFor(async () => expect(await transactionsOf(id)).toHaveLength(1), SOON);
    const nobody = '00000000-0000-4000-8000-000000000000';
    await gateway.database.query(`
      CREATE FUNCTION reject_outcome() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''rejected by the test''; END';
      CREATE TRIGGER reject_outcome BEFORE DELETE ON subscription_outcomes FOR EACH ROW
        WHEN (OLD.seller_id = '${nobody}') EXECUTE FUNCTION reject_outcome();
      INSERT INTO subscription_outcomes
        SELECT '${nobody}', gen_random_uuid(), '2020-01-01' FROM generate_series(1, 250)`);
    const [transaction] = await transactionsOf(id);
    await gateway.post(`/sandbox/transactions/${transaction.id}/pay`, {}, seller());
    await untilStatuses(id, ['PAID']);
    await gateway.database.query(`
      DROP TRIGGER reject_outcome ON subscription_outcomes; DROP FUNCTION reject_outcome()`);
    await vi.waitFor(
      async () => expect(await gateway.database.query('SELECT FROM subscription_outcomes')).toEqual([]),
      SOON,
    );
  });

  it('that is canceled cancels its unpaid charges', async () => {
    const { create, act, untilStatuses, transactionsOf, invoicesOf } = subscriptions;
    const { id } = await create();
    await vi.waitFor(async () => expect((await invoicesOf(id))[0]?.transactionId).toBeTruthy(), SOON);
    expect((await act(id, 'cancel')).body.data).toMatchObject({ status: 'CANCELLED', nextChargeDate: null });
    await untilStatuses(id, ['CANCELLED']);
    await vi.waitFor(
      async () => expect(await transactionsOf(id)).toMatchObject([{ status: 'FAILED' }]),
      SOON,
    );
  });
});
