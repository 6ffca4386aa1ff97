import { bankDaysLater, endOfBankDay } from '#test/model/calendar.ts';
import {
  book,
  originOf,
  sumOf,
  takeLatest,
  tidy,
  withCharge,
  withDispute,
  withWithdrawal,
  type Charge,
  type Method,
  type Move,
  type Origin,
  type Piece,
  type Rule,
  type State,
  type Terms,
} from '#test/model/state.ts';

/**
 * The rules of money, written from the contract and not from the code: plain arithmetic over plain states, with no
 * versions, batches or locks. What somebody asks gives an answer; what is due by time happens by itself.
 */

const DAY = 86_400_000;
const PIX_REFUND_DAYS = 90;

export type Asked =
  | {
      readonly kind: 'create';
      readonly charge: string;
      readonly method: Method;
      readonly amount: number;
      readonly installments: number;
      readonly capture: boolean;
      readonly declined: boolean;
      readonly expiration: number;
    }
  | {
      readonly kind: 'pay' | 'fail' | 'refuse' | 'processing' | 'cancel' | 'void' | 'chargeback';
      readonly charge: string;
    }
  | { readonly kind: 'capture' | 'refund'; readonly charge: string; readonly amount: number | null }
  | {
      readonly kind: 'dispute';
      readonly charge: string;
      readonly dispute: string;
      readonly amount: number | null;
    }
  | { readonly kind: 'appeal'; readonly dispute: string }
  | { readonly kind: 'resolve'; readonly dispute: string; readonly outcome: 'RESOLVED' | 'REJECTED' }
  | {
      readonly kind: 'withdraw';
      readonly withdrawal: string;
      readonly origin: Origin;
      readonly amount: number;
    }
  | { readonly kind: 'approve' | 'reject' | 'payOut' | 'failOut'; readonly withdrawal: string }
  | { readonly kind: 'tick'; readonly to: number };

/** Instants that only the gateway knows: they are taken from its answer and held against the clock. */
export interface Told {
  readonly createdAt?: number;
  readonly paidAt?: number;
}

export interface Outcome {
  readonly state: State;
  /** What may be answered: more than one where several rules are broken and the contract names no order. */
  readonly answers: readonly string[];
}

const MESSAGES = {
  fee: '422 Amount does not cover the fee',
  balance: '422 Insufficient balance',
  capture: '422 Amount must not be more than the authorized amount, and must cover the fee',
  refund: '422 Amount must not be more than what is left to refund',
  late: '422 PIX can be refunded up to 90 days after payment',
  dispute: '422 Amount must not be more than what has not been refunded',
  appeal: '422 Dispute cannot be appealed',
};

export const chargeAnswer = (status: string, amount: number, fee: number, refunded: number): string =>
  `${status} of ${amount}, fee ${fee}, refunded ${refunded}`;

const shown = (code: number, { status, amount, fee, refunded }: Charge): string =>
  `${code} ${chargeAnswer(status, amount, fee, refunded)}`;

/** Percentages are hundredths of a percent, rounded half up; undefined where nothing of the amount would be left. */
export function feeOf(amount: number, { type, value }: Rule): number | undefined {
  const fee = type === 'FIXED' ? value : Math.floor((amount * value + 5_000) / 10_000);
  return fee < amount ? fee : undefined;
}

export function step(state: State, asked: Asked, terms: Terms, told: Told = {}): Outcome {
  switch (asked.kind) {
    case 'tick':
      return { state: { ...state, now: asked.to }, answers: [''] };
    case 'create':
      return create(state, asked, terms, told);
    case 'appeal':
    case 'resolve':
      return decideDispute(state, asked, terms);
    case 'withdraw':
      return withdraw(state, asked, terms);
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut':
      return decideWithdrawal(state, asked.withdrawal, asked.kind);
    default: {
      const charge = state.charges[asked.charge];
      if (charge === undefined) throw new Error(`the model knows no ${asked.charge}`);
      return onCharge(state, charge, asked, terms, told);
    }
  }
}

