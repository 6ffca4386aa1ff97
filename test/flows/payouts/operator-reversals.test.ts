import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, PROMPTLY, type Operator } from '#test/support/operator.ts';
import type { ProviderEvent } from '#payments/provider-events/handler.ts';
import { createEventReporter, paymentOf, type EventReporter } from '#test/support/provider-events.ts';
import { newSeller } from '#test/support/sellers.ts';

let gateway: TestGateway;
let operator: Operator;
let reporter: EventReporter;
beforeAll(async () => {
  gateway = await startTestGateway();
  operator = await operatorOf(gateway);
  reporter = createEventReporter(gateway);
});
afterAll(async () => {
  await reporter.close();
  await gateway.stop();
});

const charge = async (): Promise<string> => String((await gateway.charge()).body.data.id);

describe('the operator’s lists', () => {
  it('of reversals are newest first, filtered, and read completely with cursors', async () => {
    const { id: sellerId, apiKey } = await newSeller(gateway);
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const created = await gateway.charge({ method: index === 0 ? 'BOLETO' : 'PIX' }, { apiKey });
      const id = String(created.body.data.id);
      await gateway.post(`/sandbox/transactions/${id}/fail`, undefined, { apiKey });
      await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey });
      made.unshift(id);
    }
    const list = (query: string) => operator.read(`/admin/reversals?sellerId=${sellerId}${query}`);
    await vi.waitFor(async () => expect((await list('&status=PENDING')).count).toBe(0), PROMPTLY);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`&take=2${cursor}`);
      expect(page.count).toBe(5);
      seen.push(...page.data.map((one: { transactionId: string }) => one.transactionId));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(made);
    expect((await list('&status=MANUAL')).data).toMatchObject([{ transactionId: made[4], method: 'BOLETO' }]);
    expect((await list('&status=SENT')).count).toBe(4);
    expect((await list('&startDate=2000-01-01&endDate=2001-01-01')).count).toBe(0);
    expect((await list('&startDate=2001-01-01')).count).toBe(5);
    expect((await list('&skip=4&take=1')).data).toMatchObject([{ transactionId: made[4] }]);
    const query = '?status=X&sellerId=1&startDate=soon';
    const wrong = await gateway.get(`/admin/reversals${query}`, { token: operator.token });
    expect(wrong.body.message).toEqual([
      'status must be one of the following values: PENDING, SENT, MANUAL',
      'sellerId must be a UUID',
      'startDate must be a valid ISO 8601 date string',
    ]);
  });

  it('of provider events are newest first, filtered, and read completely with cursors', async () => {
    const provider = `bank ${randomUUID()}`;
    const id = await charge();
    const reportEvent = (changes: Partial<ProviderEvent> = {}) =>
      reporter.report(paymentOf(gateway, id, { provider, ...changes }));
    await reportEvent({ event: { kind: 'PAYMENT', amount: 7, paidAt: new Date() } });
    await reportEvent({ event: { kind: 'PROCESSING' } });
    await reportEvent();
    await reportEvent({ event: { kind: 'FAILURE', reason: 'failed at the provider' } });
    await reportEvent();
    await reportEvent({ transactionId: randomUUID() });
    const list = (query = '') =>
      operator.read(`/admin/provider-events?provider=${encodeURIComponent(provider)}${query}`);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(`&take=4${cursor}`);
      expect(page.count).toBe(6);
      seen.push(...page.data.map((one: { outcome: string }) => one.outcome));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen.toSorted()).toEqual(
      ['UNMATCHED', 'DUPLICATE', 'REJECTED', 'APPLIED', 'APPLIED', 'WRONG_AMOUNT'].toSorted(),
    );
    expect((await list(`&recordId=${id}`)).count).toBe(5);
    expect((await list(`&sellerId=${gateway.demo.seller.id}&outcome=APPLIED`)).count).toBe(2);
    expect((await list('&outcome=REJECTED')).data).toMatchObject([{ kind: 'FAILURE', amount: null }]);
    expect((await list('&endDate=2001-01-01')).count).toBe(0);
    // The provider is not configured here, so the reversal requires manual action.
    await vi.waitFor(async () => {
      const found = await operator.reversalsOf(id);
      expect(found.map((one: { status: string }) => one.status)).toEqual(['MANUAL', 'MANUAL']);
    }, PROMPTLY);
  });

  it.each([
    ['of an unknown charge', { transactionId: randomUUID() }],
    ['of an unknown seller', { sellerId: randomUUID() }],
    ['with malformed ids', { sellerId: 'shop 7', transactionId: 'order 12' }],
  ])('contain an unmatched event %s, once', async (_, claimed) => {
    const claimedEvent = paymentOf(gateway, await charge(), claimed);
    const results = await Promise.all(Array.from({ length: 5 }, () => reporter.report(claimedEvent)));
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['unknown']));
    const unmatched = await operator.read('/admin/provider-events?outcome=UNMATCHED&take=100');
    const found = unmatched.data.filter((one: { reportId: string }) => one.reportId === claimedEvent.eventId);
    expect(found).toMatchObject([
      {
        outcome: 'UNMATCHED',
        provider: 'sandbox',
        kind: 'PAYMENT',
        amount: 1500,
        sellerId: claimedEvent.sellerId,
        recordId: claimedEvent.transactionId,
        detail: 'no such record',
      },
    ]);
  });
});
