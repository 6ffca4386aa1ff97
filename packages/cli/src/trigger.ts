import { randomInt } from 'node:crypto';

import type { Vereda, Body } from '../../sdk/src/index.ts';
import { connect } from './connection.ts';
import { callAsOperator } from './operator.ts';
import { printRecord, say, UsageError, type CommonOptions } from './output.ts';
import { sampleCharge, SAMPLE_CUSTOMER } from './samples.ts';

interface Context {
  readonly vereda: Vereda;
  readonly amount: number;
  readonly options: CommonOptions;
}

type Scenario = (context: Context) => Promise<object>;

export interface TriggerOptions extends CommonOptions {
  readonly amount: number;
}

const charge = ({ vereda, amount }: Context, method: 'PIX' | 'BOLETO' = 'PIX') =>
  vereda.transactions.create(sampleCharge(amount, method));

const card = ({ vereda, amount }: Context, number: string, capture = true) =>
  vereda.transactions.create({
    ...sampleCharge(amount, 'CREDIT_CARD'),
    capture,
    installments: 1,
    card: { number, holderName: 'ANA SOUZA', expirationMonth: 12, expirationYear: 2035, cvv: '123' },
  });

async function paid(context: Context) {
  const { id } = await charge(context);
  return context.vereda.sandbox.payTransaction(id);
}

const AUTHORIZED_CARD = '4111111111111111';
const DECLINED_CARD = '4000000000000002';

async function dispute(context: Context) {
  const { id } = await paid(context);
  await context.vereda.sandbox.openDispute(id);
  return findDisputeOf(context.vereda, id);
}

export async function findDisputeOf(vereda: Vereda, transactionId: string) {
  for await (const dispute of vereda.disputes.list({ take: 50 })) {
    if (dispute.transactionId === transactionId) return dispute;
  }
  throw new Error('dispute not found');
}

/** A withdrawal of money that a sample payer has just paid. */
async function withdrawal(context: Context) {
  await paid({ ...context, amount: context.amount * 2 });
  const { name, document } = SAMPLE_CUSTOMER;
  return context.vereda.withdrawals.create({
    amount: context.amount,
    method: 'PIX',
    pixKeyType: 'EMAIL',
    pixKey: 'ana@example.com',
    beneficiaryName: name,
    beneficiaryDocumentType: 'CPF',
    beneficiaryDocumentNumber: document,
  });
}

