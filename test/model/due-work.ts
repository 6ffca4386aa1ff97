import { bankDaysLater } from './calendar.ts';
import { endDispute } from './disputes.ts';
import {
  book,
  originOf,
  sumOf,
  withCharge,
  withWithdrawal,
  type Charge,
  type Origin,
  type State,
} from './state.ts';

/** Work of the worker that becomes due with time. */

const DAY = 86_400_000;

/**
 * One due step: the state after it, the records it affects, and the origin whose available balance
 * it changes.
 */
export interface DueStep {
  readonly state: State;
  readonly records: readonly string[];
  readonly origin: Origin | null;
}

/**
 * When an unpaid charge fails. A boleto of bank files waits for the end of the third bank day
 * after.
 */
const failsAt = ({ expiresAt, boleto }: Charge): number =>
  expiresAt === null ? Infinity : boleto === null ? expiresAt : bankDaysLater(expiresAt, 3) + DAY;

/** All due steps that may come next. */
export function dueSteps(state: State): readonly DueStep[] {
  const next: DueStep[] = [];
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
    if (waits && failsAt(charge) <= state.now) {
      const ended = withCharge(state, name, { ...charge, status: 'FAILED' });
      next.push({ state: ended, records: [name], origin: null });
    }
  }
  for (const [name, { status, appealUntil, charge }] of Object.entries(state.disputes)) {
    if (status !== 'OPEN' || appealUntil > state.now) continue;
    const lost = endDispute(state, name, 'REJECTED');
    const { method } = state.charges[charge] ?? { method: 'PIX' };
    next.push({ state: lost, records: [name, charge], origin: originOf(method) });
  }
  for (const [name, withdrawal] of Object.entries(state.withdrawals)) {
    // The worker submits approved withdrawals to the provider.
    if (withdrawal.status !== 'APPROVED') continue;
    const handed = withWithdrawal(state, name, { ...withdrawal, status: 'PROCESSING' });
    next.push({ state: handed, records: [name], origin: null });
  }
  return next;
}

/** The state after all due work is done. */
export function afterDueWork(state: State): State {
  for (let current = state; ;) {
    const [next] = dueSteps(current);
    if (next === undefined) return current;
    current = next.state;
  }
}

/**
 * Deadlines. The clock must not be moved to just before one, since the answer would depend on
 * latency.
 */
export function instantsOf(state: State): readonly number[] {
  return [
    ...Object.values(state.charges).flatMap((charge) => [
      ...[...charge.retained, ...charge.held].map(({ dueAt }) => dueAt),
      ...(charge.expiresAt === null ? [] : [charge.expiresAt, failsAt(charge)]),
      ...(charge.paidAt === null ? [] : [charge.paidAt + 90 * DAY]),
    ]),
    ...Object.values(state.disputes).map(({ appealUntil }) => appealUntil),
    ...Object.values(state.withdrawals).map(({ createdAt }) => createdAt + DAY),
  ];
}
