import { randomInt } from 'node:crypto';

import type { Vereda, Body } from '../../sdk/src/index.ts';
import { connect } from './connection.ts';
import { callAsOperator } from './operator.ts';
import { printRecord, say, UsageError, type CommonOptions } from './output.ts';
import { sampleCharge, SAMPLE_CUSTOMER } from './samples.ts';

interface Play {
  readonly vereda: Vereda;
  readonly amount: number;
  readonly options: CommonOptions;
}

type Scenario = (play: Play) => Promise<object>;

export interface TriggerOptions extends CommonOptions {
  readonly amount: number;
}

const charge = ({ vereda, amount }: Play, method: 'PIX' | 'BOLETO' = 'PIX') =>
  vereda.transactions.create(sampleCharge(amount, method));

const card = ({ vereda, amount }: Play, number: string, capture = true) =>
  vereda.transactions.create({
    ...sampleCharge(amount, 'CREDIT_CARD'),
    capture,
    installments: 1,
    card: { number, holderName: 'ANA SOUZA', expirationMonth: 12, expirationYear: 2035, cvv: '123' },
  });

async function paid(play: Play) {
  const { id } = await charge(play);
  return play.vereda.sandbox.payTransaction(id);
}

const AUTHORIZED_CARD = '4111111111111111';
const DECLINED_CARD = '4000000000000002';

async function dispute(play: Play) {
  const { id } = await paid(play);
  await play.vereda.sandbox.openDispute(id);
  return findDisputeOf(play.vereda, id);
}

export async function findDisputeOf(vereda: Vereda, transactionId: string) {
  for await (const dispute of vereda.disputes.list({ take: 50 })) {
    if (dispute.transactionId === transactionId) return dispute;
  }
  throw new Error('the dispute was not found');
}

/** A withdrawal of money that a sample payer has just paid. */
async function withdrawal(play: Play) {
  await paid({ ...play, amount: play.amount * 2 });
  const { name, document } = SAMPLE_CUSTOMER;
  return play.vereda.withdrawals.create({
    amount: play.amount,
    method: 'PIX',
    pixKeyType: 'EMAIL',
    pixKey: 'ana@example.com',
    beneficiaryName: name,
    beneficiaryDocumentType: 'CPF',
    beneficiaryDocumentNumber: document,
  });
}

/** Approved by the operator unless that is automatic, and with its provider. */
async function sentWithdrawal(play: Play) {
  const { id, status } = await withdrawal(play);
  if (status === 'PENDING') await callAsOperator(play.options, `/admin/withdrawals/${id}/approve`, {});
  for (;;) {
    const found = await play.vereda.withdrawals.get(id);
    if (found.status !== 'PENDING' && found.status !== 'APPROVED') return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function subscription({ vereda, amount }: Play, changes: Partial<Body<'createSubscription'>> = {}) {
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

async function activeSubscription(play: Play) {
  const { id } = await subscription(play);
  return play.vereda.sandbox.authorizeSubscription(id);
}

/** What each event plays. The records are of a sample payer. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'transaction.created': (play) => charge(play),
  'transaction.waiting_payment': (play) => charge(play, 'BOLETO'),
  'transaction.processing': async (play) => play.vereda.sandbox.processTransaction((await charge(play)).id),
  'transaction.authorized': (play) => card(play, AUTHORIZED_CARD, false),
  'transaction.captured': async (play) =>
    play.vereda.transactions.capture((await card(play, AUTHORIZED_CARD, false)).id),
  'transaction.voided': async (play) =>
    play.vereda.transactions.void((await card(play, AUTHORIZED_CARD, false)).id),
  'transaction.declined': (play) => card(play, DECLINED_CARD),
  'transaction.paid': paid,
  'transaction.card_paid': (play) => card(play, AUTHORIZED_CARD),
  'transaction.failed': async (play) => play.vereda.sandbox.failTransaction((await charge(play)).id),
  'transaction.refused': async (play) =>
    play.vereda.sandbox.refuseTransaction((await card(play, '4000000000000101')).id),
  'transaction.cancelled': async (play) => play.vereda.transactions.cancel((await charge(play)).id),
  'transaction.refunded': async (play) => play.vereda.transactions.refund((await paid(play)).id),
  'transaction.partially_refunded': async (play) =>
    play.vereda.transactions.refund((await paid(play)).id, { amount: Math.ceil(play.amount / 2) }),
  'transaction.chargedback': async (play) =>
    play.vereda.sandbox.chargebackTransaction((await card(play, AUTHORIZED_CARD)).id),
  'dispute.opened': dispute,
  'dispute.under_review': async (play) => {
    const { id } = await dispute(play);
    return play.vereda.disputes.appeal({ disputeId: id, appealReason: 'The order was delivered.' });
  },
  'withdrawal.created': withdrawal,
  'withdrawal.processing': sentWithdrawal,
  'withdrawal.paid': async (play) => play.vereda.sandbox.payWithdrawal((await sentWithdrawal(play)).id),
  'withdrawal.failed': async (play) => play.vereda.sandbox.failWithdrawal((await sentWithdrawal(play)).id),
  'subscription.created': (play) => subscription(play),
  'subscription.active': activeSubscription,
  'subscription.rejected': async (play) =>
    play.vereda.sandbox.rejectSubscription((await subscription(play)).id),
  'subscription.paused': async (play) => play.vereda.subscriptions.pause((await activeSubscription(play)).id),
  'subscription.resumed': async (play) => {
    const { id } = await activeSubscription(play);
    await play.vereda.subscriptions.pause(id);
    return play.vereda.subscriptions.resume(id);
  },
  'subscription.cancelled': async (play) =>
    play.vereda.subscriptions.cancel((await activeSubscription(play)).id),
  'subscription.revoked': async (play) =>
    play.vereda.sandbox.revokeSubscription((await activeSubscription(play)).id),
  'subscription_invoice.created': (play) =>
    subscription(play, { method: 'PIX', startDate: new Date().toISOString().slice(0, 10) }),
  ping: async ({ vereda }) => {
    const tested: object[] = [];
    for await (const { id } of vereda.webhooks.list()) tested.push(await vereda.webhooks.test(id));
    if (tested.length === 0) throw new Error('there is no webhook to test');
    return tested;
  },
};

/** The names of events in payloads, and the scenario that each plays. */
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

/** Plays an event in the sandbox and prints the record that it is about. */
export async function trigger(event: string | undefined, options: TriggerOptions): Promise<void> {
  if (event === undefined) {
    if (options.json === true) printRecord(eventNames(), options);
    else for (const name of eventNames()) say(name);
    return;
  }
  const name = SCENARIO_OF_EVENT[event.toUpperCase()] ?? event.toLowerCase();
  const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (scenario === undefined) throw new UsageError(`unknown event ${event}; vereda trigger lists all events`);
  const vereda = await connect(options);
  printRecord(await scenario({ vereda, amount: options.amount + randomInt(100), options }), options);
}