function refuse(state: State, ...answers: readonly string[]): Outcome {
  return { state, answers };
}

const cannot = (state: State, { status }: Charge, to: string): Outcome =>
  refuse(state, `422 Transaction cannot go from ${status} to ${to}`);

function ruleOf(method: Method, installments: number, terms: Terms): Rule {
  if (method === 'PIX') return terms.pixIn;
  if (method === 'BOLETO') return terms.boleto;
  return { type: terms.card.type, value: terms.card.values[installments - 1] ?? 0 };
}

function create(state: State, asked: Extract<Asked, { kind: 'create' }>, terms: Terms, told: Told): Outcome {
  const { method, amount, installments } = asked;
  const rule = ruleOf(method, installments, terms);
  const fee = feeOf(amount, rule);
  if (fee === undefined) return refuse(state, MESSAGES.fee);
  const made: Charge = {
    method,
    status: method === 'BOLETO' ? 'WAITING_PAYMENT' : 'PENDING',
    amount,
    fee,
    rule,
    installments,
    refunded: 0,
    expiresAt: expiryOf(asked, told.createdAt ?? state.now),
    paidAt: null,
    retained: [],
    held: [],
  };
  const after = (charge: Charge, next = state): Outcome => ({
    state: withCharge(next, asked.charge, charge),
    answers: [shown(201, charge)],
  });
  if (method !== 'CREDIT_CARD') return after(made);
  if (asked.declined) return after({ ...made, status: 'FAILED' });
  const at = told.createdAt ?? state.now;
  if (!asked.capture) return after({ ...made, status: 'AUTHORIZED', expiresAt: at + 5 * DAY });
  const paid = payment(state, asked.charge, made, terms, at);
  return { ...paid, answers: paid.answers.map((answer) => answer.replace(/^200/, '201')) };
}

function expiryOf(
  { method, expiration }: Extract<Asked, { kind: 'create' }>,
  createdAt: number,
): number | null {
  const due = createdAt + expiration * 1_000;
  if (method === 'CREDIT_CARD') return null;
  // A boleto that lives for less than a day ends to the second, as a PIX charge does.
  return method === 'BOLETO' && expiration * 1_000 >= DAY ? endOfBankDay(due) : due;
}

function payment(state: State, name: string, charge: Charge, terms: Terms, paidAt: number): Outcome {
  const { method, amount, fee, installments } = charge;
  const retained = piecesOf(method, amount - fee, installments, terms, paidAt);
  const paid: Charge = { ...charge, status: 'PAID', paidAt, retained };
  const account = retained.length === 0 ? 'available' : 'retained';
  const common = { origin: originOf(method), record: name };
  const booked = book(state, [
    { ...common, cause: 'PAYMENT', from: 'provider', to: account, amount },
    { ...common, cause: 'PAYMENT_FEE', from: account, to: 'fees', amount: fee },
  ]);
  return { state: withCharge(booked, name, paid), answers: [shown(200, paid)] };
}

function piecesOf(method: Method, net: number, installments: number, terms: Terms, paidAt: number) {
  if (method === 'PIX') return [];
  if (method === 'BOLETO') {
    const days = terms.boletoDelayDays;
    return days === 0 ? [] : [{ dueAt: bankDaysLater(paidAt, days), amount: net }];
  }
  if (terms.cardDelayDays === 0) return [];
  const share = Math.floor(net / installments);
  const pieces: Piece[] = [];
  for (let number = 1; number <= installments; number += 1) {
    const amount = number === 1 ? net - share * (installments - 1) : share;
    pieces.push({ dueAt: paidAt + number * terms.cardDelayDays * DAY, amount });
  }
  return tidy(pieces);
}

