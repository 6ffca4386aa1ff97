import type { OwnedWithdrawal } from '../queries.ts';

/** Whether this person can still say yes: of two approvals one must be another's. */
export const canApprove = ({ status, approvals }: OwnedWithdrawal, userId: string): boolean =>
  status === 'PENDING' && !approvals.some((approval) => approval.userId === userId);
