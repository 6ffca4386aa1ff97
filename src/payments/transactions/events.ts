import { toIso } from '#platform/kit/iso-time.ts';
import { Type } from 'typebox';

import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';
import { statusMember } from './schema.ts';
import { METHODS, type Transaction } from './transaction.ts';

const TRANSACTION_UPDATED = 'TRANSACTION_UPDATED';

/** The type and body of the webhook event. The body contains no personal data of the payer. */
export function transactionUpdated(transaction: Transaction): {
  readonly type: string;
  readonly payload: string;
} {
  const data = {
    id: transaction.id,
    externalRef: transaction.externalRef ?? transaction.customer.externalRef,
    status: transaction.status,
    amount: transaction.amount,
    netAmount: transaction.amount - transaction.feeAmount,
    feeAmount: transaction.feeAmount,
    refundedAmount: transaction.refundedAmount,
    method: transaction.method,
    paidAt: toIso(transaction.paidAt) ?? null,
    metadata: transaction.metadata,
  };
  return { type: TRANSACTION_UPDATED, payload: JSON.stringify({ event: TRANSACTION_UPDATED, data }) };
}

/**
 * Returns where a transaction's postbacks go. Those of one seller to one host share the limits of
 * an endpoint.
 */
export function postbackTarget({ sellerId, postbackUrl }: Pick<Transaction, 'sellerId' | 'postbackUrl'>): {
  readonly url: string;
  readonly endpoint: string;
} | null {
  if (postbackUrl === null) return null;
  return { url: postbackUrl, endpoint: `postback ${sellerId} ${new URL(postbackUrl).host}` };
}

/** The event in the API reference. */
export const TRANSACTION_UPDATED_EVENT: DocumentedEvent = {
  name: TRANSACTION_UPDATED,
  eventType: 'TRANSACTION',
  summary: 'A transaction changed',
  description:
    'Sent to webhooks of the types TRANSACTION and ALL, and to the postbackUrl of the transaction. Sent ' +
    'on creation only if the transaction already has an outcome, such as a card that is PAID, AUTHORIZED ' +
    'or FAILED. Also sent for a partial refund, which changes only `refundedAmount`.',
  schema: Type.Object(
    {
      event: Type.Literal(TRANSACTION_UPDATED, { description: 'The name of the event.' }),
      data: Type.Object(
        {
          id: recordId('The id of the transaction.'),
          externalRef: nullable(
            Type.String({ description: "The transaction's externalRef; if it has none, the customer's." }),
          ),
          status: statusMember,
          amount: Type.Integer({ description: 'Cents.' }),
          netAmount: Type.Integer({ description: 'Amount minus the fee, in cents.' }),
          feeAmount: Type.Integer({ description: 'Cents.' }),
          refundedAmount: Type.Integer({
            description:
              'Cents refunded so far, including lost Pix and boleto disputes, but not chargebacks.',
          }),
          method: Type.Enum([...METHODS], { description: 'How the payer pays.' }),
          paidAt: nullable(timestamp('When it was paid; null if it has not been paid.')),
          metadata: Type.Unsafe<unknown>({
            type: ['object', 'null'],
            additionalProperties: true,
            description: 'The metadata of the transaction.',
          }),
        },
        { description: 'The transaction.' },
      ),
    },
    { title: 'TransactionUpdatedEvent', description: 'Body of a transaction event.' },
  ),
  examples: {
    'A transaction is paid': {
      event: TRANSACTION_UPDATED,
      data: {
        id: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
        externalRef: 'order-1042',
        status: 'PAID',
        amount: 14970,
        netAmount: 14822,
        feeAmount: 148,
        refundedAmount: 0,
        method: 'PIX',
        paidAt: '2026-11-20T12:04:10.000Z',
        metadata: { orderId: '1042' },
      },
    },
  },
};
