import type { Static } from 'typebox';

import { renderQrDataUri } from '#qr';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { cycleDate } from './calendar.ts';
import { isExhausted, shownStatus } from './decisions.ts';
import type { InvoiceSchema, SubscriptionSchema } from './schema.ts';
import { hasEnded } from './states.ts';
import type { Attempt, AttemptState, Invoice, SubscriptionRecord } from './subscription.ts';

export type SubscriptionView = Static<typeof SubscriptionSchema>;
export type InvoiceView = Static<typeof InvoiceSchema>;

/** The day of the next cycle that will be paid. */
export function nextChargeDate(record: Omit<SubscriptionRecord, 'authorization'>): string | null {
  const { status, scheduledDate, nextCycle } = record;
  if (hasEnded(status) || status === 'PAUSED') return null;
  if (scheduledDate !== null) return scheduledDate;
  return isExhausted(record) ? null : cycleDate(record, nextCycle);
}

export function viewSubscription(record: SubscriptionRecord): SubscriptionView {
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
    nextChargeDate: nextChargeDate(record),
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

/** Attempts of a later day are planned, not made. */
export function viewInvoice(invoice: Invoice, attempts: readonly Attempt[], now: Date): InvoiceView {
  const made = attempts.filter(({ chargeDate }) => startOfSaoPauloDay(chargeDate) <= now);
  const planned = attempts.find((attempt) => !made.includes(attempt) && attempt.state !== 'CANCELED');
  const created = attempts.findLast(({ state }) => state !== 'DUE');
  return {
    id: invoice.id,
    subscriptionId: invoice.subscriptionId,
    number: invoice.number,
    dueDate: invoice.dueDate,
    amount: invoice.amount,
    status: shownStatus(invoice, now),
    transactionId: created?.transactionId ?? null,
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
