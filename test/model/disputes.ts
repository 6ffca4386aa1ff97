import { MESSAGES, refuse, type Command, type Outcome, type ObservedTimes } from './commands.ts';
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
} from '#test/model/state.ts';

/** Disputes: the money they hold, and where it goes when they end. */

const DAY = 86_400_000;

export function openDispute(
  state: State,
  name: string,
  charge: Charge,
  disputeName: string,
  requested: number | null,
  observed: ObservedTimes,
): Outcome {
  const left = charge.amount - charge.refunded;
  const amount = requested ?? left;
  if (amount > left) return refuse(state, MESSAGES.dispute);
  const { taken, left: retained } = takeLatest(charge.retained, amount);
  const common = { origin: originOf(charge.method), record: name, cause: 'DISPUTE_HELD', to: 'disputed' };
  const booked = book(state, [
    { ...common, from: 'retained', amount: sumOf(taken) },
    { ...common, from: 'available', amount: amount - sumOf(taken) },
  ]);
  const disputed = withCharge(booked, name, { ...charge, status: 'DISPUTE', retained, held: taken });
  const appealUntil = (observed.createdAt ?? state.now) + 7 * DAY;
  const opened = { charge: name, status: 'OPEN', amount, appealUntil };
  return { state: withDispute(disputed, disputeName, opened), responses: [`201 OPEN of ${amount}`] };
}

export function decideDispute(
  state: State,
  command: Extract<Command, { kind: 'appeal' | 'resolve' }>,
): Outcome {
  const found = state.disputes[command.dispute];
  if (found === undefined) throw new Error(`no such record in the model: ${command.dispute}`);
  if (command.kind === 'appeal') {
    if (found.status !== 'OPEN' || found.appealUntil <= state.now) return refuse(state, MESSAGES.appeal);
    const appealed = { ...found, status: 'UNDER_REVIEW' };
    return {
      state: withDispute(state, command.dispute, appealed),
      responses: [`200 UNDER_REVIEW of ${found.amount}`],
    };
  }
  const { outcome } = command;
  if (found.status !== 'OPEN' && found.status !== 'UNDER_REVIEW') {
    return refuse(state, `422 Dispute cannot go from ${found.status} to ${outcome}`);
  }
  return {
    state: endDispute(state, command.dispute, outcome),
    responses: [`200 ${outcome} of ${found.amount}`],
  };
}

export function endDispute(state: State, name: string, outcome: 'RESOLVED' | 'REJECTED'): State {
  const found = state.disputes[name];
  const charge = found === undefined ? undefined : state.charges[found.charge];
  if (found === undefined || charge === undefined) throw new Error(`no such record in the model: ${name}`);
  const ended = withDispute(state, name, { ...found, status: outcome });
  const common = { origin: originOf(charge.method), record: found.charge, from: 'disputed' };
  if (outcome === 'RESOLVED') {
    // Installments that have become due meanwhile are available at once.
    const stillRetained = charge.held.filter(({ dueAt }) => dueAt > state.now);
    const retained = sumOf(stillRetained);
    const booked = book(ended, [
      { ...common, cause: 'DISPUTE_RELEASED', to: 'retained', amount: retained },
      { ...common, cause: 'DISPUTE_RELEASED', to: 'available', amount: found.amount - retained },
    ]);
    const won = {
      ...charge,
      status: 'PAID',
      held: [],
      retained: tidy([...charge.retained, ...stillRetained]),
    };
    return withCharge(booked, found.charge, won);
  }
  const lost = book(ended, [{ ...common, cause: 'DISPUTE_LOST', to: 'provider', amount: found.amount }]);
  if (charge.method === 'CREDIT_CARD') {
    const after = chargebackFee(lost, found.charge, charge);
    return withCharge(after, found.charge, { ...charge, status: 'CHARGEDBACK', held: [] });
  }
  const refunded = charge.refunded + found.amount;
  return withCharge(lost, found.charge, { ...charge, status: 'REFUNDED', refunded, held: [] });
}

export function chargebackFee(state: State, name: string, { method }: Charge): State {
  const amount = state.terms.chargebackFee;
  const move = { cause: 'CHARGEBACK_FEE', from: 'available', to: 'fees', amount };
  return book(state, [{ origin: originOf(method), record: name, ...move }]);
}
