import { Type } from 'typebox';

import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import type { DocumentedEvent } from '#platform/openapi/events.ts';
import { statusMember } from './schema.ts';
import { WITHDRAWAL_METHODS, type Withdrawal } from './withdrawal.ts';

const WITHDRAWAL_UPDATED = 'WITHDRAWAL_UPDATED';

/** The webhook event of a withdrawal. It contains no data of the payee. */
export function withdrawalUpdated(withdrawal: Withdrawal): {
  readonly type: string;
  readonly payload: string;
} {
  const data = {
    id: withdrawal.id,
    status: withdrawal.status,
    amount: withdrawal.amount,
    method: withdrawal.method,
    paidAt: withdrawal.paidAt,
  };
  return { type: WITHDRAWAL_UPDATED, payload: JSON.stringify({ event: WITHDRAWAL_UPDATED, data }) };
}

/** The event as the API reference documents it. */
export const WITHDRAWAL_EVENT: DocumentedEvent = {
  name: WITHDRAWAL_UPDATED,
  eventType: 'WITHDRAWAL',
  summary: "A withdrawal's status changed",
  description: 'Sent to webhooks of the types WITHDRAWAL and ALL.',
  schema: Type.Object(
    {
      event: Type.Literal(WITHDRAWAL_UPDATED, { description: 'The name of the event.' }),
      data: Type.Object(
        {
          id: recordId('The id of the withdrawal.'),
          status: statusMember,
          amount: Type.Integer({ description: 'In cents, deducted from the balance.' }),
          method: Type.Enum([...WITHDRAWAL_METHODS], { description: 'How the withdrawal is paid.' }),
          paidAt: nullable(timestamp('When it was paid; null if it has not been paid.')),
        },
        { description: 'The withdrawal.' },
      ),
    },
    { title: 'WithdrawalUpdatedEvent', description: 'Body of a withdrawal event.' },
  ),
  examples: {
    'A withdrawal is paid': {
      event: WITHDRAWAL_UPDATED,
      data: {
        id: '01a1fb6a-2f10-4c8e-8a4d-91c2d3e4f5a6',
        status: 'PAID',
        amount: 50_000,
        method: 'PIX',
        paidAt: '2026-11-20T12:05:03.000Z',
      },
    },
  },
};