const ENDED: readonly string[] = ['FAILED', 'REFUSED'];
const GOES: Readonly<Record<string, readonly string[]>> = {
  pay: ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'],
  fail: ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'],
  cancel: ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'],
  refuse: ['PENDING', 'PROCESSING'],
  processing: ['PENDING', 'WAITING_PAYMENT'],
  void: ['AUTHORIZED'],
  capture: ['AUTHORIZED'],
};
const TARGETS: Readonly<Record<string, string>> = {
  pay: 'PAID',
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

type OnCharge = Exclude<Asked, { dispute: string; kind: 'appeal' | 'resolve' }> & { readonly charge: string };

function onCharge(state: State, charge: Charge, asked: OnCharge, terms: Terms, told: Told): Outcome {
  const { kind, charge: name } = asked;
  const target = TARGETS[kind] ?? '';
  const possible = GOES[kind] ?? ['PAID'];
  const overdue = charge.expiresAt !== null && state.now > charge.expiresAt && charge.status !== 'PROCESSING';
  if (kind === 'pay' && (ENDED.includes(charge.status) || (overdue && possible.includes(charge.status)))) {
    return refuse(state, shown(200, charge));
  }
  if (!possible.includes(charge.status)) return cannot(state, charge, target);
  switch (asked.kind) {
    case 'pay':
      return payment(state, name, charge, terms, told.paidAt ?? state.now);
    case 'capture': {
      // An authorization that has lapsed is as good as ended, whether or not anybody has come by to write it down.
      if (overdue) return refuse(state, '422 Transaction cannot go from FAILED to PAID');
      const amount = asked.amount ?? charge.amount;
      const fee = amount === charge.amount ? charge.fee : feeOf(amount, charge.rule);
      if (amount > charge.amount || fee === undefined) return refuse(state, MESSAGES.capture);
      return payment(state, name, { ...charge, amount, fee }, terms, told.paidAt ?? state.now);
    }
    case 'refund':
      return refund(state, name, charge, asked.amount, terms);
    case 'chargeback': {
      const { state: returned, charge: rest } = takeBack(
        state,
        name,
        charge,
        charge.amount - charge.refunded,
        'CHARGEBACK',
      );
      const ended = { ...rest, status: target };
      const after = withCharge(chargebackFee(returned, name, charge, terms), name, ended);
      return { state: after, answers: [shown(200, ended)] };
    }
    case 'dispute':
      return dispute(state, name, charge, asked.dispute, asked.amount, told);
    default: {
      const moved = { ...charge, status: target };
      return { state: withCharge(state, name, moved), answers: [shown(200, moved)] };
    }
  }
}

/** Money that leaves to the payer: what the payment still has retained first, the rest from the available balance. */
function takeBack(state: State, name: string, charge: Charge, amount: number, cause: string) {
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

function refund(state: State, name: string, charge: Charge, wanted: number | null, terms: Terms): Outcome {
  const amount = wanted ?? charge.amount - charge.refunded;
  const back = takeBack(state, name, charge, amount, 'REFUND');
  const floor = -(charge.fee + terms.negativeBalanceUpTo);
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
  return { state: withCharge(back.state, name, after), answers: [shown(200, after)] };
}

function chargebackFee(state: State, name: string, { method }: Charge, terms: Terms): State {
  const move = { cause: 'CHARGEBACK_FEE', from: 'available', to: 'fees', amount: terms.chargebackFee };
  return book(state, [{ origin: originOf(method), record: name, ...move }]);
}

function dispute(
  state: State,
  name: string,
  charge: Charge,
  disputeName: string,
  wanted: number | null,
  told: Told,
): Outcome {
  const left = charge.amount - charge.refunded;
  const amount = wanted ?? left;
  if (amount > left) return refuse(state, MESSAGES.dispute);
  const { taken, left: retained } = takeLatest(charge.retained, amount);
  const common = { origin: originOf(charge.method), record: name, cause: 'DISPUTE_HELD', to: 'disputed' };
  const booked = book(state, [
    { ...common, from: 'retained', amount: sumOf(taken) },
    { ...common, from: 'available', amount: amount - sumOf(taken) },
  ]);
  const disputed = withCharge(booked, name, { ...charge, status: 'DISPUTE', retained, held: taken });
  const appealUntil = (told.createdAt ?? state.now) + 7 * DAY;
  const opened = { charge: name, status: 'OPEN', amount, appealUntil };
  return { state: withDispute(disputed, disputeName, opened), answers: [`201 OPEN of ${amount}`] };
}

function decideDispute(
  state: State,
  asked: Extract<Asked, { kind: 'appeal' | 'resolve' }>,
  terms: Terms,
): Outcome {
  const found = state.disputes[asked.dispute];
  if (found === undefined) throw new Error(`the model knows no ${asked.dispute}`);
  if (asked.kind === 'appeal') {
    if (found.status !== 'OPEN' || found.appealUntil <= state.now) return refuse(state, MESSAGES.appeal);
    const appealed = { ...found, status: 'UNDER_REVIEW' };
    return {
      state: withDispute(state, asked.dispute, appealed),
      answers: [`200 UNDER_REVIEW of ${found.amount}`],
    };
  }
  const { outcome } = asked;
  if (found.status !== 'OPEN' && found.status !== 'UNDER_REVIEW') {
    return refuse(state, `422 Dispute cannot go from ${found.status} to ${outcome}`);
  }
  return {
    state: endDispute(state, asked.dispute, outcome, terms),
    answers: [`200 ${outcome} of ${found.amount}`],
  };
}

function endDispute(state: State, name: string, outcome: 'RESOLVED' | 'REJECTED', terms: Terms): State {
  const found = state.disputes[name];
  const charge = found === undefined ? undefined : state.charges[found.charge];
  if (found === undefined || charge === undefined) throw new Error(`the model knows no ${name}`);
  const ended = withDispute(state, name, { ...found, status: outcome });
  const common = { origin: originOf(charge.method), record: found.charge, from: 'disputed' };
  if (outcome === 'RESOLVED') {
    // Whose day has come meanwhile is available at once.
    const again = charge.held.filter(({ dueAt }) => dueAt > state.now);
    const retained = sumOf(again);
    const booked = book(ended, [
      { ...common, cause: 'DISPUTE_RELEASED', to: 'retained', amount: retained },
      { ...common, cause: 'DISPUTE_RELEASED', to: 'available', amount: found.amount - retained },
    ]);
    const won = { ...charge, status: 'PAID', held: [], retained: tidy([...charge.retained, ...again]) };
    return withCharge(booked, found.charge, won);
  }
  const lost = book(ended, [{ ...common, cause: 'DISPUTE_LOST', to: 'provider', amount: found.amount }]);
  if (charge.method === 'CREDIT_CARD') {
    const after = chargebackFee(lost, found.charge, charge, terms);
    return withCharge(after, found.charge, { ...charge, status: 'CHARGEDBACK', held: [] });
  }
  const refunded = charge.refunded + found.amount;
  return withCharge(lost, found.charge, { ...charge, status: 'REFUNDED', refunded, held: [] });
}

function withdraw(state: State, asked: Extract<Asked, { kind: 'withdraw' }>, terms: Terms): Outcome {
  const { origin, amount, withdrawal } = asked;
  const fee = feeOf(amount, terms.pixOut);
  const broken = [
    ...(fee === undefined ? [MESSAGES.fee] : []),
    ...(amount > state.wallets[origin].available ? [MESSAGES.balance] : []),
  ];
  if (fee === undefined || broken.length > 0) return refuse(state, ...broken);
  const move: Move = {
    origin,
    record: withdrawal,
    cause: 'WITHDRAWAL_RESERVED',
    from: 'available',
    to: 'reserved',
    amount,
  };
  const status = amount <= terms.autoApproveUpTo ? 'APPROVED' : 'PENDING';
  return {
    state: withWithdrawal(book(state, [move]), withdrawal, { origin, amount, fee, status }),
    // An approval by itself is not yet in the answer to the request.
    answers: [`201 PENDING of ${amount}, fee ${fee}`],
  };
}

const PAYOUTS = {
  approve: { from: 'PENDING', to: 'APPROVED' },
  reject: { from: 'PENDING', to: 'REJECTED' },
  payOut: { from: 'PROCESSING', to: 'PAID' },
  failOut: { from: 'PROCESSING', to: 'FAILED' },
} as const;

function decideWithdrawal(state: State, name: string, kind: keyof typeof PAYOUTS): Outcome {
  const found = state.withdrawals[name];
  if (found === undefined) throw new Error(`the model knows no ${name}`);
  const { from, to } = PAYOUTS[kind];
  if (found.status !== from) {
    return refuse(state, `422 Withdrawal cannot go from ${found.status} to ${to}`);
  }
  const { origin, amount, fee } = found;
  const common = { origin, record: name, from: 'reserved' };
  const moves: Readonly<Record<keyof typeof PAYOUTS, readonly Move[]>> = {
    approve: [],
    reject: [{ ...common, cause: 'WITHDRAWAL_RETURNED', to: 'available', amount }],
    payOut: [
      { ...common, cause: 'WITHDRAWAL_PAID', to: 'provider', amount: amount - fee },
      { ...common, cause: 'WITHDRAWAL_FEE', to: 'fees', amount: fee },
    ],
    failOut: [{ ...common, cause: 'WITHDRAWAL_RETURNED', to: 'available', amount }],
  };
  const after = withWithdrawal(book(state, moves[kind]), name, { ...found, status: to });
  return { state: after, answers: [`200 ${to} of ${amount}, fee ${fee}`] };
}

/** Something that happens by itself: the state after it, whom it is about, and whose available balance it changes. */
export interface Due {
  readonly state: State;
  readonly records: readonly string[];
  readonly origin: Origin | null;
}

/** Everything that may happen by itself next. */
export function dueSteps(state: State, terms: Terms): readonly Due[] {
  const next: Due[] = [];
  for (const [name, charge] of Object.entries(state.charges)) {
    const due = charge.retained.filter(({ dueAt }) => dueAt <= state.now);
    if (due.length > 0) {
      const origin = originOf(charge.method);
      const move = { cause: 'RELEASE', from: 'retained', to: 'available', amount: sumOf(due) };
      const released = book(state, [{ origin, record: name, ...move }]);
      const retained = charge.retained.filter(({ dueAt }) => dueAt > state.now);
      next.push({ state: withCharge(released, name, { ...charge, retained }), records: [name], origin });
    }
    const waits = ['PENDING', 'WAITING_PAYMENT', 'AUTHORIZED'].includes(charge.status);
    if (waits && charge.expiresAt !== null && charge.expiresAt <= state.now) {
      const ended = withCharge(state, name, { ...charge, status: 'FAILED' });
      next.push({ state: ended, records: [name], origin: null });
    }
  }
  for (const [name, { status, appealUntil, charge }] of Object.entries(state.disputes)) {
    if (status !== 'OPEN' || appealUntil > state.now) continue;
    const lost = endDispute(state, name, 'REJECTED', terms);
    const { method } = state.charges[charge] ?? { method: 'PIX' };
    next.push({ state: lost, records: [name, charge], origin: originOf(method) });
  }
  for (const [name, withdrawal] of Object.entries(state.withdrawals)) {
    // A worker hands what is approved to the provider.
    if (withdrawal.status !== 'APPROVED') continue;
    const handed = withWithdrawal(state, name, { ...withdrawal, status: 'PROCESSING' });
    next.push({ state: handed, records: [name], origin: null });
  }
  return next;
}

/** The state once everything that is due has happened, in the order in which it is found. */
export function settled(state: State, terms: Terms): State {
  for (let current = state; ;) {
    const [next] = dueSteps(current, terms);
    if (next === undefined) return current;
    current = next.state;
  }
}

/** Instants at which something changes by itself, or another answer is due: time must not be moved to just before one. */
export function instantsOf(state: State): readonly number[] {
  return [
    ...Object.values(state.charges).flatMap(({ retained, held, expiresAt, paidAt }) => [
      ...[...retained, ...held].map(({ dueAt }) => dueAt),
      ...(expiresAt === null ? [] : [expiresAt]),
      ...(paidAt === null ? [] : [paidAt + PIX_REFUND_DAYS * DAY]),
    ]),
    ...Object.values(state.disputes).map(({ appealUntil }) => appealUntil),
  ];
}