/** Approved by the operator unless that is automatic, and with its provider. */
async function sentWithdrawal(context: Context) {
  const { id, status } = await withdrawal(context);
  if (status === 'PENDING') await callAsOperator(context.options, `/admin/withdrawals/${id}/approve`, {});
  for (;;) {
    const found = await context.vereda.withdrawals.get(id);
    if (found.status !== 'PENDING' && found.status !== 'APPROVED') return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function subscription({ vereda, amount }: Context, changes: Partial<Body<'createSubscription'>> = {}) {
  return vereda.subscriptions.create({
    amount,
    interval: 'MONTHLY',
    method: 'PIX_AUTOMATICO',
    customer: SAMPLE_CUSTOMER,
    // Banks need a few days between the authorization and the first debit.
    startDate: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10),
    ...changes,
  });
}

async function activeSubscription(context: Context) {
  const { id } = await subscription(context);
  return context.vereda.sandbox.authorizeSubscription(id);
}

/** The scenario of each event. The records are of a sample payer. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'transaction.created': (context) => charge(context),
  'transaction.waiting_payment': (context) => charge(context, 'BOLETO'),
  'transaction.processing': async (context) =>
    context.vereda.sandbox.processTransaction((await charge(context)).id),
  'transaction.authorized': (context) => card(context, AUTHORIZED_CARD, false),
  'transaction.captured': async (context) =>
    context.vereda.transactions.capture((await card(context, AUTHORIZED_CARD, false)).id),
  'transaction.voided': async (context) =>
    context.vereda.transactions.void((await card(context, AUTHORIZED_CARD, false)).id),
  'transaction.declined': (context) => card(context, DECLINED_CARD),
  'transaction.paid': paid,
  'transaction.card_paid': (context) => card(context, AUTHORIZED_CARD),
  'transaction.failed': async (context) => context.vereda.sandbox.failTransaction((await charge(context)).id),
  'transaction.refused': async (context) =>
    context.vereda.sandbox.refuseTransaction((await card(context, '4000000000000101')).id),
  'transaction.cancelled': async (context) => context.vereda.transactions.cancel((await charge(context)).id),
  'transaction.refunded': async (context) => context.vereda.transactions.refund((await paid(context)).id),
  'transaction.partially_refunded': async (context) =>
    context.vereda.transactions.refund((await paid(context)).id, { amount: Math.ceil(context.amount / 2) }),
  'transaction.chargedback': async (context) =>
    context.vereda.sandbox.chargebackTransaction((await card(context, AUTHORIZED_CARD)).id),
  'dispute.opened': dispute,
  'dispute.under_review': async (context) => {
    const { id } = await dispute(context);
    return context.vereda.disputes.appeal({ disputeId: id, appealReason: 'The order was delivered.' });
  },
  'withdrawal.created': withdrawal,
  'withdrawal.processing': sentWithdrawal,
  'withdrawal.paid': async (context) =>
    context.vereda.sandbox.payWithdrawal((await sentWithdrawal(context)).id),
  'withdrawal.failed': async (context) =>
    context.vereda.sandbox.failWithdrawal((await sentWithdrawal(context)).id),
  'subscription.created': (context) => subscription(context),
  'subscription.active': activeSubscription,
  'subscription.rejected': async (context) =>
    context.vereda.sandbox.rejectSubscription((await subscription(context)).id),
  'subscription.paused': async (context) =>
    context.vereda.subscriptions.pause((await activeSubscription(context)).id),
  'subscription.resumed': async (context) => {
    const { id } = await activeSubscription(context);
    await context.vereda.subscriptions.pause(id);
    return context.vereda.subscriptions.resume(id);
  },
  'subscription.cancelled': async (context) =>
    context.vereda.subscriptions.cancel((await activeSubscription(context)).id),
  'subscription.revoked': async (context) =>
    context.vereda.sandbox.revokeSubscription((await activeSubscription(context)).id),
  'subscription_invoice.created': (context) =>
    subscription(context, { method: 'PIX', startDate: new Date().toISOString().slice(0, 10) }),
  ping: async ({ vereda }) => {
    const tested: object[] = [];
    for await (const { id } of vereda.webhooks.list()) tested.push(await vereda.webhooks.test(id));
    if (tested.length === 0) throw new Error('the seller has no webhooks to test');
    return tested;
  },
};

/** The names of events in payloads, and the scenario that simulates each. */
const SCENARIO_OF_EVENT: Readonly<Record<string, string>> = {
  TRANSACTION_UPDATED: 'transaction.paid',
  WITHDRAWAL_UPDATED: 'withdrawal.created',
  DISPUTE_UPDATED: 'dispute.opened',
  SUBSCRIPTION_UPDATED: 'subscription.active',
  SUBSCRIPTION_INVOICE_UPDATED: 'subscription_invoice.created',
  PING: 'ping',
};

export const eventNames = (): readonly string[] => [
  ...Object.keys(SCENARIO_OF_EVENT),
  ...Object.keys(SCENARIOS).filter((name) => name !== 'ping'),
];

/** Simulates an event in the sandbox and prints the record that it is about. */
export async function trigger(event: string | undefined, options: TriggerOptions): Promise<void> {
  if (event === undefined) {
    if (options.json === true) printRecord(eventNames(), options);
    else for (const name of eventNames()) say(name);
    return;
  }
  const name = SCENARIO_OF_EVENT[event.toUpperCase()] ?? event.toLowerCase();
  const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (scenario === undefined)
    throw new UsageError(`unknown event ${event}: run vereda trigger to list all events`);
  const vereda = await connect(options);
  printRecord(await scenario({ vereda, amount: options.amount + randomInt(100), options }), options);
}
