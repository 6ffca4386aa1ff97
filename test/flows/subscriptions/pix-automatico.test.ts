import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';
import { CUSTOMER, subscriptionsOf, type Subscriptions } from './setup.ts';

let gateway: TestGateway;
let as: CallOptions;
let subscriptions: Subscriptions;

beforeAll(async () => {
  gateway = await startTestGateway();
  as = { apiKey: (await newSeller(gateway)).apiKey };
  subscriptions = subscriptionsOf(gateway, as);
});
afterAll(() => gateway.stop());

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

describe('Pix Automático in the sandbox', () => {
  it('is PENDING with a QR code until the payer authorizes it, and then paid on each day', async () => {
    const { createAutomatic, simulate, advance, untilInvoices, until, transactionsOf, today } = subscriptions;
    const created = await createAutomatic({ cycles: 2 });
    const { id, status, pixAutomatico } = created;
    expect(status).toBe('PENDING');
    expect(pixAutomatico).toMatchObject({ status: 'CRIADA', journey: 2 });
    expect(pixAutomatico.idRec).toMatch(/^RR99999999\d{8}[0-9A-Za-z]{11}$/);
    expect(pixAutomatico.qrCode).toContain('br.gov.bcb.pix');
    expect(pixAutomatico.qrCodeBase64).toMatch(/^data:image\/png;base64,/);
    const authorized = await simulate(id, 'authorize');
    expect(authorized.body.data).toMatchObject({ status: 'ACTIVE', pixAutomatico: { status: 'APROVADA' } });
    const dueDate = today(3);
    await untilInvoices(id, [{ number: 1, status: 'SCHEDULED', dueDate, attempts: [] }]);
    await until(id, { nextChargeDate: dueDate });
    await advance(3);
    await untilInvoices(id, [{ status: 'PAID', attempts: [{ status: 'PAID', date: dueDate }] }]);
    expect(await transactionsOf(id)).toMatchObject([{ method: 'PIX', status: 'PAID', amount: 4990 }]);
    await advance(35);
    await until(id, { status: 'COMPLETED' });
    expect((await simulate(id, 'authorize')).status).toBe(422);
  });

  it('collects twelve cycles in one move of the clock', async () => {
    const { createAutomatic, simulate, advance, untilStatuses, until } = subscriptions;
    const { id } = await createAutomatic({ cycles: 12 });
    expect((await simulate(id, 'authorize')).status).toBe(200);
    await advance(370);
    await until(id, { status: 'COMPLETED' });
    await untilStatuses(id, times(12, 'PAID'));
  });

  it('is tried three more times within seven days, by one transaction', async () => {
    const { createAutomatic, simulate, advance, invoicesOf, until, transactionsOf, today } = subscriptions;
    const { id } = await createAutomatic({ onUnpaid: 'PAUSE' });
    const start = today();
    await simulate(id, 'authorize');
    for (const [index, days] of [3, 2, 2, 2].entries()) {
      await simulate(id, 'next-outcome', { outcome: 'INSUFFICIENT_FUNDS' });
      await advance(days);
      await vi.waitFor(
        async () =>
          expect((await invoicesOf(id))[0].attempts).toMatchObject(times(index + 1, { status: 'FAILED' })),
        { timeout: 20_000 },
      );
    }
    await until(id, { status: 'PAUSED' });
    const [invoice] = await invoicesOf(id);
    expect(invoice.status).toBe('FAILED');
    const days = invoice.attempts.map(
      ({ date }: { date: string }) => (Date.parse(date) - Date.parse(start)) / 86_400_000,
    );
    expect(days).toEqual([3, 5, 7, 9]);
    await vi.waitFor(async () => expect(await transactionsOf(id)).toMatchObject([{ status: 'FAILED' }]));
  });

  it('recovers by a retry', async () => {
    const { createAutomatic, simulate, advance, untilInvoices, until } = subscriptions;
    const { id } = await createAutomatic();
    await simulate(id, 'authorize');
    expect((await simulate(id, 'next-outcome', { outcome: 'INSUFFICIENT_FUNDS' })).status).toBe(200);
    await advance(6);
    await untilInvoices(id, [
      { status: 'PAID', attempts: [{ status: 'FAILED', reason: 'insufficient funds' }, { status: 'PAID' }] },
    ]);
    await until(id, { status: 'ACTIVE' });
  });

  it('whose customer is deleted before a retry is CANCELLED with its charge and authorization', async () => {
    const { createAutomatic, simulate, advance, untilInvoices, until, read, transactionsOf } = subscriptions;
    const customer = { ...CUSTOMER, document: '11144477735' };
    const customerId = (await gateway.post('/customers', customer, as)).body.data.id;
    const { id } = await createAutomatic({ customer: undefined, customerId });
    await simulate(id, 'authorize');
    await simulate(id, 'next-outcome', { outcome: 'INSUFFICIENT_FUNDS' });
    await advance(3);
    await untilInvoices(id, [{ attempts: [{ status: 'FAILED' }] }]);
    expect((await gateway.delete(`/customers/${customerId}`, as)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'CANCELLED', nextChargeDate: null });
    await until(id, { pixAutomatico: { status: 'CANCELADA' } });
    await untilInvoices(id, [{ status: 'CANCELLED' }]);
    await vi.waitFor(async () => expect(await transactionsOf(id)).toMatchObject([{ status: 'FAILED' }]), {
      timeout: 20_000,
    });
  });

  it.each(['with', 'without'])(
    'whose payer %s a customer record is erased is CANCELLED at once',
    async (how) => {
      const { createAutomatic, simulate, advance, untilInvoices, until, read, transactionsOf } =
        subscriptions;
      const customer = { ...CUSTOMER, document: '12345678909' };
      const customerId = how === 'with' && (await gateway.post('/customers', customer, as)).body.data.id;
      const { id } = await createAutomatic(
        how === 'with' ? { customer: undefined, customerId } : { customer },
      );
      await simulate(id, 'authorize');
      await simulate(id, 'next-outcome', { outcome: 'INSUFFICIENT_FUNDS' });
      await advance(3);
      await untilInvoices(id, [{ attempts: [{ status: 'FAILED' }] }]);
      const admin = { token: await gateway.adminToken() };
      const { document } = customer;
      expect((await gateway.post('/admin/privacy/erase', { document }, admin)).status).toBe(200);
      expect(await read(id)).toMatchObject({ status: 'CANCELLED', nextChargeDate: null });
      await until(id, { pixAutomatico: { status: 'CANCELADA' } });
      await untilInvoices(id, [{ status: 'CANCELLED' }]);
      const isFailed = async () => expect(await transactionsOf(id)).toMatchObject([{ status: 'FAILED' }]);
      await vi.waitFor(isFailed, { timeout: 20_000 });
      const log = await gateway.get(`/admin/audit-log?recordId=${id}`, admin);
      expect(log.body.data[0]).toMatchObject({
        action: 'subscription.canceled',
        actor: { kind: 'OPERATOR_USER' },
      });
    },
  );

  it('is not retried without a policy, and a manual retry is a new charge two days ahead', async () => {
    const { createAutomatic, simulate, advance, untilInvoices, until, act } = subscriptions;
    const { id, pixAutomatico } = await createAutomatic({ retryPolicy: 'NONE' });
    expect(pixAutomatico.idRec).toMatch(/^RN/);
    await simulate(id, 'authorize');
    await simulate(id, 'next-outcome', { outcome: 'INSUFFICIENT_FUNDS' });
    await advance(3);
    await until(id, { status: 'PAST_DUE' });
    expect((await act(id, 'invoices/1/retry')).status).toBe(200);
    await advance(2);
    await untilInvoices(id, [{ status: 'PAID', attempts: [{ status: 'FAILED' }, { status: 'PAID' }] }]);
    await until(id, { status: 'ACTIVE' });
  });

  it.each([
    ['reject', 'REJECTED', 'REJEITADA'],
    ['authorize', 'ACTIVE', 'APROVADA'],
  ])('follows the payer’s bank: %s', async (what, status, bankStatus) => {
    const { createAutomatic, simulate } = subscriptions;
    const { id } = await createAutomatic({ pixJourney: 1 });
    const { data } = (await simulate(id, what)).body;
    expect(data).toMatchObject({ status, pixAutomatico: { status: bankStatus, journey: 1, qrCode: null } });
  });

  it('that its payer revokes is CANCELLED, and its scheduled charge is never paid', async () => {
    const { createAutomatic, simulate, advance, untilStatuses, read, transactionsOf } = subscriptions;
    const { id } = await createAutomatic();
    await simulate(id, 'authorize');
    await untilStatuses(id, ['SCHEDULED']);
    await vi.waitFor(async () => expect(await transactionsOf(id)).toHaveLength(1));
    expect((await simulate(id, 'revoke')).body.data).toMatchObject({
      status: 'CANCELLED',
      pixAutomatico: { status: 'CANCELADA' },
    });
    await advance(5);
    await untilStatuses(id, ['CANCELLED']);
    await vi.waitFor(async () => expect(await transactionsOf(id)).toMatchObject([{ status: 'FAILED' }]));
    expect((await read(id)).nextChargeDate).toBeNull();
    expect(await simulate(id, 'revoke')).toMatchObject({
      status: 422,
      body: { message: 'Subscription cannot go from CANCELLED to CANCELLED' },
    });
  });

  it('that is paused has its scheduled charge canceled, and the cycle does not count', async () => {
    const { createAutomatic, simulate, act, untilStatuses, read } = subscriptions;
    const { id } = await createAutomatic({ cycles: 3 });
    await simulate(id, 'authorize');
    await untilStatuses(id, ['SCHEDULED']);
    expect((await act(id, 'pause')).body.data).toMatchObject({ status: 'PAUSED', chargedCycles: 0 });
    await untilStatuses(id, ['CANCELLED']);
    expect((await act(id, 'resume')).body.data.status).toBe('ACTIVE');
    expect((await read(id)).nextChargeDate).not.toBeNull();
  });

  it('expires if nobody authorizes it before the first cycle', async () => {
    const { createAutomatic, advance, until } = subscriptions;
    const { id, status } = await createAutomatic();
    expect(status).toBe('PENDING');
    await advance(4);
    await until(id, { status: 'EXPIRED', nextChargeDate: null });
    await until(id, { pixAutomatico: { status: 'EXPIRADA' } });
  });

  it('expires when the bank reports it, and only before it is authorized', async () => {
    const { createAutomatic, simulate } = subscriptions;
    const { id } = await createAutomatic();
    expect((await simulate(id, 'expire')).body.data).toMatchObject({
      status: 'EXPIRED',
      pixAutomatico: { status: 'EXPIRADA' },
    });
    const other = await createAutomatic();
    await simulate(other.id, 'authorize');
    expect(await simulate(other.id, 'expire')).toMatchObject({
      status: 422,
      body: { message: 'Subscription cannot go from ACTIVE to EXPIRED' },
    });
  });

  it('of journey 3 is authorized by a first payment now, which is the first of its cycles', async () => {
    const { createAutomatic, simulate, advance, untilInvoices, until, transactionsOf, today } = subscriptions;
    const { id, pixAutomatico } = await createAutomatic({ pixJourney: 3, cycles: 2 });
    expect(pixAutomatico.qrCode).toContain('49.90');
    expect((await simulate(id, 'authorize')).body.data.status).toBe('ACTIVE');
    await untilInvoices(id, [
      { status: 'PAID', dueDate: today() },
      { status: 'SCHEDULED', dueDate: today(3) },
    ]);
    await advance(3);
    await until(id, { status: 'COMPLETED' });
    expect(await transactionsOf(id)).toMatchObject(times(2, { status: 'PAID' }));
  });

  it('of journey 4 is authorized by the code of the first cycle', async () => {
    const { createAutomatic, simulate, advance, untilInvoices, until, today } = subscriptions;
    const { id } = await createAutomatic({ pixJourney: 4, cycles: 2 });
    await untilInvoices(id, [{ status: 'PENDING', dueDate: today(3) }]);
    expect((await simulate(id, 'authorize')).body.data.status).toBe('ACTIVE');
    await advance(3);
    await untilInvoices(id, [{ status: 'PAID' }]);
    await advance(35);
    await until(id, { status: 'COMPLETED' });
  });
});
