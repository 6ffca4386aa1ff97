import { Type } from 'typebox';

import { AuthorSchema, toAuthor } from '#platform/http/audit-actor.ts';
import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';

export const REFUND_STATUSES = ['PENDING', 'DONE', 'FAILED'] as const;

/** A refund as it is stored. */
export interface RefundRecord {
  readonly id: string;
  readonly amount: number;
  readonly reason: string | null;
  readonly status: string;
  readonly createdBy: unknown;
  readonly createdAt: Date;
}

export const RefundSchema = Type.Object(
  {
    id: recordId('Unique identifier.'),
    amount: Type.Integer({ description: 'Cents.' }),
    reason: nullable(Type.String({ description: 'Reason that was given for the refund.' })),
    status: Type.Enum([...REFUND_STATUSES], {
      description:
        'PENDING until the provider reports the outcome. FAILED: the money is back in the balance.',
    }),
    createdBy: AuthorSchema,
    createdAt: timestamp('When the refund was requested.'),
  },
  { title: 'Refund', description: 'A refund of a transaction.' },
);

export const viewRefund = ({ createdAt, createdBy, status, ...refund }: RefundRecord) => ({
  ...refund,
  status: REFUND_STATUSES.find((known) => known === status) ?? ('DONE' as const),
  createdBy: toAuthor(createdBy),
  createdAt: createdAt.toISOString(),
});
