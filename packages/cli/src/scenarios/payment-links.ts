import { randomUUID } from 'node:crypto';

import { findConnection, sendJson } from '../connection.ts';
import { advanceClock } from '../operator.ts';
import { SAMPLE_CUSTOMER } from '../samples.ts';
import { readClock, until, type Context, type Scenario } from './context.ts';

const HOUR_SECONDS = 3_600;

const link = ({ vereda, amount }: Context, changes: { maxPayments?: number; expiresAt?: string } = {}) =>
  vereda.paymentLinks.create({ title: 'Sample', amount, methods: ['PIX'], ...changes });

async function inactive(context: Context) {
  const { id } = await link(context);
  return context.vereda.paymentLinks.update(id, { status: 'INACTIVE' });
}

async function expired(context: Context) {
  const now = Date.parse(await readClock(context));
  const { id } = await link(context, { expiresAt: new Date(now + HOUR_SECONDS * 1000).toISOString() });
  await advanceClock(context.options, HOUR_SECONDS + 1);
  return until(
    () => context.vereda.paymentLinks.get(id),
    ({ status }) => status === 'EXPIRED',
  );
}

/** Paid by a sample payer as often as it can be. */
async function completed(context: Context) {
  const { vereda, options } = context;
  const { id, code } = await link(context, { maxPayments: 1 });
  const { baseUrl } = await findConnection(options);
  await sendJson(
    `${baseUrl}/v1/public/payment-links/${code}/payments`,
    { method: 'PIX', customer: SAMPLE_CUSTOMER },
    { 'idempotency-key': randomUUID() },
  );
  for await (const transaction of vereda.transactions.list({ paymentLinkId: id }))
    await vereda.sandbox.payTransaction(transaction.id);
  return vereda.paymentLinks.get(id);
}

export const PAYMENT_LINKS = {
  'payment_link.created': (context) => link(context),
  'payment_link.inactive': inactive,
  'payment_link.expired': expired,
  'payment_link.completed': completed,
} as const satisfies Readonly<Record<string, Scenario>>;
