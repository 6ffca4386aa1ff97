import type { Static } from 'typebox';

import { renderQrDataUri } from '#qr';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { paymentTokenOf } from '#payments/transactions/payment-token.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { cycleDate } from './calendar.ts';
import { isExhausted, shownStatus, today } from './decisions.ts';
import type { InvoiceSchema, SubscriptionSchema } from './schema.ts';
import { hasEnded } from './states.ts';
import type { Attempt, AttemptState, Invoice, Subscription, SubscriptionRecord } from './subscription.ts';

export type SubscriptionView = Static<typeof SubscriptionSchema>;
export type InvoiceView = Static<typeof InvoiceSchema>;

/**
 * The day of the next cycle that will be paid. One whose day has come, and that waits for the cycle
 * before it, is charged today at the earliest.
 */
export function nextChargeDate(record: Omit<SubscriptionRecord, 'authorization'>, now: Date): string | null {
  const { status, scheduledDates, nextCycle } = record;
  const day = today(now);
  if (hasEnded(status) || status === 'PAUSED') return null;
  const scheduled = scheduledDates.find((one) => one >= day);
  if (scheduled !== undefined) return scheduled;
  if (isExhausted(record)) return null;
  const date = cycleDate(record, nextCycle);
  return date > day ? date : day;
}

/** The token of the page of a payer: made like that of a payment. */
export const payerTokenOf = ({ id, payerSecret }: Pick<Subscription, 'id' | 'payerSecret'>): string =>
  paymentTokenOf({ id, paymentSecret: payerSecret });

export interface ViewContext {
  readonly now: Date;
  readonly publicUrl: string;
}

export function viewSubscription(
  record: SubscriptionRecord,
  { now, publicUrl }: ViewContext,
): SubscriptionView {
  const { customer, authorization } = record;
  return {
    id: record.id,
    status: record.status,
    method: record.method,
    amount: record.amount,
    amountType: record.amountType,
    minimumAmount: record.minimumAmount,
    interval: record.interval,
    startDate: record.startDate,
    cycles: record.cycles,
    chargedCycles: record.chargedCycles,
    nextChargeDate: nextChargeDate(record, now),
    retryPolicy: record.retryPolicy,
    onUnpaid: record.onUnpaid,
    description: record.description,
    customerId: record.customerId,
    customer: customer && { ...customer, document: maskDocument(customer.documentType, customer.document) },
    cardTokenId: record.cardTokenId,
    pixAutomatico: authorization && {
      idRec: authorization.idRec,
      status: authorization.status,
      journey: authorization.journey,
      qrCode: authorization.code,
      qrCodeBase64: authorization.code === null ? null : renderQrDataUri(authorization.code),
    },
    payerUrl: `${publicUrl}/pay/s/${payerTokenOf(record)}`,
    externalRef: record.externalRef,
    metadata: record.metadata,
    postbackUrl: record.postbackUrl,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

const ATTEMPT_STATUSES: Readonly<Record<AttemptState, 'PENDING' | 'PAID' | 'FAILED' | 'CANCELLED'>> = {
  DUE: 'PENDING',
  SENT: 'PENDING',
  PAID: 'PAID',
  FAILED: 'FAILED',
  CANCELING: 'CANCELLED',
  CANCELED: 'CANCELLED',
};

const hasOutcome = ({ state }: Attempt): boolean => state === 'PAID' || state === 'FAILED';

/** Attempts of a later day are planned, not made, unless their outcome is known. */
export function viewInvoice(invoice: Invoice, attempts: readonly Attempt[], now: Date): InvoiceView {
  const made = attempts.filter(
    (attempt) => hasOutcome(attempt) || startOfSaoPauloDay(attempt.chargeDate) <= now,
  );
  const planned = attempts.find((attempt) => !made.includes(attempt) && attempt.state !== 'CANCELED');
  return {
    id: invoice.id,
    subscriptionId: invoice.subscriptionId,
    number: invoice.number,
    dueDate: invoice.dueDate,
    amount: invoice.amount,
    status: shownStatus(invoice, now),
    transactionId: invoice.transactionId,
    attempts: made.map(({ chargeDate, state, reason }) => ({
      date: chargeDate,
      status: ATTEMPT_STATUSES[state],
      reason,
    })),
    nextAttemptDate: invoice.retryDate ?? planned?.chargeDate ?? null,
    createdAt: invoice.createdAt.toISOString(),
    updatedAt: invoice.updatedAt.toISOString(),
  };
}
