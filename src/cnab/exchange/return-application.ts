/** What one line of a return file does, once: through the doors of charges and withdrawals, then to the exchange's own records. */
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { ProviderEventHandler } from '#providers/event-handler.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { ProviderEventResult } from '#payments/transactions/service.ts';
import type { WithdrawalsService } from '#payouts/withdrawals/service.ts';
import type { LineOutcome, ReturnLine } from '#cnab/codec/return-file.ts';
import {
  saveLineOutcome,
  completePayment,
  updateBoleto,
  type MatchedBoleto,
  type MatchedPayment,
} from './store-returns.ts';

/** Who reports, in all that is kept of it. */
const PROVIDER = 'cnab';

export interface ApplyDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly handleEvent: ProviderEventHandler;
  readonly withdrawals: WithdrawalsService;
  readonly bankCode: string;
}

interface MatchedRecords {
  readonly boleto: MatchedBoleto | undefined;
  readonly payment: MatchedPayment | undefined;
}

interface LineResult {
  readonly outcome: LineOutcome;
  readonly detail?: string;
  /** What the boleto comes to. */
  readonly boleto?: Parameters<typeof updateBoleto>[2];
  /** The payment has its outcome. */
  readonly ended?: boolean;
}

/**
 * Applies a line and marks it. The report comes first and counts once under the line's identity; a crash before the mark has it
 * told again, which changes nothing.
 */
export async function applyReturnLine(
  deps: ApplyDeps,
  line: ReturnLine,
  { boleto, payment }: MatchedRecords,
): Promise<void> {
  const key = boleto ?? payment;
  const result: LineResult =
    boleto !== undefined
      ? await applyToBoleto(deps, line, boleto)
      : payment !== undefined
        ? await applyToPayment(deps, line, payment)
        : { outcome: 'UNMATCHED', detail: 'no such record' };
  failPoint('cnab-returns.line-applied');
  const at = deps.clock.now();
  await deps.db.transaction().execute(async (trx) => {
    if (boleto !== undefined && result.boleto !== undefined) {
      await updateBoleto(trx, boleto, result.boleto, at);
    }
    if (payment !== undefined && result.ended === true) await completePayment(trx, payment, at);
    await saveLineOutcome(trx, line, { outcome: result.outcome, detail: result.detail ?? null, key });
  });
}

