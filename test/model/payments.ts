import { bankDaysLater } from '#test/model/calendar.ts';
import { shown, type Outcome } from './commands.ts';
import {
  book,
  originOf,
  returning,
  tidy,
  withCharge,
  type Charge,
  type Method,
  type Piece,
  type State,
  type Terms,
} from '#test/model/state.ts';

/** Payments: which of them are the seller's money, and when it becomes available. */

const DAY = 86_400_000;

const PAYABLE: readonly string[] = ['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED'];
const ENDED: readonly string[] = ['FAILED', 'REFUSED'];

export const isOverdue = ({ expiresAt, status }: Charge, at: number): boolean =>
  expiresAt !== null && at > expiresAt && status !== 'PROCESSING';

export type Received =
  | { readonly kind: 'paid'; readonly state: State; readonly outcome: Outcome }
  /** It goes back to the payer. */
  | { readonly kind: 'late' | 'second' | 'wrong-amount'; readonly state: State };

/** A payment that a provider reports. What is not the seller's money goes back to the payer. */
export function receivePayment(
  state: State,
  name: string,
  { amount, madeAt, paidAt }: { readonly amount: number; readonly madeAt: number; readonly paidAt: number },
): Received {
  const charge = state.charges[name];
  if (charge === undefined) throw new Error(`no such record in the model: ${name}`);
  const returned = withCharge(state, name, returning(charge, amount));
  const isPayable = PAYABLE.includes(charge.status);
  if (ENDED.includes(charge.status) || (isPayable && isOverdue(charge, madeAt))) {
    return { kind: 'late', state: returned };
  }
  if (!isPayable) return { kind: 'second', state: returned };
  if (amount !== charge.amount) return { kind: 'wrong-amount', state: returned };
  const outcome = payment(state, name, charge, paidAt);
  return { kind: 'paid', state: outcome.state, outcome };
}

export function payment(state: State, name: string, charge: Charge, paidAt: number): Outcome {
  const { method, amount, fee, installments } = charge;
  const retained = piecesOf(method, amount - fee, installments, state.terms, paidAt);
  const paid: Charge = { ...charge, status: 'PAID', paidAt, retained };
  const account = retained.length === 0 ? 'available' : 'retained';
  const common = { origin: originOf(method), record: name };
  const booked = book(state, [
    { ...common, cause: 'PAYMENT', from: 'provider', to: account, amount },
    { ...common, cause: 'PAYMENT_FEE', from: account, to: 'fees', amount: fee },
  ]);
  return { state: withCharge(booked, name, paid), responses: [shown(200, paid)] };
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
