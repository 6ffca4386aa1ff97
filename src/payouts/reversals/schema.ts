import { Type } from 'typebox';

import { dateQuery, dateRule } from '#platform/http/date-filters.ts';
import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { REVERSAL_REASONS } from '#payments/provider-events/reversal-port.ts';
import { METHODS } from '#payments/transactions/transaction.ts';
import { REVERSAL_STATUSES } from './reversal.ts';

export const ReversalSchema = Type.Object(
  {
    id: recordId('The id of the reversal.'),
    sellerId: recordId('The seller.'),
    transactionId: recordId('The transaction that the payment was for.'),
    method: Type.Enum([...METHODS], { description: 'The payment method of the transaction.' }),
    amount: Type.Integer({ description: 'The whole payment, in cents.' }),
    reason: Type.Enum([...REVERSAL_REASONS], { description: 'Why the payment is returned.' }),
    status: Type.Enum([...REVERSAL_STATUSES], {
      description:
        'PENDING: waits for the provider. SENT: the money was returned to the payer. MANUAL: the operator ' +
        'must return it.',
    }),
    provider: Type.String({ description: 'The provider that reported the payment.' }),
    reportId: Type.String({ description: "The provider's id of the payment." }),
    attempts: Type.Integer({ description: 'Number of calls to the provider.' }),
    providerReference: nullable(Type.String({ description: "The provider's id of the reversal." })),
    detail: nullable(Type.String({ description: 'Why manual action is required.' })),
    settledBy: nullable(
      Type.String({ format: 'uuid', description: 'The operator user who marked it as sent.' }),
    ),
    note: nullable(Type.String({ description: 'How the operator returned the money.' })),
    sentAt: nullable(
      timestamp('When the provider confirmed the reversal, or the operator recorded it; null until then.'),
    ),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'Reversal', description: 'A payment that is returned to the payer.' },
);

export const ListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    status: Type.Optional(
      Type.Enum([...REVERSAL_STATUSES], { description: 'Only reversals with this status.' }),
    ),
    sellerId: Type.Optional(recordId('Only reversals of this seller.')),
    transactionId: Type.Optional(recordId('Only reversals of this transaction.')),
    ...dateQuery,
  }),
  [dateRule],
);
