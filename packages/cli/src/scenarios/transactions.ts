import type { Body } from '../../../sdk/src/index.ts';
import { callAsOperator } from '../operator.ts';
import { sampleCharge } from '../samples.ts';
import {
  AUTHORIZED_CARD,
  DECLINED_CARD,
  PENDING_CARD,
  sampleCard,
  until,
  type Context,
  type Scenario,
} from './context.ts';

const charge = (
  { vereda, amount }: Context,
  method: 'PIX' | 'BOLETO' = 'PIX',
  changes: Partial<Body<'createTransaction'>> = {},
) => vereda.transactions.create({ ...sampleCharge(amount, method), ...changes });

const card = ({ vereda, amount }: Context, number: string, capture = true) =>
  vereda.transactions.create({
    ...sampleCharge(amount, 'CREDIT_CARD'),
    capture,
    installments: 1,
    card: sampleCard(number),
  });

export const cardPaid = (context: Context) => card(context, AUTHORIZED_CARD);

export async function paid(context: Context, method: 'PIX' | 'BOLETO' = 'PIX') {
  const { id } = await charge(context, method);
  return context.vereda.sandbox.payTransaction(id);
}

/** Refunded in full. Another payment covers the fee, which is not refunded. */
async function refunded(context: Context) {
  const { id } = await paid(context);
  await paid(context);
  return context.vereda.transactions.refund(id);
}

async function expired(context: Context, method: 'PIX' | 'BOLETO') {
  const { id } = await charge(context, method, { expiration: 1 });
  return until(
    () => context.vereda.transactions.get(id),
    ({ status }) => status === 'FAILED',
  );
}

/** A transaction that waits for a review, because a risk rule for this amount exists meanwhile. */
async function inReview(context: Context) {
  const { amount, options } = context;
  const when = { amountAbove: amount - 1, amountBelow: amount + 1, methods: ['PIX'] };
  const rule = { name: 'vereda trigger', when, action: 'REVIEW', position: 1 };
  const { id } = await callAsOperator<{ readonly id: string }>(options, '/admin/risk-rules', rule);
  try {
    return await charge(context);
  } finally {
    await callAsOperator(options, `/admin/risk-rules/${id}`, {}, 'DELETE');
  }
}

/** Decides the review as the operator. */
async function reviewed(context: Context, decision: 'APPROVE' | 'REFUSE') {
  const { id } = await inReview(context);
  await callAsOperator(context.options, `/admin/transactions/${id}/review`, { decision });
  return context.vereda.transactions.get(id);
}

export const TRANSACTIONS = {
  'transaction.created': (context) => charge(context),
  'transaction.in_review': inReview,
  'transaction.review_approved': (context) => reviewed(context, 'APPROVE'),
  'transaction.review_refused': (context) => reviewed(context, 'REFUSE'),
  'transaction.waiting_payment': (context) => charge(context, 'BOLETO'),
  'transaction.processing': async (context) =>
    context.vereda.sandbox.processTransaction((await charge(context)).id),
  'transaction.authorized': (context) => card(context, AUTHORIZED_CARD, false),
  'transaction.captured': async (context) =>
    context.vereda.transactions.capture((await card(context, AUTHORIZED_CARD, false)).id),
  'transaction.voided': async (context) =>
    context.vereda.transactions.void((await card(context, AUTHORIZED_CARD, false)).id),
  'transaction.declined': (context) => card(context, DECLINED_CARD),
  'transaction.paid': (context) => paid(context),
  'transaction.boleto_paid': (context) => paid(context, 'BOLETO'),
  'transaction.card_paid': cardPaid,
  'transaction.failed': async (context) => context.vereda.sandbox.failTransaction((await charge(context)).id),
  'transaction.expired': (context) => expired(context, 'PIX'),
  'transaction.boleto_expired': (context) => expired(context, 'BOLETO'),
  'transaction.refused': async (context) =>
    context.vereda.sandbox.refuseTransaction((await card(context, PENDING_CARD)).id),
  'transaction.cancelled': async (context) => context.vereda.transactions.cancel((await charge(context)).id),
  'transaction.refunded': refunded,
  'transaction.partially_refunded': async (context) =>
    context.vereda.transactions.refund((await paid(context)).id, { amount: Math.ceil(context.amount / 2) }),
  'transaction.chargedback': async (context) =>
    context.vereda.sandbox.chargebackTransaction((await cardPaid(context)).id),
  'transaction.disputed': async (context) => context.vereda.sandbox.openDispute((await paid(context)).id),
} as const satisfies Readonly<Record<string, Scenario>>;
