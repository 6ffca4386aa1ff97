import { endOfBankDay } from '#test/model/calendar.ts';
import { decideLine, importLine, shipFiles } from './bank-lines.ts';
import {
  feeOf,
  MESSAGES,
  refuse,
  shown,
  type Command,
  type Outcome,
  type ObservedTimes,
} from './commands.ts';
import { chargebackFee, decideDispute, openDispute } from '#test/model/disputes.ts';
import { erasePayer } from './erasure.ts';
import { isOverdue, payment, receivePayment } from './payments.ts';
import { decideWithdrawal, withdraw } from '#test/model/payouts.ts';
import {
  book,
  originOf,
  sumOf,
  takeLatest,
  withCharge,
  type Charge,
  type Method,
  type Rule,
  type State,
  type Terms,
} from '#test/model/state.ts';

/**
 * The money rules, written from the specification and not from the code: pure functions over
 * immutable states, without versions, batches or locks. Commands return answers; work due by time
 * has none.
 */

const DAY = 86_400_000;
const PIX_REFUND_DAYS = 90;

export function step(state: State, command: Command, observed: ObservedTimes = {}): Outcome {
  switch (command.kind) {
    case 'tick':
      return { state: { ...state, now: command.to }, responses: [''] };
    case 'terms':
      return { state: { ...state, terms: command.terms }, responses: [''] };
    case 'ship':
      return shipFiles(state, command.withdrawals);
    case 'create':
      return create(state, command, observed);
    case 'appeal':
    case 'resolve':
      return decideDispute(state, command);
    case 'withdraw':
      return withdraw(state, command);
    case 'boletoLine':
    case 'payoutLine':
      return importLine(state, command);
    case 'decide':
      return decideLine(state, command);
    case 'erase':
      return erasePayer(state, command.charge);
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut':
      return decideWithdrawal(state, command.withdrawal, command.kind);
    case 'pay':
    case 'fail':
    case 'refuse':
    case 'processing':
    case 'cancel':
    case 'void':
    case 'chargeback':
    case 'capture':
    case 'refund':
    case 'dispute': {
      const charge = state.charges[command.charge];
      if (charge === undefined) throw new Error(`no such record in the model: ${command.charge}`);
      return onCharge(state, charge, command, observed);
    }
  }
}

const cannot = (state: State, { status }: Charge, to: string): Outcome =>
  refuse(state, `422 Transaction cannot go from ${status} to ${to}`);

function ruleOf(method: Method, installments: number, terms: Terms): Rule {
  if (method === 'PIX') return terms.pixIn;
  if (method === 'BOLETO') return terms.boleto;
  return { type: terms.card.type, value: terms.card.values[installments - 1] ?? 0 };
}

function create(
  state: State,
  command: Extract<Command, { kind: 'create' }>,
  observed: ObservedTimes,
): Outcome {
  const { method, amount, installments } = command;
  // The fee of the creation counts, whatever the operator changes before the payment.
  const rule = ruleOf(method, installments, state.terms);
  const fee = feeOf(amount, rule);
  if (fee === undefined) return refuse(state, MESSAGES.fee);
  const at = observed.createdAt ?? state.now;
  const created: Charge = {
    method,
    status: method === 'BOLETO' ? 'WAITING_PAYMENT' : 'PENDING',
    amount,
    fee,
    rule,
    installments,
    refunded: 0,
    createdAt: at,
    expiresAt: expiryOf(command, at),
    paidAt: null,
    retained: [],
    held: [],
    returned: [],
    isPayerErased: false,
    boleto: method === 'BOLETO' ? { registration: 'PENDING', stage: 'TO_SHIP' } : null,
  };
  const after = (charge: Charge, next = state): Outcome => ({
    state: withCharge(next, command.charge, charge),
    responses: [shown(201, charge)],
  });
  if (method !== 'CREDIT_CARD') return after(created);
  if (command.declined) return after({ ...created, status: 'FAILED' });
  if (!command.capture) return after({ ...created, status: 'AUTHORIZED', expiresAt: at + 5 * DAY });
  const paid = payment(state, command.charge, created, at);
  return { ...paid, responses: paid.responses.map((response) => response.replace(/^200/, '201')) };
}

function expiryOf(
  { method, expiration }: Extract<Command, { kind: 'create' }>,
  createdAt: number,
): number | null {
  const due = createdAt + expiration * 1_000;
  if (method === 'CREDIT_CARD') return null;
  // A boleto that expires within a day expires to the second, as a Pix charge does.
  return method === 'BOLETO' && expiration * 1_000 >= DAY ? endOfBankDay(due) : due;
}

