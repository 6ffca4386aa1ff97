import type { LineDetail } from './line-details.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { isDatabaseFailure } from '#platform/database/errors.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import {
  updateRegistration,
  type BoletoRegistration,
  type RegistrationChange,
} from '#payments/boletos/registrations.ts';
import type { ProviderEventHandler, ProviderEventResult } from '#payments/provider-events/handler.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { WithdrawalsService } from '#payouts/withdrawals/service.ts';
import { includesPaidCode } from '#cnab/codec/payments.ts';
import type { LineOutcome, ReturnLine } from './return-file.ts';
import { completePayment, type ShippedPayment } from './store-payments.ts';
import { findPossiblePayouts, isRepeated, saveLineOutcome } from './store-returns.ts';

/** Provider name of the events that files report. */
const PROVIDER = 'cnab';

export interface ApplyDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly handleEvent: ProviderEventHandler;
  readonly withdrawals: WithdrawalsService;
  readonly log: Logger;
}

/** The record that a line is about; neither if it matches none. */
interface BankRecord {
  readonly boleto: BoletoRegistration | undefined;
  readonly payment: ShippedPayment | undefined;
  readonly bankCode: string;
}

interface LineResult {
  readonly outcome: LineOutcome;
  readonly detail?: LineDetail;
  /** Whether a REJECTED line had an effect all the same: its payment is returned to the payer. */
  readonly counted?: boolean;
  /** Change of the boleto's registration. */
  readonly boleto?: RegistrationChange;
  /** Whether the payment has its final outcome. */
  readonly isPaymentFinal?: boolean;
}

/**
 * Applies a line and records its outcome. A line whose identity has counted already is REPEATED,
 * unless the operator accepted it as an event of its own; a line without effect repeats none. The
 * event is applied first and counts once under the
 * line's identity, so a crash before the outcome is recorded repeats it without effect.
 *
 * A line that throws is REJECTED, so that it blocks no other. If the database failed, the line stays
 * open.
 */
export async function applyReturnLine(deps: ApplyDeps, line: ReturnLine, record: BankRecord): Promise<void> {
  try {
    await applyAndRecord(deps, line, record);
  } catch (error) {
    if (isDatabaseFailure(error)) throw error;
    const { returnId, number, kind } = line;
    deps.log.error({ err: error, returnId, line: number, kind }, 'a line of a return file failed');
    await recordFailure(deps, line, record);
  }
}

async function applyAndRecord(
  deps: ApplyDeps,
  line: ReturnLine,
  { boleto, payment, bankCode }: BankRecord,
): Promise<void> {
  const result = await applyLine(deps, line, { boleto, payment, bankCode });
  failPoint('cnab-returns.line-applied');
  const at = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    if (boleto !== undefined && result.boleto !== undefined) {
      await updateRegistration(trx, boleto, result.boleto, at);
    }
    if (payment !== undefined && result.isPaymentFinal === true) await completePayment(trx, payment, at);
    await saveLineOutcome(trx, line, {
      outcome: result.outcome,
      detail: result.detail ?? null,
      counted: line.decision === null && (result.counted ?? COUNTED_OUTCOMES.has(result.outcome)),
      recordKey: boleto ?? payment,
    });
  });
}

const recordFailure = ({ db }: ApplyDeps, line: ReturnLine, { boleto, payment }: BankRecord): Promise<void> =>
  db.transaction().execute((trx) =>
    saveLineOutcome(trx, line, {
      outcome: 'REJECTED',
      detail: 'processing failed: accept it to try again',
      counted: false,
      recordKey: boleto ?? payment,
    }),
  );

const COUNTED_OUTCOMES: ReadonlySet<LineOutcome> = new Set(['APPLIED', 'NOTED', 'LATE']);

