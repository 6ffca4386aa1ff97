import { randomUUID } from 'node:crypto';

import { expect, vi } from 'vitest';

import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { SOON, type Scenario, type Stage } from './stage.ts';

const CUSTOMER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
};
const CARD = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2049,
};
/** Longer than the lease of a dead process. */
const LEASE_SECONDS = 61;

async function now(stage: Stage): Promise<Date> {
  const [row] = await stage.query<{ offset: number }>('SELECT offset_ms::float8 AS offset FROM domain_clock');
  return new Date(Date.now() + (row?.offset ?? 0));
}

/**
 * A card subscription that is charged today: one invoice, one transaction, one payment in the
 * statement.
 */
const cycle: Scenario = async (stage) => {
  const token = await stage.client.post('/card-tokens', CARD);
  const body = {
    customer: CUSTOMER,
    amount: 4990,
    method: 'CREDIT_CARD',
    interval: 'MONTHLY',
    startDate: saoPauloDate(await now(stage)),
    cardTokenId: token.body.data.token,
  };
  const created = stage.client.post('/subscriptions', body, { idempotencyKey: randomUUID() });
  stage.lost(created);
  const id = await vi.waitFor(async () => {
    const rows = await stage.query<{ id: string }>('SELECT id FROM subscriptions ORDER BY id DESC LIMIT 1');
    const made = await created.catch(() => undefined);
    const found = made?.body?.data?.id ?? rows[0]?.id;
    if (found === undefined) throw new Error('no subscription');
    return String(found);
  }, SOON);
  return async () => {
    await stage.advance(LEASE_SECONDS);
    await vi.waitFor(async () => {
      expect(await stage.read(`/subscriptions/${id}/invoices`)).toMatchObject([
        { number: 1, status: 'PAID' },
      ]);
    }, SOON);
    const [invoice] = await stage.read(`/subscriptions/${id}/invoices`);
    const transactions = await stage.read(`/transactions?subscriptionId=${id}`);
    expect(transactions).toMatchObject([{ id: invoice.transactionId, status: 'PAID' }]);
    expect(await stage.causesOf(invoice.transactionId)).toEqual(['PAYMENT', 'PAYMENT_FEE']);
    expect((await stage.client.post(`/subscriptions/${id}/cancel`)).status).toBe(200);
  };
};

/** The authorization of a canceled subscription is ended at the bank. */
const ended: Scenario = async (stage) => {
  const startDate = addDays(saoPauloDate(await now(stage)), 5);
  const automatic = {
    customer: CUSTOMER,
    amount: 4990,
    method: 'PIX_AUTOMATICO',
    interval: 'MONTHLY',
    startDate,
  };
  const made = await stage.client.post('/subscriptions', automatic, { idempotencyKey: randomUUID() });
  const { id } = made.body.data;
  expect((await stage.client.post(`/sandbox/subscriptions/${id}/authorize`)).status).toBe(200);
  stage.lost(stage.client.post(`/subscriptions/${id}/cancel`));
  return async () => {
    await stage.advance(LEASE_SECONDS);
    await stage.until(`/subscriptions/${id}`, {
      status: 'CANCELLED',
      pixAutomatico: { status: 'CANCELADA' },
    });
  };
};

export const SUBSCRIPTIONS = {
  'pix-authorizations.leased': ended,
  'pix-authorizations.called': ended,
  'pix-authorizations.recorded': ended,
  'subscriptions.opened': cycle,
  'subscription-charges.leased': cycle,
  'subscription-charges.called': cycle,
  'subscription-charges.recorded': cycle,
  'subscriptions.outcome-applied': cycle,
} satisfies Record<string, Scenario>;
