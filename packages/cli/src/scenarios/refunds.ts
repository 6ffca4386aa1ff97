import { sampleCharge, SAMPLE_CUSTOMER } from '../samples.ts';
import type { Context, Scenario } from './context.ts';

/** The bank of this payer does not respond to a refund at once. */
const SLOW_CUSTOMER = { ...SAMPLE_CUSTOMER, email: 'ana@banco-lento.example' };

/** The refund of half of a payment by Pix: the rest covers its fee, which is not refunded. */
async function pending({ vereda, amount }: Context) {
  const { id } = await vereda.transactions.create({ ...sampleCharge(amount), customer: SLOW_CUSTOMER });
  await vereda.sandbox.payTransaction(id);
  await vereda.transactions.refund(id, { amount: Math.ceil(amount / 2) });
  const [refund] = (await vereda.transactions.timeline(id)).refunds;
  if (refund === undefined) throw new Error('refund not found');
  return refund;
}

export const REFUNDS = {
  'refund.pending': pending,
  'refund.done': async (context) => context.vereda.sandbox.completeRefund((await pending(context)).id),
  'refund.failed': async (context) => context.vereda.sandbox.failRefund((await pending(context)).id),
} as const satisfies Readonly<Record<string, Scenario>>;
