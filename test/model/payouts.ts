import { feeOf, MESSAGES, refuse, type Command, type Outcome } from './commands.ts';
import { book, withWithdrawal, type Move, type State, type Terms } from '#test/model/state.ts';

/** Withdrawals: the money they reserve, and where it goes. */

export function withdraw(
  state: State,
  command: Extract<Command, { kind: 'withdraw' }>,
  terms: Terms,
): Outcome {
  const { origin, amount, withdrawal } = command;
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
    // Automatic approval comes after the response.
    answers: [`201 PENDING of ${amount}, fee ${fee}`],
  };
}

const PAYOUTS = {
  approve: { from: 'PENDING', to: 'APPROVED' },
  reject: { from: 'PENDING', to: 'REJECTED' },
  payOut: { from: 'PROCESSING', to: 'PAID' },
  failOut: { from: 'PROCESSING', to: 'FAILED' },
} as const;

export function decideWithdrawal(state: State, name: string, kind: keyof typeof PAYOUTS): Outcome {
  const found = state.withdrawals[name];
  if (found === undefined) throw new Error(`no such record in the model: ${name}`);
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
