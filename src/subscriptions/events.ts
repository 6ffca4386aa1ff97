import { Type } from 'typebox';

import { nullable, recordId } from '#platform/http/envelope.ts';
import { newId } from '#platform/kit/ids.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';
import type { NewEvent } from '#webhooks/outbox.ts';
import { shownStatus } from './decisions.ts';
import { anyMetadata, intervalMember, invoiceStatusMember, methodMember, statusMember } from './schema.ts';
import type { Invoice, SubscriptionRecord, SubscriptionStatus } from './subscription.ts';
import { nextChargeDate } from './views.ts';

const SUBSCRIPTION_UPDATED = 'SUBSCRIPTION_UPDATED';
const INVOICE_UPDATED = 'SUBSCRIPTION_INVOICE_UPDATED';
const CARD_REQUIRED = 'SUBSCRIPTION_CARD_REQUIRED';

/** The event of a subscription that is now in a status. It contains no data of the payer. */
export function subscriptionUpdated(
  record: Omit<SubscriptionRecord, 'authorization'>,
  status: SubscriptionStatus = record.status,
): NewEvent {
  const { sellerId, id, method, amount, interval, externalRef, metadata, updatedAt: at } = record;
  const next = nextChargeDate({ ...record, status }, at);
  const data = { id, status, method, amount, interval, nextChargeDate: next, externalRef, metadata };
  return toEvent({ sellerId, recordId: id, type: SUBSCRIPTION_UPDATED, data, at });
}

/** Why the card of a subscription cannot pay the next cycle. */
const CARD_PROBLEMS = ['EXPIRES', 'DELETED'] as const;
export type CardProblem = (typeof CARD_PROBLEMS)[number];

/** The event of a subscription that needs another card. */
export function cardRequired(
  record: Omit<SubscriptionRecord, 'authorization'>,
  reason: CardProblem,
): NewEvent {
  const { sellerId, id, status, cardTokenId, externalRef, metadata, updatedAt: at } = record;
  const next = nextChargeDate(record, at);
  const data = { id, status, reason, cardTokenId, nextChargeDate: next, externalRef, metadata };
  return toEvent({ sellerId, recordId: id, type: CARD_REQUIRED, data, at });
}

/** The event of an invoice. */
export function invoiceUpdated(invoice: Invoice, at: Date): NewEvent {
  const { sellerId, id, subscriptionId, number, amount, dueDate, transactionId } = invoice;
  const status = shownStatus(invoice, at);
  const data = { id, subscriptionId, number, status, amount, dueDate, transactionId };
  return toEvent({ sellerId, recordId: id, type: INVOICE_UPDATED, data, at });
}

function toEvent({
  type,
  data,
  ...event
}: Pick<NewEvent, 'sellerId' | 'recordId' | 'type' | 'at'> & { readonly data: object }): NewEvent {
  const payload = JSON.stringify({ event: type, data });
  return { ...event, type, id: newId(event.at.getTime()), payload, eventType: 'SUBSCRIPTION' };
}

const day = (description: string) => Type.String({ description });

export const SUBSCRIPTION_EVENT: DocumentedEvent = {
  name: SUBSCRIPTION_UPDATED,
  eventType: 'SUBSCRIPTION',
  summary: 'A subscription changed',
  description:
    'Sent to webhooks of the types SUBSCRIPTION and ALL, on each status change and after an update.',
  schema: Type.Object(
    {
      event: Type.Literal(SUBSCRIPTION_UPDATED, { description: 'The name of the event.' }),
      data: Type.Object(
        {
          id: recordId('The id of the subscription.'),
          status: statusMember,
          method: methodMember,
          amount: Type.Integer({ description: 'Amount of each cycle from the next one on, in cents.' }),
          interval: intervalMember,
          nextChargeDate: nullable(day('The day of the next cycle; null if there is none.')),
          externalRef: nullable(Type.String({ description: 'Your reference.' })),
          metadata: anyMetadata,
        },
        { description: 'The subscription.' },
      ),
    },
    { title: 'SubscriptionUpdatedEvent', description: 'Body of a subscription event.' },
  ),
  examples: {
    'The payer has authorized it': {
      event: SUBSCRIPTION_UPDATED,
      data: {
        id: '01a1fb70-11a2-4b3c-8d4e-5f6a7b8c9d0e',
        status: 'ACTIVE',
        method: 'PIX_AUTOMATICO',
        amount: 4990,
        interval: 'MONTHLY',
        nextChargeDate: '2026-12-05',
        externalRef: 'plan-1042',
        metadata: null,
      },
    },
  },
};

