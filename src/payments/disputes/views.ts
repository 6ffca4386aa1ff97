import type { Static } from 'typebox';

import type { ListCount } from '#platform/http/pagination.ts';
import type { Dispute, OperatorDispute } from './dispute.ts';
import type { Med } from './med.ts';
import type { DisputeSchema, DisputesSchema, OperatorDisputeSchema } from './schema.ts';

export function viewDispute(dispute: Dispute): Static<typeof DisputeSchema> {
  return {
    id: dispute.id,
    transactionId: dispute.transactionId,
    status: dispute.status,
    amount: dispute.amount,
    reason: dispute.reason,
    createdBy: dispute.createdBy,
    createdAt: dispute.createdAt.toISOString(),
    appealUntil: dispute.appealUntil.toISOString(),
    resolvedAt: dispute.resolvedAt?.toISOString() ?? null,
    resolvedBy: dispute.resolvedBy,
    appealReason: dispute.appealReason,
    appealedBy: dispute.appealedBy,
    med: dispute.med && viewMed(dispute.med),
  };
}

const viewMed = ({ analysisDueAt, refundDueAt, ...med }: Med) => ({
  ...med,
  analysisDueAt: analysisDueAt.toISOString(),
  refundDueAt: refundDueAt.toISOString(),
});

/** A dispute of a seller, with the name of the payer. */
export interface SellerDispute extends Dispute {
  readonly customerName: string;
}

export function viewDisputes(
  disputes: readonly SellerDispute[],
  count: ListCount = { count: disputes.length },
  { take, skip }: { readonly take: number; readonly skip: number } = { take: 10, skip: 0 },
): Static<typeof DisputesSchema> {
  const data = disputes.map((dispute) => ({
    ...viewDispute(dispute),
    customerName: dispute.customerName,
  }));
  return { status: true, data: { data, ...count, take, skip } };
}

export function viewOperatorDispute(dispute: OperatorDispute): Static<typeof OperatorDisputeSchema> {
  const { sellerId, sellerName } = dispute;
  return { ...viewDispute(dispute), sellerId, sellerName };
}
