import { refuse, type Command, type Outcome } from './commands.ts';
import { dayOf, startOfDay } from './calendar.ts';
import { decideWithdrawal } from './payouts.ts';
import { receivePayment } from './payments.ts';
import { withCharge, withWithdrawal, type Charge, type State, type BankLine } from './state.ts';

/**
 * The bank's return files. A line that was not applied blocks no other, another amount is another
 * line, and a payment that two files report counts once.
 */

type BoletoLine = Extract<BankLine, { kind: 'boletoLine' }>;
type PayoutLine = Extract<BankLine, { kind: 'payoutLine' }>;

/** What a line does. `counts` means that the same line in another file only repeats it. */
interface LineEffect {
  readonly state: State;
  readonly outcome: 'APPLIED' | 'NOTED' | 'LATE' | 'REJECTED' | 'UNMATCHED' | 'REPEATED';
  readonly counts: boolean;
}

const applied = (state: State): LineEffect => ({ state, outcome: 'APPLIED', counts: true });
const noted = (state: State): LineEffect => ({ state, outcome: 'NOTED', counts: true });
/** Requires a decision, without effect. */
const listed = (state: State, outcome: 'REJECTED' | 'UNMATCHED' | 'REPEATED'): LineEffect => ({
  state,
  outcome,
  counts: false,
});

/** A line that a file brings. */
export function importLine(state: State, command: BankLine): Outcome {
  const identity = identityOf(command);
  const { state: after, outcome, counts } = applyLine(state, command, identity);
  const imported = {
    ...after,
    lines: { ...after.lines, [command.line]: { command, outcome, decision: null } },
    counted: counts ? { ...after.counted, [identity]: true as const } : after.counted,
  };
  const isListed = isForAPerson(command, outcome);
  return { state: imported, responses: [`line ${outcome}${isListed ? ', listed' : ''}`] };
}

function applyLine(state: State, command: BankLine, identity: string): LineEffect {
  const isFuture = command.kind === 'boletoLine' && command.day > dayOf(state.now);
  if (isFuture) return listed(state, 'REJECTED');
  if (identity in state.counted) return listed(state, 'REPEATED');
  if (command.kind === 'boletoLine') return applyBoletoLine(state, command, null);
  const payout = state.withdrawals[command.withdrawal];
  if (payout?.shipped !== true) return listed(state, 'UNMATCHED');
  // The bank may have paid: giving the amount back could pay it twice.
  const isReportedPaid = Object.values(state.lines).some(
    ({ command: one }) =>
      one.kind === 'payoutLine' && one.withdrawal === command.withdrawal && one.report === 'PAID',
  );
  if (command.report === 'FAILED' && isReportedPaid) return listed(state, 'REJECTED');
  return applyPayoutLine(state, command);
}

const identityOf = (line: BankLine): string =>
  line.kind === 'boletoLine'
    ? `${line.charge} ${line.report} ${line.day} ${line.amount} ${line.occurrence}`
    : `${line.withdrawal} ${line.report} ${line.amount} ${line.occurrence}`;

/**
 * Refusals and lines that were not applied require a decision, and so does money that was reported
 * before.
 */
function isForAPerson({ report }: BankLine, outcome: string): boolean {
  if (['LATE', 'REJECTED', 'UNMATCHED'].includes(outcome)) return true;
  if (outcome === 'REPEATED') return report === 'PAID';
  return report === 'REJECTED' || report === 'FAILED';
}

function applyBoletoLine(state: State, line: BoletoLine, decision: 'ACCEPTED' | null): LineEffect {
  const charge = state.charges[line.charge];
  if (charge?.boleto === null || charge?.boleto === undefined) throw new Error(`${line.charge} is no boleto`);
  const { boleto } = charge;
  const isOpen = ['PENDING', 'WAITING_PAYMENT', 'PROCESSING'].includes(charge.status);
  const change = (changes: Partial<Charge>, to: Partial<typeof boleto>): State =>
    withCharge(state, line.charge, { ...charge, ...changes, boleto: { ...boleto, ...to } });
  switch (line.report) {
    case 'REGISTERED': {
      // The bank contradicts itself: the boleto has to be written off there.
      if (boleto.registration === 'REJECTED') return { state, outcome: 'REJECTED', counts: true };
      if (boleto.registration !== 'PENDING') return noted(state);
      const stage = boleto.stage === 'TO_SHIP' ? 'AT_BANK' : boleto.stage;
      return applied(change({}, { registration: 'REGISTERED', stage }));
    }
    case 'REJECTED': {
      if (boleto.registration !== 'PENDING') return noted(state);
      const ended = { registration: 'REJECTED', stage: 'ENDED' } as const;
      return isOpen ? applied(change({ status: 'FAILED' }, ended)) : noted(change({}, ended));
    }
    case 'WRITTEN_OFF': {
      const endsCharge = boleto.stage === 'AT_BANK' && isOpen;
      return applied(change(endsCharge ? { status: 'FAILED' } : {}, { stage: 'ENDED' }));
    }
    case 'PAID':
      return applyBoletoPayment(state, line, charge, decision);
  }
}