async function applyToBoleto(deps: ApplyDeps, line: ReturnLine, boleto: MatchedBoleto): Promise<LineResult> {
  switch (line.kind) {
    case 'REGISTERED':
      if (boleto.registration !== 'PENDING') return { outcome: 'NOTED', detail: `is ${boleto.registration}` };
      return {
        outcome: 'APPLIED',
        boleto: {
          registration: 'REGISTERED',
          ...(boleto.stage === 'TO_SHIP' ? { stage: 'AT_BANK' as const } : {}),
        },
      };
    case 'REJECTED':
      return reject(deps, line, boleto);
    case 'PAID':
      return pay(deps, line, boleto);
    case 'WRITTEN_OFF': {
      const ended = { stage: 'ENDED' } as const;
      // As it was asked to, or after a payment, or because its time was over.
      if (boleto.stage !== 'AT_BANK' || !boleto.waits) return { outcome: 'APPLIED', boleto: ended };
      const failure = { kind: 'FAILURE', reason: 'written off by the bank' } as const;
      return { ...outcomeOf(await applyEvent(deps, line, boleto, failure)), boleto: ended };
    }
    case 'ORDER_REJECTED':
      // It is not asked again: a boleto that is paid or written off already cannot be written off.
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

async function reject(deps: ApplyDeps, line: ReturnLine, boleto: MatchedBoleto): Promise<LineResult> {
  // The same file sent to the bank twice is registered once and rejected once.
  if (boleto.registration !== 'PENDING') return { outcome: 'NOTED', detail: `is ${boleto.registration}` };
  const rejected = { registration: 'REJECTED', stage: 'ENDED', reason: line.reason ?? '' } as const;
  if (!boleto.waits) return { outcome: 'NOTED', detail: 'the charge had ended', boleto: rejected };
  const reason = `registration rejected: ${line.reason}`;
  const result = await applyEvent(deps, line, boleto, { kind: 'FAILURE', reason });
  return { ...outcomeOf(result), boleto: rejected };
}

async function pay(deps: ApplyDeps, line: ReturnLine, boleto: MatchedBoleto): Promise<LineResult> {
  if (line.amount === 0) return { outcome: 'REJECTED', detail: 'a payment of nothing' };
  const paidAt = paidAtOf(line, boleto.createdAt, deps.clock);
  const result = await applyEvent(deps, line, boleto, { kind: 'PAYMENT', amount: line.amount, paidAt });
  // Whatever the charge says to it, the bank is done with the boleto.
  return { ...outcomeOf(result), boleto: { registration: 'REGISTERED', stage: 'ENDED' } };
}

function applyEvent(
  { handleEvent, clock }: ApplyDeps,
  line: ReturnLine,
  boleto: MatchedBoleto,
  event: TransactionEvent,
): Promise<ProviderEventResult> {
  return handleEvent({
    provider: PROVIDER,
    eventId: line.identity ?? `${line.returnId} ${line.number}`,
    sellerId: boleto.sellerId,
    transactionId: boleto.id,
    event,
    occurredAt: paidAtOf(line, boleto.createdAt, clock),
  });
}

/** Files know days: the first moment of it, but none before the record was made. */
function paidAtOf({ occurredOn }: ReturnLine, createdAt: Date, clock: Clock): Date {
  if (occurredOn === null) return clock.now();
  const day = startOfSaoPauloDay(occurredOn);
  return day < createdAt ? createdAt : day;
}

function outcomeOf(result: ProviderEventResult): Pick<LineResult, 'outcome' | 'detail'> {
  switch (result.kind) {
    case 'applied':
    case 'repeated':
      return { outcome: 'APPLIED' };
    case 'late':
      return { outcome: 'LATE', detail: 'the charge had ended: the money goes back to the payer' };
    case 'wrong-amount':
      return {
        outcome: 'REJECTED',
        detail: 'another amount than the charge’s: the money goes back to the payer',
      };
    case 'impossible':
      return { outcome: 'REJECTED', detail: `the charge cannot go from ${result.from} to ${result.to}` };
    case 'unknown':
      return { outcome: 'UNMATCHED', detail: 'no such charge' };
    case 'nothing':
    case 'insufficient':
    case 'used':
      return { outcome: 'REJECTED', detail: 'told before of something else' };
  }
}

async function applyToPayment(
  { withdrawals, clock }: ApplyDeps,
  line: ReturnLine,
  payment: MatchedPayment,
): Promise<LineResult> {
  const occurredAt = paidAtOf(line, payment.createdAt, clock);
  const paid = line.kind === 'PAYOUT_PAID';
  if (paid && line.amount !== payment.amount) {
    const detail = `the bank tells of ${line.amount}, ordered were ${payment.amount}: ask the bank`;
    return { outcome: 'UNMATCHED', detail };
  }
  const event = paid
    ? ({ kind: 'PAYMENT', paidAt: occurredAt } as const)
    : ({ kind: 'FAILURE', reason: line.reason ?? 'failed at the bank' } as const);
  const result = await withdrawals.applyProviderEvent(payment, event, {
    provider: PROVIDER,
    eventId: line.identity ?? `${line.returnId} ${line.number}`,
    kind: event.kind,
    amount: paid ? line.amount : null,
    occurredAt,
  });
  switch (result.kind) {
    case 'applied':
    case 'repeated':
      return { outcome: 'APPLIED', ended: true };
    case 'unknown':
      return { outcome: 'UNMATCHED', detail: 'no such withdrawal' };
    case 'impossible':
      return { outcome: 'REJECTED', detail: `the withdrawal cannot go from ${result.from} to ${result.to}` };
  }
}
