import { endDispute } from './disputes.ts';
import {
  book,
  originOf,
  sumOf,
  withCharge,
  withWithdrawal,
  type Origin,
  type State,
  type Terms,
} from './state.ts';

/** What happens by itself when its time has come. */

const DAY = 86_400_000;

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
      ...(paidAt === null ? [] : [paidAt + 90 * DAY]),
    ]),
    ...Object.values(state.disputes).map(({ appealUntil }) => appealUntil),
  ];
}
