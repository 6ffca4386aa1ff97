import fc from 'fast-check';

import { dayOf } from './calendar.ts';
import type { Command } from './commands.ts';
import { instantsOf } from './due-work.ts';
import { ORIGINS, type Fees, type Method, type State, type Terms, type BankLine } from './state.ts';

/**
 * Random intents, and the commands they become in a state. An intent is small numbers, so that it
 * shrinks.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** `boletoFile` and `payoutFile` are return files of the bank with one or two lines. */
type IntentKind =
  | Exclude<Command['kind'], 'tick' | 'terms' | 'ship' | BankLine['kind']>
  | 'boletoFile'
  | 'payoutFile';

/** The weight of each kind. */
const KINDS: readonly (readonly [IntentKind, number])[] = [
  ['create', 5],
  ['pay', 5],
  ['refund', 6],
  ['dispute', 3],
  ['resolve', 3],
  ['appeal', 2],
  ['withdraw', 4],
  ['approve', 4],
  ['reject', 1],
  ['payOut', 1],
  ['failOut', 1],
  ['capture', 3],
  ['void', 1],
  ['cancel', 1],
  ['fail', 1],
  ['refuse', 1],
  ['processing', 1],
  ['chargeback', 2],
  ['boletoFile', 9],
  ['payoutFile', 6],
  ['decide', 8],
  ['erase', 2],
];

export interface Intent {
  readonly kind: IntentKind;
  /** Selects the record. */
  readonly which: number;
  /** Percentage of the available amount; above 100 exceeds it. */
  readonly share: number;
  /** Decides everything else. */
  readonly dice: number;
}

export const anyIntent: fc.Arbitrary<Intent> = fc.record({
  kind: fc.oneof(...KINDS.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
  which: fc.nat(1_000),
  share: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 100 }) },
    fc.integer({ min: 101, max: 130 }),
  ),
  dice: fc.nat(1_000_000),
});

const rule = (maxPercentage: number) =>
  fc.oneof(
    fc.record({ type: fc.constant('FIXED' as const), value: fc.integer({ min: 0, max: 60 }) }),
    fc.record({
      type: fc.constant('PERCENTAGE' as const),
      value: fc.integer({ min: 0, max: maxPercentage }),
    }),
  );

const feeMembers = {
  pixIn: rule(900),
  pixOut: rule(300),
  boleto: rule(900),
  card: fc.oneof(
    fc.record({
      type: fc.constant('FIXED' as const),
      values: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 12, maxLength: 12 }),
    }),
    fc.record({
      type: fc.constant('PERCENTAGE' as const),
      values: fc.array(fc.integer({ min: 0, max: 1_600 }), { minLength: 12, maxLength: 12 }),
    }),
  ),
};

export const fees: fc.Arbitrary<Fees> = fc.record(feeMembers);

export const terms: fc.Arbitrary<Terms> = fc.record({
  ...feeMembers,
  boletoDelayDays: fc.integer({ min: 0, max: 3 }),
  cardDelayDays: fc.constantFrom(0, 1, 7, 30, 30),
  autoApproveUpTo: fc.constantFrom(0, 0, 500, 5_000),
  negativeBalanceUpTo: fc.constantFrom(0, 0, 100, 3_000),
  chargebackFee: fc.constantFrom(0, 0, 250, 1_500),
});

/** Advances of the clock, in seconds. */
export const clockAdvance: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 2, max: 40 }).map((hours) => hours * 3_600),
  fc.integer({ min: 2, max: 9 }).map((days) => days * 86_400),
  fc.integer({ min: 25, max: 40 }).map((days) => days * 86_400),
);

const EXPIRATIONS = [3_600, 3 * 86_400, 20 * 86_400];
const METHODS: readonly Method[] = ['PIX', 'PIX', 'BOLETO', 'BOLETO', 'CREDIT_CARD', 'CREDIT_CARD'];

/** The statuses that a kind usually targets; now and then it targets any record. */
const USUAL: Readonly<Partial<Record<IntentKind, readonly string[]>>> = {
  pay: ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'],
  fail: ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'],
  cancel: ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'],
  refuse: ['PENDING', 'PROCESSING'],
  processing: ['PENDING', 'WAITING_PAYMENT'],
  capture: ['AUTHORIZED'],
  void: ['AUTHORIZED'],
  refund: ['PAID'],
  chargeback: ['PAID'],
  dispute: ['PAID'],
  appeal: ['OPEN'],
  resolve: ['OPEN', 'UNDER_REVIEW'],
  approve: ['PENDING'],
  reject: ['PENDING'],
  payOut: ['PROCESSING', 'APPROVED'],
  failOut: ['PROCESSING', 'APPROVED'],
  boletoFile: ['WAITING_PAYMENT', 'PAID'],
  payoutFile: ['PROCESSING', 'PAID'],
};

