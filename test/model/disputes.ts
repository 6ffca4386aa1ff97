import { MESSAGES, refuse, type Asked, type Outcome, type Told } from './commands.ts';
import {
  book,
  originOf,
  sumOf,
  takeLatest,
  tidy,
  withCharge,
  withDispute,
  type Charge,
  type State,
  type Terms,
} from '#test/model/state.ts';

/** Disputes: what they hold, and what becomes of it. */

const DAY = 86_400_000;

export function openDispute(
  state: State,
  name: string,
  charge: Charge,
  disputeName: string,
  wanted: number | null,
  reported: Told,
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
  const appealUntil = (reported.createdAt ?? state.now) + 7 * DAY;
  const opened = { charge: name, status: 'OPEN', amount, appealUntil };
  return { state: withDispute(disputed, disputeName, opened), answers: [`201 OPEN of ${amount}`] };
}

export function decideDispute(
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

export function endDispute(
  state: State,
  name: string,
  outcome: 'RESOLVED' | 'REJECTED',
  terms: Terms,
): State {
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

export function chargebackFee(state: State, name: string, { method }: Charge, terms: Terms): State {
  const move = { cause: 'CHARGEBACK_FEE', from: 'available', to: 'fees', amount: terms.chargebackFee };
  return book(state, [{ origin: originOf(method), record: name, ...move }]);
}