/** The day that the bank names is the day of the payment, whenever the file comes. */
function applyBoletoPayment(
  state: State,
  line: BoletoLine,
  { createdAt }: Charge,
  decision: 'ACCEPTED' | null,
): LineEffect {
  if (line.amount === 0) return listed(state, 'REJECTED');
  const paidAt = Math.max(startOfDay(line.day), createdAt);
  const { kind, state: received } = receivePayment(state, line.charge, {
    amount: line.amount,
    madeAt: paidAt,
    paidAt,
  });
  const charge = received.charges[line.charge];
  if (charge === undefined) throw new Error(`no such record in the model: ${line.charge}`);
  // The boleto is paid at the bank, even if the money is reversed.
  const boleto = { registration: 'REGISTERED', stage: 'ENDED' } as const;
  const after = withCharge(received, line.charge, { ...charge, boleto });
  if (kind === 'paid') return applied(after);
  if (kind === 'late') return { state: after, outcome: 'LATE', counts: true };
  // An operator has accepted it as a second payment.
  if (decision === 'ACCEPTED') return applied(after);
  return { state: after, outcome: 'REJECTED', counts: true };
}

function applyPayoutLine(state: State, { withdrawal, report, amount }: PayoutLine): LineEffect {
  const payout = state.withdrawals[withdrawal];
  if (payout === undefined) throw new Error(`no such record in the model: ${withdrawal}`);
  if (report === 'PAID' && amount !== payout.amount - payout.fee) return listed(state, 'UNMATCHED');
  if (payout.status !== 'PROCESSING') return listed(state, 'REJECTED');
  return applied(decideWithdrawal(state, withdrawal, report === 'PAID' ? 'payOut' : 'failOut').state);
}

/** An operator decides about a listed line: accepts it as an event of its own, or dismisses it. */
export function decideLine(
  state: State,
  { line: name, decision }: Extract<Command, { kind: 'decide' }>,
): Outcome {
  const found = state.lines[name];
  if (found === undefined) throw new Error(`no such line in the model: ${name}`);
  const { command, outcome, decision: before } = found;
  const cannot = refuse(state, `422 Return line cannot be ${decision}`);
  if (before !== null || !isForAPerson(command, outcome)) return cannot;
  const decided = (after: State, now: string): Outcome => ({
    state: { ...after, lines: { ...after.lines, [name]: { command, outcome: now, decision } } },
    responses: [`200 ${now} ${decision}`],
  });
  if (decision === 'DISMISSED') return decided(state, outcome);
  if (command.kind === 'boletoLine') {
    if (command.report !== 'PAID' || outcome !== 'REPEATED') return cannot;
    const { state: after, outcome: now } = applyBoletoLine(state, command, decision);
    return decided(after, now);
  }
  const canFail = state.withdrawals[command.withdrawal]?.status === 'PROCESSING';
  if (command.report !== 'FAILED' || outcome !== 'REJECTED' || !canFail) return cannot;
  const { state: after, outcome: now } = applyPayoutLine(state, command);
  return decided(after, now);
}

/** Files take all boletos that wait for the bank, and these payouts. */
export function shipFiles(state: State, withdrawals: readonly string[]): Outcome {
  let after = state;
  for (const [name, charge] of Object.entries(state.charges)) {
    if (charge.boleto !== null) {
      after = withCharge(after, name, {
        ...charge,
        boleto: { ...charge.boleto, stage: shippedStage(charge, state.now) },
      });
    }
  }
  for (const name of withdrawals) {
    const payout = after.withdrawals[name];
    if (payout === undefined) throw new Error(`no such record in the model: ${name}`);
    after = withWithdrawal(after, name, { ...payout, shipped: true });
  }
  return { state: after, responses: [''] };
}

function shippedStage({ status, boleto, expiresAt }: Charge, now: number) {
  const isOpen = ['PENDING', 'WAITING_PAYMENT', 'PROCESSING'].includes(status);
  const hasExpired = expiresAt !== null && expiresAt < now;
  const stage = boleto?.stage ?? 'ENDED';
  if (stage === 'TO_SHIP') return isOpen && !hasExpired ? 'AT_BANK' : 'ENDED';
  return stage === 'AT_BANK' && !isOpen ? 'WRITING_OFF' : stage;
}