const ALLOWED_FROM: Readonly<Record<string, readonly string[]>> = {
  fail: ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'],
  cancel: ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'],
  refuse: ['PENDING', 'PROCESSING'],
  processing: ['PENDING', 'WAITING_PAYMENT'],
  void: ['AUTHORIZED'],
  capture: ['AUTHORIZED'],
};
const TARGETS: Readonly<Record<string, string>> = {
  fail: 'FAILED',
  cancel: 'FAILED',
  refuse: 'REFUSED',
  processing: 'PROCESSING',
  void: 'FAILED',
  capture: 'PAID',
  refund: 'REFUNDED',
  chargeback: 'CHARGEDBACK',
  dispute: 'DISPUTE',
};

type OnCharge = Exclude<
  Extract<Command, { readonly charge: string }>,
  { readonly kind: 'create' | 'erase' | 'boletoLine' }
>;

function onCharge(state: State, charge: Charge, command: OnCharge, observed: ObservedTimes): Outcome {
  const { kind, charge: name } = command;
  const target = TARGETS[kind] ?? '';
  const possible = ALLOWED_FROM[kind] ?? ['PAID'];
  if (command.kind === 'pay') return pay(state, name, charge, observed.paidAt ?? state.now);
  if (!possible.includes(charge.status)) return cannot(state, charge, target);
  switch (command.kind) {
    case 'capture': {
      // An expired authorization counts as FAILED even before the worker has updated it.
      if (isOverdue(charge, state.now)) return refuse(state, '422 Transaction cannot go from FAILED to PAID');
      const amount = command.amount ?? charge.amount;
      const fee = amount === charge.amount ? charge.fee : feeOf(amount, charge.rule);
      if (amount > charge.amount || fee === undefined) return refuse(state, MESSAGES.capture);
      return payment(state, name, { ...charge, amount, fee }, observed.paidAt ?? state.now);
    }
    case 'refund':
      return refund(state, name, charge, command.amount);
    case 'chargeback': {
      const { state: returned, charge: rest } = returnPayment(
        state,
        name,
        charge,
        charge.amount - charge.refunded,
        'CHARGEBACK',
      );
      const ended = { ...rest, status: target };
      const after = withCharge(chargebackFee(returned, name, charge), name, ended);
      return { state: after, responses: [shown(200, ended)] };
    }
    case 'dispute':
      return openDispute(state, name, charge, command.dispute, command.amount, observed);
    case 'fail':
    case 'refuse':
    case 'processing':
    case 'cancel':
    case 'void': {
      const moved = { ...charge, status: target };
      return { state: withCharge(state, name, moved), responses: [shown(200, moved)] };
    }
  }
}

/**
 * Returns money to the payer: from the retained part of the payment first, then from the available
 * balance.
 */
function returnPayment(state: State, name: string, charge: Charge, amount: number, cause: string) {
  const { taken, left } = takeLatest(charge.retained, amount);
  const retained = sumOf(taken);
  const common = { origin: originOf(charge.method), record: name, cause, to: 'provider' };
  const booked = book(state, [
    { ...common, from: 'retained', amount: retained },
    { ...common, from: 'available', amount: amount - retained },
  ]);
  const rest = { ...charge, retained: left };
  return { state: withCharge(booked, name, rest), charge: rest, fromAvailable: amount - retained };
}

/** A payment of the whole amount that the payer makes now. */
function pay(state: State, name: string, charge: Charge, paidAt: number): Outcome {
  const received = receivePayment(state, name, { amount: charge.amount, madeAt: state.now, paidAt });
  switch (received.kind) {
    case 'paid':
      return received.outcome;
    case 'late':
      return { state: received.state, responses: [shown(200, charge)] };
    case 'second':
    case 'wrong-amount':
      return { ...cannot(state, charge, 'PAID'), state: received.state };
  }
}

function refund(state: State, name: string, charge: Charge, requested: number | null): Outcome {
  const amount = requested ?? charge.amount - charge.refunded;
  const back = returnPayment(state, name, charge, amount, 'REFUND');
  const floor = -(charge.fee + state.terms.negativeBalanceUpTo);
  const { available } = back.state.wallets[originOf(charge.method)];
  const age = state.now - (charge.paidAt ?? state.now);
  const broken = [
    ...(charge.refunded + amount > charge.amount ? [MESSAGES.refund] : []),
    ...(back.fromAvailable > 0 && available < floor ? [MESSAGES.balance] : []),
    ...(charge.method === 'PIX' && age > PIX_REFUND_DAYS * DAY ? [MESSAGES.late] : []),
  ];
  if (broken.length > 0) return refuse(state, ...broken);
  const refunded = charge.refunded + amount;
  const after = { ...back.charge, refunded, status: refunded === charge.amount ? 'REFUNDED' : 'PAID' };
  return { state: withCharge(back.state, name, after), responses: [shown(200, after)] };
}
