import type { OwnedWithdrawal } from './queries.ts';

/** Whether nothing has been sent yet. */
export const canReject = ({ status }: OwnedWithdrawal): boolean =>
  status === 'PENDING' || status === 'APPROVED';

/** Whether the user can approve: the second approval must come from another user. */
export const canApprove = ({ status, approvals }: OwnedWithdrawal, userId: string): boolean =>
  status === 'PENDING' && !approvals.some((approval) => approval.userId === userId);
