import { feeOf, MESSAGES, refuse, type Command, type Outcome } from './commands.ts';
import { book, ORIGINS, withWithdrawal, type Move, type State } from '#test/model/state.ts';

const DAY = 86_400_000;

/** Withdrawals: the money they reserve, and where it goes. */

export function withdraw(state: State, command: Extract<Command, { kind: 'withdraw' }>): Outcome {
  const { origin, amount, withdrawal } = command;
  const { terms } = state;
  const fee = feeOf(amount, terms.pixOut);
  const broken = [
    ...(fee === undefined ? [MESSAGES.fee] : []),
    ...(amount > Math.min(state.wallets[origin].available, totalOf(state)) ? [MESSAGES.balance] : []),
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
  const isAutomatic = rollingSum(state) + amount <= terms.autoApproveUpTo && isDestinationKnown(state);
  const status = isAutomatic ? 'APPROVED' : 'PENDING';
  const created = { origin, amount, fee, status, createdAt: state.now, decided: false, shipped: false };
  return {
    state: withWithdrawal(book(state, [move]), withdrawal, created),
    // Automatic approval comes after the response.
    responses: [`201 PENDING of ${amount}, fee ${fee}`],
  };
}

/** What is available in all origins together. A withdrawal may not take it below zero. */
const totalOf = ({ wallets }: State): number =>
  ORIGINS.reduce((total, origin) => total + wallets[origin].available, 0);

/** The withdrawals of 24 hours, to which the limits of approval apply. */
const rollingSum = ({ now, withdrawals }: State): number =>
  Object.values(withdrawals)
    .filter(({ status, createdAt }) => createdAt > now - DAY && !['REJECTED', 'FAILED'].includes(status))
    .reduce((total, { amount }) => total + amount, 0);

/** All withdrawals of the model go to one destination. */
const isDestinationKnown = ({ withdrawals }: State): boolean =>
  Object.values(withdrawals).some(
    ({ status, decided }) => status === 'PAID' || (decided && status !== 'REJECTED'),
  );

const PAYOUTS = {
  approve: { from: ['PENDING'], to: 'APPROVED' },
  reject: { from: ['PENDING', 'APPROVED'], to: 'REJECTED' },
  payOut: { from: ['PROCESSING'], to: 'PAID' },
  failOut: { from: ['PROCESSING'], to: 'FAILED' },
} as const;

export function decideWithdrawal(state: State, name: string, kind: keyof typeof PAYOUTS): Outcome {
  const found = state.withdrawals[name];
  if (found === undefined) throw new Error(`no such record in the model: ${name}`);
  const { from, to } = PAYOUTS[kind];
  if (!from.some((status) => status === found.status)) {
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
  const after = withWithdrawal(book(state, moves[kind]), name, {
    ...found,
    status: to,
    decided: found.decided || kind === 'approve',
  });
  return { state: after, responses: [`200 ${to} of ${amount}, fee ${fee}`] };
}