async function applyLine(
  deps: ApplyDeps,
  line: ReturnLine,
  { boleto, payment, bankCode }: BankRecord,
): Promise<LineResult> {
  const { occurredOn, decision, record } = line;
  if (occurredOn !== null && occurredOn > saoPauloDate(deps.clock.now()))
    return { outcome: 'REJECTED', detail: `the date ${occurredOn} lies in the future` };
  if (decision === null && (await isRepeated(deps.db, line)))
    return { outcome: 'REPEATED', detail: 'already reported' };
  if (boleto !== undefined) return applyToBoleto(deps, line, boleto);
  if (payment === undefined) return { outcome: 'UNMATCHED', detail: 'no such record' };
  // The bank may have paid, even if with another amount: giving the amount back could pay it twice.
  const isHeld =
    line.kind === 'PAYOUT_FAILED' && decision === null && (await isReportedPaid(deps, bankCode, record));
  if (isHeld) return { outcome: 'REJECTED', detail: 'the bank had reported it as paid: ask the bank' };
  return applyToPayment(deps, line, payment);
}

/**
 * Whether a file of the bank has reported a payment as paid, with any amount or beside other codes.
 */
async function isReportedPaid({ db }: ApplyDeps, bankCode: string, record: string): Promise<boolean> {
  const lines = await findPossiblePayouts(db, bankCode, record);
  return lines.some(({ kind, code }) => kind === 'PAYOUT_PAID' || includesPaidCode(bankCode, code));
}

async function applyToBoleto(
  deps: ApplyDeps,
  line: ReturnLine,
  boleto: BoletoRegistration,
): Promise<LineResult> {
  switch (line.kind) {
    case 'REGISTERED':
      return register(boleto);
    case 'REJECTED':
      return reject(deps, line, boleto);
    case 'PAID':
      return pay(deps, line, boleto);
    case 'WRITTEN_OFF':
      return writeOff(deps, line, boleto);
    case 'ORDER_REJECTED':
      // A rejected write-off is not retried: the boleto is paid or written off already.
      return boleto.stage === 'WRITING_OFF'
        ? { outcome: 'NOTED', boleto: { stage: 'ENDED' } }
        : { outcome: 'NOTED' };
    case 'TARIFF':
    case 'NOTE':
    case 'UNREADABLE':
    case 'PAYOUT_PAID':
    case 'PAYOUT_FAILED':
    case 'PAYOUT_WAITING':
    case 'PAYOUT_UNCLEAR':
      return { outcome: 'NOTED' };
  }
}

function register({ registration, stage }: BoletoRegistration): LineResult {
  if (registration === 'REJECTED') {
    const detail = 'the bank had rejected it before: write it off at the bank';
    return { outcome: 'REJECTED', detail, counted: true };
  }
  if (registration !== 'PENDING') return { outcome: 'NOTED', detail: 'is REGISTERED' };
  const change = { registration: 'REGISTERED' } as const;
  return {
    outcome: 'APPLIED',
    boleto: stage === 'TO_SHIP' ? { ...change, stage: 'AT_BANK' } : change,
  };
}

async function reject(deps: ApplyDeps, line: ReturnLine, boleto: BoletoRegistration): Promise<LineResult> {
  // If a file is sent to the bank twice, it registers a boleto and then rejects it as a duplicate.
  if (boleto.registration !== 'PENDING') {
    const detail = boleto.registration === 'REGISTERED' ? 'is REGISTERED' : 'is REJECTED';
    return { outcome: 'NOTED', detail };
  }
  const rejected = { registration: 'REJECTED', stage: 'ENDED', reason: line.reason ?? '' } as const;
  if (!boleto.isPayable)
    return { outcome: 'NOTED', detail: 'the transaction had already ended', boleto: rejected };
  const reason = `registration rejected: ${line.reason}` as const;
  const result = await applyEvent(deps, line, boleto, { kind: 'FAILURE', reason });
  return { ...outcomeOf(result), boleto: rejected };
}

async function pay(deps: ApplyDeps, line: ReturnLine, boleto: BoletoRegistration): Promise<LineResult> {
  if (line.amount === 0) return { outcome: 'REJECTED', detail: 'the amount is zero' };
  const paidAt = occurredAtOf(line, boleto.createdAt, deps.clock);
  const result = await applyEvent(deps, line, boleto, { kind: 'PAYMENT', amount: line.amount, paidAt });
  // The boleto is paid at the bank, whether or not the transaction accepts the payment.
  const ended = { registration: 'REGISTERED', stage: 'ENDED' } as const;
  const detail = RETURNED_DETAILS[result.kind];
  if (detail === undefined) return { ...outcomeOf(result), boleto: ended };
  // The operator accepted it as a payment of its own, and the payer gets it back.
  const outcome = line.decision === 'ACCEPTED' ? 'APPLIED' : 'REJECTED';
  return { outcome, detail, counted: true, boleto: ended };
}

