import fc from 'fast-check';

import type { Asked } from './commands.ts';
import { instantsOf } from './due-work.ts';
import { ORIGINS, type Method, type State, type Terms } from './state.ts';

/** Random wishes, and what they come to where the seller stands. A wish is small numbers, so that it can be shrunk. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type WishKind = Exclude<Asked['kind'], 'tick'>;

/** How often each is wished for. */
const KINDS: readonly (readonly [WishKind, number])[] = [
  ['create', 5],
  ['pay', 5],
  ['refund', 6],
  ['dispute', 3],
  ['resolve', 3],
  ['appeal', 2],
  ['withdraw', 4],
  ['approve', 2],
  ['reject', 1],
  ['payOut', 2],
  ['failOut', 1],
  ['capture', 3],
  ['void', 1],
  ['cancel', 1],
  ['fail', 1],
  ['refuse', 1],
  ['processing', 1],
  ['chargeback', 2],
];

export interface Wish {
  readonly kind: WishKind;
  /** Which of the records. */
  readonly which: number;
  /** How much of what there is, in hundredths; more than all of it beyond 100. */
  readonly share: number;
  /** Decides what is left to decide. */
  readonly dice: number;
}

export const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.oneof(...KINDS.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
  which: fc.nat(1_000),
  share: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 100 }) },
    fc.integer({ min: 101, max: 130 }),
  ),
  dice: fc.nat(1_000_000),
});

const rule = (most: number) =>
  fc.oneof(
    fc.record({ type: fc.constant('FIXED' as const), value: fc.integer({ min: 0, max: 60 }) }),
    fc.record({ type: fc.constant('PERCENTAGE' as const), value: fc.integer({ min: 0, max: most }) }),
  );

export const terms: fc.Arbitrary<Terms> = fc.record({
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
  boletoDelayDays: fc.integer({ min: 0, max: 3 }),
  cardDelayDays: fc.constantFrom(0, 1, 7, 30, 30),
  autoApproveUpTo: fc.constantFrom(0, 0, 500, 5_000),
  negativeBalanceUpTo: fc.constantFrom(0, 0, 100, 3_000),
  chargebackFee: fc.constantFrom(0, 0, 250, 1_500),
});

/** Seconds; all of them far from the moments at which something becomes due. */
export const leap: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 2, max: 40 }).map((hours) => hours * 3_600),
  fc.integer({ min: 2, max: 9 }).map((days) => days * 86_400),
  fc.integer({ min: 25, max: 40 }).map((days) => days * 86_400),
);

const EXPIRATIONS = [3_600, 3 * 86_400, 20 * 86_400];
const METHODS: readonly Method[] = ['PIX', 'PIX', 'BOLETO', 'CREDIT_CARD', 'CREDIT_CARD', 'CREDIT_CARD'];

/** Where the records stand that a wish is usually about; now and then it is about any. */
const USUAL: Readonly<Partial<Record<WishKind, readonly string[]>>> = {
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
};

function pick(
  { kind, which, dice }: Wish,
  records: Readonly<Record<string, { readonly status: string }>>,
): string | undefined {
  const names = Object.keys(records);
  const usual = names.filter((name) => USUAL[kind]?.includes(records[name]?.status ?? '') === true);
  const among = usual.length > 0 && dice % 5 !== 0 ? usual : names;
  return among[which % among.length];
}

/** What a wish comes to; undefined where there is nothing it could be about. `name` names what would be made. */
export function askedFor(wanted: Wish, state: State, name: string): Asked | undefined {
  const { kind, share, dice } = wanted;
  switch (kind) {
    case 'create':
      return {
        kind,
        charge: name,
        method: METHODS[dice % METHODS.length] ?? 'PIX',
        amount: 200 + (dice % 997) * share,
        installments: dice % 3 === 0 ? 1 : 1 + (dice % 12),
        capture: dice % 4 !== 1,
        declined: dice % 17 === 3,
        expiration: EXPIRATIONS[dice % EXPIRATIONS.length] ?? 3_600,
      };
    case 'withdraw': {
      const origin = ORIGINS[dice % ORIGINS.length] ?? 'PIX';
      const available = Math.max(0, state.wallets[origin].available);
      return { kind, withdrawal: name, origin, amount: Math.max(1, part(available, share)) };
    }
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut': {
      const withdrawal = pick(wanted, state.withdrawals);
      return withdrawal === undefined ? undefined : { kind, withdrawal };
    }
    case 'appeal':
    case 'resolve': {
      const dispute = pick(wanted, state.disputes);
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
      const charge = pick(wanted, state.charges);
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

const part = (of: number, share: number): number => Math.floor((of * share) / 100);

/**
 * Where the clock may go: so far, and then on until nothing becomes due within a while of it, of what there is and of
 * what is made just before. Then it does not matter how long a request takes. Milliseconds to seconds.
 */
export function safeLeap(
  seconds: number,
  now: number,
  states: readonly State[],
  all: readonly Terms[],
): number {
  const instants = states.flatMap(instantsOf);
  const lives = [
    ...EXPIRATIONS.map((life) => life * 1_000),
    5 * DAY,
    7 * DAY,
    90 * DAY,
    ...all.flatMap(({ cardDelayDays }) =>
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