function pick(
  { kind, which, dice }: Intent,
  records: Readonly<Record<string, { readonly status: string }>>,
): string | undefined {
  const names = Object.keys(records);
  const usual = names.filter((name) => USUAL[kind]?.includes(records[name]?.status ?? '') === true);
  const candidates = usual.length > 0 && dice % 5 !== 0 ? usual : names;
  // Files come back to the same few records, since it is repetitions that they can get wrong.
  const isFile = kind === 'boletoFile' || kind === 'payoutFile';
  return isFile ? candidates.at(-1 - (which % 2)) : candidates[which % candidates.length];
}

/**
 * The commands for an intent: the lines of a file, or one. If there is no record for it, a charge
 * is created. `name` names what they create.
 */
export function commandsFor(intent: Intent, state: State, name: string): readonly Command[] {
  const lines = linesFor(intent, state, name);
  if (lines.length > 0) return lines;
  const { kind } = intent;
  const isFile = kind === 'boletoFile' || kind === 'payoutFile';
  const command = isFile ? undefined : commandFor({ ...intent, kind }, state, name);
  return [command ?? creation(intent, name)];
}

function linesFor(intent: Intent, state: State, name: string): readonly BankLine[] {
  if (intent.kind === 'boletoFile') return boletoFile(intent, state, name);
  return intent.kind === 'payoutFile' ? payoutFile(intent, state, name) : [];
}

const creation = ({ dice, share }: Intent, name: string): Extract<Command, { kind: 'create' }> => ({
  kind: 'create',
  charge: name,
  method: METHODS[dice % METHODS.length] ?? 'PIX',
  amount: 200 + (dice % 997) * share,
  installments: dice % 3 === 0 ? 1 : 1 + (dice % 12),
  capture: dice % 4 !== 1,
  declined: dice % 17 === 3,
  expiration: EXPIRATIONS[dice % EXPIRATIONS.length] ?? 3_600,
});

/** The first cycle of a subscription: the payer of a Pix or a boleto has three days. */
export const cycle = (intent: Intent, name: string): Extract<Command, { kind: 'create' }> => ({
  ...creation(intent, name),
  installments: 1,
  capture: true,
  expiration: 3 * 86400,
});

function commandFor(
  intent: Intent & { readonly kind: Exclude<IntentKind, 'boletoFile' | 'payoutFile'> },
  state: State,
  name: string,
): Command | undefined {
  const { kind, share, dice } = intent;
  switch (kind) {
    case 'decide': {
      const names = Object.keys(state.lines);
      const usual = names.filter((one) => {
        const { outcome = '', decision = null } = state.lines[one] ?? {};
        return decision === null && ['REPEATED', 'REJECTED'].includes(outcome);
      });
      const candidates = usual.length > 0 && dice % 5 !== 0 ? usual : names;
      const line = candidates[intent.which % candidates.length];
      return line === undefined
        ? undefined
        : { kind, line, decision: dice % 3 === 0 ? 'DISMISSED' : 'ACCEPTED' };
    }
    case 'erase': {
      const charge = pick(intent, state.charges);
      return charge === undefined ? undefined : { kind, charge };
    }
    case 'create':
      return creation(intent, name);
    case 'withdraw': {
      const origin = ORIGINS[dice % ORIGINS.length] ?? 'PIX';
      const available = Math.max(0, state.wallets[origin].available);
      return { kind, withdrawal: name, origin, amount: Math.max(1, part(available, share)) };
    }
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut': {
      const withdrawal = pick(intent, state.withdrawals);
      return withdrawal === undefined ? undefined : { kind, withdrawal };
    }
    case 'appeal':
    case 'resolve': {
      const dispute = pick(intent, state.disputes);
      if (dispute === undefined) return undefined;
      if (kind === 'appeal') return { kind, dispute };
      return { kind, dispute, outcome: dice % 2 === 0 ? 'RESOLVED' : 'REJECTED' };
    }
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
      const charge = pick(intent, state.charges);
      const found = charge === undefined ? undefined : state.charges[charge];
      if (charge === undefined || found === undefined) return undefined;
      const whole = dice % 3 === 0;
      const left = found.amount - found.refunded;
      const amount = whole ? null : Math.max(1, part(left, share));
      if (kind === 'dispute') return { kind, charge, dispute: name, amount };
      if (kind === 'capture' || kind === 'refund') return { kind, charge, amount };
      return { kind, charge };
    }
  }
}

