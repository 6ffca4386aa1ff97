import { Type } from 'typebox';

import { dateQuery } from '#platform/http/date-filters.ts';
import { nullable, Timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { DISPUTE_STATUSES } from './states.ts';

export const DisputeSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    transactionId: Type.String({ format: 'uuid' }),
    status: Type.Enum([...DISPUTE_STATUSES]),
    amount: Type.Integer({ description: 'Disputed amount in cents, which is held.' }),
    reason: Type.String(),
    createdBy: Type.String({ description: "Who opened it: PAYER, or an operator's user." }),
    createdAt: Timestamp,
    appealUntil: Type.String({
      format: 'date-time',
      description: 'The seller can appeal until then. A dispute without an appeal is lost.',
    }),
    resolvedAt: nullable(Timestamp),
    resolvedBy: nullable(Type.String({ description: "Who closed it: an operator's user, or `deadline`." })),
    appealReason: nullable(Type.String()),
  },
  { title: 'Dispute' },
);

const disputePage = <Item extends typeof DisputeSchema | typeof OperatorDisputeSchema>(item: Item) =>
  Type.Object({
    data: Type.Array(item),
    count: Type.Integer(),
    take: Type.Integer(),
    skip: Type.Integer(),
  });

/** The response of every seller route: a list inside `data`, also for a single dispute. */
export const DisputesSchema = Type.Object(
  { status: Type.Literal(true), data: disputePage(DisputeSchema) },
  { title: 'Disputes' },
);

export const OperatorDisputeSchema = Type.Object(
  {
    ...DisputeSchema.properties,
    sellerId: Type.String({ format: 'uuid' }),
    sellerName: Type.String(),
  },
  { title: 'OperatorDispute' },
);

export const OperatorDisputesSchema = disputePage(OperatorDisputeSchema);

export const OpenDisputeBody = Type.Object({
  reason: nonEmptyString(255),
  amount: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_AMOUNT_CENTS,
        description: 'In cents; defaults to the remaining amount.',
      }),
    ),
  ),
});

export const disputeStatuses = statusFilter(DISPUTE_STATUSES);

const { take, skip } = pageQuery;

/** The query parameters of the dispute lists. */
export const disputeFilters = {
  take,
  skip,
  status: disputeStatuses.querySchema,
  transactionId: Type.Optional(Type.String({ format: 'uuid' })),
  ...dateQuery,
};