/** Why a payment that was not applied is returned to the payer. */
const RETURNED_DETAILS: Readonly<Partial<Record<ProviderEventResult['kind'], LineDetail>>> = {
  impossible: 'the transaction is paid already: the payment is returned to the payer',
  'wrong-amount': 'the amount differs from the transaction: the payment is returned to the payer',
};

async function writeOff(deps: ApplyDeps, line: ReturnLine, boleto: BoletoRegistration): Promise<LineResult> {
  const ended = { stage: 'ENDED' } as const;
  // The gateway requested it, or the boleto was paid or expired.
  if (boleto.stage !== 'AT_BANK' || !boleto.isPayable) return { outcome: 'APPLIED', boleto: ended };
  const failure = { kind: 'FAILURE', reason: 'written off by the bank' } as const;
  return { ...outcomeOf(await applyEvent(deps, line, boleto, failure)), boleto: ended };
}

async function applyEvent(
  { handleEvent, clock }: ApplyDeps,
  line: ReturnLine,
  boleto: BoletoRegistration,
  event: TransactionEvent,
): Promise<ProviderEventResult> {
  return handleEvent({
    provider: PROVIDER,
    eventId: eventIdOf(line),
    sellerId: boleto.sellerId,
    transactionId: boleto.id,
    event,
    occurredAt: occurredAtOf(line, boleto.createdAt, clock),
  });
}

/** Lines with one identity report one event, unless the operator accepted a line as another. */
const eventIdOf = ({ identity, decision, returnId, number }: ReturnLine): string =>
  identity === null || decision === 'ACCEPTED' ? `${returnId} ${number}` : identity;

/** Returns the start of the reported day, or the record's creation if it is later. */
function occurredAtOf({ occurredOn }: ReturnLine, createdAt: Date, clock: Clock): Date {
  if (occurredOn === null) return clock.now();
  const startOfDay = startOfSaoPauloDay(occurredOn);
  return startOfDay < createdAt ? createdAt : startOfDay;
}

function outcomeOf(result: ProviderEventResult): Pick<LineResult, 'outcome' | 'detail'> {
  switch (result.kind) {
    case 'applied':
    case 'repeated':
      return { outcome: 'APPLIED' };
    case 'late':
      return {
        outcome: 'LATE',
        detail: 'the transaction had already ended: the payment is returned to the payer',
      };
    case 'impossible':
      return { outcome: 'REJECTED', detail: `the transaction cannot go from ${result.from} to ${result.to}` };
    case 'unknown':
      return { outcome: 'UNMATCHED', detail: 'no such transaction' };
    case 'nothing':
    case 'wrong-amount':
    case 'insufficient':
    case 'used':
      return { outcome: 'REJECTED', detail: 'already reported for another record' };
  }
}

async function applyToPayment(
  { withdrawals, clock }: ApplyDeps,
  line: ReturnLine,
  payment: ShippedPayment,
): Promise<LineResult> {
  const occurredAt = occurredAtOf(line, payment.createdAt, clock);
  const isPaid = line.kind === 'PAYOUT_PAID';
  if (isPaid && line.amount !== payment.amount) {
    const detail = `the bank reported ${line.amount} instead of ${payment.amount}: ask the bank` as const;
    return { outcome: 'UNMATCHED', detail };
  }
  const event = isPaid
    ? ({ kind: 'PAYMENT', paidAt: occurredAt } as const)
    : ({ kind: 'FAILURE', reason: line.reason ?? 'failed at the bank' } as const);
  const result = await withdrawals.applyProviderEvent(payment, event, {
    provider: PROVIDER,
    eventId: eventIdOf(line),
    kind: event.kind,
    amount: isPaid ? line.amount : null,
    occurredAt,
  });
  switch (result.kind) {
    case 'applied':
    case 'repeated':
      return { outcome: 'APPLIED', isPaymentFinal: true };
    case 'unknown':
      return { outcome: 'UNMATCHED', detail: 'no such withdrawal' };
    case 'impossible':
      return { outcome: 'REJECTED', detail: `the withdrawal cannot go from ${result.from} to ${result.to}` };
  }
}
