import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Confirm } from '../../components/confirm.tsx';
import { notify } from '../../components/feedback.tsx';
import { formatMoney } from '../../i18n/format.ts';
import { refresh } from '../queries.ts';
import { RISK_REVIEWS_KEY, type QueuedReview } from './queries.ts';

export type ReviewDecision = 'APPROVE' | 'REFUSE';

interface Deciding {
  readonly what: ReviewDecision;
  readonly about: QueuedReview;
}

interface Queue {
  readonly data: readonly QueuedReview[];
  readonly count: number;
}

/** Removes the charge from the cached queue, so that it disappears before the refetch. */
function updateCache(id: string): void {
  queryClient.setQueryData<Queue>(RISK_REVIEWS_KEY, (queue) =>
    queue === undefined
      ? undefined
      : { ...queue, data: queue.data.filter((row) => row.id !== id), count: Math.max(queue.count - 1, 0) },
  );
  void refresh('risk-reviews', 'transactions', 'audit');
}

/** Asks before a review is decided. */
export function DecideReview({
  deciding,
  onClose,
  onDone,
}: {
  readonly deciding: Deciding | undefined;
  readonly onClose: () => void;
  readonly onDone: (decided: QueuedReview) => void;
}): ReactNode {
  const { t } = useTranslation();
  // Keeps the content of the dialog during its closing animation.
  const [last, setLast] = useState(deciding);
  if (deciding !== undefined && deciding !== last) setLast(deciding);
  const shown = deciding ?? last;
  if (shown === undefined) return null;
  const { what, about } = shown;
  const isApproval = what === 'APPROVE';
  const values = { amount: formatMoney(about.amount), seller: about.sellerName };
  const kind = about.method === 'CREDIT_CARD' ? 'card' : 'other';
  return (
    <Confirm
      opened={deciding !== undefined}
      onClose={onClose}
      ready
      danger={!isApproval}
      title={t(isApproval ? 'operator.riskReviews.approveTitle' : 'operator.riskReviews.refuseTitle', values)}
      message={t(
        isApproval ? `operator.riskReviews.approveMeans.${kind}` : `operator.riskReviews.refuseMeans.${kind}`,
      )}
      action={t(isApproval ? 'operator.riskReviews.approve' : 'operator.riskReviews.refuse')}
      run={async () => {
        const path = { id: about.id };
        await unwrap(
          api.POST('/v1/admin/transactions/{id}/review', { params: { path }, body: { decision: what } }),
        );
        updateCache(about.id);
        notify(t(isApproval ? 'operator.riskReviews.approved' : 'operator.riskReviews.refused', values));
        onDone(about);
      }}
    />
  );
}