/**
 * A file about one boleto, often the one of an earlier file: paid with its amount or another one,
 * today or the day before, once or twice, rejected or written off.
 */
function boletoFile(intent: Intent, state: State, name: string): readonly BankLine[] {
  const boletos = Object.fromEntries(
    Object.entries(state.charges).filter(([, { boleto }]) => boleto !== null),
  );
  const charge = pick(intent, boletos);
  const amount = boletos[charge ?? '']?.amount;
  if (charge === undefined || amount === undefined) return [];
  const { dice } = intent;
  const day = dice % 19 === 0 ? '2099-12-31' : dayOf(state.now - (dice % 3 === 0 ? DAY : 0));
  const common = { kind: 'boletoLine', charge, day, occurrence: 1 } as const;
  const paid = { ...common, report: 'PAID', amount } as const;
  const other = { ...paid, amount: dice % 2 === 0 ? amount - 100 : 0 };
  const status = (report: 'REGISTERED' | 'REJECTED' | 'WRITTEN_OFF') => ({ ...common, report, amount: 0 });
  const plans: readonly (readonly Omit<Extract<BankLine, { kind: 'boletoLine' }>, 'line'>[])[] = [
    [paid],
    [paid],
    [other],
    [other, paid],
    [paid, { ...paid, occurrence: 2 }],
    [status('REGISTERED')],
    [status('REGISTERED'), paid],
    [status('REJECTED')],
    [paid, status('WRITTEN_OFF')],
    [status('WRITTEN_OFF')],
  ];
  const plan = plans[Math.floor(dice / 60) % plans.length] ?? [];
  return plan.map((line, index) => ({ ...line, line: `${name}.${index}` }));
}

/** A file about one payout: paid with its amount or one cent less, failed, or both. */
function payoutFile(intent: Intent, state: State, name: string): readonly BankLine[] {
  const withdrawal = pick(intent, state.withdrawals);
  const payout = state.withdrawals[withdrawal ?? ''];
  if (withdrawal === undefined || payout === undefined) return [];
  const amount = payout.amount - payout.fee;
  const common = { kind: 'payoutLine', withdrawal, amount, occurrence: 1 } as const;
  const paid = { ...common, report: 'PAID' } as const;
  const failed = { ...common, report: 'FAILED' } as const;
  const other = { ...paid, amount: amount - 1 };
  const plans: readonly (readonly Omit<Extract<BankLine, { kind: 'payoutLine' }>, 'line'>[])[] = [
    [paid],
    [other],
    [failed],
    [other, paid],
    [paid, failed],
  ];
  const plan = plans[Math.floor(intent.dice / 60) % plans.length] ?? [];
  return plan.map((line, index) => ({ ...line, line: `${name}.${index}` }));
}

const part = (of: number, share: number): number => Math.floor((of * share) / 100);

/**
 * Extends an advance of the clock until no deadline, of existing records or of those created just
 * before, is near the new time. Then latency does not change the answers. `now` is in milliseconds,
 * the advance in seconds.
 */
export function safeAdvance(seconds: number, now: number, states: readonly State[]): number {
  const instants = states.flatMap(instantsOf);
  const lives = [
    ...EXPIRATIONS.map((life) => life * 1_000),
    DAY,
    5 * DAY,
    7 * DAY,
    90 * DAY,
    ...states.flatMap(({ terms: { cardDelayDays } }) =>
      Array.from({ length: 12 }, (_, index) => (index + 1) * cardDelayDays * DAY),
    ),
  ];
  const near = (at: number): boolean => {
    const close = (instant: number) => instant - at < HOUR / 2 && at - instant < HOUR / 12;
    const midnight = (at - 3 * HOUR) % DAY;
    return instants.some(close) || lives.some((life) => close(now + life)) || midnight > DAY - HOUR / 2;
  };
  let target = seconds;
  while (near(now + target * 1_000)) target += 300;
  return target;
}
