import { Type } from 'typebox';

import { AuthorSchema } from '#platform/http/audit-actor.ts';
import { dateQuery } from '#platform/http/date-filters.ts';
import { envelope, listCount, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { MED_STATUSES, MED_TYPES } from './med.ts';
import { DISPUTE_STATUSES } from './states.ts';

const MedSchema = Type.Object(
  {
    recoveryId: Type.String({ description: "The provider's id of the funds recovery." }),
    type: Type.Enum([...MED_TYPES], { description: 'What the payer reported.' }),
    status: Type.Enum([...MED_STATUSES], {
      description:
        'CREATED, TRACKED, AWAITING_ANALYSIS, ANALYSED: the amount is on hold. REFUNDING: the ' +
        'claim was accepted, and the provider returns the amount. COMPLETED: the amount was ' +
        'returned, or the claim was denied. CANCELLED: the claim was withdrawn.',
    }),
    analysisDueAt: timestamp('When the analysis is due: seven days after the claim.'),
    refundDueAt: timestamp(
      'When the refund is due: 96 hours after the analysis. Until the analysis: 96 hours after ' +
        '`analysisDueAt`.',
    ),
    monitorAccount: Type.Boolean({
      description: "Whether the payer's bank asks for the receiver's account to be monitored.",
    }),
    acceptedAmount: nullable(
      Type.Integer({
        description:
          'Amount that the analysis accepted, in cents; 0 if it denied the claim, null without an analysis.',
      }),
    ),
  },
  {
    title: 'MedRecovery',
    description: "The MED claim on a Pix payment. MED is the Central Bank's refund process for Pix fraud.",
  },
);

export const DisputeSchema = Type.Object(
  {
    id: recordId('The id of the dispute.'),
    transactionId: recordId('The disputed transaction.'),
    status: Type.Enum([...DISPUTE_STATUSES], {
      description:
        'OPEN: the seller can appeal. UNDER_REVIEW: the seller has appealed. RESOLVED: won by the seller. ' +
        'REJECTED: lost by the seller.',
    }),
    amount: Type.Integer({
      description: 'Disputed amount in cents. It is on hold until the dispute is closed.',
    }),
    reason: Type.String({ description: 'Reason that the payer or the bank gave.' }),
    createdBy: Type.String({
      description: 'Who opened it: PAYER, the id of an operator user, or the name of a provider.',
    }),
    createdAt: timestamp('When it was opened.'),
    appealUntil: Type.String({
      format: 'date-time',
      description: 'Until when the seller can appeal. A dispute without an appeal is lost.',
    }),
    resolvedAt: nullable(timestamp('When it was closed; null while it is open.')),
    resolvedBy: nullable(
      Type.String({
        description:
          'Who closed it: the id of an operator user; `PROVIDER`; or `deadline`, if the seller did not ' +
          'appeal in time. Null while it is open.',
      }),
    ),
    appealReason: nullable(
      Type.String({ description: "The seller's reason for the appeal; null without an appeal." }),
    ),
    appealedBy: nullable({
      ...AuthorSchema,
      title: 'AppealAuthor',
      description: 'Who appealed; null if nobody has.',
    }),
    med: nullable({
      ...MedSchema,
      description:
        "The claim by MED, the Central Bank's refund process for Pix fraud; null for other disputes.",
    }),
  },
  { title: 'Dispute', description: 'A payment that a payer disputes with their bank.' },
);

/** Operators read a payer's name in the transaction, where each access is recorded. */
export const SellerDisputeSchema = Type.Object(
  { ...DisputeSchema.properties, customerName: Type.String({ description: 'Name of the payer.' }) },
  { title: 'SellerDispute', description: 'A dispute with the payer, as its seller reads it.' },
);

const disputePage = <Item extends typeof SellerDisputeSchema | typeof OperatorDisputeSchema>(
  item: Item,
  title: string,
) =>
  Type.Object(
    {
      data: Type.Array(item, { description: 'The disputes of this page.' }),
      ...listCount,
      take: Type.Integer({ description: 'Page size.' }),
      skip: Type.Integer({ description: 'Number of disputes that were skipped.' }),
    },
    { title, description: 'One page of disputes.' },
  );

/** The response of every seller route: a list inside `data`, also for a single dispute. */
export const DisputesSchema = envelope(disputePage(SellerDisputeSchema, 'DisputePage'));

export const OperatorDisputeSchema = Type.Object(
  {
    ...DisputeSchema.properties,
    sellerId: recordId('The seller.'),
    sellerName: Type.String({ description: 'Name of the seller.' }),
  },
  { title: 'OperatorDispute', description: 'A dispute with its seller.' },
);

export const OperatorDisputesSchema = disputePage(OperatorDisputeSchema, 'OperatorDisputePage');

export const OpenDisputeBody = Type.Object({
  reason: nonEmptyString(255, 'Reason, which the seller sees.'),
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
  transactionId: Type.Optional(recordId('Only disputes of this transaction.')),
  ...dateQuery,
};