export const CARD_EVENT: DocumentedEvent = {
  name: CARD_REQUIRED,
  eventType: 'SUBSCRIPTION',
  summary: 'A subscription needs another card',
  description:
    'Sent to webhooks of the types SUBSCRIPTION and ALL a week before a cycle that the saved card cannot ' +
    'pay. The payer is emailed if the seller has set `payerEmails`.',
  schema: Type.Object(
    {
      event: Type.Literal(CARD_REQUIRED, { description: 'The name of the event.' }),
      data: Type.Object(
        {
          id: recordId('The id of the subscription.'),
          status: statusMember,
          reason: Type.Enum([...CARD_PROBLEMS], {
            description:
              'EXPIRES: the saved card expires before the next cycle. DELETED: the saved card was ' +
              'deleted.',
          }),
          cardTokenId: nullable(recordId('The saved card.')),
          nextChargeDate: nullable(day('The day of the next cycle.')),
          externalRef: nullable(Type.String({ description: 'Your reference.' })),
          metadata: anyMetadata,
        },
        { description: 'The subscription.' },
      ),
    },
    { title: 'SubscriptionCardRequiredEvent', description: 'Body of the event for a card that cannot pay.' },
  ),
  examples: {
    'The card expires': {
      event: CARD_REQUIRED,
      data: {
        id: '01a1fb70-11a2-4b3c-8d4e-5f6a7b8c9d0e',
        status: 'ACTIVE',
        reason: 'EXPIRES',
        cardTokenId: '01a1fb6b-4c3d-4e4f-8a5b-6c7d8e9f0a1b',
        nextChargeDate: '2026-12-05',
        externalRef: 'plan-1042',
        metadata: null,
      },
    },
  },
};

export const INVOICE_EVENT: DocumentedEvent = {
  name: INVOICE_UPDATED,
  eventType: 'SUBSCRIPTION',
  summary: 'An invoice of a subscription changed',
  description:
    'Sent to webhooks of the types SUBSCRIPTION and ALL, when an invoice is charged and ' +
    'waits for its payer, and on each later status change.',
  schema: Type.Object(
    {
      event: Type.Literal(INVOICE_UPDATED, { description: 'The name of the event.' }),
      data: Type.Object(
        {
          id: recordId('The id of the invoice.'),
          subscriptionId: recordId('The subscription.'),
          number: Type.Integer({ description: 'Number of the cycle, from 1.' }),
          status: invoiceStatusMember,
          amount: Type.Integer({ description: 'Cents.' }),
          dueDate: day('The day of the cycle, in São Paulo.'),
          transactionId: nullable(
            recordId('The newest transaction of the invoice; null if it has none yet.'),
          ),
        },
        { description: 'The invoice.' },
      ),
    },
    { title: 'SubscriptionInvoiceUpdatedEvent', description: 'Body of an invoice event.' },
  ),
  examples: {
    'A cycle is paid': {
      event: INVOICE_UPDATED,
      data: {
        id: '01a1fb71-22b3-4c4d-9e5f-6a7b8c9d0e1f',
        subscriptionId: '01a1fb70-11a2-4b3c-8d4e-5f6a7b8c9d0e',
        number: 1,
        status: 'PAID',
        amount: 4990,
        dueDate: '2026-12-05',
        transactionId: '01a1fb71-33c4-4d5e-af60-7b8c9d0e1f20',
      },
    },
  },
};
